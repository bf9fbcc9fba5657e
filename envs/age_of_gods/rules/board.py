"""The board: tokens, fortifications, markers, and what a careful player remembers of each move (Components)."""

from __future__ import annotations

import numpy as np

from ...engine.compile import kernel
from ..components import BIT, EVERYWHERE, IS_CITY, NUM_PEOPLES, RULE, SIZE, People
from ..state import ATTACK, DEFENCE, NONE

EXTENT_FACTOR, SPARE_GOBLINS = RULE.extent_factor, RULE.spare_goblins
NOWHERE = np.uint64(0)


@kernel
def has(territories, t):
    """Whether a set of territories holds `t`."""
    return territories & BIT[t] != NOWHERE


@kernel
def further(s, seat, k):
    """The seat that sits k places further on, in turn order; `k` is below the number of players."""
    other = seat + k
    return other if other < s.num_players else other - s.num_players


@kernel
def seat_of(s, god):
    """The seat that has this god, or NONE."""
    for seat in range(s.num_players):
        if s.god[seat] == god:
            return seat
    return NONE


@kernel
def max_extent(s, people):
    """Twice the size in territories; Goblins also what has come of their spare tokens (ruling 3)."""
    extent = EXTENT_FACTOR * SIZE[people]
    if people == People.GOBLINS:
        extent += SPARE_GOBLINS - s.spare_goblins
    return extent


@kernel
def settle(s, people, t):
    """A token from the Well of Souls comes to an empty territory."""
    s.owner[t] = people
    s.land[people] |= BIT[t]
    s.extent[people] += 1
    s.towns[people] += IS_CITY[t]


@kernel
def take_away(s, t):
    """The token of a territory, if there is one, goes back to the Well of Souls; the fortification stays."""
    people = s.owner[t]
    if people != NONE:
        s.owner[t] = NONE
        s.land[people] &= ~BIT[t]
        s.extent[people] -= 1
        s.towns[people] -= IS_CITY[t]
    if s.fortress == t:
        s.fortress = NONE


@kernel
def tear_down(s, t):
    """The fortification of a territory is gone."""
    s.fortified &= ~BIT[t]
    s.bulwarks &= ~BIT[t]


@kernel
def destroy(s, t):
    """What stands in a territory is destroyed, as well as any fortification."""
    take_away(s, t)
    tear_down(s, t)


@kernel
def torn(s):
    """The territory of the Vortex, as a set."""
    return NOWHERE if s.vortex == NONE else BIT[s.vortex]


@kernel
def closed(s):
    """Territories that nobody may attack or attack from: Love markers and the Vortex."""
    return s.love | torn(s)


@kernel
def empty(s):
    """Territories without a token."""
    taken = NOWHERE
    for people in range(NUM_PEOPLES):
        taken |= s.land[people]
    return ~taken & EVERYWHERE


@kernel
def markers(s, kind, people):
    """What ATTACK or DEFENCE bonus markers give a people."""
    return s.marker[kind, 0, people] + 2 * s.marker[kind, 1, people]


@kernel
def attack_of(s, people):
    """What a people adds to its attacks: technology and markers."""
    return s.technology[people] + markers(s, ATTACK, people)


@kernel
def defence_of(s, people):
    """What attacks on a people are lowered by: technology and markers."""
    return s.technology[people] + markers(s, DEFENCE, people)


@kernel
def remember(counts, seat, people):
    """Count what a seat has done to or with a people."""
    if people != NONE and counts[seat, people] < 255:
        counts[seat, people] += 1
