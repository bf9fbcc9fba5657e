"""Who is asked, about what and how often tells nothing of hidden cards; what lies open is observed, all else is not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from agezoo.envs.age_of_heroes.components import Card
from agezoo.envs.age_of_heroes.state import ACTIONS, STATE_FIELDS, A, Phase
from agezoo.envs.engine import table as engine_table
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.conformance import act, live
from agezoo.envs.engine.fields import MAX_SEATS, Sees

from .scenario import GAME, lay

FIGHT = "stand and fight"
BLOCK_OF = np.repeat(
    [block.name for block in ACTIONS.blocks], [block.size for block in ACTIONS.blocks]
)  # by action
OF_WORDS = {
    "word_by", "word_to", "third", "given", "wanted", "vow_given", "vow_wanted", "said_yes", "said_no", "dropped",
}  # fmt: skip
OF_WAR = {"attacker", "target", "goal", "sent", "sent_led", "heroes", "units", "shown", "wins"}


def games(number: int, seed: int, players: int = 4) -> Iterator[TableEnv]:
    """The tables of so many games, half greedy and half random, before every decision; none is played unasked."""
    rng = np.random.default_rng(seed)
    env = TableEnv(GAME, players, play_forced=False, rounds=10)
    for _ in range(number):
        env.reset(seed=int(rng.integers(1 << 60)))
        while live(env):
            yield env
            choose = env.random_action if rng.random() < 0.5 else env.greedy_action
            act(env, choose(int(rng.integers(1 << 60))))


# -- Who is asked ------------------------------------------------------------------------------------------------------


def shows_cards(env: TableEnv, action: int) -> bool:
    """Whether the rulebook turns up hidden cards here: in a duel, when grain goes, or when gold pays for what lacks."""
    s, block = env.states[0], BLOCK_OF[action]
    if block in ("duel", "alike"):
        return s["phase"] == Phase.DUEL and (s["attacker"] != s["seat"])
    return block in ("build", "road_right", "consent") or (block == "no_luck" and s["event"] == Card.FAMINE)


def test_what_follows_a_decision_depends_on_no_hidden_card():
    """A table and a world of somebody who only watches: after the same decision it sees the same at both."""
    rng, compared = np.random.default_rng(5), dict.fromkeys(BLOCK_OF, 0)
    for env in games(10, 3):
        watchers = [agent for agent in env.agents if agent != env.agent_selection]
        watcher = str(rng.choice(watchers))
        world = env.world(watcher, int(rng.integers(1 << 60)))
        both = sorted(set(env.legal_actions()) & set(world.legal_actions()))
        actions = [action for action in both if not shows_cards(env, action)]
        if not actions:
            continue
        action = int(rng.choice(actions))
        one, two = env.clone(), world
        two.states["rng"] = one.states["rng"]
        start = one.states["rng"].copy()
        act(one, action)
        act(two, action)
        if (one.states["rng"] == start).all() and (two.states["rng"] == start).all():  # nothing was drawn
            compared[BLOCK_OF[action]] += 1
            seen = [twin.observe(watcher)["observation"].tobytes() for twin in (one, two)]
            assert seen[0] == seen[1], f"{env.action_text(action)} shows {watcher} more than it should"
            assert one.agent_selection == two.agent_selection
    assert all(
        compared[name]
        for name in ("lay", "duel", "ready", "send", "answer", "give", "ask", "reply", "no_special")
    )


def asked(table) -> list[tuple[int, Phase]]:
    """Who is asked about what until the battle is over; the first action is taken each time."""
    found = []
    while table.state.attacker >= 0 and table.phase != Phase.SPOILS:
        found.append((table.to_act, table.phase))
        table.play(table.env.action_text(table.env.legal_actions()[0]))
    return found


@pytest.mark.parametrize("play_forced", [True, False])
@pytest.mark.parametrize("attack", ["3 3 3", "1 3 6", "3 3 6"])
def test_equal_battle_cards_are_laid_and_chosen_like_others(attack, play_forced):
    table = lay(armies={0: 2, 1: 1}, led={0: 1}, hands={1: "Olympic Games, 9 Iron"}, play_forced=play_forced)
    table.play("attack the Romans", "for plunder")
    table.play("send 2 armies without a general", "send 1 army with a general")
    if not play_forced:
        table.play("set out")
    table = table.fate(attack, "2").play(FIGHT)
    expected = [(0, Phase.LAY), (0, Phase.DUEL)] + ([] if play_forced else [(1, Phase.DUEL)])
    assert asked(table) == expected


@pytest.mark.parametrize("defence", ["4 4", "3 4"])
def test_equal_defenders_are_chosen_like_others(defence):
    table = lay(armies={0: 2, 1: 2}, hands={1: "Olympic Games, 9 Iron"})
    table.play("attack the Romans", "for plunder", "send 2 armies without a general")
    table = table.fate("1 2", defence).play(FIGHT)
    assert asked(table) == [(0, Phase.DUEL), (1, Phase.DUEL)]


def test_who_says_that_all_are_alike_says_it_to_nobody():
    table = lay(armies={0: 2, 1: 2}, led={0: 1}, hands={1: "Olympic Games, 9 Iron"})
    table.play("attack the Romans", "for plunder")
    table.play("send 2 armies without a general", "send 1 army with a general")
    table = table.fate("3 3 3", "4 4").play(FIGHT)
    both = table.env.legal_actions()
    assert both == [A.lay + 2, A.alike]
    told = {GAME.told(table.state, action, 1) for action in both}
    assert told == {"lay a battle card under the next army"}
    for action in both:
        twin = table.env.clone()
        twin.step(action)
        assert twin.states["laid"][0, 0, 1].tolist() == [0, 0, 1, 0, 0, 0]
    table.env.step(A.alike)
    attacking = table.env.legal_actions()
    assert {GAME.told(table.state, action, 1) for action in attacking} == {"choose an army"}
    table.env.step(attacking[0])
    assert A.alike in table.env.legal_actions()
    told = {GAME.told(table.state, action, 0) for action in table.env.legal_actions()}
    assert told == {"fight with the army, strength 4"}  # it is turned up now
    table.env.step(A.alike)
    assert table.state.shown[3] == 1


def test_everybody_is_asked_about_luck_whatever_they_hold():
    asked_of = {}
    for held in ("Iron", "Luck", "2 Grain, Luck"):
        table = lay(deck="Famine", hands={0: held, 2: "Luck"}, play_forced=False)
        table.play("no action", "lay nothing on the monument")
        asked_of[held] = []
        while table.phase == Phase.LUCK:
            asked_of[held].append(table.to_act)
            table.play("let it happen")
    assert set(map(tuple, asked_of.values())) == {(0, 1, 2)}


# -- What is observed --------------------------------------------------------------------------------------------------


def views(states: np.ndarray, seats: int) -> list[bytes]:
    """What each seat sees."""
    out, look = np.zeros(GAME.num_features, np.float32), GAME.compiled(engine_table.look)
    found = []
    for seat in range(seats):
        look(states, 0, seat, out)
        found.append(out.tobytes())
    return found


def cells(field, states: np.ndarray, seats: int) -> Iterator[tuple[int, ...]]:
    """Places of a field at which something of a seat that is there can stand."""
    for at in np.ndindex(field.axes):
        by_seat = [
            k for k, size in zip(at, field.axes, strict=True) if size == MAX_SEATS and field.name != "heroes"
        ]
        per_seat = field.name not in ("shown", "battle_deck", "drawn", "laid")
        if not per_seat or all(k < seats for k in by_seat):
            if field.name in ("noted", "secret", "promise", "kept", "broken") and at[0] == at[1]:
                continue
            if field.name in OF_WORDS and not states["word"][0, at[0]]:
                continue  # nothing was said
            yield at


def changed(field, states: np.ndarray, at: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """A copy with another number there."""
    other = states.copy()
    high = field.range[1]
    now = int(states[field.name][(0, *at)])
    if field.bits:
        other[field.name][(0, *at)] = now ^ (1 << int(rng.integers(2)))
    elif np.dtype(field.kind) == np.bool_:
        other[field.name][(0, *at)] = not now
    else:
        high = (
            min(high, 3)
            if field.name in ("drawer", "victim", "floor", "target", "first", "turn", "word_by")
            else high
        )
        other[field.name][(0, *at)] = now + 1 if now < high else now - 1
    return other


def who_notices(name: str, at: tuple[int, ...], states: np.ndarray, seats: int) -> set[int]:
    """The seats that see a field that is not open to all."""
    s = states[0]
    if name in ("hand", "secret"):
        return {at[0]}
    if name == "noted":
        return {at[0], at[1]}
    if name in ("drawn", "laid"):
        return {int(s["attacker" if at[0] == 0 else "target"])} & set(range(seats))
    if name == "chosen":
        return {int(s["attacker"])} & set(range(seats))
    return set()


@pytest.fixture(scope="module")
def many_tables() -> list[np.ndarray]:
    """Tables of some games: several of each phase."""
    found: dict[int, list[np.ndarray]] = {}
    for env in games(4, 11):
        found.setdefault(int(env.states["phase"][0]), []).append(env.states.copy())
    return [states for tables in found.values() for states in tables[:: max(1, len(tables) // 3)][:3]]


@pytest.mark.parametrize("field", STATE_FIELDS, ids=lambda field: field.name)
def test_a_field_shows_to_those_who_may_see_it(field, many_tables):
    rng, seats, tried = np.random.default_rng(1), 4, 0
    for states in many_tables:
        s = states[0]
        if field.unseen or (field.name in OF_WAR | {"drawn", "laid", "chosen"} and s["attacker"] < 0):
            continue
        if field.name == "attacker" and (s["attacker"] == 5 or s["attacker"] == MAX_SEATS):
            continue
        before = views(states, seats)
        places = list(cells(field, states, seats))
        for k in rng.permutation(len(places))[:6]:
            at = places[k]
            other = changed(field, states, at, rng)
            after = views(other, seats)
            noticed = {seat for seat in range(seats) if before[seat] != after[seat]}
            expected = (
                set(range(seats)) if field.sees == Sees.ALL else who_notices(field.name, at, states, seats)
            )
            assert noticed == expected, (field.name, at, int(s["phase"]))
            tried += 1
    if not field.unseen:
        assert tried > 0


def test_what_nobody_observes_though_it_lies_open_has_a_reason():
    assert {field.name for field in STATE_FIELDS if field.unseen} == {"asked", "trades", "winner"}
    assert {field.name for field in STATE_FIELDS if field.sees == Sees.NOBODY} == {"deck", "battle_deck"}
