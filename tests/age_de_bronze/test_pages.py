"""Pages say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from agezoo.envs.age_de_bronze import rules

from . import make_pages

FOLDER = Path(rules.__file__).parent


def test_the_components_in_the_rules_are_those_of_the_table():
    assert make_pages.RULES.read_text(encoding="utf-8") == make_pages.rules()


def test_the_page_of_actions_and_observations_is_up_to_date():
    assert make_pages.LAYOUTS.read_text(encoding="utf-8") == make_pages.layouts()


def test_every_ruling_that_the_code_names_is_there():
    text = make_pages.RULES.read_text(encoding="utf-8")
    numbers = re.findall(r"^(\d+)\. \*\*", text, re.MULTILINE)
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)]
    for path in [*FOLDER.glob("*.py"), *Path(__file__).parent.glob("*.py")]:
        for number in re.findall(r"[Rr]uling (\d+)", path.read_text(encoding="utf-8")):
            assert number in numbers, f"{path.name}: ruling {number}"


def test_every_kernel_and_test_that_the_rules_name_is_there():
    text = make_pages.RULES.read_text(encoding="utf-8")
    source = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    for name in set(re.findall(r"`_?[a-z_]+\.?[a-z_]*`", text)):
        word = name.strip("`")
        if word.startswith("test_"):
            assert (Path(__file__).parent / word).exists(), word
        elif word.endswith((".py", ".toml")):
            assert (FOLDER / word).exists(), word
        else:
            assert re.search(rf"\b{word.rpartition('.')[2]}\b", source + str(make_pages.TABLE)), word
