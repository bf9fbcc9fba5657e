"""The commands, called as functions, and their errors: one line, exit code 2."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import agezoo.envs
from agezoo.agents.base import BadAgent
from agezoo.envs import find
from agezoo.envs.engine import cache as kept
from agezoo.envs.engine.compile import PLAIN, place
from agezoo.play import bench, cli, options, warm


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


@pytest.mark.parametrize(
    "command", [[], ["games"], ["play"], ["arena"], ["bench"], ["replay"], ["train"], ["compile"], ["new"]]
)
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
        (["play", "age_de_bronze_v99"], "in version 0, ask for age_de_bronze_v0"),
        (["arena", "age_de_bronze_v99"], "in version 0, ask for age_de_bronze_v0"),
        (["bench", "age_de_bronze_v99"], "in version 0, ask for age_de_bronze_v0"),
        (["compile", "age_de_bronze_v99"], "in version 0, ask for age_de_bronze_v0"),
        (["compile", "chess"], "no game 'chess'"),
        (["new", "Chess"], "lower case"),
        (["play", "ages_of_war", "--option", "units"], "write NAME=VALUE, such as units=6"),
        (["play", "ages_of_war", "--option", "units="], "write NAME=VALUE"),
        (["play", "ages_of_war", "--option", "units=3"], "from 2 to 8 in steps of 2"),
        (["play", "ages_of_war", "--option", "units=two"], "units='two': give a whole number"),
        (["play", "ages_of_war", "--option", "field=9x9"], "choose one of"),
        (["play", "ages_of_war", "--option", "unit=2"], "has these options: units"),
        (["play", "ages_of_war", "--option", "units=2", "--option", "units=4"], "units is given twice"),
        (["play", "age_de_bronze", "--option", "x=1"], "these options: none"),
        (["arena", "ages_of_war", "--option", "units=3"], "from 2 to 8 in steps of 2"),
        (["bench", "ages_of_war", "--option", "units=3"], "from 2 to 8 in steps of 2"),
        (["bench", "--option", "units=2"], "name the one game"),
        (["bench", "ages_of_war", "bronze", "--option", "units=2"], "name the one game"),
        (
            ["play", "age_de_bronze", "--opponents", "no_such_module:Player"],
            "no_such_module cannot be imported",
        ),
        (["play", "age_de_bronze", "--at-limit", "never"], "invalid choice"),
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


# -- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words", "found"),
    [
        ("ages_of_war", ["units=2", " field = 6x8 "], {"units": 2, "field": "6x8"}),
        (
            "age_of_heroes",
            ["promises=no", "open_offers=TRUE", "fair=off"],
            {"promises": 0, "open_offers": 1, "fair": "off"},
        ),
        ("age_of_heroes", ["promises=0", "cards=1"], {"promises": 0, "cards": 1}),
        ("bronze", [], {}),
    ],
)
def test_options_are_read_as_the_game_has_them(game, words, found):
    assert options.read(find(game), words) == found


def test_the_same_options_reach_play_arena_and_bench(capsys, monkeypatch, tmp_path):
    seen = {}
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    record = tmp_path / "game.txt"
    assert run(capsys, "play", "ages_of_war", "--option", "units=2", "--seed", 1, "--record", record)[0] == 0
    assert '"units": 2' in record.read_text(encoding="utf-8")
    assert run(capsys, "replay", "--all", record)[0] == 0

    monkeypatch.setattr(
        "agezoo.agents.arena.round_robin", lambda *_, **more: seen.update(arena=more) or 1 / 0
    )
    monkeypatch.setattr("agezoo.play.bench.run", lambda *_, **more: seen.update(bench=more) or 1 / 0)
    for command in ("arena", "bench"):
        with pytest.raises(ZeroDivisionError):
            cli.main([command, "ages_of_war", "--option", "units=2", "--option", "field=6x8"])
    assert seen["arena"]["units"] == seen["bench"]["options"]["units"] == 2
    assert seen["arena"]["field"] == seen["bench"]["options"]["field"] == "6x8"


def test_bench_measures_with_the_options():
    game = find("ages_of_war")
    names = [m.what for m in bench.speeds(game, {"units": 2})]
    assert len(names) == 7
    middle = bench._middle_of_games(game, {"units": 2})
    assert set(middle["units"]) == {2}


def test_the_limit_reaches_play_and_arena(capsys, monkeypatch):
    seen = {}
    monkeypatch.setattr("agezoo.agents.arena.round_robin", lambda *_, **more: seen.update(more) or 1 / 0)
    monkeypatch.setattr("agezoo.play.terminal.TableEnv", lambda *_, **more: seen.update(play=more) or 1 / 0)
    for command in ("arena", "play"):
        with pytest.raises(ZeroDivisionError):
            cli.main([command, "age_de_bronze", "--at-limit", "truncate"])
    assert seen["at_limit"] == seen["play"]["at_limit"] == "truncate"


# -- agents of one's own ---------------------------------------------------------------------------------------------

OWN = """
class First:
    def act(self, env, agent):
        return env.legal_actions()[0]
"""


def test_module_and_class_on_the_command_line(capsys, monkeypatch, tmp_path):
    (tmp_path / "own_agents_here.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    command = [
        "arena",
        "age_de_bronze",
        "--agents",
        "own_agents_here:First",
        "random",
        "--games",
        2,
        "--players",
        2,
    ]
    code, said = run(capsys, *command)
    assert code == 0
    assert "| First |" in said.out
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    code, said = run(capsys, "play", "age_de_bronze", "--opponents", "own_agents_here:First")
    assert code == 0
    assert "player_1 is played by First" in said.out
    with pytest.raises(BadAgent):
        agezoo.agents.make("own_agents_here:First")


# -- train, compile --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "config", "rest"),
    [
        ([], "age_de_bronze_ppo.yaml", []),
        (["steps=1"], "age_de_bronze_ppo.yaml", ["steps=1"]),
        (["bronze"], "bronze_ppo.yaml", []),
        (["ages_of_war_ppo"], "ages_of_war_ppo.yaml", []),
        (["configs/age_of_gods_ppo.yaml", "--run", "bronze"], "age_of_gods_ppo.yaml", ["--run", "bronze"]),
    ],
)
def test_train_has_the_published_configurations_at_hand_anywhere(monkeypatch, tmp_path, typed, config, rest):
    monkeypatch.chdir(tmp_path)
    words = cli._with_configuration(typed)
    files = [Path(word) for word in words if word.endswith(".yaml")]
    assert [path.name for path in files] == [config]
    assert files[0].exists()
    assert [word for word in words if not word.endswith(".yaml")] == rest


@pytest.mark.parametrize("typed", [["resume=runs/x"], ["--resume", "runs/x"], ["--help"], ["mine.yaml"]])
def test_train_leaves_other_words_alone(monkeypatch, tmp_path, typed):
    monkeypatch.chdir(tmp_path)
    assert cli._with_configuration(typed) == typed


def test_train_calls_the_trainer_and_gives_its_exit_code(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    heard = []
    monkeypatch.setattr(
        "agezoo.agents.command.main", lambda words, command: heard.append((words, command)) or 7
    )
    assert cli.main(["train", "bronze", "steps=8"]) == 7
    ((words, command),) = heard
    assert command == "agezoo train"
    assert Path(words[0]).name == "bronze_ppo.yaml"
    assert words[1:] == ["steps=8"]


FRESH = """
import sys
import numpy as np
import agezoo.envs
from agezoo import agents
from agezoo.envs.engine import cache
missed = []
cache.Work.missed = lambda self: missed.append(self.name)
env = agezoo.envs.make("age_de_bronze")
env.reset(seed=3)
env.step(env.greedy_action(1))
batch = agezoo.envs.make_batch("age_de_bronze", 4, num_players=[2, 3])
batch.step(batch.greedy_actions(np.arange(4, dtype=np.uint64)))
batch.step(batch.random_actions(np.arange(4, dtype=np.uint64)))
agents.play_games("age_de_bronze", [agents.make("greedy"), agents.make("random")], games=3)
assert missed == [], missed
"""


@pytest.mark.skipif(PLAIN, reason="nothing is compiled in plain mode")
def test_compile_fills_the_cache_and_says_where(capsys):
    code, said = run(capsys, "compile", "age_de_bronze")
    assert code == 0
    assert said.out == f"age_de_bronze: {place(find('age_de_bronze').source)}\n"
    done = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_compile_says_when_nothing_would_be_kept(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(warm, "PLAIN", False)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGEZOO_CACHE_DIR", str(tmp_path / "file"))
    code, said = run(capsys, "compile", "bronze")
    assert (code, said.out) == (2, "")
    assert "cannot be written" in said.err
    monkeypatch.setattr(warm, "PLAIN", True)
    assert "nothing is compiled" in run(capsys, "compile", "bronze")[1].err


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
    cache = str(kept.root())  # warm
    assert 0 < bench._in_process(bench._FIRST_TABLE, cache, "age_de_bronze") < 60
    if Path("/proc/self/statm").exists():
        table = agezoo.envs.find("age_de_bronze").state.itemsize
        assert bench._in_process(bench._CROWD, cache, "age_de_bronze", "20000") > 20_000 * table
    with pytest.raises(RuntimeError, match="no game 'chess'"):
        bench._in_process(bench._FIRST_TABLE, cache, "chess")
