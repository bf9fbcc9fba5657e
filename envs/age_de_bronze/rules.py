"""The rules of Âge de Bronze, in the order of the rulebook.

Rulings are numbered as in RULES.md.
"""

from __future__ import annotations

import numpy as np

from ..engine.chance import draw, roll, shuffle
from ..engine.compile import kernel
from ..engine.table import place_by
from .components import (
    AMBUSH_TOTAL,
    COUNTS,
    DECK_ROOM,
    MAIN_TOTAL,
    NUM_HELD,
    NUM_MAIN,
    NUM_NATIONS,
    PROGRESS,
    RICHES_TOTAL,
    RULE,
    TRICKS,
    Card,
    Deity,
)
from .hands import gain_openly, gain_secretly, holds, look_at_hand, lose, rob
from .state import AMBUSH, MOST_LOOKS, NONE, RICHES, A, Phase

ACTIONS_A_TURN, EXTRA_ACTION = RULE.actions, RULE.extra_action
HAND_DEALT, HAND_LIMIT = RULE.hand_dealt, RULE.hand_limit
ROW, PILES, AUGURY_SHOWS = RULE.row, RULE.piles, RULE.augury
NATIONS_OF_TWO = RULE.nations_of_two
FAMILY_POINTS, DEITY_POINTS = RULE.family_points, RULE.deity_points
MOST_VICTORY, SECOND_VICTORY = RULE.most_victory, RULE.second_victory
MOST_TEMPLE, SECOND_TEMPLE = RULE.most_temple, RULE.second_temple
MOST_RICHES, SECOND_RICHES = RULE.most_riches, RULE.second_riches
PROGRESS_CARD = tuple(int(Card[name]) for name in PROGRESS)
TRICK_CARD = tuple(int(Card[name]) for name in TRICKS)
NUM_PROGRESS, NUM_TRICKS = len(PROGRESS), len(TRICKS)
PLAY_FAMILY, PLAY_TEMPLE, PLAY_VICTORY = (PROGRESS.index(name) for name in ("FAMILY", "TEMPLE", "VICTORY"))
END = Card.END_OF_THE_BRONZE_AGE


@kernel
def owner(s, nation):
    """The seat that runs a nation (Rules for 2 Players: A1, B1, A2, B2)."""
    return nation % s.num_players


# -- Setting Up the Game ----------------------------------------------------------------------


@kernel
def setup(s):
    """Deal a table (Setting Up the Game)."""
    s.nations = NATIONS_OF_TWO if s.num_players == 2 else s.num_players
    s.greatest_temple = NONE
    s.trick = NONE
    s.target = NONE
    _draw_nations(s)
    s.riches_deck[RICHES] = RICHES_TOTAL
    s.riches_deck[AMBUSH] = AMBUSH_TOTAL
    _form_main_deck(s)
    _refill_row(s)
    s.turn = s.nations - 1
    _next_nation(s)  # the first nation plays for the oldest player: seat 0 (ruling 1)


@kernel
def _draw_nations(s):
    """Each nation is drawn at random and takes its deity."""
    for n in range(NUM_NATIONS):
        s.nation[n] = n
        s.deity_holder[n] = NONE
    shuffle(s, s.nation, 0, NUM_NATIONS)
    for n in range(NUM_NATIONS):
        if n < s.nations:
            s.deity_holder[s.nation[n]] = n
        else:
            s.nation[n] = NONE


@kernel
def _form_main_deck(s):
    """Three cards to each player; the rest in four piles with an End card each, the earlier piles the larger."""
    k = 0
    for card in range(NUM_MAIN):
        for _ in range(COUNTS[card]):
            s.deck[k] = card
            k += 1
    shuffle(s, s.deck, 0, MAIN_TOTAL)
    left = MAIN_TOTAL
    for seat in range(s.num_players):
        for _ in range(HAND_DEALT):
            left -= 1
            gain_secretly(s, seat, s.deck[left], NONE)
    _form_piles(s, left)


@kernel
def _form_piles(s, cards):
    """The first `cards` of the deck in four piles, an End card shuffled into each; the earlier piles are the larger."""
    stop = cards + PILES
    for position in range(stop, DECK_ROOM):
        s.deck[position] = 0
    s.pile_start[PILES] = stop
    for pile in range(PILES - 1, -1, -1):  # from the last one up, for every End card moves what lies below it
        size = (cards + PILES - 1 - pile) // PILES
        start = stop - size - 1
        for k in range(size):
            s.deck[stop - 2 - k] = s.deck[start - pile + size - 1 - k]
        s.deck[stop - 1] = END
        s.pile_start[pile] = start
        shuffle(s, s.deck, start, stop)
        stop = start


# -- Playing a Turn ----------------------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark what the acting seat may do (Playing a Turn)."""
    if s.phase == Phase.TURN:
        _may_act(s, mask)
    elif s.phase == Phase.TARGET:
        _may_target(s, mask)
    elif s.phase == Phase.COMMIT:
        for cards in range(s.hand[s.seat, Card.RICHES]):
            mask[A.commit + cards] = True
    elif s.phase == Phase.DEITY:
        for deity in range(NUM_NATIONS):
            mask[A.steal + deity] = s.deity_holder[deity] == s.target
    elif s.phase == Phase.SPY:
        _may_pick(s, owner(s, s.target), A.spy, mask)
    elif s.phase == Phase.KEEP:
        _may_keep(s, mask)
    elif s.phase == Phase.PUT_BACK:
        for place in range(s.deck_next + s.placed, _look_end(s)):
            mask[A.put_back + min(s.deck[place], NUM_MAIN)] = True
    else:
        _may_pick(s, s.seat, A.discard, mask)


@kernel
def apply(s, action):
    """Play a legal action and run on to the next decision."""
    if action == A.end_turn:
        _end_turn(s)
    elif action < A.play:
        _take_from_row(s, action - A.take)
    elif action < A.deity:
        s.actions -= 1
        _play_progress(s, action - A.play)
    elif action < A.augury:
        _use_deity(s, action - A.deity)
    elif action < A.trick:
        _play_augury(s)
    elif action < A.target:
        _play_trick(s, action - A.trick)
    elif action < A.commit:
        _choose_target(s, (s.turn + 1 + action - A.target) % s.nations)
    elif action < A.steal:
        _raid(s, action - A.commit + 1)
    elif action < A.spy:
        _steal_deity(s, action - A.steal)
    elif action < A.keep:
        _take_from_hand(s, action - A.spy)
    elif action < A.put_back:
        _keep(s, action - A.keep)
    elif action < A.discard:
        _put_back(s, action - A.put_back)
    else:
        _discard_chosen(s, action - A.discard)


@kernel
def _may_pick(s, holder, start, mask):
    """Any card of a hand may be chosen."""
    for card in range(NUM_HELD):
        mask[start + card] = s.hand[holder, card] > 0


# -- 1. Carrying Out the Actions of Your Choice ------------------------------------------------------------------------


@kernel
def _may_act(s, mask):
    """Actions in any order and number while there are any left; deity powers are free (ruling 2: or fewer)."""
    mask[A.end_turn] = True
    cards = holds(s, s.seat)
    tricks = playable_tricks(s, cards)
    if s.actions > 0:
        for card in range(NUM_MAIN):
            mask[A.take + card] = s.row[card] > 0
        for k in range(NUM_PROGRESS):
            mask[A.play + k] = (cards >> PROGRESS_CARD[k]) & 1
        mask[A.augury] = (cards >> Card.AUGURY) & 1
        for k in range(NUM_TRICKS):
            mask[A.trick + k] = (tricks >> k) & 1
    if s.free_trick:
        _only_tricks(tricks, mask)
        return
    for deity in range(NUM_NATIONS):
        if s.deity_holder[deity] == s.turn and not s.deity_used[deity]:
            mask[A.deity + deity] = _power_is_of_use(s, deity, cards, tricks)


@kernel
def _take_from_row(s, card):
    """Take a card of the row; the row is refilled at the end of the turn."""
    s.actions -= 1
    s.row[card] -= 1
    gain_openly(s, s.seat, card)


@kernel
def _play_progress(s, k):
    """Develop the nation: play a progress card on the table (Progress Cards)."""
    card = PROGRESS_CARD[k]
    lose(s, s.seat, card)
    if card == Card.FAMILY:
        s.family[s.turn] += 1
    elif card == Card.TEMPLE:
        s.temple[s.turn] += 1
        _award_greatest_temple(s)
    elif card == Card.VICTORY:
        s.victory[s.turn] += 1
        _take_riches(s)
    else:
        s.riches[s.turn] += 1


# -- 2. Ending Your Turn -----------------------------------------------------------------------------------------------


@kernel
def _end_turn(s):
    """Down to eight cards in hand, then the row is refilled and the next nation plays."""
    if s.hand_size[owner(s, s.turn)] > HAND_LIMIT:
        s.phase = Phase.DISCARD
        return
    _refill_row(s)
    if not s.finished:
        _next_nation(s)


@kernel
def _next_nation(s):
    """Four actions, five with the Greatest Temple; every deity's power is fresh."""
    s.turn = (s.turn + 1) % s.nations
    s.actions = ACTIONS_A_TURN
    if s.greatest_temple == s.turn:
        s.actions += EXTRA_ACTION
    s.deity_used[:] = 0
    _back_to_turn(s)


@kernel
def _back_to_turn(s):
    """Whatever was being resolved is done: the active nation decides on."""
    _forget_looks(s)
    s.phase = Phase.TURN
    s.seat = owner(s, s.turn)
    s.trick = NONE
    s.free_trick = False
    s.target = NONE


@kernel
def _discard_chosen(s, card):
    """A card goes face up on its discard pile: over the hand limit, or cursed."""
    lose(s, s.seat, card)
    _discard(s, card)
    if s.phase == Phase.CURSE:
        s.owed -= 1
        if s.owed == 0:
            _back_to_turn(s)
    else:
        _end_turn(s)


@kernel
def _discard(s, card):
    """Riches have a discard pile of their own (Riches Deck)."""
    if card == Card.RICHES:
        s.riches_discards[RICHES] += 1
    else:
        s.discards[card] += 1


@kernel
def _refill_row(s):
    """The row holds three cards and one more for each End card that is out."""
    shown = 0
    for card in range(NUM_MAIN):
        shown += s.row[card]
    while shown < ROW + s.ends_out:
        card = _top_card(s)
        if card == END:
            _end_card(s)
            if s.finished:
                return
        else:
            s.row[card] += 1
            shown += 1


@kernel
def _top_card(s):
    """Take the top card off the deck: its place keeps no trace of it, but for End cards, which all have seen."""
    card = s.deck[s.deck_next]
    if card != END:
        s.deck[s.deck_next] = NONE
    s.deck_next += 1
    return card


# -- End of the Game ---------------------------------------------------------------------------------------------------


@kernel
def _end_card(s):
    """An End card leaves play and lengthens the row; the fourth ends the game at once (End of the Bronze Age Cards)."""
    s.ends_out += 1
    if s.ends_out == PILES:
        s.finished = True


@kernel
def scores(s, out):
    """Points of each seat, its nations together (Scoring; Rules for 2 Players)."""
    ahead = leaders(s)
    for seat in range(s.num_players):
        out[seat] = 0
    for n in range(s.nations):
        out[owner(s, n)] += points_beside(s, n, ahead)


@kernel
def nation_points(s, n):
    """Points of one nation (Scoring)."""
    return points_beside(s, n, leaders(s))


@kernel
def leaders(s):
    """What the first and the second in each category have, as `points_beside` asks for it."""
    return _two_highest(s, s.victory), _two_highest(s, s.temple), _two_highest(s, s.riches)


@kernel
def _two_highest(s, cards):
    """The largest and the next smaller number of cards before any nation."""
    first, second = 0, 0
    for n in range(s.nations):
        count = cards[n]
        if count > first:
            first, second = count, first
        elif second < count < first:
            second = count
    return first, second


@kernel
def points_beside(s, n, ahead):
    """Points of one nation, when `ahead` are the `leaders` (Scoring)."""
    victory, temple, riches = ahead
    points = s.family[n] * FAMILY_POINTS
    points += _category(s.victory[n], victory, MOST_VICTORY, SECOND_VICTORY)
    points += _category(s.temple[n], temple, MOST_TEMPLE, SECOND_TEMPLE)
    points += _category(s.riches[n], riches, MOST_RICHES, SECOND_RICHES)
    if s.deity_holder[s.nation[n]] == n:
        points += DEITY_POINTS
    return points


@kernel
def _category(count, highest, most, second):
    """Most cards, or second most; equals all get the points; no card, no place (ruling 3)."""
    if count == 0:
        return 0
    if count == highest[0]:
        return most
    return second if count == highest[1] else 0


@kernel
def placing(s, out):
    """More points win; a tie goes to more Family cards, then it is shared (Scoring)."""
    strengths = np.zeros(s.num_players, np.int64)
    for seat in range(s.num_players):
        strengths[seat] = _strength(s, seat)
    place_by(s, strengths, out)


@kernel
def _strength(s, seat):
    """Points and Family cards of a seat in one number that is compared like the pair."""
    strength = 0
    for n in range(s.nations):
        if owner(s, n) == seat:
            strength += int(nation_points(s, n)) * MAIN_TOTAL + s.family[n]
    return strength


# -- Deity Cards -------------------------------------------------------------------------------------------------------


@kernel
def _power_is_of_use(s, deity, cards, tricks):
    """Whether a deity's power can be used now (Nation Cards)."""
    if deity == Deity.MAMMON:
        return (
            s.riches_deck[RICHES]
            + s.riches_deck[AMBUSH]
            + s.riches_discards[RICHES]
            + s.riches_discards[AMBUSH]
            > 0
        )
    if deity == Deity.MARDUK:
        return (cards >> Card.TEMPLE) & 1 == 1
    if deity == Deity.NERGAL:
        return tricks != 0
    if deity == Deity.KIRIRISHA:
        return (cards >> Card.FAMILY) & 1 == 1
    if deity == Deity.INARA:
        return (cards >> Card.VICTORY) & 1 == 1
    return True  # Utu: the deck is never empty, its last pile holds the End card that ends the game


@kernel
def _use_deity(s, deity):
    """A free action, once a turn (Nation Cards)."""
    s.deity_used[deity] = 1
    if deity == Deity.MAMMON:
        _mammon(s)
    elif deity == Deity.UTU:
        _utu(s)
    elif deity == Deity.MARDUK:
        _play_progress(s, PLAY_TEMPLE)
    elif deity == Deity.NERGAL:
        s.free_trick = True
    elif deity == Deity.KIRIRISHA:
        _play_progress(s, PLAY_FAMILY)
    else:
        _play_progress(s, PLAY_VICTORY)


@kernel
def _mammon(s):
    """One card of the Riches deck; an Ambush is discarded and nothing gained."""
    card = _draw_riches(s)
    if card == RICHES:
        gain_openly(s, s.seat, Card.RICHES)
    else:
        s.riches_discards[AMBUSH] += 1


@kernel
def _utu(s):
    """The top card of the deck, unseen by the others; an End card leaves play (ruling 4: the row grows later)."""
    witness = looker(s, s.deck_next)
    card = _top_card(s)
    _forget_looks(s)
    if card == END:
        _end_card(s)
    else:
        gain_secretly(s, s.seat, card, witness)


# -- Progress Cards: the Greatest Temple, Victory and the Riches deck ------------------------------


@kernel
def _award_greatest_temple(s):
    """It goes to the nation with more Temples than every other, which at once has one more action in its own turn.

    On a tie the holder keeps it, unless the tie is between others above it: then nobody has it (ruling 5).
    """
    most, leaders, leader = 0, 0, NONE
    for n in range(s.nations):
        if s.temple[n] > most:
            most, leaders, leader = s.temple[n], 1, n
        elif s.temple[n] == most:
            leaders += 1
    holder = s.greatest_temple
    if most > 0 and leaders == 1:
        if holder != leader:
            s.greatest_temple = leader
            if leader == s.turn:
                s.actions += EXTRA_ACTION
    elif holder != NONE and s.temple[holder] < most:
        s.greatest_temple = NONE


@kernel
def _draw_riches(s):
    """Top card of the Riches deck, or NONE; an empty deck is made anew from its discards."""
    if s.riches_deck[RICHES] + s.riches_deck[AMBUSH] == 0:
        for kind in range(2):
            s.riches_deck[kind] = s.riches_discards[kind]
            s.riches_discards[kind] = 0
    return draw(s, s.riches_deck)


@kernel
def _take_riches(s):
    """A Victory: as many Riches as the die shows; an Ambush ends it and takes all of them (Riches Deck)."""
    taken = 0
    for _ in range(roll(s)):
        card = _draw_riches(s)
        if card == NONE:
            break
        if card == AMBUSH:
            s.riches_discards[AMBUSH] += 1
            s.riches_discards[RICHES] += taken
            return
        taken += 1
    for _ in range(taken):
        gain_openly(s, s.seat, Card.RICHES)


# -- Dirty-Trick Cards -------------------------------------------------------------------------------------------------


@kernel
def playable_tricks(s, cards):
    """Bit k: TRICK_CARD[k] is held and would do something to some opponent's nation (ruling 6)."""
    tricks = 0
    for k in range(NUM_TRICKS):
        if (cards >> TRICK_CARD[k]) & 1:
            for n in range(s.nations):
                if affects(s, TRICK_CARD[k], n):
                    tricks |= 1 << k
                    break
    return tricks


@kernel
def affects(s, trick, n):
    """Whether a trick does something to nation `n`, which must be an opponent's (Dirty-Trick Cards)."""
    if owner(s, n) == owner(s, s.turn):
        return False
    if trick in (Card.SPY, Card.CURSE):
        return s.hand_size[owner(s, n)] > 0
    if trick == Card.THEFT_OF_DEITY:
        return _deities_of(s, n) > 0
    if trick == Card.DEFEAT:
        return s.victory[n] > 0
    if trick == Card.EARTHQUAKE:
        return s.temple[n] > 0
    if trick == Card.BAD_KING:
        return s.riches[n] > 0
    return s.family[n] > 0  # Famine, and a raid with Riches


@kernel
def _deities_of(s, n):
    count = 0
    for deity in range(NUM_NATIONS):
        count += s.deity_holder[deity] == n
    return count


@kernel
def _only_tricks(tricks, mask):
    """Nergal's power was called: now the trick is named."""
    mask[:] = False
    for k in range(NUM_TRICKS):
        mask[A.trick + k] = (tricks >> k) & 1


@kernel
def _may_target(s, mask):
    for k in range(s.nations - 1):
        mask[A.target + k] = affects(s, s.trick, (s.turn + 1 + k) % s.nations)


@kernel
def _play_trick(s, k):
    """Name a trick; it is discarded as it is played, Riches when it is known how many they are."""
    if not s.free_trick:
        s.actions -= 1
    s.trick = TRICK_CARD[k]
    if s.trick != Card.RICHES:
        lose(s, s.seat, s.trick)
        _discard(s, s.trick)
    s.phase = Phase.TARGET


@kernel
def _choose_target(s, n):
    """The trick falls on nation `n`."""
    s.target = n
    if s.trick == Card.SPY:
        _look_at_hand(s, owner(s, n))
    elif s.trick == Card.THEFT_OF_DEITY:
        _choose_deity(s)
    elif s.trick == Card.CURSE:
        _curse(s, owner(s, n))
    elif s.trick == Card.RICHES:
        _prepare_raid(s)
    else:
        _strike(s, n)
        _back_to_turn(s)


@kernel
def _strike(s, n):
    """Famine, Defeat, Earthquake, Bad King: one card of that kind goes from the nation's table."""
    if s.trick == Card.FAMINE:
        s.family[n] -= 1
        _discard(s, Card.FAMILY)
    elif s.trick == Card.DEFEAT:
        s.victory[n] -= 1
        _discard(s, Card.VICTORY)
    elif s.trick == Card.EARTHQUAKE:
        s.temple[n] -= 1
        _discard(s, Card.TEMPLE)
        _award_greatest_temple(s)
    else:
        s.riches[n] -= 1
        _discard(s, Card.RICHES)


@kernel
def _look_at_hand(s, victim):
    """Spy: the whole hand is seen."""
    look_at_hand(s, s.seat, victim)
    s.phase = Phase.SPY


@kernel
def _take_from_hand(s, card):
    """Spy: one card changes hands."""
    rob(s, s.seat, owner(s, s.target), card)
    _back_to_turn(s)


@kernel
def _choose_deity(s):
    """Theft of Deity: the only one, or one of choice."""
    if _deities_of(s, s.target) > 1:
        s.phase = Phase.DEITY
        return
    for deity in range(NUM_NATIONS):
        if s.deity_holder[deity] == s.target:
            _steal_deity(s, deity)
            return


@kernel
def _steal_deity(s, deity):
    """The deity moves into the active nation, which may use its power at once."""
    s.deity_holder[deity] = s.turn
    _back_to_turn(s)


@kernel
def _curse(s, victim):
    """Half the hand goes, rounded up; the victim chooses."""
    s.owed = (s.hand_size[victim] + 1) // 2
    s.seat = victim
    s.phase = Phase.CURSE


@kernel
def _prepare_raid(s):
    """Riches as a dirty trick: any number for one action, but ONE card with Nergal (ruling 7)."""
    if s.free_trick:
        _raid(s, 1)
    else:
        s.phase = Phase.COMMIT


@kernel
def _raid(s, cards):
    """Both roll; die plus cards must be higher than the victim's die to take a Family card."""
    for _ in range(cards):
        lose(s, s.seat, Card.RICHES)
        _discard(s, Card.RICHES)
    attack = roll(s) + cards
    defence = roll(s)
    if attack > defence:
        s.family[s.target] -= 1
        s.family[s.turn] += 1
    _back_to_turn(s)


# -- Bonus Cards -------------------------------------------------------------------------------------------------------


@kernel
def _play_augury(s):
    """Look at the top five cards of the deck; whoever knew them before will not know their new order (ruling 9)."""
    s.actions -= 1
    lose(s, s.seat, Card.AUGURY)
    _discard(s, Card.AUGURY)
    k = s.looks
    s.looks += 1
    s.look_at[k] = s.deck_next
    s.look_size[k] = min(AUGURY_SHOWS, s.pile_start[PILES] - s.deck_next)
    s.look_kept[k] = 0
    s.look_seat[k] = s.seat
    _note_ends(s)
    s.placed = 0
    s.phase = Phase.KEEP


@kernel
def _look_end(s):
    """Deck position after the last card that the latest Augury shows."""
    return s.look_at[s.looks - 1] + s.look_size[s.looks - 1]


@kernel
def looker(s, place):
    """Who knows the card at a deck position: whoever saw it with the latest Augury, -1 for nobody."""
    return s.look_seat[s.looks - 1] if s.looks > 0 and s.deck_next <= place < _look_end(s) else NONE


@kernel
def _forget_looks(s):
    """Auguries whose cards are all drawn matter no more, and are as if they had not been."""
    while s.looks > 0 and first_look(s) > 0:
        for k in range(1, MOST_LOOKS):
            s.look_at[k - 1], s.look_size[k - 1] = s.look_at[k], s.look_size[k]
            s.look_kept[k - 1], s.look_seat[k - 1] = s.look_kept[k], s.look_seat[k]
            s.look_ends[k - 1] = s.look_ends[k]
        s.looks -= 1
        s.look_at[s.looks], s.look_size[s.looks], s.look_kept[s.looks] = 0, 0, 0
        s.look_seat[s.looks], s.look_ends[s.looks] = 0, 0


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
def _note_ends(s):
    """Where the End cards are among the cards that the latest Augury shows."""
    k = s.looks - 1
    ends = 0
    for place in range(s.deck_next, _look_end(s)):
        if s.deck[place] == END:
            ends |= 1 << (place - s.look_at[k])
    s.look_ends[k] = ends


@kernel
def _may_keep(s, mask):
    """One of the five, but no End card; or none."""
    mask[A.keep_none] = True
    for place in range(s.deck_next, _look_end(s)):
        if s.deck[place] != END:
            mask[A.keep + s.deck[place]] = True


@kernel
def _keep(s, card):
    """The card kept goes to the hand; the others wait to be put back."""
    if card < NUM_MAIN:
        _bring_up(s, s.deck_next, card)
        _top_card(s)
        s.look_kept[s.looks - 1] = 1
        gain_secretly(s, s.seat, card, NONE)
        _note_ends(s)
    s.phase = Phase.PUT_BACK
    if s.deck_next == _look_end(s):
        _back_to_turn(s)


@kernel
def _put_back(s, card):
    """The next card from the top, until all are back."""
    _bring_up(s, s.deck_next + s.placed, END if card == NUM_MAIN else card)
    s.placed += 1
    _note_ends(s)
    if s.deck_next + s.placed == _look_end(s):
        s.placed = 0
        _back_to_turn(s)


@kernel
def _bring_up(s, place, card):
    """Swap the first card of this kind at or after `place` to `place`."""
    for k in range(place, _look_end(s)):
        if s.deck[k] == card:
            s.deck[k] = s.deck[place]
            s.deck[place] = card
            return
