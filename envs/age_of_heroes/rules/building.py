"""Turn, 2: building; and what there is to build (Cards: Main deck)."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import COST, NUM_BUILDINGS, NUM_ORDINARY, Building, Card
from ..hands import show
from ..state import A, Phase
from .promises import note_consent
from .table import ask, before_in_play, direct_road, discard, next_in_play

GOLD, ROAD = Card.GOLD, Building.ROAD
LEFT, RIGHT = 0, 1


@kernel
def can_pay(s, seat, kind):
    """Whether the hand holds the cost, with gold for what is missing (Cards: ordinary resources)."""
    missing = 0
    for card in range(NUM_ORDINARY):
        if card != GOLD:
            missing += max(0, COST[kind, card] - s.hand[seat, card])
    return s.hand[seat, GOLD] >= COST[kind, GOLD] + missing


@kernel
def pay(s, seat, kind):
    """The cost goes to the discards; gold only for what is missing (ruling 10)."""
    gold = COST[kind, GOLD]
    for card in range(NUM_ORDINARY):
        if card != GOLD and COST[kind, card] > 0:
            own = min(COST[kind, card], s.hand[seat, card])
            gold += COST[kind, card] - own
            if own > 0:
                discard(s, seat, card, own)
    if gold > 0:
        discard(s, seat, GOLD, gold)


@kernel
def may_build(s, mask):
    """Anything that can be paid for and is left in the main deck."""
    seat = s.seat
    for kind in range(NUM_BUILDINGS):
        if s.supply[kind] > 0 and can_pay(s, seat, kind):
            if kind == ROAD:
                mask[A.build + ROAD] = _may_build_road(s, seat, LEFT)
                mask[A.road_right] = _may_build_road(s, seat, RIGHT)
            else:  # a general needs an army to lead
                mask[A.build + kind] = kind != Building.GENERAL or s.army[seat] > 0


@kernel
def neighbour(s, seat, side):
    """The nearest tribe on the left or the right."""
    return next_in_play(s, seat) if side == LEFT else before_in_play(s, seat)


@kernel
def _may_build_road(s, seat, side):
    """To a neighbour that has no road to here yet, and has not refused one in this turn (rulings 12 and 13)."""
    other = neighbour(s, seat, side)
    if side == RIGHT and other == next_in_play(s, seat):
        return False  # the same neighbour on both sides
    return not direct_road(s, seat, other) and not (s.refused >> side) & 1


@kernel
def build(s, kind):
    """Pay and take the card from the main deck; a road is put to the neighbour first."""
    if kind == ROAD:
        propose_road(s, LEFT)
        return
    seat = s.turn
    pay(s, seat, kind)
    s.supply[kind] -= 1
    s.built = 1
    if kind == Building.CITY:
        s.cities[seat] += 1
    elif kind == Building.ARMY:
        s.army[seat] += 1
    elif kind == Building.FORTRESS:
        s.fortresses[seat] += 1
    else:  # a general is placed on an army, and stays with it (ruling 11)
        s.army[seat] -= 1
        s.led[seat] += 1


@kernel
def propose_road(s, side):
    """A road needs the consent of the neighbour to whom it leads, who is shown the means (Cards: Roads)."""
    stone = min(COST[ROAD, Card.STONE], s.hand[s.turn, Card.STONE])
    show(s, s.turn, Card.STONE, stone)
    show(s, s.turn, GOLD, COST[ROAD, Card.STONE] - stone)
    s.road_to = side
    ask(s, neighbour(s, s.turn, side), Phase.CONSENT)


@kernel
def answer_road(s, consents):
    """With consent the road is paid for and laid; without, nothing is lost, and that neighbour is not asked again."""
    seat, side = s.turn, s.road_to
    note_consent(s, neighbour(s, seat, side), seat, consents)
    if consents:
        pay(s, seat, ROAD)
        s.supply[ROAD] -= 1
        s.built = 1
        lay_road(s, seat, neighbour(s, seat, side))
    else:
        s.refused |= 1 << side
    s.road_to = 0


@kernel
def lay_road(s, seat, other):
    """The road card lies between the two."""
    if next_in_play(s, seat) == other and next_in_play(s, other) == seat:
        s.road[min(seat, other)] = 1
    elif next_in_play(s, seat) == other:
        s.road[seat] = 1
    else:
        s.road[other] = 1
