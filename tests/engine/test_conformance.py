"""The conformance suite can fail: one thing is broken at a time, and the check that is there for it says so."""

import pytest
from tiny import broken
from uncompiled import said_by

from agezoo.envs.engine import conformance

GOLDEN_CASES = [
    "no golden games",
    "a line says another action",
    "a digest is wrong",
    "the end is wrong",
    "it stops early",
    "a line is missing",
    "a seat count is missing",
]


@pytest.fixture(scope="module")
def verdicts():
    """What the suite says about every broken game, uncompiled, all in one process."""
    return said_by("tiny.broken")


@pytest.mark.parametrize("name", broken.CASES)
def test_is_found(verdicts, name):
    said = verdicts[name]
    check, _ = broken.CASES[name]
    assert said is not None, f"check_{check} does not find this"
    assert said.startswith(("Broken", "AssertionError")), said


@pytest.mark.parametrize("what", GOLDEN_CASES)
def test_wrong_golden_games_are_found(verdicts, what):
    assert verdicts[what].startswith(("Broken", "BadPosition"))


@pytest.mark.parametrize("check", conformance.checks())
def test_sound_game_passes_uncompiled(verdicts, check):
    assert verdicts[f"sound {check}"] is None


def test_every_check_is_seen_to_fail():
    assert {check for check, _ in broken.CASES.values()} == {*conformance.checks(), "plain"}


def test_a_failure_tells_the_game(verdicts):
    assert "agezoo record 1\ngame tiny" in verdicts["a_card_is_lost"]
