"""A game with a trap: what looks best at once loses to what pays one decision later, and luck decides a third way.

The first seat chooses once: TAKE is worth 2 points at once; WAIT nothing, and 5 at its next turn; GAMBLE 9 or -9 at its
next turn, by a coin that falls then; and there are MANY dull choices that are worth 1. The other seat has one choice
between, which changes nothing.
"""

import numpy as np

from agezoo.envs.engine.chance import randint
from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.fields import Field
from agezoo.envs.engine.game import Game
from agezoo.envs.engine.layout import Layout, block

TAKE, WAIT, GAMBLE, DULL, MANY = 0, 1, 2, 3, 12


@kernel
def setup(s):
    s.seat = 0


@kernel
def legal(s, mask):
    mask[TAKE] = True
    mask[WAIT] = True
    if s.turns == 0:
        mask[GAMBLE : DULL + MANY] = True


@kernel
def apply(s, action):
    if s.turns == 0:
        s.chosen = action
        s.points = 2 if action == TAKE else int(action >= DULL)
    s.turns += 1
    if s.turns == 2 and s.chosen == WAIT:
        s.points = 5
    if s.turns == 2 and s.chosen == GAMBLE:
        s.points = 9 - 18 * randint(s, 2)
    s.seat = 1 - s.seat
    s.finished = s.turns == 3


@kernel
def observe(s, seat, out):
    out[0] = s.turns


@kernel
def determinize(s, seat):
    s.turns += 0


@kernel
def scores(s, out):
    out[0] = s.points


GAME = Game(
    name="trap",
    title="Trap",
    version=0,
    players=(2, 2),
    default_players=2,
    fields=(
        Field("turns", np.int8, low=0, high=3, doc="decisions so far"),
        Field("chosen", np.int8, low=0, high=DULL + MANY, doc="the first seat's choice"),
        Field("points", np.int8, low=-9, high=9, doc="of the first seat"),
    ),
    actions=Layout(block("take"), block("wait"), block("gamble"), block("dull", MANY)),
    observation=Layout(block("turns", high=3, unit=3, doc="decisions so far")),
    max_decisions=3,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    action_text=lambda s, action: f"choice {action}",
    table_text=lambda s, seat: f"turn {s.turns}",
    hidden_information=False,
)
