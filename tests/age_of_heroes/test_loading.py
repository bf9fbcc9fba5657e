"""Every table that play reaches loads, whoever plays; tables that could not be played to their end are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agezoo.envs.age_of_heroes.components import Card
from agezoo.envs.age_of_heroes.state import ACTIONS, NEWEST, Phase, Stage, Vow, Word
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.conformance import act, live
from agezoo.envs.engine.errors import BadPosition

from .scenario import GAME, lay

BLOCK_OF = np.repeat([block.name for block in ACTIONS.blocks], [block.size for block in ACTIONS.blocks])

# -- Tables that play reaches ------------------------------------------------------------------------------------------


def prefers(*names: str, most: bool = False) -> Callable[[TableEnv, Any], int]:
    """A player that takes an action of the first of these blocks in which there is one, the last of them if `most`."""

    def choose(env: TableEnv, rng: Any) -> int:
        legal = env.legal_actions()
        for name in names:
            wished = [action for action in legal if BLOCK_OF[action] == name]
            if wished:
                return wished[-1] if most else int(rng.choice(wished))
        return int(rng.choice(legal))

    return choose


PLAYERS: dict[str, Callable[[TableEnv, Any], int]] = {
    "random": lambda env, rng: int(rng.choice(env.legal_actions())),
    "greedy": lambda env, rng: env.greedy_action(int(rng.integers(1 << 60))),
    "first": lambda env, rng: env.legal_actions()[0],
    "last": lambda env, rng: env.legal_actions()[-1],
    "warlike": prefers("war", "hero_army", "hero_general", "send_led", "send", "take", most=True),
    "talkative": prefers(
        "question", "ask_out", "promise_out", "ask_promise", "promise", "counter", "reply", "for_what"
    ),
    "idle": prefers("no_action", "no_offer", "no_luck", "no_special", "drop_offer", "ready"),
    "trading": prefers(
        "answer", "offer", "send_offer", "counter", "for_what", "ask_promise", "promise", most=True
    ),
    "building": prefers("build", "road_right", "consent", "taxes", "lay_special", most=True),
    "lucky": prefers("strike_idle", "luck", "olympic_games", "alike", "swap"),
}


@pytest.mark.parametrize("name", [*PLAYERS, "all kinds"])
@pytest.mark.parametrize(
    "options", [{}, {"fair": "off"}, {"tribes": "drafted", "offers": 4, "cards": 8, "counters": 3}]
)
def test_every_table_that_is_reached_loads(name, options):
    rng, seats = np.random.default_rng(len(name)), 2 + len(name) % 5
    env = TableEnv(GAME, seats, rounds=10, play_forced=bool(rng.random() < 0.5), **options)
    twin = TableEnv(GAME, seats, rounds=10, **options)
    env.reset(seed=int(rng.integers(1 << 60)))
    loaded = 0
    while live(env):
        player = name if name in PLAYERS else str(rng.choice(list(PLAYERS)))
        act(env, PLAYERS[player](env, rng))
        if rng.random() < 0.1 or not live(env):
            GAME.check(GAME.record(env.states))
            twin.load(json.dumps(env.position()))
            assert twin.position() == env.position()
            assert live(twin) == live(env)
            agent = str(rng.choice(env.possible_agents))
            view = env.position(agent)
            twin.load(view)
            assert twin.observe(agent)["observation"].tobytes() == env.observe(agent)["observation"].tobytes()
            assert twin.position(agent) == view
            loaded += 1
    assert loaded > 3


# -- Tables that are refused -------------------------------------------------------------------------------------------


def war(until: Phase = Phase.DEFEND) -> dict[str, Any]:
    """A position in a war of seat 0 on seat 1."""
    table = lay(
        armies={0: 2, 1: 1},
        led={0: 1},
        hands={0: "Hero", 1: "Olympic Games, 9 Iron"},
        play_forced=False,
        monument={1: 1},
    )
    words = [
        "attack the Romans",
        "for plunder",
        "send 2 armies without a general",
        "send 1 army with a general",
    ]
    words += ["set out", "stand and fight"]
    for said in words:
        if table.phase != until:
            table.play(said)
    while table.phase != until:
        table.play(table.env.action_text(table.env.legal_actions()[-1]))
    return table.env.position()


def offer() -> dict[str, Any]:
    """A position in which an offer waits for an answer."""
    table = lay(at="fair", hands={0: "2 Wood", 1: "Iron, Luck"})
    return table.play(
        "an offer to the Romans", "offer Wood", "and what for?", "ask for Iron", "that is the offer"
    ).env.position()


def question() -> dict[str, Any]:
    """A position in which the first of two seats is asked for a reply."""
    return lay(at="fair").play("ask the table", "ask who has Marble").env.position()


def out_of_its_own_war(s: dict[str, Any]) -> None:
    s["vow_given"][NEWEST], s["third"][NEWEST] = 1 << Vow.STAY_OUT, 1 << 1


def promised_already(s: dict[str, Any]) -> None:
    s["vow_given"][NEWEST] = 1 << Vow.PEACE
    s["promise"][0][1][Vow.PEACE] = 1


def a_gift_too_soon(s: dict[str, Any]) -> None:
    s["broken"][0][1][Vow.GIFT] = s["round"]


def peace_too_soon(s: dict[str, Any]) -> None:
    s["kept"][0][1][Vow.PEACE] = s["round"]


def army_elsewhere(s: dict[str, Any]) -> None:
    s["army"][0], s["army"][2] = 0, s["army"][2] + 1


def turned_up(s: dict[str, Any]) -> None:
    s["shown"], s["battle_deck"] = s["battle_deck"], [0] * 6


def sent_before(s: dict[str, Any]) -> None:
    s["army"][0], s["sent"], s["units"][0][0] = s["army"][0] - 1, 1, 1


def alone(s: dict[str, Any]) -> None:
    s["eliminated"] = [0, 2, 2, 0, 0, 0]
    for seat in (1, 2):
        s["supply"][0] += s["cities"][seat]
        s["cities"][seat] = 0
        s["deck"][Card.IRON] += s["hand_size"][seat]
        s["hand_size"][seat], s["hand"][seat] = 0, [0] * 14


def nothing_is_laid(s: dict[str, Any]) -> None:
    for strength, number in enumerate(s["drawn"][0]):
        s["battle_deck"][strength] += number
    s["drawn"][0] = [0] * 6


def put(field: str, value: Any, *at: int) -> Callable[[dict[str, Any]], None]:
    """Put a number into a field."""

    def edit(s: dict[str, Any]) -> None:
        where: Any = s
        for key in (field, *at)[:-1]:
            where = where[key]
        where[(field, *at)[-1]] = value

    return edit


REFUSED: list[tuple[Callable[[], Any], Callable[[dict[str, Any]], None], str]] = [
    (war, turned_up, "shown"),
    (lambda: war(Phase.GOAL), sent_before, "sent"),
    (lambda: war(Phase.SEND), sent_before, "sent"),
    (lambda: war(Phase.MUSTER), put("wins", 3), "wins"),
    (war, put("units", 1, 0, 0), "units"),
    (war, put("units", 0, 1, 0), "units"),
    (lambda: war(Phase.LAY), nothing_is_laid, "units"),
    (lambda: war(Phase.DUEL), put("wins", 9), "wins"),
    (offer, put("lap", 2), "lap"),
    (offer, put("given", 1, NEWEST, Card.IRON), "given"),
    (offer, put("given", 3, NEWEST, Card.WOOD), "given"),
    (offer, put("given", 7, NEWEST, Card.WOOD), "given"),
    (offer, put("wanted", 1, NEWEST, Card.WOOD), "wanted"),
    (offer, put("wanted", 7, NEWEST, Card.GRAIN), "wanted"),
    (offer, put("phase", int(Phase.GIVE)), "wanted"),
    (offer, put("phase", int(Phase.OFFER)), "speaking"),
    (offer, put("phase", int(Phase.REPLY)), "word"),
    (offer, put("speaking", 0), "speaking"),
    (offer, put("word", int(Word.NONE), NEWEST), "word"),
    (offer, put("word", int(Word.COUNTER_OFFER), NEWEST), "word"),
    (offer, put("word", int(Word.OFFER), 0), "word"),
    (offer, put("word_by", 2, NEWEST), "floor"),
    (offer, put("word_by", 5, NEWEST), "word_by"),
    (offer, put("word_to", 0, NEWEST), "word_to"),
    (offer, put("word_to", 1, NEWEST), "word_to"),
    (offer, put("word_to", 4, NEWEST), "word_to"),
    (offer, put("word_to", 18, NEWEST), "word_to"),
    (offer, put("chain", 1), "chain"),
    (offer, put("chain", 3), "chain"),
    (offer, put("said_yes", 2, NEWEST), "said_yes"),
    (offer, put("said_no", 4, NEWEST), "said_no"),
    (offer, put("dropped", 1, NEWEST), "dropped"),
    (offer, put("third", 4, NEWEST), "third"),
    (offer, put("vow_given", 1 << Vow.STAY_OUT, NEWEST), "third"),
    (offer, out_of_its_own_war, "third"),
    (offer, promised_already, "vow_given"),
    (lambda: lay(at="fair", promises=False), put("promise", 1, 0, 1, Vow.PEACE), "promise"),
    (offer, put("floor", 2), "floor"),
    (offer, put("marked", 0), "marked"),
    (offer, put("kept", 3, 0, 1, Vow.ROAD), "kept"),
    (offer, put("promise", 1, 1, 1, Vow.PEACE), "promise"),
    (offer, put("promise", 2, 0, 1, Vow.PEACE), "promise"),
    (offer, put("promise", 1, 0, 1, Vow.STAY_OUT), "against"),
    (offer, put("against", 4, 0), "against"),
    (question, put("questioned", 0), "floor"),
    (question, put("wanted", 2, NEWEST, Card.MARBLE), "wanted"),
    (question, put("given", 1, NEWEST, Card.IRON), "wanted"),
    (question, put("word_to", 2, NEWEST), "word"),
    (question, put("said_yes", 2, NEWEST), "said_yes"),
    (lay, put("promise", 2, 0, 1, Vow.GIFT), "promise"),
    (lambda: lay(fair="cards_only"), put("promise", 1, 0, 1, Vow.GIFT), "promise"),
    (lambda: lay(fair="off"), put("kept", 1, 0, 1, Vow.PEACE), "promise"),
    (lay, a_gift_too_soon, "kept"),
    (offer, peace_too_soon, "kept"),
    (offer, put("known", 0, 0, Card.WOOD), "given"),
    (lambda: lay(armies={0: 1}).play("attack the Romans"), army_elsewhere, "army"),
    (lay, put("questioned", 1), "questioned"),
    (lay, put("spoken", 1), "spoken"),
    (lay, put("chain", 1), "chain"),
    (lay, put("floor", 1), "floor"),
    (offer, put("trades", 500), "trades"),
    (lay, alone, "eliminated"),
    (lay, put("draws", 1), "draws"),
    (lay, put("round", 31), "round"),
    (lay, put("round", 0), "round"),
    (lay, put("asked", False), "asked"),
    (lay, put("stage", int(Stage.ROUND)), "stage"),
    (lay, put("drawer", 1), "drawer"),
    (lay, put("victim", 2), "victim"),
    (lay, put("aim", 1), "aim"),
    (lay, put("declined", 1), "declined"),
    (lay, put("idle_quakes", 1, 0), "EARTHQUAKE"),
    (lay, put("secret", 2, 0, 1, Card.IRON), "secret"),
    (lay, put("noted", 1, 1, 1, Card.IRON), "noted"),
    (lay, put("no_grain", 2, 0), "no_grain"),
    (lambda: lay(hands={0: "Grain, Wood"}), put("no_grain", 2, 0), "no_grain"),
    (lay, put("lap", 1), "lap"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_tables_that_play_cannot_reach_are_refused(number):
    position, edit, field = REFUSED[number]
    where = position()
    where = json.loads(json.dumps(where if isinstance(where, dict) else where.env.position()))
    env = TableEnv(GAME, 3)
    env.load(where)  # as it was, it loads
    edit(where["state"])
    with pytest.raises(BadPosition, match=field):
        env.load(where)


def test_a_table_between_two_rounds_has_no_war_and_no_event():
    table = lay(3, turn=2, rounds=10, deck="9 Wood, Famine")
    table.state.round = 10
    table.pass_turn()
    where = table.env.position()
    env = TableEnv(GAME, 3, rounds=10)
    env.load(where)
    where["state"]["event"], where["state"]["deck"][Card.FAMINE] = int(Card.FAMINE), 0
    with pytest.raises(BadPosition, match="event"):
        env.load(where)
