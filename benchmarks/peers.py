"""The peers that benchmarks/steps.py measures beside ours: those that are installed, each in its own usual loop.

Every loop plays at random and asks for what a learner asks for: what is legal, and what the player sees.
"""

from __future__ import annotations

import importlib
import random
import warnings

from agezoo.play.bench import Measure, aec_loop, timed

PETTINGZOO = ("connect_four_v3", "leduc_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5", "chess_v6")
OPEN_SPIEL = ("connect_four", "leduc_poker", "backgammon", "hearts", "bridge(use_double_dummy_result=false)")
RLCARD = ("leduc-holdem", "limit-holdem", "uno", "doudizhu")


def peers(say=lambda line: None) -> list[Measure]:
    """What can be measured here; `say` hears what cannot, and why."""
    found: list[Measure] = []
    for library, names, make in (
        ("PettingZoo", PETTINGZOO, pettingzoo),
        ("OpenSpiel", OPEN_SPIEL, open_spiel),
        ("RLCard", RLCARD, rlcard),
    ):
        for name in names:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found += make(name)
            except ImportError as error:
                say(f"{library} {name} is left out: {error}")
    return found


def pettingzoo(name: str) -> list[Measure]:
    module = importlib.import_module(f"pettingzoo.classic.{name}")
    return [Measure(f"PettingZoo {name}", "AEC loop decisions", "aec", aec_loop(module.env(), {}))]


def open_spiel(name: str) -> list[Measure]:
    import pyspiel

    game = pyspiel.load_game(name)
    of = f"OpenSpiel {name.partition('(')[0]}"
    return [
        Measure(of, "decisions, legal actions and tensor, from Python", "batch", _open_spiel_play(game)),
        Measure(of, "state.clone()", "clone", _open_spiel_clones(game)),
    ]


def _open_spiel_play(game):
    choose = random.Random(1)
    tensor = (
        "observation_tensor" if game.get_type().provides_observation_tensor else "information_state_tensor"
    )

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choose.choices(actions, chances)[0])
            else:
                getattr(state, tensor)(state.current_player())
                legal = state.legal_actions()
                state.apply_action(legal[int(choose.random() * len(legal))])
                decisions += 1
        return decisions

    return lambda seconds: timed(play, seconds)


def _open_spiel_clones(game):
    choose = random.Random(1)
    state = game.new_initial_state()
    for _ in range(20):
        legal = state.legal_actions()
        following = state.child(legal[int(choose.random() * len(legal))])
        if following.is_terminal():
            break
        state = following

    def clones() -> int:
        for _ in range(100):
            state.clone()
        return 100

    return lambda seconds: timed(clones, seconds)


def rlcard(name: str) -> list[Measure]:
    library = importlib.import_module("rlcard")
    env = library.make(name, config={"seed": 1})
    choose = random.Random(1)

    def play() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(choose.random() * len(legal))])
            decisions += 1
        return decisions

    return [
        Measure(f"RLCard {name}", "decisions, legal actions and observation", "aec", lambda s: timed(play, s))
    ]
