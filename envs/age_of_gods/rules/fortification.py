"""Fortification Phase."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import BIT, IS_CITY, NUM_TERRITORIES, RULE, God
from ..state import NONE, A, Phase
from .board import has, remember
from .gods import may_use_power

FORTIFY_AT_ONCE = RULE.fortify_at_once


@kernel
def pieces_at_once(s):
    """A piece in each phase; two for the god of protectors (ruling 13)."""
    return FORTIFY_AT_ONCE if s.god[s.seat] == God.PROTECTORS else 1


@kernel
def may_build(s):
    """Whether the seat to act may fortify something now."""
    return s.pieces[s.seat] > 0 and s.built < pieces_at_once(s)


@kernel
def may_fortify(s, mask):
    """Any territory that a people controls, once; it is never a duty."""
    if may_build(s):
        for t in range(NUM_TERRITORIES):
            mask[A.territory + t] = s.owner[t] != NONE and not has(s.fortified, t)
    mask[A.power] = may_use_power(s, Phase.FORTIFY)
    mask[A.done] = True


@kernel
def fortify(s, t):
    """A wooden piece is placed; the god of protectors makes bulwarks of cities."""
    s.fortified |= BIT[t]
    if s.god[s.seat] == God.PROTECTORS and IS_CITY[t]:
        s.bulwarks |= BIT[t]
    s.pieces[s.seat] -= 1
    s.built += 1
    remember(s.favoured, s.seat, s.owner[t])


@kernel
def fortify_on(s):
    """Whether the seat to act still has something to decide in this phase."""
    s.phase = Phase.FORTIFY if may_build(s) or may_use_power(s, Phase.FORTIFY) else NONE
