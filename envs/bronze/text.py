"""Actions and tables in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from . import cities, rules
from .components import (
    CELLS,
    CITY_AND,
    CITY_CONDITION,
    CITY_NAMES,
    CITY_NEED,
    CITY_OF,
    CITY_POINTS,
    FACES,
    FIT,
    HUT,
    NUM_TERRAINS,
    NUM_TILES,
    PLACES,
    ROUTE_LENGTH,
    Card,
    Condition,
    Settler,
    Terrain,
)
from .state import ACTIONS, NONE, Phase

city_points, counted, route_level = (
    plain(cities.city_points),
    plain(cities.counted),
    plain(cities.route_level),
)
placing, province_points = plain(rules.placing), plain(rules.province_points)
route_points = plain(rules.route_points)

CARD_NAMES = [card.name.replace("_", " ").title() for card in Card]
TERRAIN_NAMES = [terrain.name.lower() for terrain in Terrain]
SETTLER_NAMES = [settler.name.lower() for settler in Settler]
LETTERS = ("f", "h", "u")  # farmers, herders, hunters
_SIDES = ("left", "right")


def uses(card: int) -> tuple[list[int], list[int]]:
    """Terrains and types of hut that a card lets settle, as they are met on the tiles."""
    cells = [(c, HUT[t, c]) for t in range(NUM_TILES) for c in range(CELLS) if FIT[t, card] >> c & 1]
    return sorted({c // PLACES for c, _ in cells}), sorted({int(kind) for _, kind in cells})


def _technology(card: int) -> str:
    terrains, types = uses(card)
    letters, names = (LETTERS[k] for k in types), (TERRAIN_NAMES[t] for t in terrains)
    return f"{CARD_NAMES[card]}: {' '.join(letters)} in {', '.join(names)}"


#: What each card lets settle, Bronze Casting last.
TECHNOLOGIES = (
    *(_technology(card) for card in range(FACES)),
    "Bronze Casting (any card face down): every hut",
)


def action_text(s: Any, action: int) -> str:
    """What `action` says, at a table where it is legal."""
    found, index = ACTIONS.locate(action)
    if found.name == "take":
        top = s["top"][index[0]]
        what = CARD_NAMES[top] if top != NONE else "nothing"
        return f"take {what} from pile {index[0] + 1}{' as Bronze Casting' if index[1] else ''}"
    if found.name == "column":
        sides = ("a new column on the left", "a new column on the right")
        return f"put it into {(*(f'column {k}' for k in range(1, 5)), *sides)[index[0]]}"
    if found.name == "settle":
        return f"settle {_hut(s, s['at'][s['seat']] + index[0], index[1], index[2])}"
    if found.name == "use":
        return f"use {CARD_NAMES[index[0]]}"
    if found.name == "city":
        return f"choose {city_text(index[0])}"
    return "settle no more"


def _hut(s: Any, tile: int, terrain: int, place: int) -> str:
    """``tile 3, mountains, hunters (left hut)``."""
    where = f"tile {tile + 1}, {TERRAIN_NAMES[terrain]}"
    number = s["tile"][tile] if tile < s["lands"] else NONE
    if number == NONE:
        return f"{where}, {_SIDES[place]} hut"
    kinds = HUT[number, terrain * PLACES : (terrain + 1) * PLACES]
    if kinds[place] == NONE:
        return f"{where}, no {_SIDES[place]} hut"
    side = f" ({_SIDES[place]} hut)" if (kinds >= 0).sum() > 1 else ""
    return f"{where}, {SETTLER_NAMES[kinds[place]]}{side}"


def condition_text(city: int) -> str:
    """What a city card asks for."""
    need, of, other = int(CITY_NEED[city]), int(CITY_OF[city]), int(CITY_AND[city])
    kind = Condition(int(CITY_CONDITION[city]))
    each = f"{of} settlement{'' if of == 1 else 's'}"
    some = f"{need} settlements"
    return {
        Condition.TERRAIN: lambda: f"{some} in {TERRAIN_NAMES[of]}",
        Condition.PAIR: lambda: f"{some} in {TERRAIN_NAMES[of]} and {TERRAIN_NAMES[other]}",
        Condition.SETTLERS: lambda: f"{some} of {SETTLER_NAMES[of]}",
        Condition.BALANCE: lambda: f"{some} of every type",
        Condition.SETTLEMENTS: lambda: some,
        Condition.TERRAINS: lambda: f"{need} terrains with {each} or more",
        Condition.TILES: lambda: f"{need} tile{'' if need == 1 else 's'} with {each} or more",
        Condition.LAST_TILE: lambda: f"{some} on the last tile",
        Condition.PROVINCES: lambda: f"{need} province tokens",
        Condition.ROUTES: lambda: (
            f"{need} trade route token{'' if need == 1 else 's'} for {ROUTE_LENGTH[of]} or more"
        ),
        Condition.CITIES: lambda: f"{need} city cards",
        Condition.TECHNOLOGY: lambda: f"{need} cards of {CARD_NAMES[of]}",
        Condition.TECHNOLOGIES: lambda: f"{need} technologies face up",
        Condition.STACK: lambda: f"{need} cards of one technology in one column",
        Condition.COLUMN: lambda: f"a column of {need} cards",
        Condition.ROWS: lambda: f"{need} complete rows of four cards",
    }[kind]()


def city_text(city: int) -> str:
    """``Ur (4 points: 5 settlements in mountains)``."""
    return f"{CITY_NAMES[city]} ({CITY_POINTS[city]} points: {condition_text(city)})"


# -- the table ---------------------------------------------------------------------------------------------------------


def table_text(s: Any, seat: int | None = None) -> str:
    """The table; all seats see the same."""
    lines = [f"Bronze - {decision(s)}", _piles(s), "", *_board(s), ""]
    for k in range(s.num_players):
        who = k if seat in (None, PUBLIC) else (seat + k) % s.num_players
        lines += _player(s, who, you=who == seat)
    lines += ["", *TECHNOLOGIES]
    return "\n".join(line.rstrip() for line in lines)


def decision(s: Any) -> str:
    """Whose turn it is and what is being decided."""
    if s.finished:
        return f"the game is over, first: {', '.join(_first(s))}"
    what = {
        Phase.TAKE: "takes which card?",
        Phase.COLUMN: f"puts {CARD_NAMES[s.card]} where?",
        Phase.SETTLE: f"settles where? Activated: {activated_text(s)}",
        Phase.CARD: "used which card for this settlement?",
        Phase.CITY: f"chooses which city at tile {s.at[s.seat] + 1}?",
    }[Phase(s.phase)]
    return f"{'last round, ' if s.ending else ''}player_{s.seat} {what}"


def _first(s: Any) -> list[str]:
    places = np.zeros(int(s.num_players), np.int8)
    placing(s, places)
    return [f"player_{seat}" for seat, place in enumerate(places) if place == 1]


def activated_text(s: Any) -> str:
    """The activated cards, such as ``2 Masonry, 1 Wheel``."""
    return ", ".join(f"{s.activated[c]} {CARD_NAMES[c]}" for c in Card if s.activated[c]) or "none"


def _piles(s: Any) -> str:
    tops = [
        f"{k + 1}: {CARD_NAMES[top] if top != NONE else 'empty'} ({s.pile[k]})" for k, top in enumerate(s.top)
    ]
    return f"Piles  {'   '.join(tops)}   reserve ({s.pile[-1]})"


def _board(s: Any) -> list[str]:
    """Rows of terrain; a hut is its type and whose settlement stands there, a point for nobody's."""
    lines = [f"{'f farmers, h herders, u hunters':<32}" + "".join(f"{k + 1:^8}" for k in range(s.lands))]
    for terrain in range(NUM_TERRAINS):
        tokens = [
            f"{ROUTE_LENGTH[level]}:{holder if holder != NONE else '-'}"
            for level, holder in reversed(list(enumerate(s.route_of[terrain])))
        ]
        huts = "".join(f"{_box(s, tile, terrain):^8}" for tile in range(s.lands))
        lines.append(f"{TERRAIN_NAMES[terrain]:<12}{'routes ' + ' '.join(tokens):<20}{huts}")
    owners = [_province(s, tile) for tile in range(s.lands)]
    lines.append(f"{'province and whose it is':<32}" + "".join(f"{words:^8}" for words in owners))
    for tile in range(s.lands):
        shown = [city_text(city) for city in cities_at(s, tile)]
        if shown:
            lines.append(f"cities at tile {tile + 1}: " + "; ".join(shown))
    return lines


def cities_at(s: Any, tile: int) -> list[int]:
    """The city cards that lie at a tile."""
    return sorted(int(city) for city in s.shown[tile] if city != NONE)


def cities_of(s: Any, seat: int) -> list[int]:
    """The city cards of a seat."""
    return sorted(int(city) for city in s.city[seat] if city != NONE)


def _box(s: Any, tile: int, terrain: int) -> str:
    if s.tile[tile] == NONE:
        return "?"
    cells = [cell for cell in range(CELLS) if cell // PLACES == terrain and HUT[s.tile[tile], cell] != NONE]
    return " ".join(LETTERS[HUT[s.tile[tile], cell]] + _owner(s, tile, cell) for cell in cells)


def _owner(s: Any, tile: int, cell: int) -> str:
    return str(s.owner[tile, cell] - 1) if s.owner[tile, cell] else "."


def _province(s: Any, tile: int) -> str:
    return f"{s.province[tile]}" + (f":{s.province_of[tile]}" if s.province_of[tile] != NONE else "")


def points_of(s: Any, seat: int) -> tuple[int, int, int]:
    """Points from provinces, trade routes and city cards."""
    return int(province_points(s, seat)), int(route_points(s, seat)), int(city_points(s, seat))


def _player(s: Any, seat: int, you: bool) -> list[str]:
    parts = points_of(s, seat)
    first = ", first player" if seat == s.first else ""
    won = f"{sum(parts)} points (provinces {parts[0]}, routes {parts[1]}, cities {parts[2]})"
    lines = [f"player_{seat}{' (you)' if you else ''}{first}: {won}, {s.markers[seat]} markers left"]
    for row in range(max(s.height[seat])):
        cards = [
            CARD_NAMES[s.matrix[seat, c, row]] if row < s.height[seat, c] else ""
            for c in range(s.columns[seat])
        ]
        lines.append("    " + "".join(f"{name:<16}" for name in cards))
    return lines + [f"    {line}" for line in city_lines(s, seat)]


def city_lines(s: Any, seat: int) -> list[str]:
    """The seat's city cards, and how far it is with each: ``2/5 Ur, 4: 5 settlements in mountains``."""
    return [
        f"{counted(s, seat, city)}/{CITY_NEED[city]} {CITY_NAMES[city]}, {CITY_POINTS[city]}: {condition_text(city)}"
        for city in cities_of(s, seat)
    ]


__all__ = [
    "CARD_NAMES",
    "LETTERS",
    "SETTLER_NAMES",
    "TECHNOLOGIES",
    "TERRAIN_NAMES",
    "action_text",
    "activated_text",
    "cities_at",
    "cities_of",
    "city_lines",
    "city_text",
    "condition_text",
    "decision",
    "points_of",
    "table_text",
    "uses",
]
