"""Ages of War: Battle for the Bronze Age, a battle of two armies on a field of cells."""

from ..engine.game import Game, Option
from .check import check
from .components import RULE
from .knowledge import determinize, observe
from .picture import picture
from .rules import apply, cut, legal, placing, scores, setup
from .state import ACTIONS, FIELDS, MOST_QUIET_TURNS, MOST_TURNS, OBSERVATION, SIZES
from .text import action_text, table_text
from .worth import value

VERSION = 0

GAME = Game(
    name="ages_of_war",
    title="Ages of War",
    version=VERSION,
    players=(2, 2),
    default_players=2,
    fields=FIELDS,
    actions=ACTIONS,
    observation=OBSERVATION,
    max_decisions=RULE.max_decisions,
    ends_by_itself=False,  # two players who only turn their units around would go on for ever
    options=(
        Option("units", default=6, low=2, high=8, step=2, doc="Regular units of each army"),
        Option(
            "max_turns",
            default=RULE.max_turns,
            low=10,
            high=MOST_TURNS,
            doc="Turns of both armies together, after which the battle is cut off; a limit of ours",
        ),
        Option(
            "quiet_turns",
            default=RULE.quiet_turns,
            low=0,
            high=MOST_QUIET_TURNS,
            doc="Turns in a row without damage that end the battle, won by the army with more health boxes left; "
            "a rule of ours, 0 for never, as printed",
        ),
        Option("field", default="8x10", choices=SIZES, doc="Rows between the armies x columns"),
    ),
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    placing=placing,
    cut=cut,
    value=value,
    action_text=action_text,
    table_text=table_text,
    picture=picture,
    check=check,
    spatial="planes",
)
