"""What is installed only with an extra, and what to say when it is missing."""

from __future__ import annotations

import importlib.util

from agezoo.envs import AgezooError

#: What each extra brings, by the names that are imported.
EXTRAS: dict[str, tuple[str, ...]] = {
    "play": ("torch",),
    "train": ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "yaml", "rich"),
}


class MissingExtra(AgezooError):
    """Something is not installed; the message says how to install it."""


def need(extra: str, what: str) -> None:
    """See that everything of `extra` is installed, without importing any of it.

    Args:
        extra: the smallest one that is enough.
        what: who needs it, for the message.

    Raises:
        MissingExtra: something is missing.
    """
    missing = [name for name in EXTRAS[extra] if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtra(
            f'{what} needs what is not installed here ({", ".join(missing)}): pip install "agezoo[{extra}]"'
        )
