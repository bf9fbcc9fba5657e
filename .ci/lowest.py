"""Print the lowest versions of the base requirements that pyproject.toml asks for, as constraints for pip."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
for line in project["dependencies"]:
    name, lowest = re.match(r"([A-Za-z0-9_-]+)>=([0-9.]+)", line).groups()
    print(f"{name}=={lowest}")
