"""train.py's command line: exit codes without a traceback, nothing half done, Ctrl-C at every stage."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("sb3_contrib")

from agezoo.agents import command, training
from agezoo.agents.command import FAILED, INTERRUPTED, MISSED, REACHED, REFUSED, main
from agezoo.agents.extras import EXTRAS
from agezoo.agents.files import can_write, replacing
from agezoo.agents.imitate import LENGTH
from agezoo.agents.policy import read_model

from . import knockout
from .conftest import REPO

assert knockout.GAME.name == "knockout"  # imported, the game is known

TINY = [
    "game=knockout", "tables=8", "steps=512", "network=[8]", "torch_threads=1", "table_threads=1",
    "opponents={random: 0.5, greedy: 0, self_play: 0.5}", "ppo.n_steps=16", "ppo.batch_size=128", "ppo.n_epochs=1",
    "self_play={every: 128, keep: 3}", "checkpoint={every: 128, keep: 2}",
    "evaluation={every: 256, games: 12, final_games: 24}", "goals=[{opponent: random, win_rate: 0}]",
]  # fmt: skip
IMITATING = [*TINY, f"imitate={{decisions: {3 * LENGTH * 8}}}", "imitate.learning_rate=1e-2"]


@pytest.fixture
def config(tmp_path):
    """An empty configuration: everything comes from the command line."""
    path = tmp_path / "tiny.yaml"
    path.write_text("")
    return str(path)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A finished tiny run."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.yaml").write_text("")
    assert main([str(folder / "tiny.yaml"), *TINY, f"run={folder / 'run'}"]) == REACHED
    return folder / "run"


@pytest.fixture
def copy(done, tmp_path):
    shutil.copytree(done, tmp_path / "run")
    return tmp_path / "run"


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# -- refused before anything is done -----------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", EXTRAS["train"])
def test_a_missing_extra_is_said_before_anything_is_done(missing, config, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, missing, None)
    assert main([config, *TINY, f"run={tmp_path / 'run'}"]) == REFUSED
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f'train.py: training needs what is not installed here ({missing}): pip install "agezoo[train]"\n'
    )
    assert files(tmp_path) == ["tiny.yaml"]


def test_help_needs_no_extra(monkeypatch, capsys):
    for name in EXTRAS["train"]:
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["--help"]) == REACHED
    assert "Exit codes" in capsys.readouterr().out


@pytest.mark.parametrize(
    "folder",
    ["tiny.yaml/run", "/proc/agezoo/run", "a\0b", "x" * 3000, "new/" + "y" * 300],
    ids=lambda f: f[:20],
)
def test_a_folder_that_cannot_be_written_is_refused(folder, config, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([config, *TINY, f"run={folder}"]) == REFUSED
    error = capsys.readouterr().err
    assert error.startswith("train.py: run=")
    assert "cannot be written" in error
    assert error.count("\n") == 1
    assert files(tmp_path) == ["tiny.yaml"]


def test_a_run_that_cannot_be_written_any_more_is_not_resumed(copy, monkeypatch, capsys):
    def refuse(folder):
        if folder.name == "checkpoints":
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(training, "can_write", refuse)
    before = files(copy)
    assert main([f"resume={copy}"]) == REFUSED
    assert "cannot be read and written (Permission denied)" in capsys.readouterr().err
    assert files(copy) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--resume", "nowhere"], "resume=nowhere: there is no config.yaml here"),
        (["--resume=nowhere"], "resume=nowhere: there is no config.yaml here"),
        (["--resume", "tiny.yaml"], "resume=tiny.yaml: there is no config.yaml here"),
        (["--resume", "x" * 3000], "cannot be read and written (File name too long)"),
        (["--resume", "a\0b"], "resume=a\0b: "),
        (["--resume"], "--resume: give a folder, as in --resume runs/mine"),
        (["--resume", "--run", "x"], "--resume: give a folder"),
        (["--resume="], "--resume: give a folder"),
        (["resume="], "resume=: give a folder"),
        (["tiny.yaml", "run="], "run=: give a folder"),
        (["tiny.yaml", "run= "], "run=: give a folder"),
        (["--resume", "nowhere", "--run", "x"], "a resumed run has its configuration and its folder"),
        (["--resume", "nowhere", "run=x"], "a resumed run has its configuration and its folder"),
        (
            ["--steps", "5"],
            "unknown option --steps; there are --run, --resume and --help, all else is key=value",
        ),
        (["--steps=5"], "unknown option --steps=5"),
        (["-r", "x"], "unknown option -r"),
        (["tiny.yaml", "past.every=5"], "unknown key past: it is called self_play now"),
        (
            ["tiny.yaml", "opponents.past=0.5"],
            "unknown key opponents.past: it is called opponents.self_play now",
        ),
        (["tiny.yaml", "goals=[{share: 1}]"], "unknown key goals.0.share: it is called goals.0.win_rate now"),
        (["tiny.yaml", "at_limit=stop"], "at_limit='stop': choose decide, truncate"),
        (["tiny.yaml", "seed=2026-99-99"], "'seed=2026-99-99': '2026-99-99' is not a YAML value"),
        (["tiny.yaml", "seed=" + "[" * 5000], "is not a YAML value"),
        (["no\0where.yaml"], "no\0where.yaml"),
        (["tiny.yaml", "goals=[{opponent: gredy}]"], "there is no agent 'gredy' (did you mean greedy?)"),
        (["tiny.yaml", "goals=[{opponent: tiny.yaml}]"], "tiny.yaml: not a model of train.py"),
        (["tiny.yaml", "goals=[{opponent: 'os:getcwd'}]"], "is code"),
    ],
)
def test_bad_words_get_one_line_and_write_nothing(words, said, config, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == REFUSED
    error = capsys.readouterr().err
    assert error.startswith("train.py: ")
    assert said in error
    assert error.count("\n") == 1
    assert files(tmp_path) == ["tiny.yaml"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("curve.json", b"{"),
        ("curve.json", b"[1]"),
        ("curve.json", b"\xff"),
        ("self_play.pt", b"no pickle"),
        ("self_play.pt", b""),
        ("config.yaml", b"steps: [\n"),
        ("config.yaml", b"\xff"),
    ],
)
def test_a_damaged_run_is_refused(name, content, copy, capsys):
    (copy / name).write_bytes(content)
    before = files(copy)
    assert main(["--resume", str(copy)]) == REFUSED
    error = capsys.readouterr().err
    assert name in error
    assert error.count("\n") == 1
    assert files(copy) == before
    assert (copy / name).read_bytes() == content


def test_the_command_is_called_as_it_was_typed(capsys):
    assert main(["resume=nowhere"], command="agezoo train") == REFUSED
    assert capsys.readouterr().err.startswith("agezoo train: resume=nowhere")
    assert main(["--help"], command="agezoo train") == REACHED
    assert "usage: agezoo train [CONFIG.yaml]" in capsys.readouterr().out


# -- what is written is whole ------------------------------------------------------------------------------------------


def test_whether_a_folder_can_be_written_is_found_out_without_a_trace(tmp_path):
    can_write(tmp_path / "a" / "b" / "c")
    assert files(tmp_path) == []
    (tmp_path / "kept").mkdir()
    can_write(tmp_path / "kept" / "more")
    assert files(tmp_path) == ["kept"]
    with pytest.raises(OSError, match="too long"):
        can_write(tmp_path / "made" / ("x" * 300))
    assert files(tmp_path) == ["kept"]


@pytest.mark.parametrize("reason", [OSError, KeyboardInterrupt])
def test_a_file_is_replaced_whole_or_not_at_all(reason, tmp_path):
    path = tmp_path / "x.json"
    path.write_text("before")

    def write_half():
        with replacing(path) as partial:
            partial.write_text("half")
            assert path.read_text() == "before"
            raise reason

    with pytest.raises(reason):
        write_half()
    assert path.read_text() == "before"
    assert files(tmp_path) == ["x.json"]
    with replacing(path) as partial:
        partial.write_text("after")
    assert path.read_text() == "after"
    assert files(tmp_path) == ["x.json"]


def test_no_partial_file_is_left_by_a_run(done):
    assert not [name for name in files(done) if name.endswith(".part")]


def test_a_full_disk_says_what_was_saved(config, tmp_path, monkeypatch, capsys):
    save, times = training.save, []

    def full(model, path, *args, **more):
        times.append(path)
        if len(times) == 3:
            raise OSError(28, "No space left on device", str(path))
        return save(model, path, *args, **more)

    monkeypatch.setattr(training, "save", full)
    folder = tmp_path / "run"
    assert main([config, *TINY, f"run={folder}"]) == FAILED
    error = capsys.readouterr().err
    assert "384.zip: No space left on device; the last checkpoint is after 256 steps" in error
    assert f"go on with: python train.py resume={folder}" in error
    assert error.count("\n") == 1


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------


def press():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0)  # lets Python hear it


@pytest.fixture
def pressed_at(monkeypatch):
    """Has Ctrl-C pressed when a stage tells its progress; how often, and after how many times it told."""

    def when(stage, times=1, after=0):
        left = [after]

        @contextlib.contextmanager
        def shown(say):
            def told(now):
                if now.stage == stage and now.done:
                    left[0] -= 1
                    if left[0] < 0:
                        for _ in range(times):
                            press()

            yield told

        monkeypatch.setattr(command, "shown", shown)

    return when


def test_ctrl_c_while_preparing_stops_at_once_and_leaves_nothing(config, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(training.Trainer, "_tables", lambda self: press())
    assert main([config, *TINY, f"run={tmp_path / 'run'}"]) == INTERRUPTED
    said = capsys.readouterr().out
    assert "Interrupted: stopped at once; nothing has been written; start again with the same command" in said
    assert files(tmp_path) == ["tiny.yaml"]


def test_ctrl_c_before_anything_has_begun_is_no_traceback(config, monkeypatch, capsys):
    monkeypatch.setattr(command, "prepare", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert main([config]) == INTERRUPTED
    assert capsys.readouterr().err == "\nInterrupted: nothing has been done.\n"


def test_ctrl_c_that_compiled_code_kept_to_itself_is_heard_all_the_same(config, tmp_path, monkeypatch):
    tables = training.Trainer._tables

    def swallowing(self):
        with contextlib.suppress(KeyboardInterrupt):
            press()
        return tables(self)

    monkeypatch.setattr(training.Trainer, "_tables", swallowing)
    assert main([config, *TINY, f"run={tmp_path / 'run'}"]) == INTERRUPTED


def test_ctrl_c_while_imitating_saves_what_was_learned(config, tmp_path, pressed_at, capfd):
    folder = tmp_path / "run"
    pressed_at("imitating", after=3)
    assert main([config, *IMITATING, f"run={folder}"]) == INTERRUPTED
    said, error = capfd.readouterr()
    assert error.strip() == "Ctrl-C: stopping as soon as all is saved. Press it again to stop at once."
    done = int(
        re.search(r"saved after imitating ([\d,]+) decisions; go on with: python train", said)[1].replace(
            ",", ""
        )
    )
    assert done == 4 * 128  # in the first round: it did not go on to the end of that
    assert read_model(folder / "checkpoints" / "0.zip")[0]["imitated"] == done
    assert "Imitated" not in said
    assert files(folder / "checkpoints") == ["0.zip"]
    pressed_at("nothing")
    assert main([f"resume={folder}"]) == REACHED
    rest = -(-(3 * LENGTH * 8 - done) // (LENGTH * 8)) * LENGTH * 8
    assert f"Imitated {rest:,} decisions" in capfd.readouterr().out
    assert read_model(folder / "final.zip")[0]["imitated"] == done + rest
    assert main([f"resume={folder}", "steps=640"]) == REACHED
    assert "Imitated" not in capfd.readouterr().out


def test_ctrl_c_while_training_saves_and_says_so(config, tmp_path, pressed_at, capfd):
    folder = tmp_path / "run"
    pressed_at("training", after=20)
    assert main([config, *TINY, f"run={folder}"]) == INTERRUPTED
    said, error = capfd.readouterr()
    assert "Ctrl-C: stopping as soon as all is saved." in error
    assert f"saved after 128 steps; go on with: python train.py resume={folder}" in said
    assert files(folder / "checkpoints") == ["128.zip"]
    pressed_at("nothing")
    assert main([f"resume={folder}"]) == REACHED
    assert "Trained 384 steps" in capfd.readouterr().out


def test_ctrl_c_twice_stops_at_once(config, tmp_path, pressed_at, capfd):
    folder = tmp_path / "run"
    pressed_at("training", times=2, after=40)
    assert main([config, *TINY, f"run={folder}"]) == INTERRUPTED
    said = capfd.readouterr().out
    assert (
        f"stopped at once; the last checkpoint is after 256 steps; go on with: python train.py resume={folder}"
        in said
    )
    pressed_at("training", times=2)
    other = tmp_path / "a folder"
    assert main([config, *TINY, "checkpoint.every=1000", f"run={other}"]) == INTERRUPTED
    said = capfd.readouterr().out
    assert f"no checkpoint has been saved yet; remove {other}, or start again with another run=FOLDER" in said


def test_ctrl_c_in_the_final_evaluation_says_that_the_agent_is_saved(config, tmp_path, pressed_at, capfd):
    folder = tmp_path / "a run"
    pressed_at("final evaluation")
    assert main([config, *TINY, f"run={folder}"]) == INTERRUPTED
    said = capfd.readouterr().out
    assert f"the trained agent is saved; evaluate it with: python train.py 'resume={folder}'" in said
    assert (folder / "final.zip").exists()
    assert not (folder / "evaluation.md").exists()
    pressed_at("nothing")
    assert main([f"resume={folder}"]) == REACHED
    assert (folder / "evaluation.md").exists()


def test_ctrl_c_in_an_evaluation_on_the_way_leaves_it_out(config, tmp_path, pressed_at, capfd):
    folder = tmp_path / "run"
    pressed_at("evaluating", after=2)
    assert main([config, *TINY, "evaluation.games=400", f"run={folder}"]) == INTERRUPTED
    assert "saved after 0 steps" in capfd.readouterr().out
    assert json.loads((folder / "curve.json").read_text()) == []


def test_after_a_run_ctrl_c_is_as_it_was(done):
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_compiling_is_heard(tmp_path):
    """In a process of its own, with nothing compiled yet: it ends long before everything would be."""
    (tmp_path / "tiny.yaml").write_text("")
    code = (
        f"import sys; sys.path.insert(0, {str(REPO)!r})\n"
        "from tests.agents import knockout\n"
        "from agezoo.agents.command import main\n"
        f"sys.exit(main({[str(tmp_path / 'tiny.yaml'), *TINY, f'run={tmp_path / chr(114)}']!r}))\n"
    )
    env = {**os.environ, "AGEZOO_CACHE_DIR": str(tmp_path / "cache"), "AGEZOO_PLAIN": "0"}
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as run:
        for line in run.stdout:
            if line.startswith("Preparing the tables"):
                break
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        said = run.stdout.read()
        assert run.wait(60) == INTERRUPTED, run.stderr.read()
        error = run.stderr.read()
    assert "Interrupted: stopped at once; nothing has been written" in said
    assert "Traceback" not in error
    assert not (tmp_path / "r").exists()


def test_a_goal_that_is_missed_is_said_in_the_exit_code(copy, capsys):
    assert main([f"resume={copy}", "goals=[{opponent: random, win_rate: 1}]"]) == MISSED
    said = capsys.readouterr().out
    assert "NOT every goal was reached" in said
    assert f"agezoo.agents.load('{copy}')" in said
