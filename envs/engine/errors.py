"""What goes wrong, by name: every error of the environments says what, where, and what would be right."""

from __future__ import annotations


class AgezooError(ValueError):
    """Base of every error that bad input to agezoo raises."""


class IllegalAction(AgezooError):
    """An action that the acting seat may not play now; the table is left as it was."""


class BadOption(AgezooError):
    """An option that the rulebook does not have, or a value outside its range."""


class UnknownOption(BadOption, TypeError):
    """A keyword that the environment does not take: a TypeError, too, as for any Python function."""


class BadPosition(AgezooError):
    """A position or game record that cannot be a table of this rulebook; nothing was loaded."""


class BadGame(AgezooError):
    """A rulebook whose declaration contradicts itself."""
