"""How fast the rulebooks run, beside the peers that are installed.

    pip install -c constraints.txt -e ".[interop]"
    python benchmarks/steps.py [GAME ...] [--json] [--no-peers] [--write]

`agezoo bench` makes the same measurements without the peers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pages import Part
from peers import peers

from agezoo.play import cli
from agezoo.play.bench import Report

ROOT = Path(__file__).resolve().parent.parent
START, END = "<!-- python benchmarks/steps.py -->", "<!-- end -->"


def main() -> int:
    parser = cli.Parser("steps.py", description="Measure how fast the rulebooks and their peers run.")
    cli.bench_arguments(parser)
    parser.add_argument("--no-peers", action="store_true", help="measure the rulebooks alone")
    parser.add_argument(
        "--write", action="store_true", help="put the results into README.md and docs/performance.md, too"
    )
    args = parser.parse_args()
    return cli.guarded("steps.py", lambda: bench(args))


def bench(args: argparse.Namespace) -> None:
    report = cli.bench(args, [] if args.no_peers else peers(say=lambda line: print(line, file=sys.stderr)))
    if args.write:
        write(report)


def write(report: Report) -> None:
    for page, text in (("README.md", report.summary()), ("docs/performance.md", report.to_markdown())):
        Part(ROOT / page, START, END).write(text)


if __name__ == "__main__":
    sys.exit(main())
