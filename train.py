"""Train an agent: ``python train.py [configs/NAME.yaml] [key=value ...]``; ``python train.py --help`` says more."""

import sys

from agezoo.agents.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
