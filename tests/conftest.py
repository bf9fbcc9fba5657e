"""Puts the tiny game of tests/engine where it can be imported, here and in the processes that tests start.

And says which tests go to one process when several share the work: those of one rulebook, which is compiled there.
"""

import os
import sys
from pathlib import Path

import pytest

import agezoo.envs

ENGINE = Path(__file__).parent / "engine"

sys.path.insert(0, str(ENGINE))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ENGINE), os.environ.get("PYTHONPATH")]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByRulebook(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return rulebook_of(nodeid)

    return ByRulebook(config, log)


def rulebook_of(nodeid):
    """The rulebook that a test is about; else its folder: what plays several games finds them compiled."""
    path, _, test = nodeid.partition("::")
    words = [*Path(path).parts, *test.partition("[")[2].rstrip("]").split("-")]
    folder = Path(path).parent.name
    return next((word for word in words if word in agezoo.envs.names()), folder)
