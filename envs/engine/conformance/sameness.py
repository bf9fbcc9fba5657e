"""One game, however it is played: in a batch or alone, compiled or plain, copied, saved, replayed."""

from __future__ import annotations

import copy
import itertools
import json
import os
import pickle
import subprocess
import sys
from hashlib import blake2b
from typing import Any

import numpy as np

from ..aec import TableEnv
from ..batch import SHOWN, Batch
from ..compile import PLAIN
from ..errors import AgezooError, BadOption, IllegalAction
from ..game import Game
from ..position import GameRecord
from .tables import Broken, everything, future, live, need, play, reloaded, same_views, sampled, table_bytes


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
    for name in (*SHOWN, "seeds", "states"):
        need(
            getattr(one, name).tobytes() == getattr(two, name).tobytes(),
            f"batch.{name} differs with two threads",
        )


def _compare_alone(batch: Batch, i: int, env: TableEnv) -> None:
    need(
        batch.states[i : i + 1].tobytes() == table_bytes(env),
        f"table {i} of the batch is another than alone",
        env,
    )
    seen = env.observe(env.agent_selection)
    need(batch.seat[i] == env.seat_of(env.agent_selection), f"batch.seat[{i}] is {batch.seat[i]}", env)
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
    need(ended != live(env), f"table {i}: the batch says ended={ended}", env)
    if ended:
        need(batch.done[i] == env.states["finished"][0], f"batch.done[{i}] is {batch.done[i]}", env)
        for name, alone in (("scores", env.scores()), ("places", env.places())):
            row = getattr(batch, name)[i, : len(paid)]
            need(row.tolist() == list(alone.values()), f"batch.{name}[{i}] is {row}, alone {alone}", env)
        env.reset()
        need(
            env._seed == int(batch.seeds[i]),
            f"reset() without seed does not go on as batch table {i} does",
            env,
        )
    while live(env) and env.terminations[env.agent_selection]:
        env.step(None)


def _check_batch_refuses(batch: Batch) -> None:
    """One illegal action, and no table moves."""
    before = [a.tobytes() for a in (batch.states, batch.observation, batch.action_mask, batch.reward)]
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
        after = [a.tobytes() for a in (batch.states, batch.observation, batch.action_mask, batch.reward)]
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
            batch.states,
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
    wanted = transcript(game, seed, options, 60), future(pickle.loads(pickle.dumps(env)), 20)
    order = pickle.dumps((pickle.dumps(sys.path), pickle.dumps((game, seed, options, 60, env))))
    code = f"from {__name__} import answer; answer()"
    mode = {"AGEZOO_PLAIN": "0" if PLAIN else "1", "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=order,
        capture_output=True,
        env={**os.environ, **mode},
        check=False,
    )
    need(done.returncode == 0, f"the other process failed:\n{done.stderr.decode()[-3000:]}")
    found, went = json.loads(done.stdout)
    for step, (here, there) in enumerate(zip(wanted[0], found, strict=True)):
        need(here == there, f"compiled and plain tables differ from step {step} on (batch seed {seed})")
    need(went == wanted[1], "a pickled table has another future in another process", env)


def answer() -> None:
    """The other process of `check_plain`."""
    path, order = pickle.loads(sys.stdin.buffer.read())
    sys.path[:] = pickle.loads(path)
    game, seed, options, steps, env = pickle.loads(order)
    print(json.dumps([transcript(game, seed, options, steps), future(env, 20)]))


def check_copies(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Clone, deepcopy, pickle, JSON position and replayed record go on alike from mid-game; old copies never change."""
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 100), 9)):
        old = everything(env)
        copies = {
            "clone": env.clone(),
            "copy": copy.copy(env),
            "deepcopy": copy.deepcopy(env),
            "pickle": pickle.loads(pickle.dumps(env)),
            "position": reloaded(env),
            "record": list(GameRecord.from_text(env.record().to_text()).replay())[-1],
        }
        for name, twin in copies.items():
            need(table_bytes(twin) == table_bytes(env), f"{name} is another table", env)
            need(same_views(twin, env, env.agent_selection), f"{name} looks another", env)
        futures = {name: future(twin, number) for name, twin in copies.items()}
        need(everything(env) == old, "playing on at a copy changed the table it was made from", env)
        wanted = future(env.clone(), number)
        for name, went in futures.items():
            need(went == wanted, f"{name} has another future", env)
