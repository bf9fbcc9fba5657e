"""What is legal plays, all else is refused, and words say which is which."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from .. import render
from ..aec import RENDER_MODES, TableEnv
from ..errors import AgezooError, IllegalAction
from ..game import Game
from .tables import Broken, everything, live, need, play, story, table_bytes, two_agents

NO_ACTIONS = (
    None,
    -1,
    1 << 70,
    0.0,
    1.5,
    float("nan"),
    "0",
    "pass",
    b"0",
    True,
    False,
    np.True_,
    ...,
    slice(None),
)


def check_actions(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Something is legal until the end, nothing after it; what is legal plays, all else raises and changes nothing."""
    for number, env in enumerate(play(game, num_players, seed, options, 60)):
        if not live(env):
            _check_over(env)
            continue
        legal = env.legal_actions()
        need(legal, "nothing is legal, and the table is not over", env)
        mask = env.observe(env.agent_selection)["action_mask"]
        need(np.flatnonzero(mask).tolist() == legal, "mask and legal_actions differ", env)
        before = everything(env)
        for action in legal:
            twin = env.clone()
            twin.step(action)
            need(table_bytes(twin) != before[3], f"action {action} is legal and changes nothing", env)
        illegal = sorted(set(range(game.num_actions)) - set(legal))
        for action in illegal[number % 7 :: 7]:
            _refuses(env, action)
        if number % 20 == 0:
            _check_no_actions(env, legal[0])
        need(everything(env) == before, "looking at a table or playing at its copies changed it", env)


def _refuses(env: TableEnv, action: Any, error: type[Exception] = IllegalAction) -> None:
    before = everything(env)
    try:
        env.step(action)
    except error:
        pass
    else:
        raise Broken(f"step({action!r}) is not legal and was played\n{story(env)}")
    need(everything(env) == before, f"step({action!r}) was refused, yet changed the table", env)


def _check_no_actions(env: TableEnv, legal: int) -> None:
    """What is no action at all is refused; every kind of whole number is an action."""
    no_list = (
        [legal],
        (legal,),
        np.array([legal]),
        np.array([legal, legal]),
        np.array([], int),
        {legal: legal},
    )
    for action in (*NO_ACTIONS, env.game.num_actions, -env.game.num_actions + legal, float(legal), *no_list):
        _refuses(env, action)
    expected = env.clone()
    expected.step(legal)
    kinds: tuple[Any, ...] = (np.int8, np.uint16, np.int64, np.array)
    for kind in kinds:
        if legal < 128 or kind is not np.int8:
            twin = env.clone()
            twin.step(kind(legal))
            need(
                everything(twin) == everything(expected),
                f"{kind.__name__} {legal} plays another action",
                env,
            )


def _check_over(env: TableEnv) -> None:
    """A table at its end: empty masks, and every agent leaves with None and nothing else."""
    twin = copy.deepcopy(env)
    while twin.agents:
        need(twin.legal_actions() == [], "the table is over and actions are legal", env)
        for agent in twin.possible_agents:
            need(
                not twin.observe(agent)["action_mask"].any(),
                f"the table is over, {agent}'s mask is not empty",
                env,
            )
        _refuses(twin, 0)
        twin.step(None)
    _refuses(twin, 0, AgezooError)
    _refuses(twin, None, AgezooError)


def check_words(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Legal actions have different words, which parse back; words and pictures tell a seat nothing that is hidden."""
    for number, env in enumerate(play(game, num_players, seed, options, 60)):
        legal = env.legal_actions()
        words = [env.action_text(a) for a in legal]
        need(
            len({" ".join(w.lower().split()) for w in words}) == len(words),
            f"actions of one name: {words}",
            env,
        )
        for text in words:
            need(text.strip() == text and "\n" not in text and " | " not in text, f"bad words {text!r}", env)
        if number < 60 or number % 10 == 0:  # parsing takes all words for each, and games can be long
            _check_parsing(env, legal, words)
        if number % 20 == 0 or not live(env):
            _check_table_words(env, number)
        if number % (20 if number < 60 else 100) == 0 or not live(env):  # to draw takes longer than to write
            _check_pictures(env, number)


def _check_parsing(env: TableEnv, legal: list[int], words: list[str]) -> None:
    for action, text in zip(legal, words, strict=True):
        for said in (text, f"  {text.upper()} ", str(action)):
            need(env.parse_action(said) == action, f"{said!r} is not parsed back to {action}", env)


def _check_table_words(env: TableEnv, seed: int) -> None:
    whole = env.table_text()
    need(isinstance(whole, str) and whole.strip(), "table_text says nothing", env)
    for agent in _watching(env, seed):
        world = env.world(agent, seed)
        need(
            env.table_text(agent) == world.table_text(agent),
            f"table_text for {agent} depends on what it cannot know",
            env,
        )
        if agent == env.agent_selection:
            here, there = ([e.action_text(a) for a in e.legal_actions()] for e in (env, world))
            need(here == there, f"words for {agent} depends on what it cannot know", env)


def _check_pictures(env: TableEnv, seed: int) -> None:
    game = env.game
    if game.picture is not None:
        for agent in _watching(env, seed):
            seat, world = env.seat_of(agent), env.world(agent, seed)
            shown = [game.picture(game.record(e.states), seat).tobytes() for e in (env, world)]
            need(shown[0] == shown[1], f"picture for {agent} depends on what it cannot know", env)
    for mode in RENDER_MODES[:2]:
        made = render.render(game, game.record(env.states), None, mode)
        need(
            isinstance(made, str if mode == "ansi" else np.ndarray),
            f"render {mode} gives {type(made)}",
            env,
        )


def _watching(env: TableEnv, seed: int) -> list[str]:
    """Two agents of a table in play; one of a table at its end."""
    return two_agents(env, seed) if live(env) else env.possible_agents[:1]
