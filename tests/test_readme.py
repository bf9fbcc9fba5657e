"""The code on the pages runs, with warnings as errors, and what is generated is fresh."""

import re
from pathlib import Path

import pytest

from agezoo.envs import find
from agezoo.play import cli

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Blocks with these need libraries that are no part of the test environment; docs/interop.md says how they were run.
ELSEWHERE = ("import ray", "from ray", "from tianshou", "from torchrl")


def blocks():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in CODE.finditer(text):
            if not any(word in found[1] for word in ELSEWHERE):
                yield pytest.param(found[1], id=f"{page.name}:{text.count(chr(10), 0, found.start(1)) + 1}")


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """A folder with the run that the pages speak of in it: a small network, not trained."""
    from sb3_contrib import MaskablePPO

    from agezoo.agents.policy import FINAL, save
    from agezoo.envs.engine.seat import SeatEnv

    folder = tmp_path_factory.mktemp("readme")
    run = folder / "runs" / "age_de_bronze_ppo"
    run.mkdir(parents=True)
    model = MaskablePPO(
        "MlpPolicy", SeatEnv("age_de_bronze"), policy_kwargs={"net_arch": [8]}, device="cpu", seed=1
    )
    save(model, run / FINAL, find("age_de_bronze"))
    return folder


@pytest.mark.parametrize("code", list(blocks()))
def test_block_runs(code, run_folder, monkeypatch, capsys):
    monkeypatch.chdir(run_folder)
    exec(compile(code, "a block", "exec"), {"__name__": "page"})


def test_the_first_loop_of_the_readme_plays_the_same_game_each_time(capsys):
    code, said = next(blocks()).values[0], []
    for _ in range(2):
        exec(compile(code, "the first block", "exec"), {"__name__": "page"})
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "player_3" in said[0]


def test_commands_run(run_folder, monkeypatch, capsys):
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [
        line.partition("#")[0].split()[1:] for line in page.splitlines() if line.startswith("agezoo ")
    ]
    monkeypatch.chdir(run_folder)
    typed = iter(["1", "q", "e", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    for command in commands:
        if command[0] == "bench":  # takes its time: test_cli.py has it
            cli.parser().parse_args(command)
        elif command[0] == "train":  # so does this: tests/agents have it
            assert Path(cli._with_configuration(command[1:])[0]).exists()
        else:
            assert cli.main([*command, *(["--games", "20"] if command[0] == "arena" else [])]) == 0
    assert "| age_de_bronze_ppo | " in capsys.readouterr().out
    assert {command[0] for command in commands} == {"games", "play", "replay", "arena", "bench", "train"}


def generated(page, command):
    """What stands between the marks of a generated part."""
    found = re.search(
        rf"<!-- {re.escape(command)} -->\n(.*?)\n?<!-- end -->", page.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found, f"{page.name} has no part <!-- {command} -->"
    return found[1]


def test_speeds_in_the_readme_are_those_of_the_performance_page():
    page = generated(ROOT / "docs" / "performance.md", "python benchmarks/steps.py")
    for line in generated(ROOT / "README.md", "python benchmarks/steps.py").splitlines()[2:]:
        name, *numbers = line.strip("| ").split(" | ")
        part = page.partition(f"### {name.strip('`')}\n")[2].partition("###")[0]
        for number in numbers:
            assert f"| {number} |" in part


def test_links_lead_somewhere():
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            where = page.parent / target if target else page
            assert where.exists(), f"{page.name} links to {target}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", where.read_text(encoding="utf-8"), re.MULTILINE)
                assert anchor in [heading.lower().replace(" ", "-") for heading in headings], (
                    f"{target}#{anchor}"
                )
