"""The components as constants: names for kernels here, numbers from components.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("components.toml").read_text(encoding="utf-8"))

RULE = SimpleNamespace(**TABLE["rules"])  # outside kernels
RANKS: int = RULE.ranks
COPIES: int = RULE.copies
SEATS: int = RULE.most_players
NUM_CARDS: int = RANKS * COPIES
