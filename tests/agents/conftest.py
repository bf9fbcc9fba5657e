"""What the tests of the agents share: the game, and one small training run."""

from pathlib import Path

import pytest

from agezoo.envs import find

REPO = Path(__file__).resolve().parents[2]

#: A network and a run small enough for a test, as overrides of the defaults.
SMALL = [
    "num_players=4",
    "tables=32",
    "steps=16384",
    "network=[64, 64]",
    "activation=tanh",
    "torch_threads=1",
    "opponents={random: 0.8, greedy: 0.1, self_play: 0.1}",
    "ppo.n_steps=64",
    "ppo.batch_size=512",
    "ppo.learning_rate=2e-3",
    "self_play={every: 4096, keep: 2}",
    "checkpoint={every: 4096, keep: 2}",
    "evaluation={every: 8192, games: 40, final_games: 400}",
    "goals=[{opponent: random, win_rate: 0.7}]",
]


@pytest.fixture(scope="session", autouse=True)
def one_core():
    """Small networks gain nothing from a second thread, and lose much when its core is busy."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def game():
    return find("age_de_bronze")


@pytest.fixture(scope="session")
def small_run(tmp_path_factory):
    """A finished run: its folder, exit code and printed lines."""
    pytest.importorskip("sb3_contrib")
    import contextlib
    import io

    from agezoo.agents.command import main

    folder = tmp_path_factory.mktemp("runs") / "small"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = main([str(REPO / "configs" / "age_de_bronze_ppo.yaml"), *SMALL, f"run={folder}"])
    return folder, code, printed.getvalue()
