"""The rules of Age of Gods, one module for each section of the rulebook, in its order.

turn (Game Setup, Turn Structure), destiny, fortification, combat, action, abilities, wrath, gods, end; board is what
all of them stand on. Rulings are numbered as in RULES.md.
"""

from .end import scores
from .turn import apply, legal, setup

__all__ = ["apply", "legal", "scores", "setup"]
