"""Tiny once more, in plain Python with exact probabilities, sharing nothing with the kernels: what they must equal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import NamedTuple

CARDS = range(5)
Chances = list[tuple[Fraction, "State"]]


class State(NamedTuple):
    coin: bool
    cards: tuple[int, ...]
    known: tuple[frozenset[int], ...]  # by holder: who knows its card
    choices: tuple[str, ...]  # "", "stay", "swap"
    turn: int  # -1 while choosing
    peeked: bool
    places: tuple[int, ...]  # of those out, else 0
    won: tuple[int, ...]
    opened: frozenset[int]
    over: bool

    @property
    def seats(self) -> int:
        return len(self.cards)

    @property
    def to_act(self) -> int:
        return self.turn if self.turn >= 0 else self.choices.index("")

    @property
    def deck(self) -> list[int]:
        return [c for c in CARDS if c not in self.cards and c not in self.opened]


def deals(seats: int, coin: bool) -> Chances:
    hands = list(permutations(CARDS, seats))
    alone = tuple(frozenset([k]) for k in range(seats))
    none = (0,) * seats
    return [
        (
            Fraction(1, len(hands)),
            State(coin, h, alone, ("",) * seats, -1, False, none, none, frozenset(), False),
        )
        for h in hands
    ]


def moves(s: State) -> list[str]:
    if s.over:
        return []
    if s.turn < 0:
        return ["stay", "swap"]
    if s.choices[s.turn] == "swap":
        return ["pass"]
    return ["pass", "challenge"] if s.peeked else ["pass", "peek", "challenge"]


@cache
def outcomes(s: State, move: str) -> Chances:
    """What `move` leads to, up to the next real choice, each with its probability."""
    merged: dict[State, Fraction] = defaultdict(Fraction)
    for p, after in _resolve(s, move):
        forced = moves(after)
        for q, settled in outcomes(after, forced[0]) if len(forced) == 1 else [(Fraction(1), after)]:
            merged[settled] += p * q
    return [(p, after) for after, p in merged.items()]


def _resolve(s: State, move: str) -> Chances:
    if move in ("stay", "swap"):
        chosen = _put(s.choices, s.to_act, move)
        s = s._replace(choices=chosen)
        return [(Fraction(1), s)] if "" in chosen else _reveal(s._replace(turn=0), 0)
    if move == "peek":
        rival = _rival(s)
        return [(Fraction(1), s._replace(peeked=True, known=_put(s.known, rival, s.known[rival] | {s.turn})))]
    if move == "challenge":
        aids = [0, 1] if s.coin else [0]
        return [(Fraction(1, len(aids)), _pass_on(_fight(s, aid))) for aid in aids]
    return [(Fraction(1), _pass_on(s))]


def _reveal(s: State, seat: int) -> Chances:
    if seat == s.seats:
        return [(Fraction(1), s)]
    if s.choices[seat] == "stay" or not s.deck:
        return _reveal(s, seat + 1)
    chances = []
    for drawn in s.deck:
        after = s._replace(
            opened=s.opened | {s.cards[seat]},
            cards=_put(s.cards, seat, drawn),
            known=_put(s.known, seat, frozenset([seat])),
        )
        chances += [(p / len(s.deck), a) for p, a in _reveal(after, seat + 1)]
    return chances


def _fight(s: State, aid: int) -> State:
    a, b = s.turn, _rival(s)
    winner, loser = (a, b) if s.cards[a] + aid > s.cards[b] else (b, a)
    everybody = frozenset(range(s.seats))
    return s._replace(
        known=_put(_put(s.known, a, everybody), b, everybody),
        won=_put(s.won, winner, s.won[winner] + 1),
        places=_put(s.places, loser, s.places.count(0)),
    )


def _rival(s: State) -> int:
    return next(k for k in [*range(s.turn + 1, s.seats), *range(s.turn)] if not s.places[k])


def _pass_on(s: State) -> State:
    later = [k for k in range(s.turn + 1, s.seats) if not s.places[k]]
    if s.places.count(0) == 1 or not later:
        return s._replace(over=True, peeked=False)
    return s._replace(turn=later[0], peeked=False)


def _put(row: tuple, at: int, value: object) -> tuple:
    return (*row[:at], value, *row[at + 1 :])


def points(s: State) -> list[int]:
    return [0 if s.places[k] else s.cards[k] + 1 + s.won[k] for k in range(s.seats)]


def places(s: State) -> list[int]:
    """Knocked out: as then. Others: one more than there are seats in play with more points."""
    p = points(s)
    return [
        s.places[k] or 1 + sum(p[j] > p[k] for j in range(s.seats) if not s.places[j]) for k in range(s.seats)
    ]


def view(s: State, seat: int) -> tuple:
    """All that `seat` can see now."""
    cards = tuple(c if seat in s.known[k] else None for k, c in enumerate(s.cards))
    choices = tuple(c if k == seat or s.turn >= 0 else bool(c) for k, c in enumerate(s.choices))
    to_act = None if s.over else s.to_act
    return (s.coin, cards, choices, s.turn < 0, to_act, s.peeked, s.places, s.won, s.opened, s.over)


def walk(seats: int, coin: bool) -> set[State]:
    """Every state in which a choice is open, or that is the end."""
    found: set[State] = set()
    todo = [s for _, s in deals(seats, coin)]
    while todo:
        s = todo.pop()
        if s not in found:
            found.add(s)
            todo += [after for move in moves(s) for _, after in outcomes(s, move)]
    return found


@cache
def histories(s: State) -> int:
    """Ways to play on to the end, chance told apart by what it leads to."""
    return 1 if s.over else sum(histories(after) for move in moves(s) for _, after in outcomes(s, move))


@cache
def chances_of_end(s: State) -> dict[State, Fraction]:
    """Under uniformly random play: the ends that `s` leads to, each with its probability."""
    if s.over:
        return {s: Fraction(1)}
    ends: dict[State, Fraction] = defaultdict(Fraction)
    options = moves(s)
    for move in options:
        for p, after in outcomes(s, move):
            for end, q in chances_of_end(after).items():
                ends[end] += p * q / len(options)
    return dict(ends)


def beliefs(seats: int, coin: bool, seat: int) -> Iterator[tuple[tuple, dict[State, Fraction]]]:
    """Everything `seat` may have lived through under uniformly random play, and what it then believes, exactly.

    Yields the views that it has had, one a decision of anybody, and the probability of each state given them.
    """
    frontier: dict[tuple, Counter] = defaultdict(Counter)
    for p, s in deals(seats, coin):
        frontier[(view(s, seat),)][s] += p
    while frontier:
        following: dict[tuple, Counter] = defaultdict(Counter)
        for seen, weights in frontier.items():
            total = sum(weights.values())
            yield seen, {s: p / total for s, p in weights.items()}
            for s, p in weights.items():
                options = moves(s)
                for move in options:
                    for q, after in outcomes(s, move):
                        following[*seen, view(after, seat)][after] += p * q / len(options)
        frontier = following
