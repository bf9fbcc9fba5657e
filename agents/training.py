"""A training run from a configuration to an evaluated agent: learn, watch, save, resume, evaluate.

A run folder holds

    config.yaml           the configuration as used
    versions.json         what it ran on
    logs/                 TensorBoard
    checkpoints/N.zip     models after N steps; final.zip the last one
    self_play.pt          earlier versions of the agent, which it plays against
    curve.json, .png      win rates on the way
    evaluation.json, .md  win rates at the end

Every file is whole or not there.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import platform
import shlex
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from agezoo.envs import AgezooError, Batch

from . import config as configs
from .base import Agent, Trained, complete_options, make, shown_options
from .config import BadConfig, Config
from .evaluate import Results, play_games
from .files import can_write, replacing, write_json, write_text
from .imitate import imitate
from .policy import ACTOR, CHECKPOINTS, FINAL, Actor, Policy, check_facts, checkpoints, read_model, save
from .ppo import OneMaskPolicy, Planes
from .progress import Failed, Interrupted, Progress, Stage, Told
from .report import draw_curve, evaluation_page, evaluation_rows
from .vec import KINDS, VecTables

CONFIG = "config.yaml"
CURVE = "curve.json"
SELF_PLAY = "self_play.pt"
_EVALUATION_SEED, _FINAL_SEED = 1 << 40, 1 << 41  # far from the seeds of training tables
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
        imitated: decisions of greedy players that it has learned from.
        versions: earlier versions of the agent that it plays against.
        curve: the evaluations so far.
        command: what a person types before the arguments, to go on with the run.
    """

    folder: Path
    config: Config
    checkpoint: Path | None = None
    imitated: int = 0
    versions: list[dict[str, Any]] = field(default_factory=list)
    curve: list[dict[str, Any]] = field(default_factory=list)
    command: str = "python train.py"

    def to_go_on(self) -> str:
        """The command that goes on with it."""
        return f"{self.command} {shlex.quote(f'resume={self.folder}')}"

    def saved(self) -> str:
        """What of it is on the disk, and how to go on from there."""
        found = checkpoints(self.folder)
        if found:
            return (
                f"the last checkpoint is after {int(found[-1].stem):,} steps; go on with: {self.to_go_on()}"
            )
        if (self.folder / CONFIG).exists():
            return f"no checkpoint has been saved yet; remove {self.folder}, or start again with another run=FOLDER"
        return "nothing has been written; start again with the same command"


def new_run(config: Config, folder: str | Path, command: str = "python train.py") -> Run:
    """A run in a folder that does not exist or is empty.

    Raises:
        BadConfig: something is there, or nothing can be written there.
    """
    where = Path(folder)
    try:
        taken = where.exists() and (not where.is_dir() or any(where.iterdir()))
        if not taken:
            can_write(where)
    except (OSError, ValueError) as error:
        raise BadConfig(f"run={where}: cannot be written ({_reason(error)}); choose another folder") from None
    if taken:
        raise BadConfig(
            f"run={where}: there is something already; choose another name, or go on with resume={where}"
        )
    return Run(where, config, command=command)


def resumed_run(folder: str | Path, overrides: list[str], command: str = "python train.py") -> Run:
    """A run that goes on from its latest checkpoint.

    Raises:
        BadConfig: there is no such run, it has no checkpoint, a file of it cannot be read or nothing written, or an
            override changes what the network is.
        BadAgent: the checkpoint cannot be read.
    """
    where = Path(folder)
    try:
        if not (where / CONFIG).is_file():
            raise BadConfig(f"resume={where}: there is no {CONFIG} here, so this is no run of train.py")
        saved = checkpoints(where)
        if not saved:
            raise BadConfig(f"resume={where}: there is no model in {where / CHECKPOINTS} to go on from")
        for path in (where, where / CHECKPOINTS):
            can_write(path)
    except (OSError, ValueError) as error:
        if isinstance(error, BadConfig):
            raise
        raise BadConfig(f"resume={where}: cannot be read and written ({_reason(error)})") from None
    before = configs.read(where / CONFIG)
    config = configs.read(where / CONFIG, overrides)
    for name in _FIXED:
        if getattr(config, name) != getattr(before, name):
            raise BadConfig(f"{name}: a resumed run keeps {name}={getattr(before, name)!r}")
    facts, _ = read_model(saved[-1])
    check_facts(saved[-1], facts, config.rulebook())
    steps = int(saved[-1].stem)
    return Run(
        where,
        config,
        checkpoint=saved[-1],
        imitated=int(facts.get("imitated", 0)),
        versions=_read(where / SELF_PLAY, steps, lambda path: torch.load(path, weights_only=True)),
        curve=_read(where / CURVE, steps, lambda path: json.loads(path.read_text(encoding="utf-8"))),
        command=command,
    )


def _read(path: Path, steps: int, read: Callable[[Path], Any]) -> list[dict[str, Any]]:
    """What was noted up to `steps` in a file of a run; nothing if there is no such file.

    Raises:
        BadConfig: it cannot be read.
    """
    if not path.exists():
        return []
    try:
        return [entry for entry in read(path) if entry["steps"] <= steps]
    except Exception as error:  # whatever a damaged file leads to
        raise BadConfig(
            f"{path}: cannot be read ({type(error).__name__}); remove it to go on without it"
        ) from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def opponents_of(config: Config) -> dict[str, Agent]:
    """Whom the goals of a configuration name, ready to play.

    Raises:
        BadConfig: there is no such agent, or it was trained with other options.
    """
    game, found = config.rulebook(), {}
    here = complete_options(game, config.options)
    for name in dict.fromkeys(goal.opponent for goal in config.goals):
        try:
            agent = found[name] = make(name, game)
        except AgezooError as error:
            raise BadConfig(f"goals: {error}") from None
        if isinstance(agent, Trained):
            apart = [option for option in here if agent.options[option] != here[option]]
            if apart:
                raise BadConfig(
                    f"goals: {name} was trained with {shown_options(agent.options, apart)}, this run is with "
                    f"{shown_options(here, apart)}: give the same options, or another opponent"
                )
    return found


def train(run: Run, say: Callable[[str], None], progress: Told) -> bool:
    """Train and evaluate the agent.

    Args:
        run: what and where.
        say: told what happens, in whole lines.
        progress: told how far each stage is.

    Returns:
        Whether every goal was reached.

    Raises:
        Interrupted: after Ctrl-C, when all is saved.
        BadConfig: a goal names an agent that does not exist; nothing was written.
        Failed: a file could not be written.
    """
    opponents = opponents_of(run.config)
    say(f"{'Going on with' if run.checkpoint else 'Training into'} {run.folder}")
    trainer = None
    with CtrlC() as stop:
        try:
            with stop.at_once():  # nothing is lost yet
                trainer = Trainer(run, opponents, stop, say, progress)
            trainer.learn()
            return trainer.evaluate_finally()
        except KeyboardInterrupt:
            raise Interrupted(f"stopped at once; {run.saved()}") from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise Failed(f"{where}{error.strerror or error}; {run.saved()}") from error
        finally:
            if trainer is not None:
                trainer.close()


class CtrlC:
    """Turns the first Ctrl-C into a wish that is heard at the next good moment; the second one interrupts as ever."""

    def __init__(self) -> None:
        self.pressed = False
        self._at_once = False

    def __enter__(self) -> Self:
        try:
            self._before = signal.signal(signal.SIGINT, self._press)
        except ValueError:  # not the main thread: nobody presses Ctrl-C there
            self._before = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Where nothing has to be saved, the first Ctrl-C interrupts, too."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False
        if self.pressed:  # whoever was interrupted kept it to themselves, as callbacks from compiled code do
            raise KeyboardInterrupt

    def _press(self, *_: object) -> None:
        again, self.pressed = self.pressed, True
        if again or self._at_once:
            raise KeyboardInterrupt
        with contextlib.suppress(OSError):  # print may be in the middle of a line; this may not
            os.write(2, b"\nCtrl-C: stopping as soon as all is saved. Press it again to stop at once.\n")


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
        stop: CtrlC,
        say: Callable[[str], None],
        progress: Told,
    ) -> None:
        self.run, self.config, self.folder = run, run.config, run.folder
        self.game = run.config.rulebook()
        self.opponents, self.stop, self.say, self.progress = opponents, stop, say, progress
        torch.set_num_threads(self.config.torch_threads)
        torch.distributions.Distribution.set_default_validate_args(False)
        say("Preparing the tables; the first time they are compiled, which takes about a minute.")
        self.env = self._tables()
        self.model = self._model(run.checkpoint)
        self.versions, self.curve, self.imitated = list(run.versions), list(run.curve), run.imitated
        self.trained = self.model.num_timesteps  # steps that an update has seen
        self._rng = np.random.default_rng([self.config.seed, self.trained])
        self._generator = torch.Generator().manual_seed(self.config.seed + self.trained)
        self._write_head()
        self.imitation_seconds = self.training_seconds = self.evaluation_seconds = 0.0

    def close(self) -> None:
        """End threads and logs."""
        self.env.close()
        self.model.logger.close()

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
            at_limit=c.at_limit,
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
            model = MaskablePPO.load(checkpoint, self.env, device="cpu", custom_objects=arguments)
            # loading seeds everything as at the beginning; the first tables of the run are not to be played once more
            model.set_random_seed((self.config.seed + steps) % (1 << 32))
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

    def _write_head(self) -> None:
        (self.folder / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        configs.write(self.config, self.folder / CONFIG)
        write_json(self.folder / "versions.json", versions())
        self.model.set_logger(configure(str(self.folder / "logs"), ["tensorboard"]))

    # -- learning -----------------------------------------------------------------------------------------------------

    def learn(self) -> None:
        """Train up to the configured number of steps.

        Raises:
            Interrupted: after Ctrl-C.
        """
        left = self.config.steps - self.trained
        if left > 0:
            self.imitate()
        begin, first = time.monotonic(), self.trained
        if left > 0 and not self.stop.pressed:
            if not self.versions and self.config.opponents.self_play:
                self.keep_version()
            self.choose_version()
            self.model.learn(left, callback=_Watch(self), reset_num_timesteps=False)
            if not self.stop.pressed:
                self.trained = self.model.num_timesteps
            self.model.num_timesteps = self.trained
            self.save_checkpoint()
        self.training_seconds = time.monotonic() - begin - self.evaluation_seconds
        if self.stop.pressed:
            raise Interrupted(f"saved after {self._so_far()}; go on with: {self.run.to_go_on()}")
        if left > 0:
            self.say(
                f"Trained {self.trained - first:,} steps in {self.training_seconds:.0f} s "
                f"({(self.trained - first) / self.training_seconds:,.0f} steps/s), and evaluated for "
                f"{self.evaluation_seconds:.0f} s."
            )
        self._save(self.folder / FINAL)

    def _so_far(self) -> str:
        if self.trained or not self.imitated:
            return f"{self.trained:,} steps"
        return f"imitating {self.imitated:,} decisions"

    def imitate(self) -> None:
        """Begin like a greedy player, as far as that has not been done; saved when it is over or Ctrl-C is pressed."""
        c, begin = self.config, time.monotonic()
        left = c.imitate.decisions - self.imitated
        if self.trained or left <= 0:
            return
        seed = c.seed + self.imitated  # not the first games of the run once more
        batch = Batch(
            self.game, c.tables, seed, c.num_players, threads=c.table_threads, max_cycles=c.max_cycles,
            reward=c.reward, at_limit=c.at_limit, **c.options,
        )  # fmt: skip
        told = Stage("imitating", left, "decisions", self.progress)
        alike, done = imitate(
            self.model, batch, left, c.imitate.learning_rate, seed, lambda: self.stop.pressed, told
        )
        self.imitated += done
        self.imitation_seconds = time.monotonic() - begin
        if not self.stop.pressed:
            self.say(
                f"Imitated {done:,} decisions of greedy players in {self.imitation_seconds:.0f} s; "
                f"chooses as they do with probability {alike:.2f}."
            )
        self.save_checkpoint()

    def keep_version(self) -> None:
        """Put the policy as it is among the earlier versions that it plays against."""
        parameters = {name: value.clone() for name, value in self.model.policy.state_dict().items()}
        actor = {name: value for name, value in parameters.items() if name.startswith(ACTOR)}
        self.versions = [*self.versions, {"steps": self.trained, "actor": actor}][
            -self.config.self_play.keep :
        ]

    def choose_version(self) -> None:
        """Have one earlier version, each as likely as the others, sit at the tables that are for them.

        One at a time, so that a wave is as large as can be; they change with every rollout.
        """
        if not self.config.opponents.self_play:
            return
        entry = self.versions[self._rng.integers(len(self.versions))]
        actor = Actor.of(entry["actor"], self.config.activation, self.game)
        self.env.self_play = lambda observations, masks: actor.sample(observations, masks, self._generator)

    def _save(self, path: Path) -> None:
        self.model.agezoo = {"imitated": self.imitated}
        save(self.model, path, self.game)

    def save_checkpoint(self) -> None:
        """Save the model and what a resumed run needs beside it; drop the oldest models."""
        if self.versions:
            with replacing(self.folder / SELF_PLAY) as partial:
                torch.save(self.versions, partial)
        self._write_curve()
        self._save(self.folder / CHECKPOINTS / f"{self.trained}.zip")
        for old in checkpoints(self.folder)[: -self.config.checkpoint.keep]:
            old.unlink()

    def evaluate(self) -> None:
        """Play some games against the opponents of the goals, for the learning curve."""
        begin = time.monotonic()
        found = self._play(self.config.evaluation.games, _EVALUATION_SEED, "evaluating")
        if found is not None and found:
            self._note(found, self.config.evaluation.games)
        self.evaluation_seconds += time.monotonic() - begin

    def _note(self, found: dict[str, Results], games: int) -> None:
        """Put an evaluation into the curve and into TensorBoard, at the step that it is of."""
        rates = {name: results.win_rate(0) for name, results in found.items()}
        intervals = {name: list(results.interval(0)) for name, results in found.items()}
        if self.curve and self.curve[-1]["steps"] == self.trained:
            self.curve.pop()
        self.curve.append({"steps": self.trained, "games": games, "win_rates": rates, "intervals": intervals})
        shown: dict[str, Any] = {f"win_rate/{name}": rate for name, rate in rates.items()}
        for (
            output
        ) in self.model.logger.output_formats:  # logger.dump would write at the end of the next rollout
            output.write(shown, dict.fromkeys(shown, ()), self.trained)

    def _write_curve(self) -> None:
        write_json(self.folder / CURVE, self.curve)
        goals = {goal.opponent: goal.win_rate for goal in self.config.goals}
        if self.curve:
            draw_curve(self.curve, goals, 1 / self.config.seats(), self.folder / "curve.png")

    # -- the final evaluation -----------------------------------------------------------------------------------------

    def evaluate_finally(self) -> bool:
        """Play the final games, write and say what came out; returns whether every goal was reached.

        Raises:
            Interrupted: after Ctrl-C; resuming the run plays them again.
        """
        begin = time.monotonic()
        found = self._play(self.config.evaluation.final_games, _FINAL_SEED, "final evaluation")
        if found is None:
            raise Interrupted(f"the trained agent is saved; evaluate it with: {self.run.to_go_on()}")
        seconds = time.monotonic() - begin
        rows = evaluation_rows(self.config.goals, found)
        if found:
            self._note(found, self.config.evaluation.final_games)
        self._write_curve()
        page = evaluation_page(self.config, self.folder.name, self.trained, rows, found)
        write_text(self.folder / "evaluation.md", page)
        write_json(
            self.folder / "evaluation.json",
            {
                "steps": self.trained,
                "options": complete_options(self.game, self.config.options),
                "at_limit": self.config.at_limit,
                "seconds_imitating": self.imitation_seconds,
                "seconds_training": self.training_seconds,
                "seconds_evaluating": self.evaluation_seconds,
                "seconds_final_evaluation": seconds,
                "goals": rows,
                "results": {name: results.summary() for name, results in found.items()},
            },
        )
        self.say(f"Final evaluation in {seconds:.0f} s.\n\n{page.split('## Seats')[0].strip()}\n")
        return all(row["reached"] for row in rows)

    def _play(self, games: int, seed: int, stage: str) -> dict[str, Results] | None:
        """The policy as it is against each opponent at all other seats; None after Ctrl-C."""
        c = self.config
        found: dict[str, Results] = {}
        actor = Actor.of(self.model.policy.state_dict(), c.activation, self.game)
        policy = Policy(
            actor,
            self.game,
            self.folder.name,
            c.evaluation.deterministic,
            options=c.options,
            at_limit=c.at_limit,
        )
        told = Stage(stage, games * len(self.opponents), "games", self.progress)

        def over(count: int) -> None:
            told(len(found) * games + count)
            if self.stop.pressed:
                raise _Stop

        for name, opponent in self.opponents.items():
            try:
                found[name] = play_games(
                    self.game,
                    [policy, *[opponent] * (c.seats() - 1)],
                    games,
                    seed + c.seed,
                    max_cycles=c.max_cycles,
                    at_limit=c.at_limit,
                    progress=over,
                    **complete_options(self.game, c.options),
                )
            except _Stop:
                return None
        return found


class _Stop(Exception):
    """Games are broken off."""


class _Watch(BaseCallback):
    """Between rollouts: versions, evaluations, checkpoints. After every step: progress, and Ctrl-C."""

    def __init__(self, trainer: Trainer) -> None:
        super().__init__()
        self.trainer = trainer
        c = trainer.config
        done = trainer.trained
        self._next = {
            what: (done // every + 1) * every
            for what, every in (
                ("version", c.self_play.every),
                ("evaluation", c.evaluation.every),
                ("checkpoint", c.checkpoint.every),
            )
        }
        if not trainer.curve:
            self._next["evaluation"] = done
        self._begin, self._first = time.monotonic(), done
        self._won: dict[str, list[float]] = {kind: [] for kind in KINDS}

    def _on_rollout_start(self) -> None:
        trainer, c = self.trainer, self.trainer.config
        trainer.trained = self.num_timesteps
        if c.opponents.self_play:
            if self._due("version", c.self_play.every):
                trainer.keep_version()
            trainer.choose_version()
        if self._due("evaluation", c.evaluation.every):
            trainer.evaluate()
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
        seconds = time.monotonic() - self._begin - trainer.evaluation_seconds
        trainer.progress(
            Progress(
                "training",
                self.num_timesteps,
                trainer.config.steps,
                "steps",
                (self.num_timesteps - self._first) / max(seconds, 1e-9),
                trainer.curve[-1]["win_rates"] if trainer.curve else {},
                len(trainer.curve),
            )
        )


def versions() -> dict[str, Any]:
    """What a run ran on."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        **{name: importlib.metadata.version(name) for name in _PACKAGES},
    }
