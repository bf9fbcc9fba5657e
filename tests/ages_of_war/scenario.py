"""Tables laid out in words, moves in words, questions in words.

`lay` puts the units that a rule is about on the field, fills both armies up with dead ones, so that no card is lost,
and loads the whole as any user could. Dice are forced by looking for a state of the table's random numbers that gives
them (`dice`).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from agezoo.envs import ages_of_war_v0
from agezoo.envs.ages_of_war.components import (
    COPIES,
    FACTION_NAMES,
    KIND_NAMES,
    NUM_KINDS,
    NUM_REGULARS,
    RULE,
    UNITS,
    USES,
)
from agezoo.envs.ages_of_war.state import (
    BOARD,
    COLUMNS,
    FREE,
    NONE,
    ROWS,
    SIZES,
    SLOTS,
    TERRAIN,
    WIDE,
    Phase,
)
from agezoo.envs.ages_of_war.text import ARMIES
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .. import scenario

GAME = ages_of_war_v0.game
CARDS = {unit["name"]: unit for unit in UNITS}


class Unit(NamedTuple):
    """A unit as it stands on the field."""

    army: str
    name: str
    boxes: int
    turned: bool


def defence(name: str, side: str = "front") -> int:
    """What a roll must be higher than."""
    return int(CARDS[name]["defence"][("front", "right", "back", "left").index(side)])


def damage(name: str) -> int:
    """Boxes that a successful attack of this unit crosses off."""
    return int(CARDS[name]["damage"])


def number_of(cell: str) -> int:
    """``c3`` as the state holds it."""
    return int(cell[1:]) * WIDE + "abcdefghij".index(cell[0]) + 1


def lay(
    red: str,
    blue: str,
    *,
    factions: tuple[str, str] = ("Hatti", "Egypt"),
    field: str = "6x8",
    turn: str = "Red",
    points: int = 3,
    uses: tuple[int, int] | None = None,
    play_forced: bool = False,
    **options: Any,
) -> Table:
    """Lay out a battle.

    Args:
        red: the attacker's units, like ``Archers c3, Spearmen d3 turned 2, Axemen dead``: where it stands, whether it
            looks away from the enemy's side, boxes left (all six if nothing is said).
        blue: the defender's.
        factions: of both.
        field: rows x columns.
        turn: whose turn it is.
        points: action points left.
        uses: of both powers; all if None.
        play_forced: decisions with one legal action are played without asking.
        **options: of the rulebook.
    """
    armies = [_read(red), _read(blue)]
    regulars = [sum(kind < NUM_REGULARS for kind, *_ in army) for army in armies]
    units = next(n for n in (2, 4, 6, 8) if n >= max(regulars))
    env = TableEnv(GAME, units=units, field=field, play_forced=play_forced, **options)
    env.reset(seed=0)
    position = env.position()
    s = position["state"]
    s["board"] = _field(field)
    for name, empty in (("kind", NONE), ("cell", NONE), ("health", 0), ("facing", 0)):
        s[name] = [[empty] * SLOTS for _ in range(2)]
    s["strips"] = np.zeros(np.shape(s["strips"]), int).tolist()
    for seat, army in enumerate(armies):
        s["faction"][seat] = FACTION_NAMES.index(factions[seat])
        s["hand"][seat] = [0] * NUM_KINDS
        for slot, unit in enumerate([*army, *_fallen(army, s["faction"][seat], units)]):
            _stand(s, seat, slot, *unit)
        full = int(USES[s["faction"][seat]])
        s["uses"][seat] = full if uses is None else uses[seat]
    s["taken"] = _taken(s["board"])
    s["phase"], s["turns"], s["points"] = int(Phase.TURN), 1, points
    s["turn"] = s["seat"] = ARMIES.index(turn)
    env.load(position)
    return Table(env)


def _read(words: str) -> list[tuple[int, int, int, int]]:
    """Kind, cell, boxes, facing of each unit."""
    units = []
    for part in filter(None, (word.strip() for word in words.split(","))):
        found = re.fullmatch(r"(.+?) (?:dead|([a-j]\d+)( turned)?(?: (\d))?)", part)
        assert found, f"cannot read {part!r}"
        name, cell, turned, boxes = found.groups()
        alive = cell is not None
        units.append(
            (
                KIND_NAMES.index(name),
                number_of(cell) if alive else NONE,
                int(boxes or RULE.health) if alive else 0,
                int(bool(turned)),
            )
        )
    return units


def _fallen(
    army: list[tuple[int, int, int, int]], faction: int, units: int
) -> list[tuple[int, int, int, int]]:
    """Dead units that make an army complete."""
    kinds = [kind for kind, *_ in army]
    first = NUM_REGULARS + RULE.elites * faction
    missing = [kind for kind in range(first, first + RULE.elites) if kind not in kinds]
    for kind in reversed(range(NUM_REGULARS)):
        while (
            sum(k < NUM_REGULARS for k in kinds + missing) < units
            and (kinds + missing).count(kind) < COPIES[kind]
        ):
            missing.append(kind)
    return [(kind, NONE, 0, 0) for kind in missing]


def _field(name: str) -> list[int]:
    size = SIZES.index(name)
    inside = [1 <= cell // WIDE <= ROWS[size] and 1 <= cell % WIDE <= COLUMNS[size] for cell in range(BOARD)]
    return [FREE if there else TERRAIN for there in inside]


def _taken(board: list[int]) -> list[int]:
    """Rows of sixteen cells, three of margin on each side, that are not free."""
    rows = [[True] * 16 for _ in range(16)]
    for cell, held in enumerate(board):
        rows[cell // WIDE + 2][cell % WIDE + 2] = held != FREE
    return [sum(1 << k for k in range(16) if row[k]) for row in rows]


def _stand(s: dict[str, Any], seat: int, slot: int, kind: int, cell: int, boxes: int, facing: int) -> None:
    s["kind"][seat][slot], s["cell"][seat][slot] = kind, cell
    s["health"][seat][slot], s["facing"][seat][slot] = boxes, facing
    if cell != NONE:
        assert s["board"][cell] == FREE, "two units on one cell, or one outside the field"
        s["board"][cell] = seat * SLOTS + slot
        row, column = cell // WIDE - 1, cell % WIDE - 1
        s["strips"][seat][0][row] += 8 << column  # three cells of margin
        s["strips"][seat][1][column] += 8 << row


class Table(scenario.Table):
    """A table to play at and to ask."""

    phases = Phase

    # -- play -----------------------------------------------------------------------------------------------------

    def hit(self, attacker: str, victim: str) -> Table:
        """Attack, and roll as high as it gets."""
        return self.play(f"attack with {attacker}").dice(6).play(f"at {victim}")

    def miss(self, attacker: str, victim: str, counter: int = 1) -> Table:
        """Attack and roll a one; a counter rolls `counter`."""
        return self.play(f"attack with {attacker}").dice(1, counter).play(f"at {victim}")

    # -- ask ------------------------------------------------------------------------------------------------------

    def at(self, cell: str) -> Unit | None:
        """Who stands there."""
        unit = int(self.state.board[number_of(cell)])
        if unit < 0:
            return None
        seat, slot = divmod(unit, SLOTS)
        s = self.state
        name = KIND_NAMES[s.kind[seat, slot]]
        return Unit(ARMIES[seat], name, int(s.health[seat, slot]), bool(s.facing[seat, slot]))

    def boxes(self, cell: str) -> int:
        """Boxes left of who stands there, 0 if nobody does."""
        unit = self.at(cell)
        return unit.boxes if unit else 0

    @property
    def points(self) -> int:
        """Action points left."""
        return int(self.state.points)

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        return ARMIES[self.state.turn]

    @property
    def to_act(self) -> str:
        """Who decides."""
        return ARMIES[self.state.seat]

    def uses(self, army: str) -> int:
        """Uses left of its power."""
        return int(self.state.uses[ARMIES.index(army)])

    def sees(self, army: str, name: str) -> np.ndarray:
        """A block of what a seat observes, in natural units."""
        return super().sees(ARMIES.index(army), name)

    def worth(self, army: str) -> float:
        """How good the table looks to an army."""
        return float(plain(GAME.value)(self.state, ARMIES.index(army)))

    def greedy(self) -> str:
        """What the greedy player does most often in nine tries."""
        words = [self.env.action_text(self.env.greedy_action(k)) for k in range(9)]
        return max(set(words), key=words.count)

    def worlds(self, army: str, number: int) -> np.ndarray:
        """Tables that an army cannot tell from this one, from seeds 0, 1, ..."""
        return super().worlds(ARMIES.index(army), number)


def deal(seed: int = 0, **options: Any) -> Table:
    """A table as it is dealt."""
    env = TableEnv(GAME, play_forced=False, **options)
    env.reset(seed=seed)
    return Table(env)


__all__ = ["CARDS", "GAME", "Table", "Unit", "damage", "deal", "defence", "lay", "number_of"]
