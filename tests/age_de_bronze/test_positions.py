"""Positions that contradict themselves are refused, with the field named: play on from them would leave its arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agezoo.envs.age_de_bronze.components import Card
from agezoo.envs.age_de_bronze.state import Phase
from agezoo.envs.engine.errors import BadPosition

from .scenario import Table, lay

Edit = Callable[[dict[str, Any]], None]


def quiet() -> Table:
    hands = {0: "Augury, Family, 2 Riches", 1: "Temple, Curse", 2: "Spy"}
    return lay(hands=hands, tables={"Sumerians": "2 Family", "Amorites": "Victory"})


def after_an_augury() -> Table:
    table = lay(hands={0: "2 Augury", 1: "Temple"}, pile_left=9)
    table.play("play Augury", "keep nothing")
    return table.play(*[f"put back {card}" for card in table.top(5)])


def keeping() -> Table:
    return lay(hands={0: "Augury", 1: "Temple"}, pile_left=9).play("play Augury")


def raiding() -> Table:
    table = lay(hands={0: "3 Riches"}, tables={"Sumerians": "Family"})
    return table.play("play Riches as a dirty trick", "against the Sumerians")


def spied() -> Table:
    table = lay(hands={0: "Spy", 1: "2 Riches, Family, Temple"})
    return table.play("play Spy as a dirty trick", "against the Sumerians", "take Family from the hand")


def setting(field: str, value: Any, *at: int) -> Edit:
    """Write a number into a field."""

    def edit(state: dict[str, Any]) -> None:
        where, *index = field, *at
        into = state
        for k in index:
            into, where = into[where], k
        into[where] = value

    return edit


def drawn_back(state: dict[str, Any]) -> None:
    """The discarded Augury is in a hand again, and the Augury is told of all the same."""
    state["discards"][Card.AUGURY] -= 1
    state["hand"][0][Card.AUGURY] += 1
    state["hand_size"][0] += 1


def over(state: dict[str, Any]) -> None:
    state["ends_out"] = 4


REFUSED = [
    (after_an_augury, drawn_back, "looks"),
    (after_an_augury, setting("looks", 2), "looks"),
    (after_an_augury, setting("look_size", 4, 0), "look_size"),
    (after_an_augury, setting("look_at", 2, 0), "looks"),
    (after_an_augury, setting("look_seat", 5, 0), "look_seat"),
    (after_an_augury, setting("look_at", 3, 1), "look_at"),
    (after_an_augury, setting("placed", 1), "placed"),
    (keeping, setting("placed", 1), "placed"),
    (keeping, setting("looks", 0), "look"),
    (quiet, over, "finished"),
    (quiet, setting("finished", True), "finished"),
    (quiet, setting("pile_start", 30, 1), "pile_start"),
    (quiet, setting("deck_next", 200), "deck_next"),
    (quiet, setting("actions", 5), "actions"),
    (quiet, setting("owed", 1), "owed"),
    (quiet, setting("phase", int(Phase.CURSE)), "trick"),
    (quiet, setting("phase", int(Phase.KEEP)), "looks"),
    (quiet, setting("phase", int(Phase.DISCARD)), "hand_size"),
    (quiet, setting("trick", int(Card.FAMILY)), "trick"),
    (quiet, setting("target", 1), "target"),
    (quiet, setting("free_trick", True), "free_trick"),
    (quiet, setting("hand_size", 5, 0), "hand_size"),
    (quiet, setting("hand", -1, 0, 0), "hand"),
    (quiet, setting("known", 1, 0, 1, int(Card.VICTORY)), "known"),
    (quiet, setting("known", 1, 0, 0, int(Card.FAMILY)), "known"),
    (quiet, setting("known", 1, 1, 0, int(Card.RICHES)), "known"),
    (quiet, setting("known_to_all", 1, 1, int(Card.SPY)), "known_to_all"),
    (quiet, setting("mixed", 1, 0, 0, 1), "mixed"),
    (quiet, setting("lost", 1, 0, 0, int(Card.TEMPLE)), "lost"),
    (quiet, setting("nation", 3, 5), "nation"),
    (quiet, setting("riches", 1, 5), "riches"),
    (raiding, setting("target", 2), "target"),
    (raiding, setting("target", 0), "target"),
    (spied, setting("lost", 3, 2, 0, int(Card.RICHES)), "lost"),
    (spied, setting("mixed", 4, 2, 0, 1), "mixed"),
    (spied, setting("mixed", 1, 2, 0, 2), "mixed"),
]


@pytest.mark.parametrize(("table", "edit", "field"), REFUSED, ids=map(str, range(len(REFUSED))))
def test_is_refused(table, edit, field):
    env = table().env
    position = env.position()
    env.load(position)
    edit(position["state"])
    with pytest.raises(BadPosition, match=field):
        env.load(position)


def test_the_end_of_the_game_in_any_phase_loads():
    """The last End card comes out when the hand limit has been kept."""
    table = lay(hands={0: "9 Family"}, piles_drawn=3, pile_left=2, top="End, Temple", row="5 Bad King")
    table.play("end the turn", "discard Family")
    assert table.finished
    table.env.load(table.env.position())
