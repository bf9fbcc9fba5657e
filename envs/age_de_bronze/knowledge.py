"""What a seat sees, and a world that it cannot tell from the real one."""

from __future__ import annotations

import numpy as np

from ..engine.chance import randint, shuffle
from ..engine.compile import kernel
from .components import (
    DECK_ROOM,
    MAIN_TOTAL,
    NUM_HELD,
    NUM_MAIN,
    NUM_NATIONS,
    RICHES_TOTAL,
    RULE,
    TRICKS,
    Card,
)
from .hands import holds, unknown_beside
from .rules import END, PILES, TRICK_CARD, first_look, leaders, looker, owner, playable_tricks, points_beside
from .state import GROUPS, NONE, O, Phase

AUGURY_SHOWS = RULE.augury
NUM_TRICKS = len(TRICKS)
LOOK_PARTS = 3  # numbers observed of each Augury
UNKNOWN_ROOM = MAIN_TOTAL + RICHES_TOTAL
FINE = 1 << 30
TRIES = 10_000  # the rarest case fits once in some hundreds; only a position made up by hand fails them all


# -- observe -----------------------------------------------------------------------------------------------------------


@kernel
def observe(s, seat, out):
    """What `seat` may know, in natural units: its own nation first, the others in turn order."""
    own = own_nation(s, seat)
    out[O.players + s.num_players - 2] = 1
    out[O.phase + s.phase] = 1
    out[O.deciding] = s.seat == seat and not s.finished
    out[O.turn_of + (s.turn - own) % s.nations] = 1
    ahead = leaders(s)
    for k in range(s.nations):
        _observe_nation(s, seat, (own + k) % s.nations, k, ahead, out)
    for card in range(NUM_HELD):
        out[O.shown + card] = s.known_to_all[seat, card]
        for group in range(GROUPS):
            out[O.lost + group * NUM_HELD + card] = s.lost[seat, group, card]
    _observe_middle(s, seat, out)
    _observe_looks(s, own, out)
    _observe_turn(s, own, out)


@kernel
def own_nation(s, seat):
    """The nation from which a seat looks at the table: its active one, else its next one in turn order."""
    n = s.turn
    while owner(s, n) != seat:
        n = (n + 1) % s.nations
    return n


@kernel
def _observe_nation(s, seat, n, k, ahead, out):
    """The nation that comes k-th after the observer's own."""
    holder = owner(s, n)
    out[O.in_play + k] = 1
    out[O.mine + k] = holder == seat
    out[O.nation + k * NUM_NATIONS + s.nation[n]] = 1
    for deity in range(NUM_NATIONS):
        out[O.deities + k * NUM_NATIONS + deity] = s.deity_holder[deity] == n
    out[O.family + k] = s.family[n]
    out[O.temple + k] = s.temple[n]
    out[O.victory + k] = s.victory[n]
    out[O.riches + k] = s.riches[n]
    out[O.greatest_temple + k] = s.greatest_temple == n
    out[O.points + k] = points_beside(s, n, ahead)
    out[O.hand_size + k] = s.hand_size[holder]
    for card in range(NUM_HELD):
        out[O.known + k * NUM_HELD + card] = (
            s.hand[seat, card] if holder == seat else s.known[seat, holder, card]
        )
    for group in range(GROUPS):
        out[O.mixed + group * NUM_NATIONS + k] = s.mixed[seat, group, holder]


@kernel
def _observe_middle(s, seat, out):
    """The row, the decks and the discards."""
    for card in range(NUM_MAIN):
        out[O.row + card] = s.row[card]
        out[O.discards + card] = s.discards[card]
    out[O.ends_out] = s.ends_out
    out[O.deck_left] = s.pile_start[PILES] - s.deck_next
    pile = _pile_of(s, s.deck_next)
    out[O.pile_left] = s.pile_start[pile + 1] - s.deck_next
    out[O.pile_end_out] = s.ends_out > pile
    for k in range(min(AUGURY_SHOWS, s.pile_start[PILES] - s.deck_next)):
        if looker(s, s.deck_next + k) == seat:
            out[O.deck_top + k * (NUM_MAIN + 1) + min(s.deck[s.deck_next + k], NUM_MAIN)] = 1
    for k in range(2):
        out[O.riches_deck + k] = s.riches_deck[k]
        out[O.riches_discards + k] = s.riches_discards[k]


@kernel
def _observe_looks(s, own, out):
    """Auguries of whose cards some are left."""
    for k in range(s.looks):
        end = s.look_at[k] + s.look_size[k]
        out[O.look + k * LOOK_PARTS] = min(s.look_size[k], s.deck_next - s.look_at[k])
        out[O.look + k * LOOK_PARTS + 1] = max(0, end - s.deck_next)
        out[O.look + k * LOOK_PARTS + 2] = s.look_kept[k]
        for n in range(s.look_seat[k], s.nations, s.num_players):
            out[O.look_by + k * NUM_NATIONS + (n - own) % s.nations] = 1


@kernel
def _pile_of(s, place):
    """The pile of the setup that a deck position lies in; the last one for the end of the deck."""
    pile = 0
    while pile < PILES - 1 and place >= s.pile_start[pile + 1]:
        pile += 1
    return pile


@kernel
def _observe_turn(s, own, out):
    """The active nation's turn and what is being resolved in it."""
    out[O.actions] = s.actions
    for deity in range(NUM_NATIONS):
        out[O.deity_used + deity] = s.deity_used[deity]
    for k in range(NUM_TRICKS):
        out[O.trick + k] = s.trick == TRICK_CARD[k]
    out[O.free_trick] = s.free_trick
    if s.target != NONE:
        out[O.target + (s.target - own) % s.nations] = 1
    out[O.owed] = s.owed
    out[O.placed] = s.placed


# -- determinize -------------------------------------------------------------------------------------------------------


@kernel
def determinize(s, seat):
    """Redraw all that `seat` cannot know, uniformly over the deals that fit what it has seen.

    End cards come first, for a seat knows how many lie in each pile; every other card that it does not know is
    shuffled among the places that it does not know, and what it lost sight of by a Spy among those where that may be.
    All of it again until the acting seat could have said what it said. What other seats know is left out of a world,
    but for what all of them know.
    """
    ends = np.zeros(DECK_ROOM, np.int8)
    cards = np.zeros(UNKNOWN_ROOM, np.int8)
    group_cards = np.zeros(UNKNOWN_ROOM, np.int8)
    unknown = np.zeros(NUM_HELD, np.int64)
    _collect(s, seat, unknown)
    _imagine_ends(s, seat, ends)
    for _ in range(TRIES):
        _shuffle_unknown(s, seat, unknown, cards)
        likely = _lay_out(s, seat, cards, group_cards, ends)
        if _can_do_what_it_said(s) and (likely == 1.0 or randint(s, FINE) < likely * FINE):
            break
    _leave_out_what_others_know(s, seat)


@kernel
def _can_do_what_it_said(s):
    """A seat that is in the middle of a raid holds Riches; one that called on Nergal holds a trick of use."""
    if s.trick == Card.RICHES:
        return s.hand[s.seat, Card.RICHES] > 0
    if s.free_trick and s.phase == Phase.TURN:
        return playable_tricks(s, holds(s, s.seat)) != 0
    return True


@kernel
def _leave_out_what_others_know(s, seat):
    """Others know what all know, and a hand that they are just looking at."""
    for other in range(s.num_players):
        if other != seat:
            s.lost[other, :, :] = 0
            s.mixed[other, :, :] = 0
            s.revealed[other, :, :] = 0
            s.fresh[other, :] = 0
            for holder in range(s.num_players):
                if holder != other:
                    s.known[other, holder, :] = s.known_to_all[holder, :]
    if s.phase == Phase.SPY and s.seat != seat:
        victim = owner(s, s.target)
        s.known[s.seat, victim, :] = s.hand[victim, :]


@kernel
def _collect(s, seat, unknown):
    """Count the cards that `seat` does not know, but End cards and those that it lost sight of, by kind."""
    for card in range(NUM_HELD):
        for holder in range(s.num_players):
            if holder != seat:
                unknown[card] += s.hand[holder, card] - s.known[seat, holder, card]
        for group in range(GROUPS):
            unknown[card] -= s.lost[seat, group, card]
    for place in range(s.deck_next, s.pile_start[PILES]):
        if looker(s, place) != seat and s.deck[place] != END:
            unknown[s.deck[place]] += 1


@kernel
def _shuffle_unknown(s, seat, unknown, cards):
    """The unknown cards in random order: those for hands first, among which are all Riches."""
    count = 0
    for card in range(NUM_MAIN):
        for _ in range(unknown[card]):
            cards[count] = card
            count += 1
    shuffle(s, cards, 0, count)
    places = 0
    for holder in range(s.num_players):
        if holder != seat:
            places += s.hand_size[holder]
            for card in range(NUM_HELD):
                places -= s.known[seat, holder, card]
    for group in range(GROUPS):
        for card in range(NUM_HELD):
            places -= s.lost[seat, group, card]
    riches = unknown[Card.RICHES]  # a seat knows all Riches, but one in a world of another seat may not
    if riches > 0:
        for k in range(count - 1, places - riches - 1, -1):
            cards[k + riches] = cards[k]
        cards[places - riches : places] = Card.RICHES
        shuffle(s, cards, 0, places)


@kernel
def _lay_out(s, seat, cards, group_cards, ends):
    """Deal the unknown cards to the places that `seat` does not know, hands, then the deck: how likely that is."""
    k, likely = 0, 1.0
    for holder in range(s.num_players):
        if holder != seat:
            s.hand[holder, :] = s.known[seat, holder, :]
            count = unknown_beside(s, seat, holder)
            likely *= _likely_to_be_left(s, seat, holder, cards, k, k + count - s.fresh[seat, holder])
            for _ in range(count):
                s.hand[holder, cards[k]] += 1
                k += 1
    for group in range(GROUPS):
        k += _lay_out_group(s, seat, group, cards, k, group_cards)
        likely *= _likely_to_be_taken(s, seat, group, group_cards)
    for place in range(s.deck_next, s.pile_start[PILES]):
        if looker(s, place) != seat:
            if ends[place]:
                s.deck[place] = END
            else:
                s.deck[place] = cards[k]
                k += 1
    return likely


@kernel
def _likely_to_be_left(s, seat, holder, cards, start, stop):
    """How likely these cards are what is left of those from which some were shown.

    All deals from which what was shown could be shown are equally likely, and there are fewer in which another of its
    kind is left: of three cards, of which a Temple was shown, there are six orders with two others, three with a second
    Temple and another, and one with three Temples.
    """
    likely = 1.0
    for card in range(NUM_MAIN):
        shown, left = s.revealed[seat, holder, card], 0
        if shown > 0:
            for k in range(start, stop):
                left += cards[k] == card
            for k in range(1, left + 1):  # one over the ways to choose those left from all of a kind
                likely *= k / (shown + k)
    return likely


@kernel
def _likely_to_be_taken(s, seat, group, group_cards):
    """How likely a Spy took this card: each kind that was there as likely as another, however many there were of it."""
    hands, thief, places, at = 0, NONE, 0, 0
    for holder in range(s.num_players):
        number = s.mixed[seat, group, holder]
        places += number
        if number > 0:
            hands += 1
            if number == 1 and thief == NONE:
                thief, at = holder, places
    if hands != 2 or thief == NONE:
        return 1.0
    taken, alike = group_cards[places - at], 0
    for k in range(places):
        alike += group_cards[k] == taken
    return 1.0 / alike


@kernel
def _lay_out_group(s, seat, group, cards, k, group_cards):
    """Lost cards and unknown ones, from number `k` on, go where a Spy has mixed them: how many of these."""
    count, places, first = 0, 0, k
    for card in range(NUM_HELD):
        for _ in range(s.lost[seat, group, card]):
            group_cards[count] = card
            count += 1
    for holder in range(s.num_players):
        places += s.mixed[seat, group, holder]
    while count < places:
        group_cards[count] = cards[k]
        count += 1
        k += 1
    shuffle(s, group_cards, 0, places)
    for holder in range(s.num_players):
        for _ in range(s.mixed[seat, group, holder]):
            places -= 1
            s.hand[holder, group_cards[places]] += 1
    return k - first


@kernel
def _imagine_ends(s, seat, ends):
    """Mark deck positions of End cards as `seat` may believe them to be.

    Each pile holds one, anywhere. Only an Augury of another seat disturbs that: it takes a card that is no End card
    and changes the order of the rest. Until the cards that it showed are drawn, the deck is imagined as it was before
    the first of them and what happened since is played out, until it fits what has been drawn.
    """
    first = first_look(s)
    s.look_ends[:first] = 0  # of cards that are all drawn
    start = s.look_at[first] if first < s.looks else s.deck_next
    out = s.ends_out
    for place in range(start, s.deck_next):
        out -= s.deck[place] == END
    for _ in range(TRIES):
        _deal_ends(s, start, out, ends)
        fits = True
        for k in range(first, s.looks):
            fits = fits and _imagine_look(s, seat, k, ends)
        for place in range(start, s.deck_next):
            fits = fits and ends[place] == (s.deck[place] == END)
        if fits:
            return
    for place in range(DECK_ROOM):
        ends[place] = s.deck[place] == END


@kernel
def _deal_ends(s, start, out, ends):
    """An End card anywhere in what is left, from position `start` on, of each pile whose End is not among the `out`."""
    ends[:] = 0
    for pile in range(out, PILES):
        begin = max(start, s.pile_start[pile])
        ends[begin + randint(s, s.pile_start[pile + 1] - begin)] = 1


@kernel
def _imagine_look(s, seat, k, ends):
    """Play out Augury k on imagined End cards: whether it can have been so."""
    start, size = s.look_at[k], s.look_size[k]
    count = 0
    for place in range(start, start + size):
        count += ends[place]
        ends[place] = 0
    if s.look_seat[k] == seat:
        seen = 0
        for place in range(size):
            ends[start + place] = (s.look_ends[k] >> place) & 1
            seen += ends[start + place]
        return seen == count
    back = start + s.look_kept[k]
    if count > start + size - back:
        return False
    s.look_ends[k] = 0
    left = count
    for place in range(back, start + size):
        if left > 0 and randint(s, start + size - place) < left:
            ends[place] = 1
            s.look_ends[k] |= 1 << (place - start)
            left -= 1
    return True
