"""The rules of Age of Heroes, a module for each section of the rulebook.

Rulings are numbered as in RULES.md.
"""

from .ends import cut, scores
from .play import apply, legal, setup

__all__ = ["apply", "cut", "legal", "scores", "setup"]
