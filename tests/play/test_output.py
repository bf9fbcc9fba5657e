"""What is printed, on terminals that cannot show it all."""

import os
import subprocess
import sys

import pytest

from agezoo.envs import make
from agezoo.play import output


def run(*arguments, typed="", **names):
    return subprocess.run(
        [sys.executable, "-m", "agezoo.play.cli", *map(str, arguments)],
        input=typed.encode(),
        env={**os.environ, "AGEZOO_PLAIN": "1", **names},
        capture_output=True,
        check=False,
    )


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    env = make("age_de_bronze", num_players=2)
    env.reset(seed=4)
    for k in range(10):
        env.step(env.random_action(k))
    path = tmp_path_factory.mktemp("record") / "game.txt"
    path.write_text(env.record().to_text(), encoding="utf-8")
    return path


ASCII = {"PYTHONIOENCODING": "ascii"}
WESTERN = {"PYTHONIOENCODING": "latin-1"}
NO_LOCALE = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    ("command", "typed", "names"),
    [
        (["games"], "", NO_LOCALE),
        (["games", "--markdown"], "", ASCII),
        (["play", "age_de_bronze", "--seed", 1, "--opponents", "random"], "?\n1\nq\n", ASCII),
        (["play", "age_de_bronze", "--seed", 1, "--opponents", "random"], "1\nq\n", WESTERN),
        (["play", "chess"], "", ASCII),
        (["arena", "age_de_bronze", "--games", 1, "--players", 2], "", ASCII),
        (["replay", "--all", "RECORD"], "", NO_LOCALE),
        (["replay", "--all", "RECORD", "--seat", 1], "", ASCII),
        (["--help"], "", ASCII),
        (["train", "--help"], "", ASCII),
        (["play", "--help"], "", NO_LOCALE),
    ],
)
def test_no_command_fails_for_a_letter(record, command, typed, names):
    done = run(*(record if word == "RECORD" else word for word in command), typed=typed, **names)
    assert done.returncode == (2 if "chess" in command else 0), done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Unicode" not in done.stderr


def test_letters_lose_their_accents_and_signs_find_one_like_them():
    assert "Âge de Bronze – 2×3 … ✓".encode("ascii", errors=_registered()) == b"Age de Bronze - 2x3 ... ?"
    assert "Âge".encode("latin-1", errors=_registered()) == b"\xc2ge", "only what cannot be shown is changed"


def _registered():
    output.make_safe()
    return output._HANDLER
