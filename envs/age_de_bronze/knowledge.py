"""What a seat sees, a world that it cannot tell from the real one, and how good the table looks to it."""

from __future__ import annotations

import numpy as np

from ..engine.chance import randint, shuffle
from ..engine.compile import kernel
from ..engine.game import MAX_SEATS
from .components import DECK_ROOM, NUM_HELD, NUM_MAIN, NUM_NATIONS, RULE, TRICKS, Card
from .hands import bit, held, holds
from .rules import END, HAND_LIMIT, PILES, TRICK_CARD, leaders, owner, playable_tricks, points_beside
from .state import HAND_ROOM, NONE, O, Phase

AUGURY_SHOWS = RULE.augury
NUM_TRICKS = len(TRICKS)
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
    _observe_middle(s, seat, out)
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
    for slot in range(s.hand_size[holder]):
        if s.seen[holder, slot] & bit(seat):
            out[O.known + k * NUM_HELD + s.hand[holder, slot]] += 1


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
        if s.deck_seen[s.deck_next + k] & bit(seat):
            out[O.deck_top + k * (NUM_MAIN + 1) + min(s.deck[s.deck_next + k], NUM_MAIN)] = 1
    for k in range(2):
        out[O.riches_deck + k] = s.riches_deck[k]
        out[O.riches_discards + k] = s.riches_discards[k]


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

    End cards come first, for a seat knows how many lie in each pile; then the Riches of which a Spy made it lose
    track; every other card that it does not know is shuffled among the places that it does not know. All of it again
    until the acting seat could have said what it said.
    """
    ends = np.zeros(DECK_ROOM, np.int8)
    cards = np.zeros(DECK_ROOM, np.int8)
    lost = np.zeros(MAX_SEATS * HAND_ROOM, np.int8)
    for _ in range(TRIES):
        _imagine_ends(s, seat, ends)
        count, riches = _collect(s, seat, cards)
        shuffle(s, cards, 0, count)
        _imagine_riches(s, seat, riches, lost)
        _lay_out(s, seat, cards, ends, lost)
        if _can_do_what_it_said(s):
            break
    for holder in range(s.num_players):
        if holder != seat:
            _mix_slots(s, holder)


@kernel
def _can_do_what_it_said(s):
    """A seat that is in the middle of a raid holds Riches; one that called on Nergal holds a trick of use."""
    if s.trick == Card.RICHES:
        return held(s, s.seat, Card.RICHES) > 0
    if s.free_trick and s.phase == Phase.TURN:
        return playable_tricks(s, holds(s, s.seat)) != 0
    return True


@kernel
def _mix_slots(s, holder):
    """A hand has no order: the slots of another's hand tell nothing of which card left it."""
    for slot in range(s.hand_size[holder] - 1, 0, -1):
        other = randint(s, slot + 1)
        card, known_to = s.hand[holder, slot], s.seen[holder, slot]
        s.hand[holder, slot], s.seen[holder, slot] = s.hand[holder, other], s.seen[holder, other]
        s.hand[holder, other], s.seen[holder, other] = card, known_to


@kernel
def _collect(s, seat, cards):
    """Gather every card that `seat` does not know, but End cards, by kind: how many main cards, how many Riches."""
    unknown = np.zeros(Card.RICHES + 1, np.int64)
    for holder in range(s.num_players):
        for slot in range(s.hand_size[holder]):
            if not s.seen[holder, slot] & bit(seat):
                unknown[s.hand[holder, slot]] += 1
    for place in range(s.deck_next, s.pile_start[PILES]):
        if not s.deck_seen[place] & bit(seat) and s.deck[place] != END:
            unknown[s.deck[place]] += 1
    count = 0
    for card in range(NUM_MAIN):
        for _ in range(unknown[card]):
            cards[count] = card
            count += 1
    return count, unknown[Card.RICHES]


@kernel
def _imagine_riches(s, seat, riches, lost):
    """Riches of which `seat` lost track lie in the hands that a Spy's card went from or to, nowhere else."""
    lost[:] = 0
    slots = 0
    for holder in range(s.num_players):
        if s.spied & bit(holder):
            for slot in range(s.hand_size[holder]):
                slots += not s.seen[holder, slot] & bit(seat)
    for holder in range(s.num_players):
        if s.spied & bit(holder):
            for slot in range(s.hand_size[holder]):
                if not s.seen[holder, slot] & bit(seat):
                    if riches > 0 and randint(s, slots) < riches:
                        lost[holder * HAND_ROOM + slot] = 1
                        riches -= 1
                    slots -= 1


@kernel
def _lay_out(s, seat, cards, ends, lost):
    """Deal the gathered cards to the places that `seat` does not know."""
    k = 0
    for holder in range(s.num_players):
        for slot in range(s.hand_size[holder]):
            if not s.seen[holder, slot] & bit(seat):
                if lost[holder * HAND_ROOM + slot]:
                    s.hand[holder, slot] = Card.RICHES
                else:
                    s.hand[holder, slot] = cards[k]
                    k += 1
    for place in range(s.deck_next, s.pile_start[PILES]):
        if not s.deck_seen[place] & bit(seat):
            if ends[place]:
                s.deck[place] = END
            else:
                s.deck[place] = cards[k]
                k += 1


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
def first_look(s):
    """The first Augury that still matters: some of its cards are on the deck, or some that a later one showed, too."""
    first = s.looks
    reach = s.deck_next
    for k in range(s.looks - 1, -1, -1):
        if s.look_at[k] + s.look_size[k] > reach:
            first = k
            reach = s.look_at[k]
    return first


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


# -- value -------------------------------------------------------------------------------------------------------------

IN_HAND = np.array([0.55, 0.45, 0.4, 0.3, 0.55, 0.3, 0.2, 0.25, 0.35, 0.2, 0.3, 0.3])  # ours, by Card
BEING_PLAYED = np.array([0, 0, 0, 0.8, 1.9, 0.7, 0.4, 0.4, 0.6, 0.4, 0, 0.9])  # ours, by trick
ON_TABLE, ACTION_LEFT, GREATEST_TEMPLE, A_DEITY = 0.15, 0.05, 0.6, 0.7


@kernel
def value(s, seat):
    """How good the table looks to `seat`: points and prospects, over those of the strongest other and of all others.

    The weights are ours, set by hand: what a card in hand, a deity, an action left or a trick under way is worth.
    """
    own, best, others = 0.0, -100.0, 0.0
    ahead = leaders(s)
    for holder in range(s.num_players):
        worth = _prospects(s, holder, ahead)
        if holder == seat:
            own = worth
        else:
            best = max(best, worth)
            others += worth
    return own - 0.5 * best - 0.5 * others / (s.num_players - 1)


@kernel
def _prospects(s, seat, ahead):
    worth = 0.0
    for n in range(seat, s.nations, s.num_players):  # its nations, without asking each for its owner
        worth += points_beside(s, n, ahead)
        worth += ON_TABLE * (s.temple[n] + s.victory[n] + s.riches[n])
        worth += GREATEST_TEMPLE * (s.greatest_temple == n)
        deities = 0
        for deity in range(NUM_NATIONS):
            deities += s.deity_holder[deity] == n
        worth += A_DEITY * deities
    for slot in range(min(s.hand_size[seat], HAND_LIMIT)):
        worth += IN_HAND[s.hand[seat, slot]]
    if owner(s, s.turn) == seat and not s.finished:
        worth += ACTION_LEFT * s.actions
        if s.trick != NONE and s.phase != Phase.TURN:
            worth += BEING_PLAYED[s.trick]
    return worth
