"""How fast the rulebooks run, beside the peers that are installed.

    pip install -c constraints.txt -e ".[interop]"
    python benchmarks/steps.py [GAME ...] [--json] [--no-peers]

`agezoo bench` makes the same measurements without the peers.
"""

from __future__ import annotations

import argparse
import sys

from peers import peers

from agezoo.play import cli


def main() -> int:
    parser = cli.Parser("steps.py", description="Measure how fast the rulebooks and their peers run.")
    cli.bench_arguments(parser)
    parser.add_argument("--no-peers", action="store_true", help="measure the rulebooks alone")
    args = parser.parse_args()
    return cli.guarded("steps.py", lambda: bench(args))


def bench(args: argparse.Namespace) -> None:
    cli.bench(args, [] if args.no_peers else peers(say=lambda line: print(line, file=sys.stderr)))


if __name__ == "__main__":
    sys.exit(main())
