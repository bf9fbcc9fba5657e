"""Armies and fields of all sizes mix freely: the suite's checks at every pair that the other tests leave out."""

from __future__ import annotations

import pytest

from agezoo.envs.ages_of_war.state import SIZES
from agezoo.envs.engine import conformance

from .scenario import GAME

PAIRS = [(units, field) for units in (2, 4, 6, 8) for field in SIZES]


@pytest.mark.parametrize("check", ["components", "worlds"])
@pytest.mark.parametrize(("units", "field"), PAIRS)
def test_every_army_on_every_field(units, field, check):
    conformance.checks()[check](GAME, None, seed=units, units=units, field=field)
