"""Tiny games that count beside their arrays; run as a program with AGEZOO_BOUNDSCHECK=1 it prints what is raised."""

from __future__ import annotations

import importlib
from dataclasses import replace

import numpy as np

import tiny
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.compile import kernel
from tiny import GAME


@kernel
def apply_before_the_first(s, action):
    tiny.apply(s, action)
    s.won[s.phase - 1] += 0


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


def raised(name: str) -> str:
    """The exception that a few games end with."""
    try:
        batch, rng = Batch(GAMES[name], 4, 1), np.arange(4, dtype=np.uint64)
        for _ in range(20):
            batch.step(batch.random_actions(rng))
    except Exception as error:
        return type(error).__name__
    return ""


if __name__ == "__main__":
    own = importlib.import_module("tiny.beside")
    print(*(f"{name}:{own.raised(name)}" for name in GAMES))
