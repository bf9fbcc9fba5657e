"""Fair."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_EVENTS, NUM_HELD, RULE
from ..hands import gain, gain_shown, lose, show
from ..state import ALL, NONE, A, Fair, Phase, Stage
from .events import is_catastrophe, play_event
from .table import ask, connected, draw_card, first_unmarked, seat_after, seats_in_play

FAIR_CARDS = RULE.fair_cards


# -- The cards ---------------------------------------------------------------------------------------------------------


@kernel
def begin_round(s):
    """A Fair before every turn of the first player, if it is not switched off; promises hold until then."""
    s.round += 1
    s.marked = 0
    _promises_end(s)
    if s.fair == Fair.OFF:
        s.stage = Stage.NEXT_TURN
        return
    for k in range(s.num_players):
        seat = seat_after(s, s.first, k)
        if s.eliminated[seat] == 0:
            for _ in range(FAIR_CARDS + connected(s, seat)):
                _draw_for_fair(s, seat)
    s.stage = Stage.FAIR_CARDS


@kernel
def _draw_for_fair(s, seat):
    """What is played at once waits, face up, until all have drawn (ruling 5); at the first Fair nothing strikes."""
    card = draw_card(s)
    if card == NONE:
        return
    if card < NUM_HELD:
        gain(s, seat, card)
    elif s.round == 1 and is_catastrophe(card):
        s.discards[card] += 1
    else:
        s.waiting[seat, card - NUM_HELD] += 1


@kernel
def play_waiting(s):
    """Everybody, the first player first, uses the cards that must be played at once; then bargaining begins."""
    for k in range(s.num_players):
        seat = seat_after(s, s.first, k)
        for event in range(NUM_EVENTS):
            if s.waiting[seat, event] > 0:
                s.waiting[seat, event] -= 1
                play_event(s, seat, NUM_HELD + event)
                return
    if s.fair == Fair.CARDS_ONLY:
        s.stage = Stage.NEXT_TURN
        return
    s.stage = Stage.BARGAINING
    s.lap = 0
    s.offered = 0


# -- Bargaining --------------------------------------------------------------------------------------------------------


@kernel
def go_on_with_bargaining(s):
    """An offer goes on to the next who may answer it; when there is none, the next seat has its say."""
    if s.offer_to != NONE:
        _put_to_next(s)
    else:
        _give_the_floor(s)


@kernel
def _give_the_floor(s):
    """In turn order everybody may make an offer, so many times, or until nobody makes one (ruling 6)."""
    seat = first_unmarked(s, s.marked)
    if seat == NONE:
        s.marked = 0
        s.lap += 1
        if s.lap == s.offers or not s.offered:
            s.floor = NONE
            s.lap = 0
            s.stage = Stage.NEXT_TURN
            return
        s.offered = 0
        seat = first_unmarked(s, s.marked)
    s.marked |= 1 << seat
    s.floor = seat
    ask(s, seat, Phase.OFFER)


@kernel
def may_offer(s, mask):
    """An offer to a named seat, or to all where there are several; or none."""
    mask[A.no_offer] = True
    seat = s.seat
    for k in range(s.num_players - 1):
        other = seat_after(s, seat, k + 1)
        if s.eliminated[other] == 0:
            mask[A.offer + 1 + k] = s.hand_size[seat] > 0 or _can_promise(s, seat, other)
    if s.open_offers and seats_in_play(s) > 2:
        mask[A.offer] = s.hand_size[seat] > 0 or _can_promise(s, seat, ALL)


@kernel
def address(s, k):
    """To all, or to the seat that sits k places further on."""
    s.offer_to = ALL if k == 0 else seat_after(s, s.seat, k)
    ask(s, s.seat, Phase.GIVE)


@kernel
def is_meant(s, seat, to):
    """Whether a seat is among those to whom an offer is made: `to` is a seat or ALL."""
    return s.eliminated[seat] == 0 and (to in (ALL, seat))


@kernel
def _can_promise(s, seat, to):
    """Whether a promise of `seat` to them would say something new."""
    new = False
    for other in range(s.num_players):
        new = new or (other != seat and is_meant(s, other, to) and not s.promise[seat, other])
    return new and s.promises == 1


@kernel
def _can_be_promised(s, seat, to):
    """Whether a promise of one of them to `seat` would say something new."""
    new = False
    for other in range(s.num_players):
        new = new or (other != seat and is_meant(s, other, to) and not s.promise[other, seat])
    return new and s.promises == 1


@kernel
def named(cards):
    """How many cards one side of an offer names."""
    count = 0
    for card in range(NUM_HELD):
        count += cards[card]
    return count


@kernel
def _last_named(cards):
    last = 0
    for card in range(NUM_HELD):
        if cards[card] > 0:
            last = card
    return last


@kernel
def may_give(s, mask):
    """Cards that are held, named in the order of their kinds, and at last a promise."""
    count = named(s.given)
    if count < s.cards:
        for card in range(_last_named(s.given), NUM_HELD):
            mask[A.give + card] = s.hand[s.seat, card] > s.given[card]
    mask[A.for_what] = count > 0
    mask[A.give_promise] = _can_promise(s, s.seat, s.offer_to)


@kernel
def give(s, card):
    """The card is shown (ruling 7)."""
    s.given[card] += 1
    show(s, s.seat, card, s.given[card])
    ask(s, s.seat, Phase.GIVE)


@kernel
def give_promise(s):
    """And the promise not to attack until the next Fair."""
    s.vow_given = 1
    ask(s, s.seat, Phase.ASK)


@kernel
def may_ask(s, mask):
    """Any cards, held by the others or not, but none of a kind that is offered; a promise; or nothing: a gift."""
    mask[A.send_offer] = True
    mask[A.drop_offer] = True
    if s.vow_wanted:
        return
    if named(s.wanted) < s.cards:
        for card in range(_last_named(s.wanted), NUM_HELD):
            mask[A.ask + card] = s.given[card] == 0
    mask[A.ask_promise] = _can_be_promised(s, s.seat, s.offer_to)


@kernel
def ask_for(s, card):
    """One more card is asked for."""
    s.wanted[card] += 1
    ask(s, s.seat, Phase.ASK)


@kernel
def ask_promise(s):
    """The other side is asked for its promise."""
    s.vow_wanted = 1
    ask(s, s.seat, Phase.ASK)


@kernel
def send_offer(s):
    """The offer stands, and those to whom it is made answer in turn order."""
    s.offered = 1
    s.answered = 1 << s.seat


@kernel
def _put_to_next(s):
    """The next seat that has not answered is asked, whether it can accept or not (ruling 8)."""
    for k in range(1, s.num_players):
        seat = seat_after(s, s.floor, k)
        if is_meant(s, seat, s.offer_to) and not (s.answered >> seat) & 1:
            ask(s, seat, Phase.ANSWER)
            return
    drop_offer(s)


@kernel
def can_accept(s, seat):
    """Whoever accepts must hold what is asked for."""
    enough = True
    for card in range(NUM_HELD):
        enough = enough and s.hand[seat, card] >= s.wanted[card]
    return enough


@kernel
def answer_offer(s, accepts):
    """The first to accept has the bargain; who declines leaves it to the next."""
    seat = s.seat
    if accepts:
        strike_bargain(s, s.floor, seat)
        drop_offer(s)
    else:
        s.answered |= 1 << seat


@kernel
def strike_bargain(s, seat, other):
    """Cards change hands for all to see; promises are remembered."""
    for card in range(NUM_HELD):
        if s.given[card] > 0:
            lose(s, seat, card, s.given[card])
            gain_shown(s, other, card, s.given[card])
        if s.wanted[card] > 0:
            lose(s, other, card, s.wanted[card])
            gain_shown(s, seat, card, s.wanted[card])
    if s.vow_given:
        s.promise[seat, other] = 1
    if s.vow_wanted:
        s.promise[other, seat] = 1
    s.trades += 1


@kernel
def drop_offer(s):
    """Nothing is offered any more."""
    s.offer_to = NONE
    for card in range(NUM_HELD):
        s.given[card] = 0
        s.wanted[card] = 0
    s.vow_given = 0
    s.vow_wanted = 0
    s.answered = 0
    s.asked = False


# -- Promises ----------------------------------------------------------------------------------------------------------


@kernel
def _promises_end(s):
    """A promise that was not broken was kept."""
    for seat in range(s.num_players):
        for other in range(s.num_players):
            s.kept[seat, other] += s.promise[seat, other]
            s.promise[seat, other] = 0


@kernel
def forget_promises(s, seat):
    """A tribe that is out of the game is owed nothing, and owes nothing."""
    for other in range(s.num_players):
        s.promise[seat, other] = 0
        s.promise[other, seat] = 0
