"""How networks and tables share the cores."""

from __future__ import annotations

import os

#: Rounds that an idle thread of PyTorch's spins before it sleeps, some half a millisecond. GNU OpenMP's own default is
#: several milliseconds, in which it keeps a core from the tables; far fewer, and small networks wait for it to wake.
SPIN = 40_000


def share_cores() -> None:
    """Let PyTorch's threads leave the cores to the tables between updates; call it before PyTorch is imported.

    A value that the environment already has for ``GOMP_SPINCOUNT`` or ``OMP_WAIT_POLICY`` stands.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", str(SPIN))
