"""What happens inside a training run: who plays against whom, from which seeds, at which rate, and what is noted."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from agezoo.agents import config as configs
from agezoo.agents import training
from agezoo.agents.command import REACHED, main
from agezoo.agents.evaluate import play_games
from agezoo.agents.imitate import Games, imitate
from agezoo.agents.policy import Policy, read_model, save
from agezoo.agents.progress import Lines, Progress, Stage, time_text, win_rates_text
from agezoo.agents.report import draw_curve, evaluation_page, evaluation_rows
from agezoo.agents.training import CtrlC, Trainer, new_run, opponents_of, resumed_run
from agezoo.envs import Batch

from . import board, choosy
from .test_command import TINY

assert board.GAME.aligned  # imported, the game is known


def trainer(folder, *overrides, resume=False):
    words = [*TINY, *overrides]
    run = resumed_run(folder, list(overrides)) if resume else new_run(configs.read(None, words), folder)
    return Trainer(run, opponents_of(run.config), CtrlC(), lambda line: None, lambda now: None)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run with a learning rate that falls."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    (folder.parent / "tiny.yaml").write_text("")
    words = [*TINY, "ppo.learning_rate=1e-2", "ppo.final_learning_rate=1e-3", f"run={folder}"]
    assert main([str(folder.parent / "tiny.yaml"), *words]) == REACHED
    return folder


@pytest.fixture(scope="module")
def scalars(run):
    """Steps and values in TensorBoard, by tag."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(run / "logs")).Reload()
    return {
        tag: [(event.step, event.value) for event in events.Scalars(tag)] for tag in events.Tags()["scalars"]
    }


# -- learning ----------------------------------------------------------------------------------------------------------


def test_the_learning_rate_falls_from_its_start_to_its_end(scalars):
    rates = [value for _, value in sorted(scalars["train/learning_rate"])]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == pytest.approx(1e-2 - 0.25 * 9e-3, rel=1e-3)  # after the first of four rollouts
    assert len(set(rates)) == len(rates)
    slope = training.Slope(1e-2, 1e-3)
    assert [slope(1), slope(0.5), slope(0)] == pytest.approx([1e-2, 5.5e-3, 1e-3])


@pytest.mark.parametrize("resume", [False, True])
def test_the_learner_gets_every_value_of_the_configuration(run, tmp_path, resume):
    odd = {
        "n_steps": 8, "batch_size": 32, "n_epochs": 3, "gamma": 0.9, "gae_lambda": 0.8, "clip_range": 0.3,
        "ent_coef": 0.02, "vf_coef": 0.4, "max_grad_norm": 0.7, "target_kl": 0.05,
        "learning_rate": 3e-2, "final_learning_rate": 2e-3,
    }  # fmt: skip
    assert set(odd) == {item.name for item in fields(configs.Learner)}
    overrides = [f"ppo.{name}={value}" for name, value in odd.items()]
    made = trainer(run if resume else tmp_path / "new", *overrides, resume=resume)
    for name, value in odd.items():
        if name == "clip_range":
            assert made.model.clip_range(1) == value
        elif name == "learning_rate":
            assert made.model.lr_schedule(1) == value
        elif name == "final_learning_rate":
            assert made.model.lr_schedule(0) == value
        else:
            assert getattr(made.model, name) == value
    made.close()


def test_a_resumed_run_plays_other_tables(run, tmp_path):
    """Not those of its beginning, and from random numbers of its own."""
    first, later = trainer(tmp_path / "new"), trainer(run, resume=True)
    for made in (first, later):
        made.env.self_play = lambda seen, masks: masks.argmax(1)
        made.env.reset()
    assert later.trained == 512
    assert not set(first.env.seeds.tolist()) & set(later.env.seeds.tolist())
    drawn = [[made._rng.integers(1 << 40), made._generator.initial_seed()] for made in (first, later)]
    assert drawn[0][0] != drawn[1][0]
    assert drawn[0][1] != drawn[1][1]
    first.close()
    later.close()


def test_runs_with_other_seeds_play_other_tables_and_have_other_networks(tmp_path):
    made = [trainer(tmp_path / str(seed), f"seed={seed}") for seed in (1, 2)]
    seeds = [set() for _ in made]
    for one, found in zip(made, seeds, strict=True):
        one.env.self_play = lambda seen, masks: masks.argmax(1)
        one.env.reset()
        found.update(one.env.seeds.tolist())
        one.close()
    assert not seeds[0] & seeds[1]
    weights = [next(iter(one.model.policy.parameters())) for one in made]
    assert not torch.equal(*weights)


def test_tables_are_as_the_configuration_says(tmp_path):
    made = trainer(
        tmp_path / "x", "game=choosy", "num_players=4", "options={most: 9}", "max_cycles=7", "reward=rank",
        "at_limit=truncate", "opponents={random: 0.25, greedy: 0.5, self_play: 0.25}",
    )  # fmt: skip
    env = made.env
    env.self_play = lambda seen, masks: masks.argmax(1)
    env.reset()
    assert set(env.states["most"].tolist()) == {9}
    assert set(env.states["num_players"].tolist()) == {4}
    assert env._terms.limit == 7
    assert (env._terms.decide, env._terms.reward_kind) == (False, 1)
    assert env._terms.shares.tolist() == [0.25, 0.75, 1]
    assert env.trained_with == {
        "options": {"most": 9, "mood": "free"},
        "num_players": 4,
        "at_limit": "truncate",
    }
    made.close()
    default = trainer(tmp_path / "y")
    assert default.env._terms.decide
    default.close()


# -- earlier versions of itself ----------------------------------------------------------------------------------------


def test_every_earlier_version_is_played_against(tmp_path):
    made = trainer(tmp_path / "x", "self_play={every: 128, keep: 5}")
    for steps in range(5):
        made.trained = steps
        made.keep_version()
        with torch.no_grad():
            made.model.policy.action_net.bias += torch.tensor([0.0, 1.0])
    kept = [entry["actor"]["action_net.bias"].tolist() for entry in made.versions]
    assert [round(bias[1] - bias[0]) for bias in kept] == [0, 1, 2, 3, 4]  # as they were, not as it is now
    met = []
    for _ in range(200):
        made.choose_version()
        chosen = made.env.self_play.__closure__
        actor = next(cell.cell_contents for cell in chosen if type(cell.cell_contents).__name__ == "Actor")
        bias = actor.layers[-1][1]
        met.append(round(float(bias[1] - bias[0])))
    counts = np.bincount(met, minlength=5)
    assert (counts > 15).all()  # 40 each, 5.7 either way
    assert len(counts) == 5
    made.close()


def test_the_latest_versions_are_kept_and_written(run):
    kept = torch.load(run / "self_play.pt", weights_only=True)
    assert [entry["steps"] for entry in kept] == [128, 256, 384]  # of 0, 128, 256, 384: keep 3
    weights = [entry["actor"]["action_net.weight"] for entry in kept]
    assert not torch.equal(weights[0], weights[1])


def test_a_run_without_self_play_keeps_no_versions(tmp_path):
    (tmp_path / "tiny.yaml").write_text("")
    words = [*TINY, "opponents={random: 1, greedy: 0, self_play: 0}", f"run={tmp_path / 'x'}"]
    assert main([str(tmp_path / "tiny.yaml"), *words]) == REACHED
    assert not (tmp_path / "x" / "self_play.pt").exists()


def test_what_came_after_the_checkpoint_is_forgotten(run, tmp_path):
    import shutil

    folder = tmp_path / "x"
    shutil.copytree(run, folder)
    (folder / "checkpoints" / "512.zip").unlink()
    found = resumed_run(folder, [])
    assert found.checkpoint == folder / "checkpoints" / "384.zip"
    assert [entry["steps"] for entry in found.curve] == [0, 256]
    assert [entry["steps"] for entry in found.versions] == [128, 256, 384]
    found = resumed_run(folder, [], "agezoo train")
    assert found.to_go_on().startswith("agezoo train ")


# -- evaluations -------------------------------------------------------------------------------------------------------


def test_tensorboard_shows_each_win_rate_at_its_own_step(run, scalars):
    curve = json.loads((run / "curve.json").read_text())
    assert [point["steps"] for point in curve] == [0, 256, 512]
    assert [point["games"] for point in curve] == [12, 12, 24]
    expected = [(point["steps"], point["win_rates"]["random"]) for point in curve]
    found = scalars["win_rate/random"]
    assert [step for step, _ in found] == [step for step, _ in expected]
    assert [value for _, value in found] == pytest.approx([rate for _, rate in expected])
    final = json.loads((run / "evaluation.json").read_text())
    assert final["goals"][0]["win_rate"] == expected[-1][1]
    assert final["at_limit"] == "decide"
    assert curve[-1]["intervals"]["random"] == final["goals"][0]["interval"]
    assert scalars["rollout/first_place_against_self_play"]
    assert read_model(run / "final.zip")[0]["at_limit"] == "decide"


def test_evaluations_are_played_as_the_configuration_says(tmp_path, monkeypatch):
    played = []

    def noting(game, players, games, seed, **more):
        played.append((players, games, seed, more))
        return play_games(game, players, games, seed, **more)

    monkeypatch.setattr(training, "play_games", noting)
    made = trainer(
        tmp_path / "x", "game=choosy", "num_players=2", "options={most: 5}", "max_cycles=4", "at_limit=truncate",
        "goals=[{opponent: random, win_rate: 0}, {opponent: greedy, win_rate: 0}]", "evaluation.deterministic=false",
    )  # fmt: skip
    made.evaluate()
    made.trained = 5
    made.evaluate_finally()
    made.close()
    assert [games for _, games, _, _ in played] == [12, 12, 24, 24]
    assert [players[1].name for players, *_ in played] == ["random", "greedy"] * 2
    assert (
        len({seed for _, _, seed, _ in played}) == 2
    )  # the same deals against each opponent, others at the end
    for players, _, seed, more in played:
        assert seed >= 1 << 40  # far from the tables of training
        assert (more["most"], more["max_cycles"], more["at_limit"]) == (5, 4, "truncate")
        assert not players[0].deterministic
        assert len(players) == 2
    page = (tmp_path / "x" / "evaluation.md").read_text()
    assert "Against greedy (24 of 24 games ended at a limit):" in page
    assert "A game that was broken off at the limit of decisions counts as it stood." in page
    assert [point["steps"] for point in made.curve] == [0, 5]


def results(wins, games, opponent="random"):
    from agezoo.agents.evaluate import Results

    places = np.array([[1, 2]] * wins + [[2, 1]] * (games - wins), np.int8)
    seats = np.tile(np.array([0, 1], np.int8), (games, 1))
    scores = np.where(places == 1, 3, 1).astype(np.float32)
    at_limit = np.arange(games) < 7
    return Results(("x", opponent), places, scores, seats, np.zeros(games, bool), at_limit)


def test_goals_are_reached_or_not():
    goals = [configs.Goal("random", 0.75), configs.Goal("greedy", 0.76)]
    rows = evaluation_rows(goals, {"random": results(75, 100), "greedy": results(75, 100, "greedy")})
    assert [row["reached"] for row in rows] == [True, False]
    assert [row["goal"] for row in rows] == [0.75, 0.76]
    assert rows[0]["times_chance"] == 1.5
    assert (rows[0]["games"], rows[0]["wins"], rows[0]["win_rate"]) == (100, 75, 0.75)
    assert rows[0]["interval"][0] < 0.75 < rows[0]["interval"][1]
    config = configs.build({"game": "board", "num_players": 2})
    page = evaluation_page(config, "mine", 1000, rows, {"random": results(75, 100)})
    assert "| random | 100 | 7 | 75.0 | 75.0% | " in page
    assert "Against random (7 of 100 games ended at a limit):" in page
    assert page.count("NOT reached") == 1
    assert "Board, 2 seats, after 1,000 steps, seed 0." in page
    assert "A game at the limit of decisions was decided as it stood." in page
    assert "| x | 75.0 | 75.0% | " in page
    assert "| 2.50 | 75.0% | - |" in page  # points a game, and win rate by seat


def test_the_curve_is_drawn_whole(tmp_path):
    curve = [
        {"steps": 0, "win_rates": {"random": 0.2}, "intervals": {"random": [0.1, 0.3]}},
        {
            "steps": 5,
            "win_rates": {"random": 0.6, "greedy": 0.1},
            "intervals": {"random": [0.5, 0.7], "greedy": [0, 0.2]},
        },
    ]
    draw_curve(curve, {"random": 0.9, "greedy": 0.5}, 0.25, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(tmp_path.iterdir())) == 1


# -- imitation ---------------------------------------------------------------------------------------------------------


def test_imitation_goes_on_with_other_games(tmp_path, monkeypatch):
    seeds = []

    def noting(model, batch, decisions, learning_rate, seed, stop, progress):
        seeds.append((seed, batch.seeds[0], decisions, learning_rate))
        return 0.5, decisions

    monkeypatch.setattr(training, "imitate", noting)
    made = trainer(tmp_path / "x", "imitate={decisions: 500, learning_rate: 0.02}", "seed=3")
    made.imitate()
    made.imitated = 100
    made.imitate()
    made.imitated = 500
    made.imitate()
    assert [entry[2:] for entry in seeds] == [(500, 0.02), (400, 0.02)]
    assert seeds[0][0] != seeds[1][0]
    assert seeds[0][1] != seeds[1][1]
    made.trained = 128
    made.imitated = 0
    made.imitate()
    assert len(seeds) == 2
    made.close()


def test_the_critic_learns_how_games_end(tmp_path):
    made = trainer(tmp_path / "x", "opponents={random: 1, greedy: 0, self_play: 0}")
    batch = Batch(made.game, 8, 1)

    def error():
        games = Games(Batch(made.game, 8, 77), 5)
        games.play()
        seen = torch.as_tensor(games.seen.reshape(-1, games.seen.shape[2]))
        with torch.no_grad():
            values = made.model.policy.predict_values(seen).flatten().numpy()
        over = games.over.reshape(-1)
        return float(((values - games.paid.reshape(-1)) ** 2)[over].mean())

    before = error()
    told = []
    alike, done = imitate(made.model, batch, 10 * 2048, 3e-2, 0, progress=told.append)
    assert error() < 0.9 * before
    assert done == 10 * 2048
    assert told == sorted(told)
    assert told[-1] == done
    assert 0.3 < alike < 1
    made.close()


def test_games_that_are_broken_off_are_not_learned_from():
    game = choosy.GAME
    batch = Batch(game, 4, 1)
    games = Games(batch, 5)
    calls = iter([False] * 9 + [True])
    assert not games.play(lambda: next(calls))
    assert games.play()


# -- progress ----------------------------------------------------------------------------------------------------------


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_stage_counts_its_speed_and_the_time_left():
    clock, told = Clock(), []
    stage = Stage("imitating", 300, "decisions", told.append, clock)
    stage(0)
    assert told[-1].seconds_left is None
    clock.now += 20
    stage(100)
    now = told[-1]
    assert (now.stage, now.done, now.total, now.unit, now.speed) == ("imitating", 100, 300, "decisions", 5)
    assert now.seconds_left == 40


def test_a_log_gets_a_line_at_every_evaluation_and_after_a_silence():
    clock, said = Clock(), []
    lines = Lines(said.append, clock)
    lines(Progress("training", 0, 1000, "steps", 0.0))
    assert said == []
    clock.now += 1
    lines(Progress("training", 100, 1000, "steps", 50.0, {"random": 0.5, "runs/x": 0.25}, 1))
    expected = "training: 100 / 1,000 steps 50 steps/s 18 s left wins 50% against random, 25% against x"
    assert " ".join(said[-1].split()) == expected
    lines(Progress("training", 200, 1000, "steps", 50.0, {"random": 0.5}, 1))
    clock.now += 9
    lines(Progress("training", 300, 1000, "steps", 50.0, {"random": 0.5}, 1))
    assert len(said) == 1
    clock.now += 2
    lines(Progress("final evaluation", 300, 1000, "games", 50.0))
    assert said[1].startswith("final evaluation:")
    assert said[1].endswith("14 s left")
    clock.now += 11
    lines(Progress("imitating", 1, 1000, "decisions", 0.0))
    assert len(said) == 3
    lines(Progress("training", 300, 1000, "steps", 50.0, {"random": 0.6}, 2))
    assert len(said) == 4


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (0, "0 s left"),
        (99.4, "99 s left"),
        (100, "1:40 left"),
        (3599, "59:59 left"),
        (7384, "2:03:04 left"),
    ],
)
def test_time_left_in_words(seconds, text):
    assert time_text(seconds) == text


def test_win_rates_in_words():
    assert win_rates_text({}) == ""
    assert win_rates_text({"a/b/mine": 0.976}) == "wins 98% against mine"


def test_a_terminal_gets_a_bar(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    from agezoo.agents.progress import shown

    with shown(print) as told:
        told(Progress("imitating", 30, 100, "decisions", 10.0))
        import time

        time.sleep(0.3)
    said = capsys.readouterr().out
    assert "imitating" in said
    assert "30/100 decisions" in said
    assert "7 s left" in said


# -- small things ------------------------------------------------------------------------------------------------------


def test_predictions_of_an_aligned_network_are_its_agent_s(tmp_path):
    """sb3-contrib's own `predict` sees what is observed of the things that actions stand for, too."""
    made = trainer(
        tmp_path / "x", "game=board", "aligned=true", "opponents={random: 1, greedy: 0, self_play: 0}"
    )
    with torch.no_grad():
        made.model.policy.aligned_net.bias.copy_(torch.tensor([5.0, -5.0]))
    save(made.model, tmp_path / "x.zip", board.GAME)
    player = Policy.load(tmp_path / "x.zip")
    seen = np.random.default_rng(0).random((40, 14), np.float32)
    masks = np.random.default_rng(1).random((40, 6)) < 0.7
    masks[:, 2] = True
    best, _ = made.model.predict(seen, action_masks=masks, deterministic=True)
    assert (best == player.actor.best(seen, masks)).all()
    assert len(set(best.tolist())) > 2
    made.close()


def test_the_latest_checkpoint_stands_for_a_run_that_is_not_over(run, tmp_path):
    import shutil

    folder = tmp_path / "x"
    shutil.copytree(run / "checkpoints", folder / "checkpoints")
    (folder / "checkpoints" / "512.zip").rename(folder / "checkpoints" / "1000.zip")
    assert Policy.load(folder).name == "x/1000"  # not 384, which comes later in the alphabet
    shutil.copy(run / "final.zip", folder / "final.zip")
    assert Policy.load(folder).name == "x"


def test_cores_are_shared_unless_it_is_said_otherwise(monkeypatch):
    from agezoo.agents.cores import SPIN, share_cores

    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    share_cores()
    import os

    assert "GOMP_SPINCOUNT" not in os.environ
    monkeypatch.delenv("OMP_WAIT_POLICY")
    monkeypatch.setenv("GOMP_SPINCOUNT", "7")
    share_cores()
    assert os.environ["GOMP_SPINCOUNT"] == "7"
    monkeypatch.delenv("GOMP_SPINCOUNT")
    share_cores()
    assert os.environ["GOMP_SPINCOUNT"] == str(SPIN)
