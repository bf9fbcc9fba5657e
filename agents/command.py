"""The command line of train.py: arguments, exit codes."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agezoo.envs import AgezooError

from . import config as configs
from .config import BadConfig
from .cores import share_cores
from .extras import need
from .progress import Failed, Interrupted, shown

if TYPE_CHECKING:
    from .training import Run

COMMAND = "python train.py"
DEFAULT = Path("configs/age_de_bronze_ppo.yaml")
RUNS = Path("runs")
REACHED, MISSED, REFUSED, FAILED, INTERRUPTED = 0, 1, 2, 3, 130

HELP = """\
usage: {command} [CONFIG.yaml] [key=value ...] [run=FOLDER]
       {command} resume=FOLDER [key=value ...]

Trains an agent by MaskablePPO against random players, greedy players and earlier versions of itself, then evaluates
it. The default for CONFIG.yaml is {default}.

  run=FOLDER      where everything goes; by default a new folder in {runs}/
  resume=FOLDER   go on with a run from its last checkpoint, up to its configured number of steps

--run FOLDER and --resume FOLDER mean the same. Ctrl-C saves and says how to go on; pressed again it stops at once.

Exit codes:
  {reached}     every goal was reached
  {missed}     a goal was not reached
  {refused}     nothing was done: a wrong argument, a missing package, a folder that cannot be written
  {failed}     broken off by the system, such as by a full disk; what was saved is said
  {interrupted}   interrupted by Ctrl-C; what was saved is said

Keys (nested keys with dots, values as in YAML), with their defaults:
"""


def main(arguments: Sequence[str], command: str = COMMAND) -> int:
    """Run train.py with these arguments; returns the exit code.

    Args:
        arguments: those behind the command.
        command: what a person typed before them; stands in help and messages.
    """
    share_cores()
    program = command.rpartition(" ")[2] if command == COMMAND else command
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show every letter shows another
            stream.reconfigure(errors="replace")
    try:
        return _main(arguments, command)
    except AgezooError as error:
        _complain(f"{program}: {error}")
        return FAILED if isinstance(error, Failed) else REFUSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(f"{program}: {where}{error.strerror or error}")
        return REFUSED
    except KeyboardInterrupt:
        _complain("\nInterrupted: nothing has been done.")
        return INTERRUPTED


def _main(arguments: Sequence[str], command: str) -> int:
    if any(word in ("-h", "--help") for word in arguments):
        print(help_text(command))
        return REACHED
    need("train", "training")
    return _train(prepare(arguments, command))


def _complain(line: str) -> None:
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr)


def help_text(command: str = COMMAND) -> str:
    """What ``--help`` prints."""
    head = HELP.format(
        command=command, default=DEFAULT, runs=RUNS, reached=REACHED, missed=MISSED, refused=REFUSED,
        failed=FAILED, interrupted=INTERRUPTED,
    )  # fmt: skip
    lines = [f"  {f'{name}={_short(default)}':<44} {doc}" for name, doc, default in configs.all_keys()]
    return head + "\n".join(lines)


def _short(default: Any) -> str:
    if isinstance(default, tuple) and default and not isinstance(default[0], int):
        return "[...]"
    if isinstance(default, bool) or default is None:
        return {True: "true", False: "false", None: "null"}[default]
    return str(list(default) if isinstance(default, tuple) else default)


def prepare(arguments: Sequence[str], command: str = COMMAND) -> Run:
    """The run that the arguments ask for; nothing is written yet.

    Raises:
        BadConfig: they ask for what cannot be.
        BadAgent: the checkpoint to go on from cannot be read.
    """
    arguments = _plain_words(arguments)
    files = [word for word in arguments if "=" not in word]
    words: dict[str, str | None] = {"run": None, "resume": None}
    overrides = []
    for word in arguments:
        name, mark, value = word.partition("=")
        if mark and name in words:
            words[name] = value
        elif mark:
            overrides.append(word)
    for name, folder in words.items():
        if folder is not None and not folder.strip():
            raise BadConfig(f"{name}=: give a folder")
    if len(files) > 1:
        raise BadConfig(f"{' '.join(files)}: give one configuration; everything else is key=value")
    if words["resume"] is not None:
        if files or words["run"] is not None:
            raise BadConfig(
                "resume: a resumed run has its configuration and its folder; leave the others out"
            )
        from .training import resumed_run

        return resumed_run(words["resume"], overrides, command)
    file = Path(files[0]) if files else DEFAULT
    config = configs.read(file, overrides)
    from .training import new_run

    return new_run(config, words["run"] or _free(RUNS / file.stem), command)


def _plain_words(arguments: Sequence[str]) -> list[str]:
    """``run=FOLDER`` for ``--run FOLDER`` and ``--run=FOLDER``, and so for ``--resume``; all else as it is.

    Raises:
        BadConfig: another option, or one without its folder.
    """
    found, words = [], iter(arguments)
    for word in words:
        name, mark, value = word.removeprefix("--").partition("=")
        if not word.startswith("-"):
            found.append(word)
        elif word.startswith("--") and name in ("run", "resume"):
            folder = value if mark else next(words, "")
            if not folder or (not mark and folder.startswith("-")):
                raise BadConfig(f"--{name}: give a folder, as in --{name} {RUNS / 'mine'}")
            found.append(f"{name}={folder}")
        else:
            raise BadConfig(
                f"unknown option {word}; there are --run, --resume and --help, all else is key=value"
            )
    return found


def _free(folder: Path) -> Path:
    """`folder`, or the first of folder-2, folder-3, ... that does not exist."""
    found, number = folder, 1
    while found.exists():
        number += 1
        found = folder.with_name(f"{folder.name}-{number}")
    return found


def _train(run: Run) -> int:
    from .training import train

    def say(line: str) -> None:
        print(line, flush=True)

    try:
        with shown(say) as progress:
            reached = train(run, say, progress)
    except Interrupted as what:
        print(f"Interrupted: {what}", flush=True)
        return INTERRUPTED
    print("Every goal was reached." if reached else "NOT every goal was reached, see the table.")
    print(f"Everything is in {run.folder}; play it with agezoo.agents.load({str(run.folder)!r}).")
    return REACHED if reached else MISSED
