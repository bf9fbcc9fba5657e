"""Puts the tiny game of tests/engine where it can be imported, here and in the processes that tests start."""

import os
import sys
from pathlib import Path

ENGINE = Path(__file__).parent / "engine"

sys.path.insert(0, str(ENGINE))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ENGINE), os.environ.get("PYTHONPATH")]))
