"""Tiny games that count beside their arrays; run as a program with AGEZOO_BOUNDSCHECK=1 it prints what is raised."""

from __future__ import annotations

import importlib
from dataclasses import replace

import numpy as np

import tiny
from agezoo.envs.engine.compile import kernel, specialize, template
from tiny import GAME, A


@kernel
def apply_before_the_first(s, action):
    tiny.apply(s, action)
    if s.phase == tiny.ACT:
        s.won[s.seat - 1] += 0


@kernel
def _add(s, seat):
    s.won[seat] += 1


@kernel
def apply_after_the_last(s, action):
    tiny.apply(s, action)
    if s.phase == tiny.ACT:
        _add(s, len(s.won))


@kernel
def observe_after_the_last(s, seat, out):
    tiny.observe(s, seat, out)
    out[len(out) * s.phase] = 1


GAMES = {
    "before": replace(GAME, name="tiny_before", apply=apply_before_the_first),
    "after": replace(GAME, name="tiny_after", apply=apply_after_the_last),
    "observed": replace(GAME, name="tiny_observed", observe=observe_after_the_last),
    "sound": GAME,
}


@template
def choose_all(states, out):
    """The first decisions of a game, until all have chosen; what the first seat sees then."""
    s = states[0]
    setup(s)  # noqa: F821 - put in place by `specialize`
    for _ in range(s.num_players):
        apply(s, A.stay)  # noqa: F821 - put in place by `specialize`
    observe(s, 0, out)  # noqa: F821 - put in place by `specialize`


def raised(name: str) -> str:
    """The exception that the first decisions of a game end with."""
    try:
        states, out = GAME.prototype(3), np.zeros(GAME.num_features, np.float32)
        specialize(choose_all, GAMES[name])(states, out)
    except Exception as error:
        return type(error).__name__
    return ""


if __name__ == "__main__":
    own = importlib.import_module("tiny.beside")
    print(*(f"{name}:{own.raised(name)}" for name in GAMES))
