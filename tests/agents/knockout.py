"""A tiny game in which seats are knocked out: each in turn stays or leaves, and chance throws one out at times."""

import numpy as np

from agezoo.envs.engine.chance import randint
from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.fields import Field, table_dtype
from agezoo.envs.engine.game import Game
from agezoo.envs.engine.layout import Layout, block
from agezoo.envs.engine.table import eliminate

STATE_FIELDS = (Field("turns", np.int8, doc="Turns"),)
STATE = table_dtype(*STATE_FIELDS)
LEFT_TO_CHANCE = 4


@kernel
def setup(s):
    s.seat = 0


@kernel
def legal(s, mask):
    mask[0] = True
    mask[1] = True


@kernel
def apply(s, action):
    s.turns += 1
    if action == 1:
        eliminate(s, s.seat)
    elif randint(s, LEFT_TO_CHANCE) == 0:
        victim = (s.seat + 1) % s.num_players
        if s.eliminated[victim] == 0:
            eliminate(s, victim)
    left = 0
    for k in range(s.num_players):
        left += s.eliminated[k] == 0
    if left <= 1 or s.turns >= 12:
        s.finished = True
    else:
        s.seat = (s.seat + 1) % s.num_players
        while s.eliminated[s.seat] > 0:
            s.seat = (s.seat + 1) % s.num_players


@kernel
def observe(s, seat, out):
    out[0] = s.turns
    for k in range(s.num_players):
        out[1 + k] = s.eliminated[(seat + k) % s.num_players] > 0


@kernel
def determinize(s, seat):
    s.turns += 0


@kernel
def scores(s, out):
    for k in range(s.num_players):
        out[k] = s.eliminated[k] == 0


GAME = Game(
    name="knockout",
    title="Knockout",
    version=0,
    players=(3, 3),
    default_players=3,
    fields=STATE_FIELDS,
    actions=Layout(block("stay", doc="stay"), block("leave", doc="leave")),
    observation=Layout(block("turns", high=12, unit=12, doc="turns"), block("out", 3, doc="who is out")),
    max_decisions=12,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    action_text=lambda s, action: ("stay", "leave")[action],
    table_text=lambda s, seat: f"turn {s.turns}",
    hidden_information=False,
)
