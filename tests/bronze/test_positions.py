"""Positions that contradict themselves are refused, with the field named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agezoo.envs.bronze.components import CITY_NAMES
from agezoo.envs.bronze.state import Phase
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
    (quiet, setting("city_at", 2, SUSA), "city_at"),
    (quiet, setting("city_at", -1, SUSA), "city_at"),
    (quiet, setting("city_of", 0, UR), "city_of"),
    (quiet, setting("city_of", 3, UR), "city_of"),
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
