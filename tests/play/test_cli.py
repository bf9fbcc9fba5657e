"""The commands, called as functions, and their errors: one line, exit code 2."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import agezoo.envs
from agezoo.envs.engine import compile as compiling
from agezoo.play import bench, cli


def run(capsys, *arguments):
    try:
        code = cli.main([str(a) for a in arguments])
    except SystemExit as leaving:  # argparse
        code = leaving.code
    return code, capsys.readouterr()


def test_games_lists_every_rulebook(capsys):
    code, said = run(capsys, "games")
    assert code == 0
    for name in agezoo.envs.names():
        game = agezoo.envs.find(name)
        line = next(line for line in said.out.splitlines() if line.startswith(name))
        for fact in (
            game.title,
            game.num_actions,
            game.num_features,
            f"agezoo/{game.env_name.replace('_v', '-v')}",
        ):
            assert str(fact) in line


def test_games_needs_neither_torch_nor_the_compiler(tmp_path):
    code = (
        "import sys; from agezoo.play.cli import main; main(['games']);"
        "assert not {'torch', 'stable_baselines3', 'agezoo.agents'} & set(sys.modules), sorted(sys.modules)"
    )
    environment = {**os.environ, "AGEZOO_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.DEVNULL)
    assert not list(tmp_path.rglob("*.nbi"))


@pytest.mark.parametrize("command", [[], ["games"], ["play"], ["arena"], ["bench"], ["replay"]])
def test_help(capsys, command):
    code, said = run(capsys, *command, "--help")
    assert code == 0
    assert said.out.startswith("usage: agezoo")


def test_version_stands_in_one_place(capsys):
    code, said = run(capsys, "--version")
    assert code == 0
    assert said.out.split()[0] == "agezoo"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "COMMAND"),
        (["dance"], "invalid choice: 'dance'"),
        (["play", "chess"], "no game 'chess'; there are: age_de_bronze"),
        (["play", "age_de_bronze", "--players", 9], "2 to 6 players"),
        (["play", "age_de_bronze", "--players", "two"], "invalid int value"),
        (["play", "age_de_bronze", "--seat", 4], "seats 0 to 3"),
        (["play", "age_de_bronze", "--seat", -1], "seats 0 to 3"),
        (["play", "age_de_bronze", "--opponents", "random,greedy"], "2 given for 3 other seats"),
        (["play", "age_de_bronze", "--opponents", "genius"], "no agent 'genius'"),
        (["play", "age_de_bronze", "--seed", -1], "seed=-1"),
        (["play", "age_de_bronze", "--record", "nowhere/game.txt"], "nowhere/game.txt: No such file"),
        (["arena", "chess"], "no game 'chess'"),
        (["arena", "age_de_bronze", "--games", 0], "games=0"),
        (["arena", "age_de_bronze", "--players", 1], "2 to 6 players"),
        (["arena", "age_de_bronze", "--seed", -1], "seed=-1"),
        (["arena", "age_de_bronze", "--agents", "random"], "two or more"),
        (["arena", "age_de_bronze", "--agents", "random", "random"], "two agents are called 'random'"),
        (["arena", "age_de_bronze", "--agents", "random", "nowhere.zip"], "no agent 'nowhere.zip'"),
        (["bench", "chess"], "no game 'chess'"),
        (["bench", "--seconds", 0], "--seconds"),
        (["bench", "--repeats", 0], "--repeats"),
        (["replay", "nowhere.txt"], "nowhere.txt: No such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, monkeypatch, tmp_path, arguments, says):
    monkeypatch.chdir(tmp_path)
    code, said = run(capsys, *arguments)
    assert code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "error: " in said.err
    assert says in said.err
    assert list(Path().iterdir()) == []


@pytest.fixture
def record(tmp_path):
    env = agezoo.envs.make("age_de_bronze", num_players=3)
    env.reset(seed=4)
    for k in range(30):
        env.step(env.random_action(k))
    path = tmp_path / "game.txt"
    path.write_text(env.record().to_text(), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: "", "record"),
        (lambda text: text.replace("agezoo record 1", "something else"), "agezoo record 1"),
        (lambda text: text.replace("game age_de_bronze 0", "game age_de_bronze 99"), "version 99"),
        (lambda text: text.replace('"seed": 4', '"seed": 5'), "move 1"),
        (lambda text: text.replace("\n9 player_", "\n9 nobody_"), "cannot read the line"),
    ],
)
@pytest.mark.parametrize("seat", [[], ["--seat", "1"]])
def test_broken_record(capsys, record, change, says, seat):
    record.write_text(change(record.read_text(encoding="utf-8")), encoding="utf-8")
    code, said = run(capsys, "replay", "--all", record, *seat)
    assert code == 2
    assert says in said.err.splitlines()[-1]


def test_replay_shows_all_or_what_a_seat_saw(capsys, record):
    code, whole = run(capsys, "replay", "--all", record)
    assert code == 0
    assert "unknown" not in whole.out
    code, seen = run(capsys, "replay", "--all", record, "--seat", 1)
    assert code == 0
    assert "unknown" in seen.out


def test_replay_of_a_seat_that_is_not_there(capsys, record):
    code, said = run(capsys, "replay", record, "--seat", 3)
    assert (code, said.out) == (2, "")
    assert "seats 0 to 2" in said.err


def test_binary_is_no_record(capsys, tmp_path):
    (tmp_path / "junk").write_bytes(bytes(range(256)))
    code, said = run(capsys, "replay", tmp_path / "junk")
    assert code == 2
    assert "utf-8" in said.err


def test_arena_as_table_and_as_json(capsys):
    command = ["arena", "age_de_bronze", "--games", 40, "--players", 3]
    code, said = run(capsys, *command)
    assert code == 0
    assert "| greedy |" in said.out
    code, said = run(capsys, *command, "--json")
    told = json.loads(said.out)
    assert code == 0
    assert (told["game"], told["num_players"], told["seed"]) == ("age_de_bronze", 3, 0)
    assert {agent["name"] for agent in told["agents"]} == {"random", "greedy"}


def test_bench(capsys, monkeypatch):
    cost = bench.Row("age_de_bronze", "a table", "table", "bytes", 5000, 4096)
    monkeypatch.setattr(bench, "costs", lambda game: [cost])  # they compile from nothing
    peer = bench.Measure("slow peer", "clones", "clone", lambda seconds: 2.0)
    command = ["bench", "age_de_bronze", "--seconds", "0.001", "--repeats", "1"]
    assert run(capsys, *command)[0] == 0
    args = cli.parser().parse_args([*command, "--json"])
    cli.bench(args, [peer])
    report = json.loads(capsys.readouterr().out)
    rows = {row["what"]: row for row in report["rows"]}
    assert all(row["measured"] > 0 for row in report["rows"])
    assert rows["a table"]["reached"] is False
    assert rows["clones in kernels"]["peer"] == "slow peer"
    assert rows["clones in kernels"]["times_peer"] == rows["clones in kernels"]["measured"] / 2
    assert rows["whole random games"]["times_peer"] is None
    assert [row["of"] for row in report["peers"]] == ["slow peer"]
    assert report["machine"]


def test_costs_are_measured_in_processes_of_their_own():
    cache = str(compiling._root())  # warm
    assert 0 < bench._in_process(bench._FIRST_TABLE, cache, "age_de_bronze") < 60
    if Path("/proc/self/statm").exists():
        table = agezoo.envs.find("age_de_bronze").state.itemsize
        assert bench._in_process(bench._CROWD, cache, "age_de_bronze", "20000") > 20_000 * table
    with pytest.raises(RuntimeError, match="no game 'chess'"):
        bench._in_process(bench._FIRST_TABLE, cache, "chess")
