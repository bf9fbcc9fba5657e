"""Tables laid out in words, moves in words, questions in words.

`lay` puts what a rule is about where the test wants it and everything else somewhere, so that no component is lost, and
loads the whole as any user could. What is turned up next is forced by looking for random numbers that give it (`fate`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from agezoo.envs import bronze_v0
from agezoo.envs.bronze import rules
from agezoo.envs.bronze.components import (
    CELLS,
    CITY_NAMES,
    DECK,
    FACES,
    HUT,
    HUT_COUNT,
    PLACES,
    PROVINCE,
    RULE,
    SEATS,
    Card,
    Terrain,
)
from agezoo.envs.bronze.state import NONE, Phase
from agezoo.envs.bronze.text import CARD_NAMES, cities_at, cities_of
from agezoo.envs.engine import position
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .. import scenario
from ..scenario import listed

GAME = bronze_v0.game
BACK = int(Card.BRONZE_CASTING)
Words = str | Iterable[str]


def cards(words: str) -> list[int]:
    """``Masonry, 2 Wheel`` as Card numbers."""
    return [CARD_NAMES.index(name) for name in listed(words)]


def cities(words: str) -> list[int]:
    """``Ur, Uruk`` as numbers of city cards."""
    return [CITY_NAMES.index(name.strip()) for name in words.split(",") if name.strip()]


def hut(words: str) -> tuple[int, int]:
    """``2 mountains right`` as (tile, cell), the first tile being 1; the left hut if nothing is said."""
    tile, terrain, *side = words.split()
    return int(tile) - 1, Terrain[terrain.upper()] * PLACES + (side == ["right"])


def lay(
    players: int = 2,
    *,
    first: int = 0,
    turn: int = 0,
    tiles: tuple[int, ...] = (1, 2, 3),
    matrix: dict[int, list[str]] | None = None,
    settled: dict[int, str] | None = None,
    open_cards: str = "",
    provinces: str | None = None,
    held: dict[int, str] | None = None,
    shown: dict[int, str] | None = None,
    ending: bool = False,
    play_forced: bool = True,
) -> Table:
    """Lay out a table at the beginning of a turn.

    Args:
        players: seats.
        first: the seat with the first-player token.
        turn: the seat whose turn it is.
        tiles: open tiles by their numbers in components.toml, from the start strip on.
        matrix: columns of each seat, from left to right and from the top down; seats that are not named, or have fewer
            cards than the turn order says, get Bronze Castings in a column of their own.
        settled: settlements of each seat, ``1 mountains right; 2 shore``, in the order in which they were placed.
        open_cards: top cards of the piles; any if nothing is said.
        provinces: points of the tokens, ``4 6 5``, from the first tile on.
        held: city cards of each seat; any if nothing is said, as many as tiles were reached.
        shown: city cards at a tile, the second tile being 2; any if nothing is said.
        ending: this is the last round.
        play_forced: decisions with one legal action are played without asking.
    """
    states = GAME.prototype(players)
    s = GAME.record(states)
    plain(rules.setup)(s)
    s.first, s.seat, s.ending = first, turn, ending
    _lay_tiles(s, tiles, provinces)
    for seat, words in (settled or {}).items():
        for spot in filter(None, (word.strip() for word in words.split(";"))):
            _settle(s, seat, *hut(spot))
    _lay_matrices(s, matrix or {})
    _lay_piles(s, cards(open_cards))
    _lay_cities(s, held or {}, shown or {})
    for tile in range(s.open):
        s.province_of[tile] = plain(rules.certainly_ahead)(s, tile)
    env = TableEnv(GAME, players, play_forced=play_forced)
    env.load(position.dump(GAME, np.asarray(states)))
    return Table(env)


def _lay_tiles(s: Any, tiles: tuple[int, ...], provinces: str | None) -> None:
    numbers = [number - 1 for number in tiles]
    s.open = len(numbers)
    s.tile[:], s.tile_unseen[:], s.free[:] = NONE, 1, 0
    s.tile[: s.open] = numbers
    s.tile_unseen[numbers] = 0
    s.free[: s.open] = HUT_COUNT[numbers]
    tokens = [int(points) for points in (provinces or "").split()]
    rest = PROVINCE.tolist()
    for points in tokens:
        rest.remove(points)
    s.province[: s.lands] = (tokens + rest)[: s.lands]


def _settle(s: Any, seat: int, tile: int, cell: int) -> None:
    assert HUT[s.tile[tile], cell] != NONE, f"no hut: tile {tile + 1}, cell {cell}"
    assert s.owner[tile, cell] == 0
    assert tile >= s.at[seat]
    plain(rules._place_marker)(s, seat, tile, cell)


def _lay_matrices(s: Any, matrix: dict[int, list[str]]) -> None:
    """The acting seat sets how many rounds were played; the others get as many cards."""
    columns = {seat: [cards(column) for column in matrix.get(seat, [])] for seat in range(s.num_players)}
    place = [(seat - s.first) % s.num_players < (s.seat - s.first) % s.num_players for seat in columns]
    sizes = {seat: sum(map(len, laid)) for seat, laid in columns.items()}
    rounds = max(size - done for (_, size), done in zip(sizes.items(), place, strict=True))
    s.matrix[:], s.height[:], s.columns[:], s.in_matrix[:] = NONE, 0, 0, 0
    left = DECK[s.num_players - 2].copy()
    for seat, laid in columns.items():
        missing = rounds + place[seat] - sizes[seat]
        if missing:
            laid.append([BACK] * missing)
        s.columns[seat] = len(laid)
        for column, held in enumerate(laid):
            s.height[seat, column] = len(held)
            s.matrix[seat, column, : len(held)] = held
            for card in held:
                s.in_matrix[seat, card] += 1
                if card != BACK:
                    left[card] -= 1
    assert left.min() >= 0, f"more cards than there are: {left}"
    s.face_down[:] = 0
    for _ in range(s.in_matrix[:, BACK].sum()):  # backs of whatever there is most of
        card = int(left.argmax())
        left[card] -= 1
        s.face_down[card] += 1
    s.unseen[:] = left


def _lay_piles(s: Any, tops: list[int]) -> None:
    """What is left in five piles as equal as can be."""
    total = int(s.unseen.sum())
    s.pile[:] = [(total + RULE.piles - 1 - pile) // RULE.piles for pile in range(RULE.piles)]
    s.empty = 0
    for pile in range(RULE.piles_in_play):
        card = tops[pile] if pile < len(tops) else int(np.asarray(s.unseen).argmax())
        assert s.unseen[card] > 0
        s.unseen[card] -= 1
        s.top[pile] = card


def _lay_cities(s: Any, held: dict[int, str], shown: dict[int, str]) -> None:
    named = [city for words in (*held.values(), *shown.values()) for city in cities(words)]
    free = [c for c in np.flatnonzero(s.city_unseen).tolist() if c not in named]
    s.city[:], s.shown[:], s.cities[:] = NONE, NONE, 0
    for seat in range(s.num_players):
        reached = [tile for tile in range(1, s.open) if s.count[seat, tile]]
        mine = cities(held.get(seat, ""))
        mine += [free.pop(0) for _ in range(len(reached) - len(mine))]
        s.city[seat, : len(mine)] = mine
        s.cities[seat] = len(mine)
    gone = []
    for tile in range(1, s.open):
        arrived = int((np.asarray(s.count[:, tile]) > 0).sum())
        left = s.num_players + 1 - arrived if arrived else 0
        if arrived == s.num_players:
            gone.append(free.pop(0))
            left = 0
        there = cities(shown.get(tile + 1, ""))
        there += [free.pop(0) for _ in range(left - len(there))]
        s.shown[tile, : len(there)] = there
    used = np.concatenate([np.asarray(s.city).ravel(), np.asarray(s.shown).ravel(), np.array(gone, np.int8)])
    s.city_unseen[used[used != NONE]] = 0


class Table(scenario.Table):
    """A table to play at and to ask."""

    phases = Phase

    # -- play -----------------------------------------------------------------------------------------------------

    def action(self, said: str) -> int:
        """An action by its words, by ``settle 2 mountains right``, or by ``choose Ur``."""
        spot = re.fullmatch(r"settle (\d+ \w+( left| right)?)", said)
        wanted = said
        for action in self.env.legal_actions() if spot or said.startswith("choose ") else ():
            text = self.env.action_text(action)
            if spot and text.startswith("settle tile "):
                s = self.state
                where = (action - rules.A.settle) // CELLS + s.at[s.seat], (action - rules.A.settle) % CELLS
                if where == hut(spot[1]):
                    wanted = text
            elif text.startswith(said + " ("):
                wanted = text
        return self.env.parse_action(wanted)

    def spots(self) -> set[str]:
        """Where it may settle, as ``2 mountains right``."""
        s, found = self.state, set()
        for action in self.env.legal_actions():
            if rules.A.settle <= action < rules.A.use:
                tile, cell = divmod(action - rules.A.settle, CELLS)
                side = " right" if cell % PLACES else ""
                found.add(f"{tile + s.at[s.seat] + 1} {Terrain(cell // PLACES).name.lower()}{side}")
        return found

    def choose(self) -> Table:
        """Choose the first of the city cards, if one is to be chosen."""
        if self.phase == Phase.CITY:
            self.env.step(min(self.env.legal_actions()))
        return self

    def pass_turns(self, until: int | None = None) -> Table:
        """End the turn that is being played, then play Bronze Castings and settle nothing until it is a seat's turn."""
        self.play(*["settle no more"] * (self.phase == Phase.SETTLE))
        while until is not None and not self.finished and self.to_act != until:
            self.idle()
        return self

    def idle(self, pile: int | None = None) -> Table:
        """A whole turn in which nothing is settled: a card, of the fullest pile, face down, under the first column."""
        pile = int(np.argmax(self.state.pile[:-1])) if pile is None else pile - 1
        self.env.step(rules.A.take + 2 * pile + 1)
        if self.phase == Phase.COLUMN:
            self.env.step(min(self.env.legal_actions()))
        if self.phase == Phase.SETTLE:
            self.play("settle no more")
        return self

    def fate(self, holds: Callable[[Table], bool], *words: str) -> Table:
        """Choose random numbers with which `holds` after these words, and play them."""
        where = self.env.position()
        for seed in range(5000):
            if holds(self.seeded(seed, where).play(*words)):
                return self
        raise AssertionError("no such random numbers")

    # -- ask ------------------------------------------------------------------------------------------------------

    @property
    def ending(self) -> bool:
        """The last round is being played."""
        return bool(self.state.ending)

    @property
    def tops(self) -> list[str | None]:
        """The open card of each pile."""
        return [CARD_NAMES[card] if card != NONE else None for card in self.state.top]

    @property
    def activated(self) -> dict[str, int]:
        """Activated cards that may still be used."""
        return {CARD_NAMES[c]: int(n) for c, n in enumerate(self.state.activated) if n}

    def matrix(self, seat: int) -> list[list[str]]:
        """A seat's columns."""
        s = self.state
        return [
            [CARD_NAMES[card] for card in s.matrix[seat, c, : s.height[seat, c]]]
            for c in range(s.columns[seat])
        ]

    def cities(self, seat: int) -> list[str]:
        """City cards of a seat."""
        return [CITY_NAMES[city] for city in cities_of(self.state, seat)]

    def shown(self, tile: int) -> list[str]:
        """City cards at a tile, the second one being 2."""
        return [CITY_NAMES[city] for city in cities_at(self.state, tile - 1)]

    def province(self, tile: int) -> int | None:
        """Who has the province token of a tile, the first one being 1."""
        holder = int(self.state.province_of[tile - 1])
        return None if holder == NONE else holder

    def routes(self, terrain: str) -> dict[int, int]:
        """Who has the trade route token for lines of so many in a terrain."""
        tokens = zip((3, 5, 7), self.state.route_of[Terrain[terrain.upper()]], strict=True)
        return {length: int(seat) for length, seat in tokens if seat != NONE}

    def sees(self, seat: int, name: str) -> np.ndarray:
        """A block of what a seat observes, in natural units."""
        return super().sees(seat, name).round(4)


__all__ = ["BACK", "FACES", "GAME", "SEATS", "Table", "cards", "cities", "hut", "lay"]
