"""Positions that contradict themselves are refused, with the field named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agezoo.envs import make
from agezoo.envs.bronze.components import CITY_NAMES
from agezoo.envs.bronze.state import NONE, Phase
from agezoo.envs.bronze.text import cities_at
from agezoo.envs.engine.errors import BadPosition

from .scenario import Table, lay

UR, MARI, SUSA = (CITY_NAMES.index(name) for name in ("Ur", "Mari", "Susa"))


def quiet() -> Table:
    return lay(
        tiles=(1, 2), settled={0: "1 mountains", 1: "2 shore"}, held={1: "Ur"}, shown={2: "Mari, Susa"}
    )


def naming() -> Table:
    table = lay(tiles=(1, 2), matrix={0: ["Wheel", "Wheel, Masonry"]}, open_cards="Religion")
    return table.play("take Religion from pile 1 as Bronze Casting", "put it into column 1", "settle 1 woods")


def setting(field: str, value: Any, *at: int) -> Callable[[dict[str, Any]], None]:
    """Write a number into a field."""

    def edit(state: dict[str, Any]) -> None:
        where, into = field, state
        for k in at:
            into, where = into[where], k
        into[where] = value

    return edit


REFUSED = [
    (quiet, setting("shown", SUSA, 2, 0), r"shown\[2\] has 1 cards, must be 0"),
    (quiet, setting("shown", -1, 1, 1), r"shown\[1\] has 1 cards, must be 2"),
    (quiet, setting("shown", 50, 1, 1), r"shown\[1\]\[1\] is 50"),
    (quiet, setting("city", -1, 1, 0), r"city\[1\]"),
    (quiet, setting("city", UR, 0, 0), r"city\[0\]"),
    (quiet, setting("city", MARI, 1, 0), "city card"),
    (quiet, setting("city_unseen", 1, MARI), "city card"),
    (quiet, setting("cities", 2, 1), "cities"),
    (quiet, setting("province_of", 1, 0), "province_of"),
    (quiet, setting("at", 1, 0), "at"),
    (quiet, setting("lands", 9), "lands"),
    (quiet, setting("open", 0), "open"),
    (quiet, setting("phase", int(Phase.CARD)), "height|spot"),
    (quiet, setting("phase", int(Phase.CITY)), "height|phase"),
    (quiet, setting("card", 3), "card"),
    (quiet, setting("pile", 9, 0), "pile"),
    (quiet, setting("activated", 1, 7), "activated"),
    (quiet, setting("finished", True), "height|ending"),
    (naming, setting("spot_tile", 1), "spot_tile"),
    (naming, setting("spot_cell", -1), "spot_tile"),
    (naming, setting("activated", [0] * 8), "activated"),
    (naming, setting("matrix", 17, 0, 0, 0), "matrix"),
]


@pytest.mark.parametrize(("table", "edit", "field"), REFUSED, ids=map(str, range(len(REFUSED))))
def test_is_refused(table, edit, field):
    env = table().env
    position = env.position()
    env.load(position)
    edit(position["state"])
    with pytest.raises(BadPosition, match=field):
        env.load(position)


def test_city_cards_may_lie_at_a_tile_in_any_order_and_with_gaps():
    position = quiet().env.position()
    position["state"]["shown"][1] = [NONE, SUSA, NONE, MARI, NONE]
    env = make("bronze", num_players=2)
    env.load(position)
    assert env.position() == position
    assert cities_at(env.game.record(env.states), 1) == sorted([SUSA, MARI])
