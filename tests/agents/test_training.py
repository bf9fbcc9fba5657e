"""A small training run: it learns, leaves everything in its folder, goes on after Ctrl-C, and its agent plays."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import yaml

from agezoo import agents
from agezoo.agents.base import Agent, BadAgent
from agezoo.agents.command import INTERRUPTED, MISSED, REACHED, REFUSED, main
from agezoo.agents.policy import Policy, save
from agezoo.envs import Batch, make

from .conftest import REPO, SMALL
from .knockout import GAME as KNOCKOUT

CONFIG = str(REPO / "configs" / "age_de_bronze_ppo.yaml")


# -- the run ----------------------------------------------------------------------------------------------------------


def test_it_learns_to_beat_random_players(small_run):
    folder, code, printed = small_run
    judged = json.loads((folder / "evaluation.json").read_text())
    assert judged["goals"][0]["win_rate"] > 0.7  # chance: 0.25
    assert judged["goals"][0]["games"] == 400
    assert judged["steps"] == 16384
    assert code == REACHED
    assert "| random | 400 |" in printed
    assert "Every goal was reached." in printed


def test_run_folder_holds_what_it_should(small_run):
    folder, _, printed = small_run
    assert sorted(path.name for path in folder.iterdir()) == [
        "checkpoints", "config.yaml", "curve.json", "curve.png", "evaluation.json", "evaluation.md", "final.zip",
        "logs", "self_play.pt", "versions.json",
    ]  # fmt: skip
    assert sorted(p.name for p in (folder / "checkpoints").iterdir()) == ["12288.zip", "16384.zip"]  # keep: 2
    assert any((folder / "logs").iterdir())
    used = yaml.safe_load((folder / "config.yaml").read_text())
    assert used["ppo"]["learning_rate"] == 2e-3
    assert "torch" in json.loads((folder / "versions.json").read_text())
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    curve = json.loads((folder / "curve.json").read_text())
    assert [point["steps"] for point in curve] == [0, 8192, 16384]
    page = (folder / "evaluation.md").read_text()
    assert "reached" in page
    assert "| seat 3 |" in page
    assert re.search(
        r"8,192 / 16,384 steps +[\d,]+ steps/s +[\d:]+( s)? left +wins \d+% against random", printed
    )


def test_tensorboard_can_read_the_logs(small_run):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    folder, _, _ = small_run
    events = EventAccumulator(str(folder / "logs")).Reload()
    tags = events.Tags()["scalars"]
    assert {
        "rollout/ep_rew_mean",
        "rollout/first_place_against_random",
        "win_rate/random",
        "train/loss",
    } <= set(tags)


def test_a_run_never_writes_over_another(small_run, capsys):
    folder, _, _ = small_run
    before = sorted(p.stat().st_mtime_ns for p in folder.rglob("*"))
    assert main([CONFIG, *SMALL, f"run={folder}"]) == REFUSED
    assert "there is something already" in capsys.readouterr().err
    assert sorted(p.stat().st_mtime_ns for p in folder.rglob("*")) == before


def test_same_seed_same_agent(small_run, tmp_path, capsys):
    folder, _, _ = small_run
    main([CONFIG, *SMALL, f"run={tmp_path / 'again'}", "evaluation.games=3", "goals=[]"])
    first, second = (Policy.load(path) for path in (folder, tmp_path / "again"))
    for (weight, bias), (weight2, bias2) in zip(first.actor.layers, second.actor.layers, strict=True):
        assert np.array_equal(weight.numpy(), weight2.numpy())
        assert np.array_equal(bias.numpy(), bias2.numpy())
    assert "no goals" in capsys.readouterr().out


def test_resumed_run_goes_on_to_its_new_total(small_run, tmp_path, capsys):
    folder = tmp_path / "copy"
    shutil.copytree(small_run[0], folder)
    code = main(
        [
            f"resume={folder}",
            "steps=20480",
            "evaluation.final_games=40",
            "goals=[{opponent: greedy, win_rate: 1}]",
        ]
    )
    assert code == MISSED
    said = capsys.readouterr().out
    assert f"Going on with {folder}" in said
    assert "Trained 4,096 steps" in said
    assert "NOT reached" in said
    assert (folder / "checkpoints" / "20480.zip").exists()
    steps = [point["steps"] for point in json.loads((folder / "curve.json").read_text())]
    assert steps == sorted(steps)
    assert steps[-1] == 20480
    with zipfile.ZipFile(folder / "final.zip") as archive:
        assert json.loads(archive.read("data"))["num_timesteps"] == 20480


def test_finished_run_is_only_judged_again(small_run, tmp_path, capsys):
    folder = tmp_path / "copy"
    shutil.copytree(small_run[0], folder)
    (folder / "evaluation.md").unlink()
    assert main([f"resume={folder}"]) == REACHED
    assert (folder / "evaluation.md").exists()
    assert "Trained" not in capsys.readouterr().out


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path):
    folder = tmp_path / "run"
    words = [CONFIG, *SMALL, "steps=10_000_000", "evaluation.every=2048", f"run={folder}"]
    command = [sys.executable, str(REPO / "train.py"), *words]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as run:
        lines = []
        for line in run.stdout:
            lines.append(line)
            if re.match(r"training: +[1-9][\d,]* / 10,000,000 steps", line):
                run.send_signal(signal.SIGINT)
                break
        begin = time.monotonic()
        lines += run.stdout.readlines()
        assert run.wait(60) == INTERRUPTED, "".join(lines)
    assert time.monotonic() - begin < 60
    said = re.search(r"saved after ([\d,]+) steps; go on with: python train\.py resume=(\S+)", "".join(lines))
    steps = int(said[1].replace(",", ""))
    assert said[2] == str(folder)
    assert (folder / "checkpoints" / f"{steps}.zip").exists()
    assert not (folder / "final.zip").exists()
    total = steps + 2048
    code = main([f"resume={folder}", f"steps={total}", "evaluation.final_games=20", "goals=[]"])
    assert code == REACHED
    assert (folder / "checkpoints" / f"{total}.zip").exists()
    assert (folder / "final.zip").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.yaml"], "nowhere.yaml: cannot be read"),
        ([CONFIG, "stpes=1"], "unknown key stpes, did you mean steps?"),
        ([CONFIG, "a.yaml"], "give one configuration"),
        (["resume=nowhere"], "resume=nowhere: there is no config.yaml here"),
        (["resume=nowhere", CONFIG], "a resumed run has its configuration"),
        (
            [CONFIG, "goals=[{opponent: runs/x, win_rate: 0.5}]"],
            "goals: there is no agent 'runs/x': choose greedy, montecarlo, random",
        ),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == REFUSED
    error = capsys.readouterr().err
    assert error.startswith("train.py: ")
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_resume_needs_a_checkpoint_and_the_same_network(small_run, tmp_path, capsys):
    folder = tmp_path / "copy"
    shutil.copytree(small_run[0], folder)
    assert main([f"resume={folder}", "network=[32]"]) == REFUSED
    assert "a resumed run keeps network=(64, 64)" in capsys.readouterr().err
    newest = folder / "checkpoints" / "16384.zip"
    newest.write_bytes(newest.read_bytes()[:1000])
    assert main([f"resume={folder}"]) == REFUSED
    assert "16384.zip: not a model of train.py" in capsys.readouterr().err
    shutil.rmtree(folder / "checkpoints")
    assert main([f"resume={folder}"]) == REFUSED
    assert "there is no model in" in capsys.readouterr().err


def test_help_lists_every_key(capsys):
    assert main(["--help"]) == REACHED
    said = capsys.readouterr().out
    assert "ppo.learning_rate=" in said
    assert "resume=FOLDER" in said


def test_default_run_folders_are_numbered(tmp_path, monkeypatch):
    from agezoo.agents.command import prepare

    monkeypatch.chdir(tmp_path)
    assert str(prepare([CONFIG]).folder) == str(Path("runs/age_de_bronze_ppo"))
    (tmp_path / "runs" / "age_de_bronze_ppo").mkdir(parents=True)
    assert str(prepare([CONFIG]).folder) == str(Path("runs/age_de_bronze_ppo-2"))


# -- its agent --------------------------------------------------------------------------------------------------------


def test_trained_agent_plays_at_tables_and_in_batch(small_run, game):
    player = agents.load(small_run[0])
    assert isinstance(player, Agent)
    assert player.name == "small"
    assert agents.load(small_run[0] / "checkpoints" / "12288.zip").name == "small/12288"
    batch = Batch(game, 12, seed=4, num_players=4)
    env = make("age_de_bronze", num_players=4)
    chosen = player.choose(batch, np.arange(12))
    for i in range(12):
        env.reset(seed=int(batch.seeds[i]))
        assert player.act(env, env.agent_selection) == chosen[i]
    assert (player.choose(batch, np.array([5, 3])) == chosen[[5, 3]]).all()
    batch.step(chosen)  # they are legal


def test_agent_that_draws_can_be_seeded(small_run, game):
    player = agents.load(small_run[0], deterministic=False)
    batch = Batch(game, 64, seed=4, num_players=4)
    tables = np.arange(64)
    player.seed(1)
    first = player.choose(batch, tables)
    assert (player.choose(batch, tables) != first).any()
    player.seed(1)
    assert (player.choose(batch, tables) == first).all()


def test_make_knows_names_and_paths(small_run, game):
    assert agents.names() == ["greedy", "montecarlo", "random"]
    assert agents.make("greedy").name == "greedy"
    player = agents.make(str(small_run[0] / "final.zip"), "age_de_bronze")
    assert agents.make(player) is player
    with pytest.raises(
        BadAgent,
        match=r"there is no agent 'grady' \(did you mean greedy\?\): choose greedy, montecarlo, random, a run",
    ):
        agents.make("grady")


def test_saved_model_is_loaded_by_stable_baselines_too(small_run, tmp_path, game):
    from sb3_contrib import MaskablePPO

    model = MaskablePPO.load(small_run[0] / "final.zip", device="cpu")
    file = save(model, tmp_path / "mine.zip", game)
    player, again = agents.load(small_run[0]), agents.load(file)
    assert again.name == "mine"
    batch = Batch(game, 30, seed=1, num_players=4)
    theirs, _ = model.predict(batch.observation, action_masks=batch.action_mask, deterministic=True)
    for agent in (player, again):
        assert (agent.choose(batch, np.arange(30)) == theirs).all()


def changed(source, target, change):
    """A copy of a model file with changed facts."""
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == "data":
                data = json.loads(content)
                change(data)
                content = json.dumps(data).encode()
            after.writestr(name, content)
    return target


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["agezoo"].update(game="chess"), "it plays chess; installed are age_de_bronze"),
        (
            lambda data: data["agezoo"].update(version=99),
            "it plays age_de_bronze_v99, this is age_de_bronze_v",
        ),
        (lambda data: data["agezoo"].update(features=7), "it sees 7 features and knows"),
        (
            lambda data: data["agezoo"].update(network=[64]),
            r"its layers are \[\d+, 64, 64, \d+\], but it says",
        ),
        (
            lambda data: data["agezoo"].update(activation="sine"),
            "between its layers is sine; known are tanh, relu",
        ),
        (lambda data: data.pop("agezoo"), "it does not say what game it plays"),
    ],
)
def test_models_of_something_else_are_refused(small_run, tmp_path, change, said):
    file = changed(small_run[0] / "final.zip", tmp_path / "changed.zip", change)
    with pytest.raises(BadAgent, match=said):
        agents.load(file)


def test_what_is_no_model_is_refused(small_run, tmp_path):
    for name, content in (("a.zip", b"no zip"), ("b.zip", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadAgent, match=r"not a model of train\.py"):
            agents.load(tmp_path / name)
    with pytest.raises(BadAgent, match="there is no such file or run folder"):
        agents.load(tmp_path / "nowhere")
    with pytest.raises(BadAgent, match=r"neither final\.zip nor a file in checkpoints/"):
        agents.load(tmp_path)


def test_agent_refuses_another_game(small_run):
    with pytest.raises(BadAgent, match="it plays age_de_bronze, not knockout"):
        agents.load(small_run[0], KNOCKOUT)
    player = agents.load(small_run[0])
    with pytest.raises(BadAgent, match="small plays age_de_bronze_v0, not knockout_v0"):
        player.choose(SimpleNamespace(game=KNOCKOUT), np.arange(2))


def test_torch_is_imported_only_for_policies():
    code = (
        "import sys; from agezoo import agents; agents.make('random'); agents.make('greedy');"
        "import agezoo.agents.config; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
