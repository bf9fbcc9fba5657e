"""Turn: the five phases."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_HELD, RULE, Card
from ..hands import gain
from ..state import NONE, A, Phase, Stage
from .building import may_build
from .events import play_event
from .table import ask, discard, draw_card, first_unmarked, seat_after, special_of

HAND_LIMIT = RULE.hand_limit


@kernel
def begin_turn(s):
    """The next tribe to the left has its turn; when all had one, a new round begins with the Fair."""
    seat = first_unmarked(s, s.marked)
    if seat == NONE:
        s.stage = Stage.ROUND
        return
    s.turn = seat
    s.marked |= 1 << seat
    s.built = 0
    s.refused = 0
    s.draws = 1
    s.stage = Stage.DRAW


# -- 1. Drawing a card -------------------------------------------------------------------------------------------------


@kernel
def draw_next(s):
    """Draw what is owed, one card after the other; an event is played before the next card is drawn."""
    while s.draws > 0:
        s.draws -= 1
        card = draw_card(s)
        if card == NONE:
            s.draws = 0
        elif card >= NUM_HELD:
            play_event(s, s.turn, card)
            return
        else:
            gain(s, s.turn, card)
    s.stage = Stage.ACTION if s.stage == Stage.DRAW else Stage.MONUMENT


# -- 2. Performing an action -------------------------------------------------------------------------------------------


@kernel
def may_act(s, mask):
    """One of taxes, building and war, or none; building goes on for as long as there is something to pay with."""
    mask[A.no_action] = True
    may_build(s, mask)
    if s.built:
        return
    seat = s.seat
    if s.cities[seat] > 0:
        mask[A.taxes] = True
    else:
        for card in range(NUM_HELD):
            mask[A.swap + card] = s.hand[seat, card] > 0
    if s.army[seat] + s.led[seat] + s.hand[seat, Card.HERO] > 0:
        for k in range(s.num_players - 1):
            mask[A.war + k] = s.eliminated[seat_after(s, seat, k + 1)] == 0


@kernel
def collect_taxes(s):
    """A further card for each city."""
    s.draws = s.cities[s.turn]
    s.stage = Stage.TAXES


@kernel
def swap_card(s, card):
    """Taxes without a city: one card is discarded, one drawn."""
    discard(s, s.turn, card, 1)
    s.draws = 1
    s.stage = Stage.TAXES


# -- 3. Using a special resource ---------------------------------------------------------------------------------------


@kernel
def may_lay_special(s, mask):
    """Any number of the tribe's own special resources, in this phase alone."""
    mask[A.no_special] = True
    for k in range(s.hand[s.seat, special_of(s, s.seat)]):
        mask[A.lay_special + k] = True


@kernel
def lay_special(s, number):
    """They are placed face up before the player."""
    seat = s.turn
    card = special_of(s, seat)
    if number > 0:
        discard(s, seat, card, number)
        s.discards[card] -= number
        s.monument[seat] += number
    s.stage = Stage.DISCARD


# -- 4. Discarding cards -----------------------------------------------------------------------------------------------


@kernel
def down_to_the_limit(s):
    """At the end of the own turn no more than five cards may be held; what goes is the player's choice (ruling 9)."""
    if s.hand_size[s.turn] > HAND_LIMIT:
        ask(s, s.turn, Phase.DISCARD)
    else:
        s.stage = Stage.TURN_END


@kernel
def may_discard(s, mask):
    """Any card of the hand."""
    for card in range(NUM_HELD):
        mask[A.discard + card] = s.hand[s.seat, card] > 0


# -- 5. Moving and discarding cards ------------------------------------------------------------------------------------


@kernel
def move_cards(s):
    """Armies sent in the turn before come home, and earthquake cards are discarded."""
    seat = s.turn
    s.army[seat] += s.back[seat] + s.shaken[seat]
    s.led[seat] += s.back_led[seat]
    s.discards[Card.EARTHQUAKE] += s.shaken[seat] + s.idle_quakes[seat]
    s.shaken[seat] = 0
    s.idle_quakes[seat] = 0
    s.back[seat] = s.out[seat]
    s.back_led[seat] = s.out_led[seat]
    s.out[seat] = 0
    s.out_led[seat] = 0
