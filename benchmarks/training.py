# ruff: noqa: E402 - what shares the cores comes first
"""What the environment costs in training: steps a second beside MaskablePPO on an environment that costs nothing.

    python benchmarks/training.py                       the settings of configs/age_de_bronze_ppo.yaml
    python benchmarks/training.py --rounds 5 torch_threads=1

Every row trains with the same number of tables, steps, epochs and minibatches. "Ceiling" is stock MaskablePPO with the
same network on an environment that hands out one array again and again. Rows take turns, round after round, and the
median counts, so that whatever else the machine does hits all of them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agezoo.agents.cores import share_cores

share_cores()  # before PyTorch is imported

import numpy as np
import torch
from gymnasium.spaces import Discrete
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from agezoo.agents import config as configs
from agezoo.agents.policy import Actor
from agezoo.agents.ppo import OneMaskPolicy
from agezoo.agents.vec import KINDS, VecTables
from agezoo.envs import AgezooError, Game
from agezoo.envs.engine import markdown

DEFAULT = Path(__file__).resolve().parents[1] / "configs" / "age_de_bronze_ppo.yaml"
NETWORKS = ([64, 64], [256, 256])
ACTIVATIONS = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}


class Null(VecEnv):
    """Costs nothing: the observations and masks of real tables, the same ones at every step."""

    def __init__(self, game: Game, tables: int) -> None:
        self.render_mode = None
        super().__init__(tables, game.observation_space(), Discrete(game.num_actions))
        real = VecTables(game, tables, {"random": 1}, num_players=game.default_players)
        self._observation, self._mask = real.reset(), real.mask
        self._rewards = np.zeros(tables, np.float32)
        self._dones = np.zeros(tables, np.bool_)
        self._infos: list[dict[str, Any]] = [{} for _ in range(tables)]

    def reset(self) -> np.ndarray:
        return self._observation

    def step_async(self, actions: np.ndarray) -> None:
        pass

    def step_wait(self) -> Any:
        return self._observation, self._rewards, self._dones, self._infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **more: Any) -> Any:
        return self._mask

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [True] * self.num_envs  # no Monitor around it, please

    def close(self) -> None:
        pass


class Row:
    """One kind of training, ready to be timed again and again."""

    def __init__(
        self, label: str, network: list[int], stock: bool, env: VecEnv, config: configs.Config
    ) -> None:
        self.label, self.network, self.stock, self.env = label, network, stock, env
        p = config.ppo
        more: dict[str, Any] = {"net_arch": network, "activation_fn": ACTIVATIONS[config.activation]}
        if not stock:
            more["optimizer_kwargs"] = {"eps": 1e-5, "fused": True}
        self.model = MaskablePPO(
            "MlpPolicy" if stock else OneMaskPolicy,
            env,
            n_steps=p.n_steps,
            batch_size=p.batch_size,
            n_epochs=p.n_epochs,
            gamma=p.gamma,
            gae_lambda=p.gae_lambda,
            ent_coef=p.ent_coef,
            policy_kwargs=more,
            device="cpu",
            seed=0,
        )
        self.speeds: list[float] = []
        self.inside_shares: list[float] = []
        self.inside = 0.0
        self._time("step_wait")
        self._time("env_method")

    def _time(self, name: str) -> None:
        """Add the time spent in a method of the environment to `inside`."""
        method: Callable[..., Any] = getattr(self.env, name)

        def timed(*args: Any, **more: Any) -> Any:
            begin = time.perf_counter()
            try:
                return method(*args, **more)
            finally:
                self.inside += time.perf_counter() - begin

        setattr(self.env, name, timed)

    def measure(self, rollouts: int) -> None:
        torch.distributions.Distribution.set_default_validate_args(self.stock)
        steps = rollouts * self.model.n_steps * self.env.num_envs
        self.inside, begin = 0.0, time.perf_counter()
        self.model.learn(steps, reset_num_timesteps=False)
        seconds = time.perf_counter() - begin
        self.speeds.append(steps / seconds)
        self.inside_shares.append(self.inside / seconds)

    def warm_up(self) -> None:
        self.measure(1)
        self.speeds.clear()
        self.inside_shares.clear()


def rows_of(config: configs.Config) -> list[Row]:
    """Everything that is compared."""
    game, tables = config.rulebook(), config.tables

    def ours(shares: dict[str, float]) -> VecTables:
        return VecTables(
            game,
            tables,
            shares,
            config.seed,
            num_players=config.num_players,
            reward=config.reward,
            max_cycles=config.max_cycles,
            at_limit=config.at_limit,
            threads=config.table_threads,
            **config.options,
        )

    mix = {name: getattr(config.opponents, name) for name in KINDS}
    rows = []
    for network in NETWORKS:
        rows += [
            Row("stock, environment that costs nothing", network, True, Null(game, tables), config),
            Row("ours, environment that costs nothing", network, False, Null(game, tables), config),
            Row("ours, random opponents", network, False, ours({"random": 1}), config),
            Row("ours, greedy opponents", network, False, ours({"greedy": 1}), config),
            Row("ours, earlier versions", network, False, ours({"self_play": 1}), config),
            Row(f"ours, {share_text(mix)}", network, False, ours(mix), config),
        ]
    for row in rows:
        if isinstance(row.env, VecTables):
            actor = Actor.of(row.model.policy.state_dict(), config.activation)
            generator = torch.Generator().manual_seed(0)
            row.env.self_play = lambda o, m, actor=actor, generator=generator: actor.sample(o, m, generator)  # type: ignore[misc]
    return rows


def share_text(mix: dict[str, float]) -> str:
    return ", ".join(f"{share:.0%} {name}" for name, share in mix.items() if share)


def table(rows: list[Row]) -> str:
    """The medians as a Markdown table."""
    ceiling = {tuple(row.network): statistics.median(row.speeds) for row in rows if row.stock}
    head = ("training", "network", "steps/s", "of the ceiling", "in the environment", "asked a wave")
    lines = []
    for row in rows:
        speed, share = statistics.median(row.speeds), statistics.median(row.inside_shares)
        waves = getattr(row.env, "self_play_waves", 0)
        size = f"{row.env.self_play_decisions / waves:.1f}" if waves else "-"
        ratio = f"{speed / ceiling[tuple(row.network)]:.2f}"
        network = "x".join(map(str, row.network))
        lines.append((row.label, network, f"{speed:,.0f}", ratio, f"{share:.1%}", size))
    return markdown.table(head, lines, "<<>>>>")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often every row is measured")
    parser.add_argument(
        "--rollouts", type=int, default=3, help="rollouts, with their updates, in a measurement"
    )
    parser.add_argument("--config", default=DEFAULT, help="a configuration of train.py")
    parser.add_argument("overrides", nargs="*", metavar="key=value")
    options = parser.parse_args()
    try:
        config = configs.read(options.config, options.overrides)
    except AgezooError as error:
        print(f"benchmarks/training.py: {error}", file=sys.stderr)
        return 2
    torch.set_num_threads(config.torch_threads)
    rows = rows_of(config)
    for row in rows:
        row.warm_up()
    loads = []
    for number in range(options.rounds):
        for row in rows:
            row.measure(options.rollouts)
        loads.append(os.getloadavg()[0])
        print(f"round {number + 1} of {options.rounds}, load {loads[-1]:.1f}", file=sys.stderr, flush=True)
    print(
        f"{config.game}, {config.seats()} seats, {config.tables} tables, {config.ppo.n_steps} steps, "
        f"{config.ppo.n_epochs} epochs, minibatches of {config.ppo.batch_size}, {config.torch_threads} torch threads, "
        f"{len(os.sched_getaffinity(0))} cores, load average {min(loads):.1f} to {max(loads):.1f}\n"
    )
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
