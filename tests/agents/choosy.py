"""The tiny game of knockout.py with two options: how many turns there are, and whether leaving is allowed."""

import dataclasses

import numpy as np

from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.fields import Field
from agezoo.envs.engine.game import Option

from . import knockout


@kernel
def setup(s):
    s.seat = 0


@kernel
def legal(s, mask):
    mask[0] = True
    mask[1] = s.mood == 0 or s.turns % 2 == 0


@kernel
def apply(s, action):
    s.turns += 1
    s.left += action
    s.seat = (s.seat + 1) % s.num_players
    s.finished = s.turns >= s.most


@kernel
def observe(s, seat, out):
    out[0] = s.turns


@kernel
def determinize(s, seat):
    s.turns += 0


@kernel
def scores(s, out):
    for k in range(s.num_players):
        out[k] = (k + s.left) % s.num_players


GAME = dataclasses.replace(
    knockout.GAME,
    name="choosy",
    title="Choosy",
    players=(2, 4),
    fields=(
        Field(
            "mood", np.int8, doc="free: 0, bound: 1"
        ),  # first, so that its tables do not begin as those of knockout do
        Field("turns", np.int8, doc="turns so far"),
        Field("left", np.int8, doc="how often somebody left"),
        Field("most", np.int8, doc="turns in all"),
    ),
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    options=(
        Option("most", 6, low=3, high=12, doc="turns in all"),
        Option("mood", "free", choices=("free", "bound"), doc="whether leaving is allowed every turn"),
    ),
)
