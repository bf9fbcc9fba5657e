"""Bronze: peoples that settle a land tile by tile with the technologies they learn, for 2 to 4 players."""

from ..engine.game import Game
from .check import check
from .components import RULE
from .knowledge import determinize, observe
from .picture import picture
from .rules import apply, legal, placing, scores, setup
from .state import ACTIONS, OBSERVATION, STATE_FIELDS
from .text import action_text, table_text
from .worth import value

VERSION = 0

GAME = Game(
    name="bronze",
    title="Bronze",
    version=VERSION,
    players=(2, 4),
    default_players=2,
    fields=STATE_FIELDS,
    actions=ACTIONS,
    observation=OBSERVATION,
    max_decisions=RULE.max_decisions,
    hidden_information=False,  # nobody knows more than another; see ruling 1
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    placing=placing,
    value=value,
    action_text=action_text,
    table_text=table_text,
    picture=picture,
    check=check,
    spatial="board",
)
