"""My Game: a small card game to begin with. Replace it, file by file, by a game of your own."""

from ..engine.game import Game, Option
from .check import check
from .components import RULE
from .knowledge import determinize, observe
from .rules import apply, legal, scores, setup
from .state import ACTIONS, OBSERVATION, STATE_FIELDS
from .text import action_text, heard_text, table_text

VERSION = 0  # part of the id; raise it when rules, actions or observations change

GAME = Game(
    name="mygame",
    title="My Game",
    version=VERSION,
    players=(2, RULE.most_players),
    default_players=3,
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
    action_text=action_text,
    heard_text=heard_text,
    table_text=table_text,
    check=check,
    options=(
        Option(
            "hand_size",
            RULE.hand_size,
            low=RULE.least_hand,
            high=RULE.most_hand,
            doc="Cards dealt to each player",
        ),
    ),
    # A picture is optional: without one the words of `table_text` are drawn. So are `value`, which tells greedy and
    # search agents how good a table looks (by default the margin in points), `placing` and `cut`.
)
