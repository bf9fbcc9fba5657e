"""Programs of the tiny game that run uncompiled, in a process of their own, and print JSON."""

import json
import os
import subprocess
import sys


def said_by(module):
    """What ``python -m module`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        env={**os.environ, "AGEZOO_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
