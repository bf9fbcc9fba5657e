"""The suite that every rulebook must pass, part of the package so that a new rulebook can use it.

    from agezoo.envs.engine import conformance
    conformance.run(game, num_players=3)                          # what holds at every table
    conformance.run_once(game, "tests/bronze/golden")             # what holds for the rulebook as a whole
    python -m agezoo.envs.engine.conformance bronze --decisions 1000000     # the fuzz run, see fuzz.py

Every check is a function of a rulebook, a number of seats, a seed and options; it plays random games and raises
`Broken`, which says what does not hold and gives the game as a record that replays. Same seed, same check.

What a determinized copy (a world) must be is held against play in three ways. Exactly: two tables that look the same
to a seat have the same worlds, for every seed, whatever is hidden in them; such pairs are a table and a world of it
played on alike, and a table and the same table with hidden things exchanged. And by number: dealt tables are
exchangeable with their worlds.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import itertools
import json
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from . import position, render, table
from .aec import RENDER_MODES, REWARDS, TableEnv
from .batch import Batch
from .compile import PLAIN, new_tables, template
from .errors import AgezooError, BadOption, BadPosition, IllegalAction
from .game import Game, _no_check
from .players import spin
from .position import GameRecord
from .seat import SeatEnv
from .table import deal, imagine

MOST_BYTES = 4096  # a table may take
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
NO_FAULTS = (
    "The old environment creation API",  # PettingZoo's test package imports a game of its own by its old name
    "Observation is not a NumPy array",  # it is a dict of two
    "Observation space for each agent probably should be",  # and so is its space
)
Check = Callable[..., None]


class Broken(AssertionError):
    """A rulebook or the engine does not do what it must; the message ends with the game that shows it."""


# -- playing -----------------------------------------------------------------------------------------------------------


def need(holds: Any, what: str, env: TableEnv | None = None) -> None:
    """Raise `Broken` unless `holds`.

    Args:
        holds: anything with a truth value.
        what: what does not hold, if it does not.
        env: the table that shows it.
    """
    if not holds:
        raise Broken(what + (f"\n{_story(env)}" if env is not None else ""))


def _story(env: TableEnv) -> str:
    try:
        return env.record().to_text()
    except Exception as error:
        return f"(no record: {error}; actions {position._in_order(env._moves)} from {env._origin})"


def play(
    game: Game, num_players: int | None, seed: int, options: dict[str, Any], decisions: int, **more: Any
) -> Iterator[TableEnv]:
    """Random games: the table before every decision and at each end, the same object each time.

    Args:
        game: the rulebook.
        num_players: seats.
        seed: of deals and choices.
        options: the rulebook's options.
        decisions: how many there are at least; the last game is played to its end.
        **more: arguments of `TableEnv`.
    """
    env = TableEnv(game, num_players, **more, **options)
    rng = np.random.default_rng(seed)
    asked = 0
    while asked < decisions:
        env.reset(seed=int(rng.integers(1 << 63)))
        while _live(env):
            asked += 1
            yield env
            legal = env.legal_actions()
            need(legal, f"{env.agent_selection} has no legal action, and the table is not over", env)
            _act(env, int(rng.choice(legal)))
        yield env


def _live(env: TableEnv) -> bool:
    """A decision is awaited."""
    return any(not (env.terminations[a] or env.truncations[a]) for a in env.agents)


def _act(env: TableEnv, action: int) -> None:
    """Step, and let seats that were knocked out leave, unless the table is over."""
    env.step(action)
    while _live(env) and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        env.step(None)


def _two(env: TableEnv, number: int) -> list[str]:
    """The seat to act and another, a different one for each `number`."""
    acting = env._seat(env.agent_selection)
    others = len(env.possible_agents) - 1
    return [env.possible_agents[(acting + k) % (others + 1)] for k in (0, 1 + number % others)]


def _sampled(tables: Iterator[TableEnv], every: int, most: int = 60) -> Iterator[TableEnv]:
    """Every so many-th table at which a decision is awaited, `most` of them at most, for games can be long."""
    return itertools.islice(filter(_live, tables), 0, most * every, every)


def _bytes(env: TableEnv) -> bytes:
    return env._states.tobytes()


def _everything(env: TableEnv) -> tuple[Any, ...]:
    """All that a user can see of a table, to compare."""
    arrays = [env._mask, env._observation, env._seat_now, env._states]
    shown = (env.agents, env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
    return (*(a.tobytes() for a in arrays), copy.deepcopy(shown), env.agent_selection, env._moves)


def _same_views(a: TableEnv, b: TableEnv, agent: str) -> bool:
    """Whether `agent` sees the same at two tables, and may do the same if it is to act."""
    return a.agent_selection == b.agent_selection and all(
        np.array_equal(mine, yours)
        for mine, yours in zip(a.observe(agent).values(), b.observe(agent).values(), strict=True)
    )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """PettingZoo's and Gymnasium's tests print; what they warn of is an error, but for what is no fault."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for known in NO_FAULTS:
            warnings.filterwarnings("ignore", known)
        yield


# -- other people's suites ---------------------------------------------------------------------------------------------


def check_pettingzoo(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """PettingZoo's api_test, seed_test, render_test and state_test, which choose their own seeds.

    state_test samples without a mask, so an illegal action loses there instead of raising, and asks for a parallel
    environment beside the other, of which it wants no more than reset, state and state_space.
    """
    del seed
    make = partial(TableEnv, game, num_players, **options)
    with _quiet():
        import pettingzoo.test as theirs

        suite: Any = theirs  # its names are not exported in the way that type checkers ask for
        suite.api_test(make(), num_cycles=60)
        suite.seed_test(make, num_cycles=30)
        suite.render_test(make)
        suite.state_test(make(illegal="lose"), make(), num_cycles=5)


def check_max_cycles(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """A table is truncated, never terminated, at exactly `max_cycles` decisions, rewards 0, the standing in infos.

    PettingZoo's own max_cycles_test asks for a `parallel_env` in which every agent acts in every cycle; at our tables
    one seat decides at a time, and all their decisions count.
    """
    for limit in (1, 2, 5, 30):
        asked = 0
        for env in play(game, num_players, seed, options, 1, max_cycles=limit):
            asked += _live(env)
        need(asked <= limit, f"max_cycles={limit}: {asked} decisions were asked for", env)
        if env._states["finished"][0]:
            continue
        need(asked == limit, f"max_cycles={limit}: play stopped after {asked} decisions", env)
        for agent in env.agents:
            out = bool(env._states["eliminated"][0][env._seat(agent)])
            flags = env.terminations[agent], env.truncations[agent]
            need(flags == (out, not out), f"max_cycles={limit}: {agent} has flags {flags}", env)
            need(
                out or env.rewards[agent] == 0, f"max_cycles={limit}: {agent} gets {env.rewards[agent]}", env
            )
            standing = env.scores()[agent], env.places()[agent]
            told = env.infos[agent]
            need(
                (told["score"], told["place"]) == standing, f"{agent} is told {told}, stands {standing}", env
            )


def check_gymnasium(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Gymnasium's env checker and, where installed, stable-baselines3's, on a seat.

    They sample without a mask, so an illegal action loses here instead of raising.
    """
    seat = SeatEnv(game, num_players=num_players, illegal="lose", opponents="greedy", **options)
    with _quiet():
        from gymnasium.utils.env_checker import check_env

        check_env(seat, skip_render_check=True)
        if importlib.util.find_spec("stable_baselines3"):
            from stable_baselines3.common.env_checker import check_env as check_env_sb3

            check_env_sb3(seat)
    _check_seat_episode(game, num_players, seed, options)


def _check_seat_episode(game: Game, num_players: int | None, seed: int, options: dict[str, Any]) -> None:
    env = SeatEnv(game, seat="random", num_players=num_players, opponents="random", **options)
    rng = np.random.default_rng(seed)
    for episode in range(3):
        observation, info = env.reset(seed=seed + episode)
        over = env._over
        while not over:
            mask = env.action_masks()
            need(mask.dtype == np.bool_ and mask.any(), "the seat is to act and its mask is empty", env.env)
            need(
                env.observation_space.contains(observation),
                "the seat's observation leaves its space",
                env.env,
            )
            observation, reward, ended, stopped, info = env.step(rng.choice(np.flatnonzero(mask)))
            over = ended or stopped
            need(over or reward == 0, f"reward {reward} before the seat's game is over", env.env)
        need({"score", "place"} <= set(info), f"the seat's last info is {info}", env.env)
        need(not env.action_masks().any(), "the seat's game is over and its mask is not empty", env.env)


def check_performance(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """PettingZoo's performance_benchmark runs through (it takes five seconds)."""
    del seed
    with _quiet():
        import pettingzoo.test as theirs

        suite: Any = theirs
        suite.performance_benchmark(TableEnv(game, num_players, **options))


# -- actions -----------------------------------------------------------------------------------------------------------


def check_actions(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Something is legal until the end, nothing after it; what is legal plays, all else raises and changes nothing."""
    for number, env in enumerate(play(game, num_players, seed, options, 60)):
        if not _live(env):
            _check_over(env)
            continue
        legal = env.legal_actions()
        need(legal, "nothing is legal, and the table is not over", env)
        mask = env.observe(env.agent_selection)["action_mask"]
        need(np.flatnonzero(mask).tolist() == legal, "mask and legal_actions differ", env)
        before = _everything(env)
        for action in legal:
            twin = env.clone()
            twin.step(action)
            need(_bytes(twin) != before[3], f"action {action} is legal and changes nothing", env)
        illegal = sorted(set(range(game.num_actions)) - set(legal))
        for action in illegal[number % 7 :: 7]:
            _refuses(env, action)
        if number % 20 == 0:
            _check_no_actions(env, legal[0])
        need(_everything(env) == before, "looking at a table or playing at its copies changed it", env)


def _refuses(env: TableEnv, action: Any, error: type[Exception] = IllegalAction) -> None:
    before = _everything(env)
    try:
        env.step(action)
    except error:
        pass
    else:
        raise Broken(f"step({action!r}) is not legal and was played\n{_story(env)}")
    need(_everything(env) == before, f"step({action!r}) was refused, yet changed the table", env)


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
                _everything(twin) == _everything(expected),
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
        if number % 20 == 0 or not _live(env):
            _check_pictures(env, number)


def _check_parsing(env: TableEnv, legal: list[int], words: list[str]) -> None:
    for action, text in zip(legal, words, strict=True):
        for said in (text, f"  {text.upper()} ", str(action)):
            need(env.parse_action(said) == action, f"{said!r} is not parsed back to {action}", env)


def _check_pictures(env: TableEnv, seed: int) -> None:
    game, whole = env.game, env.table_text()
    need(isinstance(whole, str) and whole.strip(), "table_text says nothing", env)
    for agent in _two(env, seed) if _live(env) else env.possible_agents[:1]:
        seat, world = env._seat(agent), env.world(agent, seed)
        for what, of in (
            ("table_text", lambda e, a=agent: e.table_text(a)),
            (
                "words",
                lambda e, a=agent: [e.action_text(x) for x in e.legal_actions() if e.agent_selection == a],
            ),
        ):
            need(of(env) == of(world), f"{what} for {agent} depends on what it cannot know", env)
        if game.picture is not None:
            shown = [game.picture(game.record(e._states), seat).tobytes() for e in (env, world)]
            need(shown[0] == shown[1], f"picture for {agent} depends on what it cannot know", env)
    for mode in RENDER_MODES[:2]:
        made = render.render(game, game.record(env._states), None, mode)
        need(
            isinstance(made, str if mode == "ansi" else np.ndarray),
            f"render {mode} gives {type(made)}",
            env,
        )


# -- components, observations, standing --------------------------------------------------------------------------------


def check_components(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """The rulebook's own `check` holds at every table, and in every world."""
    need(game.check is not _no_check, f"{game.name} has no `check`: count its components there")
    for number, env in enumerate(play(game, num_players, seed, options, 400)):
        _check_record(env, env)
        if number % 10 == 0:
            for agent in env.possible_agents:
                _check_record(env.world(agent, number), env)


def _check_record(env: TableEnv, shown: TableEnv) -> None:
    try:
        env.game.check(env.game.record(env._states))
    except ValueError as error:
        world = "" if env is shown else "in a world of this table: "
        raise Broken(f"{world}{error}\n{_story(shown)}") from None


def check_observations(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """What seats see is finite, inside its space, the caller's own; masks are as `TableEnv` says."""
    for env in play(game, num_players, seed, options, 200):
        need(env.state_space.contains(env.state()), "state() leaves state_space", env)
        for agent in env.possible_agents:
            seen = env.observe(agent)
            vector, mask = seen["observation"], seen["action_mask"]
            space = env.observation_space(agent)["observation"]  # type: ignore[index]
            need(np.isfinite(vector).all(), f"{agent} sees a number that is not finite", env)
            outside = np.flatnonzero((vector < space.low) | (vector > space.high))
            names = [game.observation.name(int(k)) for k in outside[:5]]
            need(not names, f"{agent} sees numbers outside their range: {names}", env)
            need(env.observation_space(agent).contains(seen), f"{agent}'s observation leaves its space", env)
            vector[:] = -1
            mask[:] = 9
        _check_masks(env)


def _check_masks(env: TableEnv) -> None:
    for agent in env.possible_agents:
        mask = env.observe(agent)["action_mask"]
        over = agent not in env.agents or env.terminations[agent] or env.truncations[agent]
        wanted = np.full(env.game.num_actions, not over, np.int8)
        if not over and agent == env.agent_selection:
            wanted = np.isin(np.arange(env.game.num_actions), env.legal_actions()).astype(np.int8)
        need(np.array_equal(mask, wanted), f"{agent}'s mask is not what it must be", env)


def check_standing(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Scores are finite; places are those of a ranking; who is knocked out keeps its place and leaves the table."""
    kept: dict[str, int] = {}
    for env in play(game, num_players, seed, options, 200):
        if not env._moves:
            kept = {}
        scores, places = env.scores(), env.places()
        need(np.isfinite(list(scores.values())).all(), f"scores {scores}", env)
        out = env._states["eliminated"][0]
        for agent, place in kept.items():
            need(
                places[agent] == place, f"{agent} was knocked out on place {place}, now {places[agent]}", env
            )
            need(
                agent not in env.agents or not _live(env),
                f"{agent} was knocked out and still sits there",
                env,
            )
        living = sorted(p for a, p in places.items() if not out[env._seat(a)])
        need(
            living == [1 + sum(q < p for q in living) for p in living], f"places {places} are no ranking", env
        )
        now_out = {a: p for a, p in places.items() if out[env._seat(a)]}
        need(
            not living or all(p > len(living) for p in now_out.values()), f"places {places} of seats out", env
        )
        kept = now_out


def check_rewards(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Rewards add up: each agent collects what the final standing is worth, in every reward mode."""
    for kind, mode in enumerate(REWARDS):
        _check_rewards_of(game, num_players, seed, options, mode, kind)


def _check_rewards_of(
    game: Game, num_players: int | None, seed: int, options: dict[str, Any], mode: str, kind: int
) -> None:
    env = TableEnv(game, num_players, reward=mode, **options)
    rng = np.random.default_rng(seed)
    asked = 0
    while asked < 150:
        env.reset(seed=int(rng.integers(1 << 63)))
        collected, summed = dict.fromkeys(env.possible_agents, 0.0), dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter(1 << 40):
            _, reward, terminated, truncated, _ = env.last()
            collected[agent] += reward
            env.step(None if terminated or truncated else int(rng.choice(env.legal_actions())))
            for other, given in env.rewards.items():
                summed[other] += given
        asked += int(env._states["decisions"][0])
        paid = np.zeros(len(collected), np.float32)
        places = np.array(list(env.places().values()))
        table.grade(len(paid), np.array(list(env.scores().values())), places, kind, paid)
        finished = env._states["finished"][0]
        if not finished:  # truncated: only seats that were knocked out have been paid
            paid[env._states["eliminated"][0][: len(paid)] == 0] = 0
        need(
            np.allclose(list(collected.values()), paid), f"{mode}: collected {collected}, must be {paid}", env
        )
        need(summed == collected, f"{mode}: rewards summed {summed}, collected {collected}", env)
        if mode != "score" and game.zero_sum and finished:
            need(abs(sum(collected.values())) < 1e-5, f"{mode}: rewards {collected} do not sum to 0", env)


# -- the same everywhere -----------------------------------------------------------------------------------------------


def check_batch(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Tables in a batch, in two threads, with other seat counts beside them, are those played alone, byte for byte."""
    fewest, most = game.players
    counts = [game.num_players(num_players), *range(fewest, most + 1)]
    for reward, limit, forced in (("win", None, True), ("rank", 40, True), ("score", 7, False)):
        more = {"reward": reward, "max_cycles": limit, "play_forced": forced, **options}
        both = [Batch(game, len(counts), seed, counts, threads=threads, **more) for threads in (1, 2)]
        alone = [TableEnv(game, count, **more) for count in counts]
        _play_side_by_side(both, alone, seed)
    _check_batch_refuses(Batch(game, len(counts), seed, counts, **options))


def _play_side_by_side(both: list[Batch], alone: list[TableEnv], seed: int) -> None:
    for env, start in zip(alone, both[0].seeds, strict=True):
        env.reset(seed=int(start))
    rng = np.arange(len(alone), dtype=np.uint64) + np.uint64(seed)
    for _ in range(80):
        actions = both[0].random_actions(rng)
        _compare_threads(*both)
        for i, env in enumerate(alone):
            _compare_alone(both[0], i, env)
            env.step(int(actions[i]))
        for tables in both:
            tables.step(actions)
        for i, env in enumerate(alone):
            _compare_end(both[0], i, env)


def _compare_threads(one: Batch, two: Batch) -> None:
    names = (
        "observation",
        "action_mask",
        "seat",
        "reward",
        "done",
        "truncated",
        "scores",
        "places",
        "seeds",
        "_states",
    )
    for name in names:
        need(
            getattr(one, name).tobytes() == getattr(two, name).tobytes(),
            f"batch.{name} differs with two threads",
        )


def _compare_alone(batch: Batch, i: int, env: TableEnv) -> None:
    need(
        batch._states[i : i + 1].tobytes() == _bytes(env),
        f"table {i} of the batch is another than alone",
        env,
    )
    seen = env.observe(env.agent_selection)
    need(batch.seat[i] == env._seat(env.agent_selection), f"batch.seat[{i}] is {batch.seat[i]}", env)
    need(np.array_equal(batch.observation[i], seen["observation"]), f"batch.observation[{i}] differs", env)
    need(np.array_equal(batch.action_mask[i], seen["action_mask"]), f"batch.action_mask[{i}] differs", env)


def _compare_end(batch: Batch, i: int, env: TableEnv) -> None:
    """Rewards of one step; at an end the standing and the next seed, too. Then `env` goes on as the batch does."""
    paid = [env.rewards.get(agent, 0.0) for agent in env.possible_agents]
    need(
        np.array_equal(batch.reward[i, : len(paid)], np.array(paid, np.float32)),
        f"batch.reward[{i}] is not {paid}",
        env,
    )
    need(not batch.reward[i, len(paid) :].any(), f"batch.reward[{i}] pays an absent seat", env)
    ended = bool(batch.done[i] or batch.truncated[i])
    need(ended != _live(env), f"table {i}: the batch says ended={ended}", env)
    if ended:
        need(batch.done[i] == env._states["finished"][0], f"batch.done[{i}] is {batch.done[i]}", env)
        for name, alone in (("scores", env.scores()), ("places", env.places())):
            row = getattr(batch, name)[i, : len(paid)]
            need(row.tolist() == list(alone.values()), f"batch.{name}[{i}] is {row}, alone {alone}", env)
        env.reset()
        need(
            env._seed == int(batch.seeds[i]),
            f"reset() without seed does not go on as batch table {i} does",
            env,
        )
    while _live(env) and env.terminations[env.agent_selection]:
        env.step(None)


def _check_batch_refuses(batch: Batch) -> None:
    """One illegal action, and no table moves."""
    before = [a.tobytes() for a in (batch._states, batch.observation, batch.action_mask, batch.reward)]
    good = batch.action_mask.argmax(axis=1)
    last = len(good) - 1
    bad: list[tuple[Any, type[AgezooError]]] = [
        (np.where(np.arange(last + 1) == last, wrong, good), IllegalAction)
        for wrong in (-1, batch.game.num_actions, int(batch.action_mask[last].argmin()))
        if not 0 <= wrong < batch.game.num_actions or not batch.action_mask[last, wrong]
    ]
    bad += [
        (good[:-1], BadOption),
        (good.astype(float), BadOption),
        (good[:, None], BadOption),
        (None, BadOption),
    ]
    for actions, error in bad:
        try:
            batch.step(actions)
        except error:
            pass
        else:
            raise Broken(f"batch.step({actions!r}) was played")
        after = [a.tobytes() for a in (batch._states, batch.observation, batch.action_mask, batch.reward)]
        need(after == before, f"batch.step({actions!r}) was refused, yet changed the tables")


def transcript(game: Game, seed: int, options: dict[str, Any], steps: int) -> list[str]:
    """A digest of all tables of a batch, one of each seat count, after every step of random play."""
    batch = Batch(
        game,
        game.players[1] - game.players[0] + 1,
        seed,
        range(game.players[0], game.players[1] + 1),
        **options,
    )
    rng = np.arange(batch.num_envs, dtype=np.uint64)
    lines = []
    for _ in range(steps):
        digest = blake2b(digest_size=8)
        for a in (
            batch._states,
            batch.observation,
            batch.action_mask,
            batch.seat,
            batch.reward,
            batch.scores,
        ):
            digest.update(a.tobytes())
        lines.append(digest.hexdigest())
        batch.step(batch.random_actions(rng))
    return lines


def check_plain(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Another process without compiled code plays the same bytes, and goes on alike with a pickled table."""
    env = next(itertools.islice(play(game, num_players, seed, options, 20), 10, None))
    wanted = transcript(game, seed, options, 60), _future(pickle.loads(pickle.dumps(env)), 20)
    order = pickle.dumps((pickle.dumps(sys.path), pickle.dumps((game, seed, options, 60, env))))
    code = "from agezoo.envs.engine import conformance; conformance._answer()"
    mode = {"AGEZOO_PLAIN": "0" if PLAIN else "1", "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=order,
        capture_output=True,
        env={**os.environ, **mode},
        check=False,
    )
    need(done.returncode == 0, f"the other process failed:\n{done.stderr.decode()[-3000:]}")
    found, future = json.loads(done.stdout)
    for step, (here, there) in enumerate(zip(wanted[0], found, strict=True)):
        need(here == there, f"compiled and plain tables differ from step {step} on (batch seed {seed})")
    need(future == wanted[1], "a pickled table has another future in another process", env)


def _answer() -> None:
    """The other process of `check_plain`."""
    path, order = pickle.loads(sys.stdin.buffer.read())
    sys.path[:] = pickle.loads(path)
    game, seed, options, steps, env = pickle.loads(order)
    print(json.dumps([transcript(game, seed, options, steps), _future(env, 20)]))


# -- copies ------------------------------------------------------------------------------------------------------------


def check_copies(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Clone, deepcopy, pickle, JSON position and replayed record go on alike from mid-game; old copies never change."""
    for number, env in enumerate(_sampled(play(game, num_players, seed, options, 100), 9)):
        old = _everything(env)
        copies = {
            "clone": env.clone(),
            "copy": copy.copy(env),
            "deepcopy": copy.deepcopy(env),
            "pickle": pickle.loads(pickle.dumps(env)),
            "position": _reloaded(env),
            "record": list(GameRecord.from_text(env.record().to_text()).replay())[-1],
        }
        for name, twin in copies.items():
            need(_bytes(twin) == _bytes(env), f"{name} is another table", env)
            need(_same_views(twin, env, env.agent_selection), f"{name} looks another", env)
        futures = {name: _future(twin, number) for name, twin in copies.items()}
        need(_everything(env) == old, "playing on at a copy changed the table it was made from", env)
        wanted = _future(env.clone(), number)
        for name, future in futures.items():
            need(future == wanted, f"{name} has another future", env)


def _reloaded(env: TableEnv) -> TableEnv:
    options: dict[str, Any] = {**env.game.options_of(env._states[0])}
    twin = TableEnv(env.game, len(env.possible_agents), **options)
    twin.load(json.dumps(env.position()))
    return twin


def _future(env: TableEnv, seed: int, most: int = 300) -> list[str]:
    """Digests of the table and of what is seen and paid, for `most` decisions at most, chosen from `seed`."""
    rng = np.random.default_rng(seed)
    lines: list[str] = []
    while _live(env) and len(lines) < most:
        _act(env, int(rng.choice(env.legal_actions())))
        paid = [env._cumulative_rewards.get(a, 0.0) for a in env.possible_agents]
        seen = env.observe(env.agent_selection)["observation"].tobytes()
        lines.append(blake2b(_bytes(env) + seen + repr(paid).encode(), digest_size=8).hexdigest())
    return lines


# -- what is hidden ----------------------------------------------------------------------------------------------------


def check_worlds(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Worlds look to their seat like the table, do vary, play on, and show nothing of what is hidden.

    Exactly: a table and a world of it, played on alike for as long as the seat sees the same at both, have the same
    worlds and the same position for that seat. So a determinize that copies, or that remembers somewhere what it
    should forget, or that shuffles hidden things from the order they lie in, is found.
    """
    varied = False
    for number, env in enumerate(_sampled(play(game, num_players, seed, options, 200), 4)):
        for agent in _two(env, number):
            worlds = [env.world(agent, number * 1000 + k) for k in range(4)]
            for world in worlds:
                need(_same_views(world, env, agent), f"a world of {agent} looks different to it", env)
            again = env.world(agent, number * 1000)
            need(_bytes(again) == _bytes(worlds[0]), f"two worlds of {agent} from one seed differ", env)
            hidden = {_without_rng(world) for world in [env, *worlds]}
            varied |= len(hidden) > 1
            need(
                game.hidden_information or len(hidden) == 1, "worlds vary, but nothing should be hidden", env
            )
            need(
                len({int(w._states["rng"][0]) for w in worlds}) == 4, "worlds share their random numbers", env
            )
            _check_twins(env, worlds[1], agent, number)
            _future(worlds[2], number)
            _check_record(worlds[2], env)
    need(varied or not game.hidden_information, "worlds never vary: nothing that is hidden is ever redrawn")


def _without_rng(env: TableEnv) -> bytes:
    states = env._states.copy()
    states["rng"] = 0
    return states.tobytes()


def _check_twins(env: TableEnv, world: TableEnv, agent: str, seed: int, most: int = 8) -> None:
    """Play a table and a world of it alike; while `agent` sees the same, it must believe the same."""
    one, two = env.clone(), world.clone()
    one._origin, one._moves = env._origin, env._moves
    two._states["rng"] = one._states["rng"]
    rng = np.random.default_rng(seed)
    for _ in range(most):
        _check_same_beliefs(one, two, agent, int(rng.integers(1 << 60)))
        both = sorted(set(one.legal_actions()) & set(two.legal_actions()))
        if not both:
            return
        action = int(rng.choice(both))
        _act(one, action)
        _act(two, action)
        if not (_live(one) and _live(two) and _same_views(one, two, agent)):
            return


def _check_same_beliefs(one: TableEnv, two: TableEnv, agent: str, seed: int) -> None:
    """Two tables that `agent` cannot tell apart."""
    game, a, b = one.game, one.world(agent, seed), two.world(agent, seed)
    differ = [n for n in game.state.names or () if not np.array_equal(_rows(a, n), _rows(b, n))]
    if set(differ) - set(game.memory):
        raise Broken(
            f"what {agent} cannot know shows in its worlds, in {', '.join(differ)}: two tables that it cannot tell "
            f"apart have different worlds from one seed (see `Game` on determinize)\n{_story(one)}"
        )
    if not game.memory:
        need(
            one.position(agent) == two.position(agent),
            f"position({agent!r}) depends on what it cannot know",
            one,
        )
    need(
        one.table_text(agent) == two.table_text(agent),
        f"table_text of {agent} depends on what it cannot know",
        one,
    )


def _rows(env: TableEnv, field: str) -> np.ndarray:
    """A field of the state; sorted within rows where the game has `memory`, for cards move up when one is played."""
    values = env._states[field][0]
    return np.sort(values) if env.game.memory and np.ndim(values) else values


def check_blindness(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Exchange hidden things in a table behind a seat's back, and its worlds stay the same to everybody in them.

    Two numbers of the state change places wherever worlds vary, the table still passes the rulebook's `check` and the
    seat sees no difference. So a determinize that keeps one hidden thing is found, which no comparison of worlds with
    their worlds would show: it looks as if the seat knew it.
    """
    if not game.hidden_information:
        return
    rng = np.random.default_rng(seed)
    for number, env in enumerate(_sampled(play(game, num_players, seed, options, 100), 12)):
        for agent in _two(env, number):
            other = _exchange(env, agent, rng)
            for k in range(3):
                one, two = env.world(agent, k), other.world(agent, k)
                for watcher in env.possible_agents:
                    need(
                        _same_views(one, two, watcher),
                        f"what {agent} cannot know shows in its worlds: {watcher} sees other things in them when "
                        "hidden things change places",
                        env,
                    )


def _exchange(env: TableEnv, agent: str, rng: np.random.Generator) -> TableEnv:
    """A copy in which numbers hidden from `agent` have changed places."""
    worlds = np.concatenate([env.world(agent, k)._states for k in range(8)])
    cells = [
        (name, at)
        for name in env.game.state.names or ()
        if name not in ("rng", *env.game.memory) and (worlds[name] != env._states[name]).any()
        for at in np.ndindex(env._states[name].shape)
    ]
    varies = [
        bool((worlds[name][(slice(None), *at[1:])] != env._states[name][at]).any()) for name, at in cells
    ]
    other = env.clone()
    for _ in range(80 if cells else 0):
        a, b = rng.integers(len(cells), size=2)
        kinds = [env.game.state[cells[k][0]].base for k in (a, b)]
        if kinds[0] == kinds[1] and (varies[a] or varies[b]):
            _try_exchange(env, other, agent, cells[a], cells[b])
    return other


def _try_exchange(env: TableEnv, other: TableEnv, agent: str, a: Any, b: Any) -> None:
    before, states = other._states.copy(), other._states
    here, there = states[a[0]][a[1]], states[b[0]][b[1]]
    if here == there:
        return
    states[a[0]][a[1]], states[b[0]][b[1]] = there, here
    other._refresh()
    fits = _same_views(env, other, agent)
    with contextlib.suppress(ValueError):
        if fits:
            fits = False
            env.game.check(env.game.record(states))
            fits = True
    if not fits:
        states[:] = before
        other._refresh()


def check_calibration(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """A deal and its worlds are exchangeable: among them the deal ranks anywhere, equally often.

    At the deal nobody has chosen anything yet, so what a seat believes is what the deal makes likely. Ranks of random
    sums over the bytes of the state are counted over many deals, and the counts held against equal ones (chi-square).
    """
    ranks, sums, deals = 6, 24, 1200
    states = new_tables(ranks, game.state)
    prototype, rng = game.prototype(num_players, options), np.array([seed], np.uint64)
    generator = np.random.default_rng(seed)
    weights = generator.normal(size=(game.state.itemsize, sums))
    counts = np.zeros((ranks, sums))
    deal_and_imagine = game.compiled(deal_and_worlds)
    for number in range(deals):
        deal_and_imagine(states, prototype, number % int(prototype["num_players"][0]), rng)
        states["rng"] = 0
        values = np.frombuffer(states.tobytes(), np.uint8).reshape(ranks, -1) @ weights
        tied = np.isclose(values[1:], values[0])
        below = (values[1:] < values[0]) & ~tied
        at = below.sum(axis=0) + generator.integers(tied.sum(axis=0) + 1)
        counts[at, np.arange(sums)] += 1
    worst = surprise(counts, np.full_like(counts, deals / ranks)).max()
    need(
        worst < 6, f"a deal does not look like one of its worlds: ranks are {worst:.1f} deviations from equal"
    )


@template
def deal_and_worlds(states: Any, prototypes: Any, seat: int, rng: Any) -> None:
    """Deal a table into ``states[0]``; what `seat` holds possible goes into the others."""
    deal(states, 0, prototypes, 0, spin(rng, 0))
    for j in range(1, len(states)):
        imagine(states, 0, states, j, seat, spin(rng, 0))


def surprise(counts: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Chi-square of counts against expected ones, in standard deviations (Wilson and Hilferty).

    Args:
        counts: (kinds, tests).
        expected: the same shape, adding up to the same.

    Returns:
        One number a test: about normal, 6 once in a billion.
    """
    free = len(counts) - 1
    square = ((counts - expected) ** 2 / expected).sum(axis=0)
    return ((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free))


# -- facts, records, bad input -----------------------------------------------------------------------------------------


def check_facts(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """What `Game` declares: lengths, chance, seats, options, size."""
    need(
        game.state.itemsize <= MOST_BYTES,
        f"a table takes {game.state.itemsize} bytes, more than {MOST_BYTES}",
    )
    longest, deals = 0, set()
    for env in play(game, num_players, seed, options, 300):
        longest = max(longest, int(env._states["decisions"][0]))
        need(
            env._states["decisions"][0] == len(position._in_order(env._moves)),
            "state.decisions does not count decisions",
            env,
        )
        if not env._moves:
            deals.add(_without_rng(env))
        if game.ends_by_itself and not _live(env):
            need(env._states["finished"][0], f"max_decisions={game.max_decisions} came before the end", env)
    need(longest <= game.max_decisions, f"{longest} decisions, max_decisions is {game.max_decisions}", env)
    need(_chance_shows(game, num_players, seed, options) == game.chance, f"chance={game.chance} is wrong")
    for wrong in (game.players[0] - 1, game.players[1] + 1, 0, -1, 2.0, "2", True):
        _refuses_option(game, num_players=wrong)
    _refuses_option(game, no_such_option=1)


def _chance_shows(game: Game, num_players: int | None, seed: int, options: dict[str, Any]) -> bool:
    """Whether games from other seeds differ while the same actions are played."""
    one, two = TableEnv(game, num_players, **options), TableEnv(game, num_players, **options)
    for start in range(seed, seed + 5):
        one.reset(seed=start)
        two.reset(seed=start + 1)
        while _live(one) and _live(two):
            if _without_rng(one) != _without_rng(two):
                return True
            action = one.random_action(start)
            _act(one, action)
            _act(two, action)
    return False


def _refuses_option(game: Game, **options: Any) -> None:
    try:
        TableEnv(game, **options)
    except BadOption:
        return
    raise Broken(f"{game.name} takes {options}")


def option_sets(game: Game) -> list[dict[str, Any]]:
    """The defaults; then each option at each of its `samples`, the others as by default."""
    sets: list[dict[str, Any]] = [{}]
    for option in game.options:
        values = option.samples
        sets += [{option.name: v} for v in values if option.encode(v) != option.encode(option.default)]
    return sets


def check_options(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Options are kept in positions and records, and refuse what is outside their range."""
    for option in game.options:
        for wrong in (option.low - 1, option.high + 1, "nonsense", None, 0.5, [0]):
            _refuses_option(game, **{option.name: wrong})
        for value in option.samples:
            env = TableEnv(game, num_players, **{**options, option.name: value})
            env.reset(seed=seed)
            need(env.position()["options"][option.name] == value, f"{option.name}={value} is not kept", env)
            _act(env, env.legal_actions()[0])
            need(
                list(env.record().replay())[-1].position() == env.position(),
                "a record loses its options",
                env,
            )


def check_positions(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """A position with a broken field is refused, and nothing is loaded; a seat's own position loads and plays on."""
    rng = np.random.default_rng(seed)
    for number, env in enumerate(_sampled(play(game, num_players, seed, options, 30), 10)):
        where, before = env.position(), _everything(env)
        for broken in _broken_positions(where, rng):
            try:
                env.load(broken)
            except BadPosition:
                need(_everything(env) == before, "a refused position changed the table", env)
            else:
                raise Broken(f"this position was loaded: {broken}")
        for agent in _two(env, number):
            view = json.loads(json.dumps(env.position(agent)))
            twin = _reloaded(env)
            twin.load(view)
            need(_same_views(twin, env, agent), f"the position of {agent} looks different to it", env)
            named = [entry["action"] for entry in view["legal_actions"]]
            mine = env.legal_actions() if agent == env.agent_selection else []
            need(named == mine, f"the position of {agent} lists actions {named}, must list {mine}", env)
            _future(twin, 0)


def _broken_positions(where: dict[str, Any], rng: np.random.Generator) -> Iterator[Any]:
    yield from ("", "[", "null", "3", "[]", b"\xff", 7, None, [], "[" * 100_000)
    wrong: Any
    for key in ("agezoo", "game", "version", "num_players", "options", "state"):
        yield {k: v for k, v in where.items() if k != key}
        for wrong in (None, "x", -1, 1.5, [], {"x": 1}):
            if wrong != where[key]:
                yield {**where, key: wrong}
    state = where["state"]
    yield {**where, "state": {**state, "no_such_field": 0}}
    yield {**where, "state": {**state, 7: 0}}
    for name in rng.permutation(list(state))[:12]:
        yield {**where, "state": {k: v for k, v in state.items() if k != name}}
        for wrong in (None, "x", 1.5, [[1], [1, 2]], 1 << 70, {"x": 1}, [*([state[name]] * 3)]):
            yield {**where, "state": {**state, str(name): wrong}}


def check_golden(game: Game, folder: str | Path) -> None:
    """Golden games (GameRecord texts ``*.txt`` in `folder`) replay line by line, one at least of every seat count."""
    counts = set()
    for path in sorted(Path(folder).glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        record = GameRecord.from_text(text)
        need(record.game is game, f"{path.name} is a game of {record.game.name}, not of {game.name}")
        need(record.to_text() == text, f"{path.name} is not written as the engine writes it")
        need(record.end, f"{path.name} stops before the end of its game")
        try:
            moves = sum(1 for _ in record.replay())
        except BadPosition as error:
            raise Broken(f"{path.name}: {error}") from error
        need(moves == len(record.moves) + 1, f"{path.name} has lines that were not played")
        counts.add(record.num_players)
    missing = set(range(game.players[0], game.players[1] + 1)) - counts
    need(not missing, f"{folder} has no golden game for {sorted(missing)} seats; see `record_golden`")


def golden_game(game: Game, num_players: int | None = None, seed: int = 1, **options: Any) -> str:
    """A whole game as text: half of the moves greedy, half random, so that it looks like a game and still wanders."""
    env = TableEnv(game, num_players, **options)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while _live(env):
        choose = env.random_action if rng.random() < 0.5 else env.greedy_action
        _act(env, choose(int(rng.integers(1 << 60))))
    return env.record().to_text()


def record_golden(game: Game, folder: str | Path, seed: int = 1) -> list[Path]:
    """Record a `golden_game` for every seat count and option; existing files are replaced."""
    made = []
    for options in option_sets(game):
        for count in range(game.players[0], game.players[1] + 1):
            words = "".join(f"_{name}_{value}" for name, value in options.items())
            path = Path(folder) / f"{count}_players{words}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(golden_game(game, count, seed, **options), encoding="utf-8")
            made.append(path)
    return made


# -- all of them -------------------------------------------------------------------------------------------------------


def checks() -> dict[str, Check]:
    """What is checked for every number of seats: functions ``(game, num_players, seed, **options)`` by name."""
    return _named(
        check_actions, check_batch, check_blindness, check_calibration, check_components, check_copies, check_facts,
        check_gymnasium, check_max_cycles, check_observations, check_options, check_pettingzoo, check_positions,
        check_rewards, check_standing, check_words, check_worlds,
    )  # fmt: skip


def checks_once() -> dict[str, Check]:
    """What is checked once for a rulebook, with its usual number of seats."""
    return _named(check_performance, check_plain)


def _named(*found: Check) -> dict[str, Check]:
    return {check.__name__.removeprefix("check_"): check for check in found}


def run(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> list[str]:
    """Run every check of `checks`; returns their names.

    Raises:
        Broken: the first that fails.
    """
    for check in checks().values():
        check(game, num_players, seed, **options)
    return list(checks())


def run_once(game: Game, golden: str | Path, seed: int = 0) -> list[str]:
    """Run every check of `checks_once`, and the golden games in the folder `golden`; returns their names.

    Raises:
        Broken: the first that fails.
    """
    for check in checks_once().values():
        check(game, None, seed)
    check_golden(game, golden)
    return [*checks_once(), "golden"]


if __name__ == "__main__":
    from agezoo.envs.engine.fuzz import (
        main,
    )  # by its full name: kernels of a module called __main__ are never cached

    sys.exit(main())
