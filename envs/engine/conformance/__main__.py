"""The fuzz run, for ``python -m agezoo.envs.engine.conformance``."""

import sys

from ..fuzz import main

sys.exit(main())
