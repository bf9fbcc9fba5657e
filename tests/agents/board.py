"""A tiny game on a board of 2 x 3: in turn, each seat puts a stone on a free field; three in one's own row win."""

import numpy as np

from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.fields import Field, table_dtype
from agezoo.envs.engine.game import Game
from agezoo.envs.engine.layout import Layout, block

ROWS, COLUMNS = ("near", "far"), ("left", "middle", "right")
STATE_FIELDS = (
    Field("stone", np.int8, (6,), doc="Stone"),
    Field("winner", np.int8, doc="Winner"),
)
STATE = table_dtype(*STATE_FIELDS)


@kernel
def setup(s):
    s.winner = -1


@kernel
def legal(s, mask):
    for field in range(6):
        mask[field] = s.stone[field] == 0


@kernel
def apply(s, action):
    s.stone[action] = s.seat + 1
    free = 0
    for row in range(2):
        own = 0
        for column in range(3):
            own += s.stone[3 * row + column] == s.seat + 1
            free += s.stone[3 * row + column] == 0
        if own == 3 and row == s.seat:
            s.winner = s.seat
    s.finished = free == 0 or s.winner >= 0
    s.seat = 1 - s.seat


@kernel
def observe(s, seat, out):
    out[0] = seat
    for field in range(6):
        out[1 + field] = s.stone[field] == seat + 1
        out[7 + field] = s.stone[field] == 2 - seat
    out[13] = s.seat == seat


@kernel
def determinize(s, seat):
    s.winner += 0


@kernel
def scores(s, out):
    for seat in range(2):
        out[seat] = s.winner == seat


GAME = Game(
    name="board",
    title="Board",
    version=0,
    players=(2, 2),
    default_players=2,
    fields=STATE_FIELDS,
    actions=Layout(block("put", ROWS, COLUMNS, doc="put a stone")),
    observation=Layout(
        block("seat", doc="the observer's seat"),
        block("stones", ("own", "other"), ROWS, COLUMNS, doc="stones on the board"),
        block("deciding", doc="the observer is to act"),
    ),
    max_decisions=6,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    action_text=lambda s, action: f"put {action}",
    table_text=lambda s, seat: str(list(s.stone)),
    hidden_information=False,
    chance=False,
    spatial="stones",
)
