"""Age of Gods: divinities who direct the destinies of 24 peoples, a board game for 2 to 6 players."""

from ..engine.game import Game
from .check import check
from .components import RULE
from .knowledge import determinize, observe
from .picture import picture
from .rules import apply, legal, scores, setup
from .state import ACTIONS, OBSERVATION, STATE_FIELDS
from .text import action_text, heard_text, table_text
from .worth import value

VERSION = 0

GAME = Game(
    name="age_of_gods",
    title="Age of Gods",
    version=VERSION,
    players=(2, 6),
    default_players=4,
    fields=STATE_FIELDS,
    actions=ACTIONS,
    observation=OBSERVATION,
    max_decisions=RULE.max_decisions,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    value=value,
    action_text=action_text,
    table_text=table_text,
    heard_text=heard_text,
    picture=picture,
    check=check,
)
