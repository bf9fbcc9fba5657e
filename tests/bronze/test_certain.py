"""Province tokens are given exactly when they must be (ruling 7), at every table that play reaches, which all load.

The model knows the board, the piles and the activated cards, and works everything else out anew after each decision.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from agezoo.envs.bronze.components import HUT, PLACES, TABLE, Card, Settler, Terrain
from agezoo.envs.bronze.state import A, Phase
from agezoo.envs.engine import position
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import PLAIN

from .scenario import GAME

GAMES = 1 if PLAIN else 6
Player = Callable[[TableEnv, list[int], np.random.Generator], int]


# -- the model ---------------------------------------------------------------------------------------------------------


def huts(tile: int) -> list[int]:
    return [cell for cell in range(HUT.shape[1]) if HUT[tile, cell] >= 0]


@cache
def fits(card: int, tile: int, cell: int) -> bool:
    if card == Card.BRONZE_CASTING:
        return True
    row = TABLE["technology"][card]
    terrain, settler = Terrain(cell // PLACES).name.lower(), Settler(int(HUT[tile, cell])).name.lower()
    return terrain in row["terrains"].split() and settler in row["settlers"].split()


@cache
def most(cards: tuple[int, ...], tile: int, free: tuple[int, ...]) -> int:
    """By trying everything: the first card goes into any hut, or into none."""
    if not cards or not free:
        return 0
    best = most(cards[1:], tile, free)
    for cell in free:
        if fits(cards[0], tile, cell):
            best = max(best, 1 + most(cards[1:], tile, tuple(c for c in free if c != cell)))
            if best == len(cards):
                break
    return best


class Tokens:
    """Who has each province token, worked out from what lies on the table after each decision."""

    def __init__(self) -> None:
        self.holders = [-1] * 11

    def look(self, s: Any) -> None:
        """Give the tokens that are certain now."""
        n, owner = int(s.num_players), np.asarray(s.owner)
        spots = {seat: [(int(t), int(c)) for t, c in np.argwhere(owner == seat + 1)] for seat in range(n)}
        at = {seat: max((tile for tile, _ in own), default=0) for seat, own in spots.items()}
        left = {seat: 30 - len(own) for seat, own in spots.items()}
        up = [int(tile) for tile in s.tile if tile >= 0]
        free = [tuple(c for c in huts(tile) if owner[k, c] == 0) for k, tile in enumerate(up)]
        last_full = len(up) == 3 + 2 * n and not free[-1]
        near = 0 in left.values() or last_full or 0 in list(s.pile)[:4]
        for tile, number in enumerate(up):
            if self.holders[tile] >= 0:
                continue
            has = {seat: sum(t == tile for t, _ in own) for seat, own in spots.items()}
            could = {}
            for seat in range(n):
                more = min(left[seat], len(free[tile]))
                done = (seat - s.first) % n < (s.seat - s.first) % n
                if s.finished or at[seat] > tile or (near and done):
                    more = 0
                elif near and seat == s.seat and s.phase not in (Phase.TAKE, Phase.COLUMN):
                    more = min(more, self.this_turn(s, up, number, free[tile]))
                could[seat] = has[seat] + more
            ahead = [
                s_ for s_ in range(n) if all(has[s_] > could[other] for other in range(n) if other != s_)
            ]
            self.holders[tile] = ahead[0] if ahead else -1

    def this_turn(self, s: Any, up: list[int], number: int, free: tuple[int, ...]) -> int:
        """What the acting seat can add with the cards that it has activated."""
        cards = [card for card in Card for _ in range(s.activated[card])]
        if s.phase != Phase.CARD:
            return most(tuple(cards), number, free)
        best = 0
        for used in {card for card in cards if fits(card, up[s.spot_tile], int(s.spot_cell))}:
            rest = list(cards)
            rest.remove(used)
            best = max(best, most(tuple(rest), number, free))
        return best


# -- players -----------------------------------------------------------------------------------------------------------


def at_random(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return int(rng.choice(legal))


def never_stops(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return int(rng.choice([a for a in legal if a != A.stop or len(legal) == 1]))


def passes(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return A.stop if A.stop in legal else int(rng.choice(legal))


def first(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return legal[0]


def last(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return legal[-1]


def furthest(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return max([a for a in legal if a < A.use] or legal)


def nearest(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    """Bronze Castings, to have as many choices as can be, and the first hut there is."""
    down = [a for a in legal if a < A.column and a % 2 == 1]
    return int(rng.choice(down)) if down else legal[0]


def greedy(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return env.greedy_action(int(rng.integers(1 << 60)))


def mixed(env: TableEnv, legal: list[int], rng: np.random.Generator) -> int:
    return EVERY[rng.integers(len(EVERY))](env, legal, rng)


EVERY: list[Player] = [at_random, never_stops, passes, first, last, furthest, nearest, greedy]
LOPSIDED: list[tuple[Player, ...]] = [
    (nearest, passes),
    (never_stops, passes, passes),
    (furthest, nearest),
    (greedy, nearest, passes),
    (never_stops, nearest, furthest, passes),
    (nearest, nearest, mixed),
]
LIKE = [(player,) * n for player in (*EVERY, mixed) for n in (2, 3, 4)]


def name(players: tuple[Player, ...]) -> str:
    return "_".join(player.__name__ for player in players)


# -- what must hold ----------------------------------------------------------------------------------------------------


def hold(players: tuple[Player, ...]) -> int:
    """Play, hold every table against the model, load it: how many tokens were given."""
    given = 0
    for seed in range(GAMES):
        env, tokens = TableEnv(GAME, len(players), play_forced=False), Tokens()
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        while True:
            s = GAME.record(env.states)
            tokens.look(s)
            assert s.province_of.tolist() == tokens.holders, env.record().to_text()
            loaded = position.load(GAME, position.dump(GAME, env.states))
            assert loaded.tobytes() == env.states.tobytes()
            if s.finished:
                break
            env.step(players[s.seat](env, env.legal_actions(), rng))
        given += sum(holder >= 0 for holder in tokens.holders)
    return given


@pytest.mark.parametrize("players", LIKE, ids=name)
def test_tokens_are_given_exactly_when_they_must_be_and_every_table_loads(players):
    hold(players)


@pytest.mark.parametrize("players", [*LOPSIDED, *(p[::-1] for p in LOPSIDED)], ids=name)
def test_and_so_between_players_of_different_kinds(players):
    assert hold(players) > 0
