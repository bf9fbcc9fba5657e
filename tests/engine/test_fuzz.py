"""The fuzz runs: players keep their habits, edited tables are played on, and what is wrong is found and told."""

import dataclasses
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import tiny
from tiny import GAME, A
from uncompiled import said_by

from agezoo.envs.engine import conformance, fuzz
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.conformance.edited import Edited
from agezoo.envs.engine.conformance.edits import Ranges
from agezoo.envs.engine.conformance.habits import Habit, Habits, action_of_block
from agezoo.envs.engine.conformance.strict import StrictRecord, strict
from agezoo.envs.engine.errors import BadOption
from agezoo.envs.engine.position import GameRecord

WANTED = {
    Habit.FIRST: lambda legal, before: legal[0],
    Habit.LAST: lambda legal, before: legal[-1],
    Habit.PASSING: lambda legal, before: A.do_pass if A.do_pass in legal else None,
    Habit.NEAREST: lambda legal, before: None if before < 0 else min(legal, key=lambda a: abs(a - before)),
}


@pytest.mark.parametrize("habit", WANTED)
def test_players_keep_their_habits(habit):
    batch = Batch(GAME, 32, 5, 3)
    players = Habits(GAME, 32, 1, [habit])
    players._slips[:] = False
    actions, last, asked = np.zeros(32, np.int64), np.full((32, 6), -1), 0
    for _ in range(40):
        players.choose(batch._states, batch.action_mask, actions)
        for i, action in enumerate(actions.tolist()):
            legal, before = np.flatnonzero(batch.action_mask[i]).tolist(), last[i, batch.seat[i]]
            assert action in legal
            wanted = WANTED[habit](legal, before)
            if wanted is not None:
                assert action == wanted
                asked += 1
            last[i, batch.seat[i]] = action
        batch.step(actions)
        ended = np.flatnonzero(batch.done)
        players.draw(ended)
        players._slips[:] = False
        last[ended] = -1
    assert asked > 20


def test_who_is_sticky_stays_in_a_block_while_it_can():
    choose, rng = GAME.compiled(action_of_block), np.array([1], np.uint64)
    mask, block_of = np.array([True, True, False, True, False]), np.array([0, 1, 1, 1, 2])
    assert {choose(mask, block_of, 1, rng, 0) for _ in range(60)} == {1, 3}
    assert {choose(mask, block_of, 2, rng, 0) for _ in range(60)} == {0, 1, 3}


def test_who_goes_on_peeks_before_it_passes_or_challenges():
    """Nothing but a peek leaves the turn with the same seat; of three actions six tries nearly always find it."""
    batch, actions = Batch(GAME, 64, 5, 3), np.zeros(64, np.int64)
    players = Habits(GAME, 64, 1, [Habit.GOING_ON])
    players._slips[:] = False
    could = did = 0
    for _ in range(30):
        players.choose(batch._states, batch.action_mask, actions)
        may = batch.action_mask[:, A.peek]
        could += may.sum()
        did += (actions[may] == A.peek).sum()
        batch.step(actions)
        players.draw(np.flatnonzero(batch.done))
        players._slips[:] = False
    assert could > 100
    assert did / could > 0.8


def test_seats_slip_and_mix():
    """Over many games every habit comes up, at tables where all share one and at tables where they do not."""
    players = Habits(GAME, 400, 3, list(Habit))
    assert set(players._habits.ravel().tolist()) == set(map(int, Habit))
    alike = (players._habits == players._habits[:, :1]).all(axis=1)
    assert 120 < alike.sum() < 280
    assert 120 < players._slips.sum() < 280


def test_an_unknown_habit_is_named():
    with pytest.raises(BadOption, match="habit 'lazy': choose among random, greedy"):
        fuzz.fuzz(GAME, 100, habits=["lazy"])


def test_fuzz_of_a_sound_game():
    played, games, failures = fuzz.fuzz(GAME, 4000, suite=False, seed=2)
    assert played >= 4000
    assert games > 200
    assert failures == []


def test_ranges_name_the_number():
    batch = Batch(GAME, 3, 1, 3)
    ranges = Ranges(GAME)
    assert ranges.outside(batch._states) == ""
    batch._states["won"][2, 4] = 9
    assert ranges.outside(batch._states) == "state.won[4] is 9, declared from 0 to 6"


def test_edited_tables_of_a_sound_game():
    told = []
    run = Edited(GAME, 3, {}, 4, told.append)
    run.run(3000)
    assert run.tables > 30
    assert told == []


@kernel
def cut_when_all_have_chosen(s):
    return s.phase == tiny.ACT


def test_edited_tables_at_a_limit_of_the_game_are_over():
    """Nothing is legal there, which is no finding; and the next game from such a table is played again."""
    told, game = [], dataclasses.replace(GAME, name="tiny_cut_short", cut=cut_when_all_have_chosen)
    run = Edited(game, 3, {}, 4, told.append)
    run.run(1500)
    assert run.tables < 300, "several decisions from each"
    assert told == []


def test_strict_kernels_refuse_what_counts_from_behind():
    batch = Batch(GAME, 1, 1, 3)
    s = StrictRecord(batch._states.view(np.ndarray)[0])
    with pytest.raises(IndexError, match=r"index -1 on axis 0 of an array of shape \(6,\)"):
        s.won[-1]
    with pytest.raises(IndexError, match="index 6"):
        s.won[6] = 1
    strict(GAME.apply)(s, A.stay)
    assert s.choice[0] == 1


@pytest.fixture(scope="module")
def verdicts():
    """What the fuzz runs find in broken games, uncompiled."""
    return said_by("tiny.fuzzed")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("nothing is checked", "is asked and is not in play"),
        ("reads beside an array", "IndexError"),
        ("never ends", "decisions after the edit the table is not over"),
        ("is refused later", "each card must be in one place"),
        ("a world is refused", "in a world of player_"),
        ("a table beside is changed", "has changed a table beside it"),
    ],
)
def test_edited_tables_of_broken_games(verdicts, what, said):
    found = "\n".join(verdicts[what])
    assert said in found
    assert "edited: state." in found, "the edits are told"


def test_a_finding_replays(verdicts):
    """Its record is one that can be read; the last action is named after it."""
    found = next(text for text in verdicts["never ends"] if "agezoo record" in text)
    record = found[found.index("agezoo record") :].split("\nthen: ")[0] + "\n"
    assert found.startswith("10 decisions after the edit the table is not over\nedited: state.")
    record = re.sub(
        r"^game tiny\w* ", "game tiny ", record, flags=re.MULTILINE
    )  # the broken one is not known here
    assert len(GameRecord.from_text(record).moves) > 3


@pytest.mark.parametrize("what", ["a card is lost", "a field leaves its range", "a position does not load"])
def test_fuzz_of_broken_games(verdicts, what):
    (failure,) = verdicts[what]
    assert "agezoo record" in failure
    assert "again: python -m agezoo.envs.engine.conformance" in failure


def test_every_index_is_checked_where_it_is_asked_for():
    """Compiled with AGEZOO_BOUNDSCHECK=1, in kernels that templates hold in themselves and in those they call."""
    done = subprocess.run(
        [sys.executable, "-m", "tiny.beside"],
        env={**os.environ, "AGEZOO_BOUNDSCHECK": "1", "AGEZOO_PLAIN": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [
        "before:IndexError",
        "after:IndexError",
        "observed:IndexError",
        "sound:",
    ], done


def test_rejection_reports_what_cannot_be_played_blindly():
    """A policy that nobody can follow is said to be one, instead of an answer from a few tables."""
    with pytest.raises(ValueError, match="could be played blindly"):
        conformance.rejection(GAME, 3, tables=50, most=200, likes=np.eye(GAME.num_actions)[A.challenge])
