"""What `check` holds: every table that play reaches loads, and every table that loads plays on, inside its arrays.

Games are played by several kinds of players, for whoever plays at random seldom gets far in one direction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import PLAIN
from agezoo.envs.engine.errors import BadPosition

from .scenario import GAME, Table, deal, lay, people, territory

Chooser = Callable[[np.random.Generator, np.ndarray], np.ndarray]


def within(*blocks: str) -> Callable[[np.ndarray], np.ndarray]:
    """Whether actions belong to these blocks."""
    spans = [GAME.actions.slices()[name] for name in blocks]
    return lambda legal: np.any([(legal >= span.start) & (legal < span.stop) for span in spans], axis=0)


def preferring(wanted: Callable[[np.ndarray], np.ndarray]) -> Chooser:
    """Any of the actions that are wanted, else any."""
    return lambda rng, legal: legal[wanted(legal)] if wanted(legal).any() else legal


PLAYERS: dict[str, Chooser] = {
    "at random": lambda rng, legal: legal,
    "the first": lambda rng, legal: legal[:1],
    "the last": lambda rng, legal: legal[-1:],
    "passes": preferring(within("done")),
    "never stops": preferring(lambda legal: ~within("done")(legal)),
    "powers": preferring(within("power")),
    "abilities": preferring(within("ability", "destiny_ability")),
    "technology": preferring(within("technology", "destiny_technology")),
    "the nearest": lambda rng, legal: legal[[np.abs(legal - rng.integers(GAME.num_actions)).argmin()]],
}


def hold(env: TableEnv) -> None:
    """The table passes `check`, and nobody sees a number outside its range."""
    GAME.check(GAME.record(env.states))
    low, high = GAME.observation.bounds()
    for agent in env.possible_agents:
        seen = env.observe(agent)["observation"]
        assert ((low <= seen) & (seen <= high)).all(), agent


def over(env: TableEnv) -> bool:
    """The game is over."""
    return bool(env.states["finished"][0])


def play_on(
    env: TableEnv, kind: str, rng: np.random.Generator, held: float, after: Callable[[], None]
) -> int:
    """Play to the end, holding the table after a part of all decisions; returns how many there were."""
    decisions = 0
    while not over(env):
        env.step(int(rng.choice(PLAYERS[kind](rng, np.array(env.legal_actions())))))
        decisions += 1
        assert decisions < GAME.max_decisions
        if rng.random() < held:
            hold(env)
            after()
    hold(env)
    return decisions


@pytest.mark.parametrize("kind", PLAYERS)
@pytest.mark.parametrize("players", [2, 4] if PLAIN else [2, 3, 4, 5, 6])
def test_every_table_that_play_reaches_loads_whole_and_as_a_seat_sees_it(kind, players):
    rng = np.random.default_rng(players)
    env = deal(players, players, play_forced=False).env

    def load() -> None:
        other = TableEnv(GAME, players)
        other.load(env.position())
        other.load(env.position(f"player_{rng.integers(players)}"))

    play_on(env, kind, rng, 0.02 if PLAIN else 0.15, load)


def edited(env: TableEnv, rng: np.random.Generator) -> TableEnv | None:
    """The table with up to three numbers moved or changed, if it is accepted so."""
    position = env.position()
    state = position["state"]
    for _ in range(int(rng.integers(1, 4))):
        field = GAME.fields[rng.integers(len(GAME.fields))]
        numbers = np.array(state[field.name], object).reshape(-1)
        a, b = rng.integers(numbers.size, size=2)
        low, high = field.range
        if numbers.size > 1 and rng.random() < 0.5:
            numbers[a], numbers[b] = numbers[b], numbers[a]
        elif field.bits:
            numbers[a] = int(numbers[a]) ^ (1 << int(rng.integers(field.bits)))
        else:
            numbers[a] = int(rng.integers(low, high + 1))
        shaped = numbers.reshape(np.shape(state[field.name]))
        state = {**state, field.name: shaped.tolist() if shaped.shape else shaped.item()}
    other = TableEnv(GAME, len(env.possible_agents), play_forced=False)
    try:
        other.load({**position, "state": state})
    except BadPosition:
        return None
    return other if state != position["state"] else None


@pytest.mark.parametrize("kind", PLAYERS)
def test_every_table_that_loads_plays_to_its_end(kind):
    """Tables of games, edited; those that are refused tell nothing here."""
    rng = np.random.default_rng(len(kind))
    env, found = deal(3, len(kind), play_forced=False).env, 0
    while not over(env) and found < (1 if PLAIN else 4):
        env.step(int(rng.choice(PLAYERS[kind](rng, np.array(env.legal_actions())))))
        other = edited(env, rng) if not over(env) else None
        if other is not None:
            found += 1
            play_on(other, kind, rng, 0.1, lambda: None)
    assert found


ACTING: dict[str, Callable[[], Table]] = {
    "combat": lay,
    "roll": lambda: lay().play("attack from Scalebank", "attack Skullridge"),
    "fortification": lambda: lay(stage="fortification"),
    "card": lambda: lay(stage="action"),
    "rage": lambda: lay(stage="action", hands={0: "Barbarians"}).play(
        "play a card of the Barbarians for Rage"
    ),
    "sight": lambda: lay(stage="action", hands={0: "Sorcerers"}).play(
        "play a card of the Sorcerers for Second Sight"
    ),
    "markers": lambda: lay(stage="action", hands={0: "Amazons"}).play(
        "play a card of the Amazons for War Cry"
    ),
    "crafts": lambda: lay(stage="action", gods={0: "Crafts"}, hands={0: "Orcs"}).play(
        "give technology with Crafts"
    ),
    "war cry": lambda: lay(stage="action", hands={0: "Amazons"}).play(
        "play a card of the Amazons for War Cry", "the attack bonus to the Orcs"
    ),
    "bets": lambda: lay(stage="bets", turn=7),
    "deception": lambda: lay(2, turn=3, gods={0: "War", 1: "Deception"}, played={1: "2 Orcs"}),
    "at their maximum": lambda: (
        lay(owners={"Mudfang": "Hobbits", "Clubpass": "Hobbits"})
        .play("attack from Mudfang", "attack Skullridge")
        .roll(5)
    ),
}


@pytest.mark.parametrize(("where", "field", "at", "value"), [
    ("combat", "attacks", (), 2),  # one attack in the Combat Phase
    ("combat", "step", (), 1),
    ("combat", "boost", (), 2),
    ("combat", "follow_up", (), 1),
    ("combat", "natural", (), 3),
    ("combat", "technology", (5,), 12),  # more than the cards can give
    ("combat", "bulwarks", (), 1 << territory("Redtusk")),  # nobody has fortified it
    ("combat", "early", (5,), 1),  # nobody has the god of deception
    ("combat", "used", (), 1),
    ("combat", "double", (), 1),
    ("combat", "built", (), 1),
    ("roll", "target", (), territory("Kingsreach")),  # out of reach
    ("roll", "origin", (), -1),
    ("fortification", "attacks", (), 1),  # no attack is owed
    ("fortification", "step", (), 1),
    ("fortification", "built", (), 2),
    ("card", "attacks", (), 1),
    ("card", "double", (), 1),
    ("card", "step", (), 1),
    ("rage", "attacks", (), 2),
    ("rage", "step", (), 1),
    ("sight", "attacks", (), 2),
    ("sight", "attacks", (), 0),
    ("sight", "wrath", (), 1),
    ("markers", "marker", (0, 0, 3), 4),  # all four are out
    ("crafts", "ability", (), 0),  # the power is a god's, no card is being resolved
    ("crafts", "wrath", (), 1),
    ("markers", "attacks", (), 1),  # the marker comes first
    ("war cry", "attacks", (), 2),
    ("war cry", "step", (), 1),
    ("bets", "step", (), 2),
    ("bets", "bets_laid", (0,), 1),
    ("bets", "red_bets", (0,), 1),
    ("deception", "early", (5,), 1),  # played before the first turn
    ("deception", "early", (6,), 1),  # not played at all
    ("at their maximum", "natural", (), 1),
    ("at their maximum", "follow_up", (), -1),
])  # fmt: skip
def test_a_table_that_play_does_not_reach_is_refused_by_the_name_of_the_field(where, field, at, value):
    position = ACTING[where]().env.position()
    numbers = np.array(position["state"][field], object)
    numbers[at] = value
    state = {**position["state"], field: numbers.tolist() if numbers.shape else value}
    with pytest.raises(BadPosition, match=rf"state\.\w*.*{field}|state\.{field}"):
        TableEnv(GAME, position["num_players"]).load({**position, "state": state})


def test_technology_that_the_cards_in_play_can_give_is_accepted():
    """Levels and what can still come stay below the most that is observed."""
    assert lay(technology={"Orcs": 5, "Hobbits": 2}).technology("Orcs") == 5
    with pytest.raises(BadPosition, match="technology of ORCS"):
        lay(technology={"Orcs": 12}, hands={0: "Orcs, Gnomes"})


def test_a_finished_table_is_one_after_the_last_turn():
    env = deal(2, 3).env
    rng = np.random.default_rng(0)
    while not over(env):
        env.step(int(rng.choice(env.legal_actions())))
    position: dict[str, Any] = env.position()
    TableEnv(GAME, 2).load(position)
    for field, value in (("turn", 8), ("phase", 3), ("attacks", 1), ("ability", 2)):
        with pytest.raises(BadPosition, match=r"state\."):
            TableEnv(GAME, 2).load({**position, "state": {**position["state"], field: value}})


def test_offers_and_bets_lie_in_one_order():
    """Which of two came first tells nothing, so that no table shows it."""
    for seed in range(20):
        offer = np.asarray(deal(6, seed).state.offer)
        assert (offer[:, 0] < offer[:, 1]).all()
    table = lay(stage="bets", turn=7, hands={0: "Humans, Orcs, Gnomes"})
    assert table.play("bet on the Humans", "bet on the Gnomes").state.bets[0].tolist() == [
        people("Gnomes"),
        people("Humans"),
    ]
    position = deal(2, 1).env.position()
    position["state"]["offer"][0].reverse()
    with pytest.raises(BadPosition, match=r"state\.offer\[0\]"):
        TableEnv(GAME, 2).load(position)
