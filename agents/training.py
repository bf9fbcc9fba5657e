"""A training run from a configuration to a judged agent: learn, watch, save, resume, evaluate.

A run folder holds

    config.yaml           the configuration as used
    versions.json         what it ran on
    logs/                 TensorBoard
    checkpoints/N.zip     models after N steps; final.zip the last one
    past.pt               the pool of past selves
    curve.json, .png      win shares on the way
    evaluation.json, .md  win shares at the end
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from agezoo.envs import AgezooError, Batch

from . import config as configs
from .base import Agent, make
from .config import BadConfig, Config
from .evaluate import Results, play_games
from .imitate import imitate
from .policy import ACTOR, CHECKPOINTS, FINAL, Actor, Policy, check_facts, checkpoints, read_model, save
from .ppo import OneMaskPolicy, Planes
from .report import draw_curve, evaluation_page, evaluation_rows
from .vec import KINDS, VecTables

CONFIG = "config.yaml"
_LOOK_SEED, _FINAL_SEED = 1 << 40, 1 << 41  # far from the seeds of training tables
_FIXED = (
    "game",
    "options",
    "num_players",
    "network",
    "convolution",
    "aligned",
    "activation",
)  # what a resumed run may not change
_PACKAGES = (
    "agezoo", "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib"
)  # fmt: skip
_ACTIVATIONS = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}


class Interrupted(Exception):
    """Ctrl-C was pressed; everything needed to go on has been saved."""


@dataclass(frozen=True)
class Slope:
    """A learning rate that falls evenly; a class of its own, so that saved models hold no code."""

    start: float
    end: float

    def __call__(self, remaining: float) -> float:
        """The rate when a share of `remaining` (1 to 0) of the run is left."""
        return self.end + (self.start - self.end) * remaining


@dataclass(frozen=True)
class Run:
    """A folder and the configuration to run in it.

    Attributes:
        folder: where everything goes.
        config: what to do.
        checkpoint: the model to go on from, None for a new run.
    """

    folder: Path
    config: Config
    checkpoint: Path | None = None


def new_run(config: Config, folder: str | Path) -> Run:
    """A run in a folder that does not exist or is empty.

    Raises:
        BadConfig: something is there.
    """
    where = Path(folder)
    if where.exists() and (not where.is_dir() or any(where.iterdir())):
        raise BadConfig(
            f"run={where}: there is something already; choose another name, or go on with resume={where}"
        )
    return Run(where, config)


def resumed_run(folder: str | Path, overrides: list[str]) -> Run:
    """A run that goes on from its latest checkpoint.

    Raises:
        BadConfig: there is no such run, it has no checkpoint, or an override changes what the network is.
        BadAgent: the checkpoint cannot be read.
    """
    where = Path(folder)
    if not (where / CONFIG).is_file():
        raise BadConfig(f"resume={where}: there is no {CONFIG} here, so this is no run of train.py")
    saved = checkpoints(where)
    if not saved:
        raise BadConfig(f"resume={where}: there is no model in {where / CHECKPOINTS} to go on from")
    before = configs.read(where / CONFIG)
    config = configs.read(where / CONFIG, overrides)
    for name in _FIXED:
        if getattr(config, name) != getattr(before, name):
            raise BadConfig(f"{name}: a resumed run keeps {name}={getattr(before, name)!r}")
    facts, _ = read_model(saved[-1])
    check_facts(saved[-1], facts, config.rulebook())
    return Run(where, config, saved[-1])


def opponents_of(config: Config) -> dict[str, Agent]:
    """Whom the goals of a configuration name, ready to play.

    Raises:
        BadConfig: there is no such agent.
    """
    try:
        return {goal.opponent: make(goal.opponent, config.rulebook()) for goal in config.goals}
    except AgezooError as error:
        raise BadConfig(f"goals: {error}") from None


def train(run: Run, say: Callable[[str], None], progress: Callable[[dict[str, Any]], None]) -> bool:
    """Train and judge the agent.

    Args:
        run: what and where.
        say: told what happens, in whole lines.
        progress: told about every step: ``steps``, ``total``, ``speed`` and ``shares`` by opponent.

    Returns:
        Whether every goal was reached.

    Raises:
        Interrupted: after Ctrl-C, when all is saved.
        BadConfig: a goal names an agent that does not exist; nothing was written.
    """
    opponents = opponents_of(run.config)
    say(f"{'Going on with' if run.checkpoint else 'Training into'} {run.folder}")
    with _CtrlC() as stop:
        trainer = Trainer(run, opponents, stop, say, progress)
        trainer.learn()
        return trainer.judge()


class _CtrlC:
    """Turns the first Ctrl-C into a wish that is heard at the next good moment; the second one interrupts as ever."""

    def __init__(self) -> None:
        self.pressed = False

    def __enter__(self) -> Self:
        try:
            self._before = signal.signal(signal.SIGINT, self._press)
        except ValueError:  # not the main thread: nobody presses Ctrl-C there
            self._before = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _press(self, *_: object) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True


class Trainer:
    """One run under way.

    Args:
        run: what and where.
        opponents: agents by the name that goals give them.
        stop: tells whether Ctrl-C was pressed.
        say, progress: as for `train`.
    """

    def __init__(
        self,
        run: Run,
        opponents: dict[str, Agent],
        stop: _CtrlC,
        say: Callable[[str], None],
        progress: Callable[[dict[str, Any]], None],
    ) -> None:
        self.config, self.folder = run.config, run.folder
        self.game = run.config.rulebook()
        self.opponents, self.stop, self.say, self.progress = opponents, stop, say, progress
        torch.set_num_threads(self.config.torch_threads)
        torch.distributions.Distribution.set_default_validate_args(False)
        say("Preparing the tables; the first time they are compiled, which takes about a minute.")
        self.env = self._tables()
        self.model = self._model(run.checkpoint)
        self.pool: list[dict[str, Any]] = []
        self.curve: list[dict[str, Any]] = []
        self.trained = self.model.num_timesteps  # steps that an update has seen
        self._rng = np.random.default_rng([self.config.seed, self.trained])
        self._generator = torch.Generator().manual_seed(self.config.seed + self.trained)
        self._write_head(run.checkpoint is not None)
        self.imitate_seconds = self.learn_seconds = self.look_seconds = 0.0

    # -- setting up ---------------------------------------------------------------------------------------------------

    def _tables(self) -> VecTables:
        c = self.config
        shares = {name: getattr(c.opponents, name) for name in KINDS}
        return VecTables(
            self.game,
            c.tables,
            shares,
            c.seed,
            num_players=c.num_players,
            reward=c.reward,
            max_cycles=c.max_cycles,
            threads=c.table_threads,
            **c.options,
        )

    def _model(self, checkpoint: Path | None) -> MaskablePPO:
        p = self.config.ppo
        arguments: dict[str, Any] = {
            "learning_rate": Slope(p.learning_rate, p.final_learning_rate),
            "n_steps": p.n_steps,
            "batch_size": p.batch_size,
            "n_epochs": p.n_epochs,
            "gamma": p.gamma,
            "gae_lambda": p.gae_lambda,
            "clip_range": p.clip_range,
            "ent_coef": p.ent_coef,
            "vf_coef": p.vf_coef,
            "max_grad_norm": p.max_grad_norm,
            "target_kl": p.target_kl,
        }
        if checkpoint is not None:
            steps = int(checkpoint.stem)
            self.env.seed((self.config.seed + steps) % (1 << 63))  # not the first tables of the run once more
            model = MaskablePPO.load(checkpoint, self.env, device="cpu", custom_objects=arguments)
            model.num_timesteps = steps
            return model
        network: dict[str, Any] = {
            "net_arch": list(self.config.network),
            "activation_fn": _ACTIVATIONS[self.config.activation],
            "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        }
        if self.config.convolution:
            network["features_extractor_class"] = Planes
            network["features_extractor_kwargs"] = {
                "where": self.game.planes,
                "channels": list(self.config.convolution),
                "activation": _ACTIVATIONS[self.config.activation],
            }
        if self.config.aligned:
            network["aligned"] = self.game.aligned
        return MaskablePPO(
            OneMaskPolicy, self.env, policy_kwargs=network, seed=self.config.seed, device="cpu", **arguments
        )

    def _write_head(self, resumed: bool) -> None:
        (self.folder / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        configs.write(self.config, self.folder / CONFIG)
        _write_json(self.folder / "versions.json", versions())
        if resumed:
            past, curve = self.folder / "past.pt", self.folder / "curve.json"
            if past.is_file():
                self.pool = [
                    entry for entry in torch.load(past, weights_only=True) if entry["steps"] <= self.trained
                ]
            if curve.is_file():
                looks = json.loads(curve.read_text(encoding="utf-8"))
                self.curve = [look for look in looks if look["steps"] <= self.trained]
        self.model.set_logger(configure(str(self.folder / "logs"), ["tensorboard"]))

    # -- learning -----------------------------------------------------------------------------------------------------

    def learn(self) -> None:
        """Train up to the configured number of steps.

        Raises:
            Interrupted: after Ctrl-C.
        """
        left = self.config.steps - self.trained
        if self.trained == 0 and left > 0 and self.config.imitate.decisions:
            self.imitate()
        begin, first = time.monotonic(), self.trained
        if left > 0:
            if not self.pool and self.config.opponents.past:
                self.take_snapshot()
            self.choose_past()
            self.model.learn(left, callback=_Watch(self), reset_num_timesteps=False)
            if not self.stop.pressed:
                self.trained = self.model.num_timesteps
            self.model.num_timesteps = self.trained
            self.save_checkpoint()
        self.learn_seconds = time.monotonic() - begin - self.look_seconds
        self.env.close()
        self.model.logger.close()
        if self.stop.pressed:
            raise Interrupted(
                f"saved after {self.trained:,} steps; go on with: python train.py resume={self.folder}"
            )
        if left > 0:
            self.say(
                f"Trained {self.trained - first:,} steps in {self.learn_seconds:.0f} s "
                f"({(self.trained - first) / self.learn_seconds:,.0f} steps/s), and looked at win shares for "
                f"{self.look_seconds:.0f} s."
            )
        save(self.model, self.folder / FINAL, self.game)

    def imitate(self) -> None:
        """Begin like a greedy player."""
        c, begin = self.config, time.monotonic()
        batch = Batch(
            self.game, c.tables, c.seed, c.num_players, threads=c.table_threads, max_cycles=c.max_cycles,
            reward=c.reward, **c.options,
        )  # fmt: skip
        alike = imitate(
            self.model, batch, c.imitate.decisions, c.imitate.learning_rate, c.seed, lambda: self.stop.pressed
        )
        self.imitate_seconds = time.monotonic() - begin
        self.say(
            f"Imitated {c.imitate.decisions:,} decisions of greedy players in {self.imitate_seconds:.0f} s; "
            f"chooses as they do with probability {alike:.2f}."
        )

    def take_snapshot(self) -> None:
        """Put the policy as it is into the pool of past selves."""
        parameters = {name: value.clone() for name, value in self.model.policy.state_dict().items()}
        actor = {name: value for name, value in parameters.items() if name.startswith(ACTOR)}
        self.pool = [*self.pool, {"steps": self.trained, "actor": actor}][-self.config.past.keep :]

    def choose_past(self) -> None:
        """Have one past self, each as likely as the others, sit at the tables that are for past selves.

        One at a time, so that a wave is as large as can be; they change with every rollout.
        """
        if not self.config.opponents.past:
            return
        entry = self.pool[self._rng.integers(len(self.pool))]
        actor = Actor.of(entry["actor"], self.config.activation, self.game)
        self.env.past = lambda observations, masks: actor.sample(observations, masks, self._generator)

    def save_checkpoint(self) -> None:
        """Save the model and what a resumed run needs beside it; drop the oldest models."""
        save(self.model, self.folder / CHECKPOINTS / f"{self.trained}.zip", self.game)
        if self.pool:
            partial = self.folder / "past.pt.part"
            torch.save(self.pool, partial)
            partial.replace(self.folder / "past.pt")
        for old in checkpoints(self.folder)[: -self.config.checkpoint.keep]:
            old.unlink()
        self._write_curve()

    def look(self) -> None:
        """Play some games against the opponents of the goals, for the learning curve."""
        begin = time.monotonic()
        shares = {}
        for name in self.opponents:
            results = self._play(name, self.config.evaluation.games, _LOOK_SEED)
            if results is None:
                return
            shares[name] = results.share(0)
            self.model.logger.record(f"share/{name}", shares[name])
        self.curve.append({"steps": self.trained, "games": self.config.evaluation.games, "shares": shares})
        self.look_seconds += time.monotonic() - begin

    def _write_curve(self) -> None:
        _write_json(self.folder / "curve.json", self.curve)
        goals = {goal.opponent: goal.share for goal in self.config.goals}
        if self.curve:
            draw_curve(self.curve, goals, 1 / self.config.seats(), self.folder / "curve.png")

    # -- judging ------------------------------------------------------------------------------------------------------

    def judge(self) -> bool:
        """Play the final games, write and say what came out; returns whether every goal was reached.

        Raises:
            Interrupted: after Ctrl-C; resuming the run judges it again.
        """
        begin = time.monotonic()
        found: dict[str, Results] = {}
        for name in self.opponents:
            results = self._play(name, self.config.evaluation.final_games, _FINAL_SEED)
            if results is None:
                raise Interrupted(f"the model is saved; judge it with: python train.py resume={self.folder}")
            found[name] = results
        seconds = time.monotonic() - begin
        rows = evaluation_rows(self.config.goals, found)
        if self.curve and self.curve[-1]["steps"] == self.trained:
            self.curve.pop()
        if found:
            shares = {name: results.share(0) for name, results in found.items()}
            games = self.config.evaluation.final_games
            self.curve.append({"steps": self.trained, "games": games, "shares": shares})
        self._write_curve()
        page = evaluation_page(self.config, self.folder.name, self.trained, rows, found)
        (self.folder / "evaluation.md").write_text(page, encoding="utf-8")
        _write_json(
            self.folder / "evaluation.json",
            {
                "steps": self.trained,
                "seconds_imitating": self.imitate_seconds,
                "seconds_learning": self.learn_seconds,
                "seconds_looking": self.look_seconds,
                "seconds_judging": seconds,
                "goals": rows,
                "results": {name: results.summary() for name, results in found.items()},
            },
        )
        self.say(f"Judged in {seconds:.0f} s.\n\n{page.split('## Seats')[0].strip()}\n")
        return all(row["reached"] for row in rows)

    def _play(self, opponent: str, games: int, seed: int) -> Results | None:
        """The policy as it is against `opponent` at all other seats; None after Ctrl-C."""
        c = self.config
        actor = Actor.of(self.model.policy.state_dict(), c.activation, self.game)
        policy = Policy(actor, self.game, self.folder.name, c.evaluation.deterministic)
        players = [policy, *[self.opponents[opponent]] * (c.seats() - 1)]

        def over(_: int) -> None:
            if self.stop.pressed:
                raise _Stop

        try:
            return play_games(
                self.game, players, games, seed + c.seed, max_cycles=c.max_cycles, progress=over, **c.options
            )
        except _Stop:
            return None


class _Stop(Exception):
    """Games are broken off."""


class _Watch(BaseCallback):
    """Between rollouts: snapshots, looks at win shares, checkpoints. After every step: progress, and Ctrl-C."""

    def __init__(self, trainer: Trainer) -> None:
        super().__init__()
        self.trainer = trainer
        c = trainer.config
        done = trainer.trained
        self._next = {
            what: (done // every + 1) * every
            for what, every in (
                ("past", c.past.every),
                ("look", c.evaluation.every),
                ("checkpoint", c.checkpoint.every),
            )
        }
        if not trainer.curve:
            self._next["look"] = done
        self._begin, self._first = time.monotonic(), done
        self._won: dict[str, list[float]] = {kind: [] for kind in KINDS}

    def _on_rollout_start(self) -> None:
        trainer, c = self.trainer, self.trainer.config
        trainer.trained = self.num_timesteps
        if c.opponents.past:
            if self._due("past", c.past.every):
                trainer.take_snapshot()
            trainer.choose_past()
        if self._due("look", c.evaluation.every):
            trainer.look()
            self._tell()
        if self._due("checkpoint", c.checkpoint.every):
            trainer.save_checkpoint()

    def _due(self, what: str, every: int) -> bool:
        if self.num_timesteps < self._next[what]:
            return False
        self._next[what] = (self.num_timesteps // every + 1) * every
        return True

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        for i in np.flatnonzero(self.locals["dones"]).tolist():
            self._won[infos[i]["opponents"]].append(infos[i]["place"] == 1)
        self._tell()
        return not self.trainer.stop.pressed

    def _on_rollout_end(self) -> None:
        for kind, won in self._won.items():
            if won:
                self.logger.record(f"rollout/first_place_against_{kind}", float(np.mean(won)))
                won.clear()

    def _tell(self) -> None:
        trainer = self.trainer
        seconds = time.monotonic() - self._begin - trainer.look_seconds
        trainer.progress(
            {
                "steps": self.num_timesteps,
                "total": trainer.config.steps,
                "speed": (self.num_timesteps - self._first) / max(seconds, 1e-9),
                "shares": trainer.curve[-1]["shares"] if trainer.curve else {},
                "looks": len(trainer.curve),
            }
        )


def versions() -> dict[str, Any]:
    """What a run ran on."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        **{name: importlib.metadata.version(name) for name in _PACKAGES},
    }


def _write_json(path: Path, what: Any) -> None:
    path.write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")
