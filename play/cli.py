"""The command line: `agezoo games | play | arena | bench | replay | train | compile | new`.

Bad input ends with one line on stderr and exit code 2. What a command does not need is not imported: `games` lists the
games without PyTorch and without compiling anything.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from agezoo.envs import AgezooError, BadOption

from . import options, output, tables

if TYPE_CHECKING:
    from agezoo.agents.arena import Standing

    from .bench import Measure, Report

BAD_INPUT = 2


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and leave with 2."""
        self.exit(BAD_INPUT, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    output.make_safe()
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["train"]:  # whose words, key=value, are its own
        return train(words[1:])
    args = parser().parse_args(words)
    return guarded(f"agezoo {args.command}", lambda: args.run(args))


def guarded(name: str, work: Callable[[], object]) -> int:
    """Call `work`; an error in what the user gave becomes one line on stderr and `BAD_INPUT`."""
    try:
        work()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print(f"\n{name}: stopped", file=sys.stderr)
        return 130
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{name}: error: {where}{error.strerror or error}", file=sys.stderr)
        return BAD_INPUT
    except (AgezooError, UnicodeDecodeError) as error:
        print(f"{name}: error: {error}", file=sys.stderr)
        return BAD_INPUT
    except ImportError as error:
        print(f'{name}: error: {error}; install it with: pip install "agezoo[train]"', file=sys.stderr)
        return BAD_INPUT
    return 0


def parser() -> Parser:
    """Everything that can be typed."""
    root = Parser("agezoo", description="Tabletop games as reinforcement-learning environments.")
    root.add_argument("--version", action="version", version=f"agezoo {importlib.metadata.version('agezoo')}")
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _games(commands)
    _play(commands)
    _arena(commands)
    _bench(commands)
    _replay(commands)
    _train(commands)
    _compile(commands)
    _new(commands)
    return root


# -- games -----------------------------------------------------------------------------------------------------------

GAMES_HEAD = (
    "name",
    "title",
    "players",
    "actions",
    "features",
    "hidden",
    "version",
    "PettingZoo id",
    "Gymnasium id",
)
GAMES_ALIGN = "<<>>><>"


def _games(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "list the games"
    sub = commands.add_parser(
        "games", help=told, description=f"{told.capitalize()}, with their sizes and ids."
    )
    sub.add_argument("--markdown", action="store_true", help="as a Markdown table, as in the README")
    sub.set_defaults(run=games)


def games(args: argparse.Namespace) -> None:
    """`agezoo games`."""
    draw = tables.markdown if args.markdown else tables.columns
    print(draw(GAMES_HEAD, game_rows(), GAMES_ALIGN))


def game_rows() -> list[tuple[str, ...]]:
    """A row for each game, under `GAMES_HEAD`."""
    from agezoo.envs import find, names
    from agezoo.envs.engine.registry import gymnasium_id

    return [
        (
            game.name,
            game.title,
            "-".join(map(str, game.players)),
            str(game.num_actions),
            str(game.num_features),
            "yes" if game.hidden_information else "no",
            str(game.version),
            f"agezoo/{game.name}-v{game.version}",
            f"{gymnasium_id(game.name)}-v{game.version}",
        )
        for game in map(find, names())
    ]


# -- play ------------------------------------------------------------------------------------------------------------


def _play(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "play in the terminal against agents"
    sub = commands.add_parser(
        "play", help=told, description=f"{told.capitalize()}. You see what your seat may see."
    )
    sub.add_argument("game", metavar="GAME", help="a game (see agezoo games)")
    sub.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="seats at the table (default: the game's own, or those that trained opponents were trained with)",
    )
    sub.add_argument("--seat", type=int, default=0, metavar="S", help="your seat, from 0 (default: 0)")
    sub.add_argument(
        "--opponents",
        default="greedy",
        metavar="A[,A...]",
        help="agents at the other seats in turn order, or one for all of them: random, greedy, montecarlo:N, the "
        "path of a trained one, or module:name of your own (default: greedy)",
    )
    _options(sub)
    sub.add_argument("--seed", type=int, metavar="N", help="deals the same table again (default: a new one)")
    sub.add_argument("--record", type=Path, metavar="FILE", help="write the game there, for agezoo replay")
    sub.set_defaults(run=play)


def play(args: argparse.Namespace) -> None:
    """`agezoo play`."""
    from . import terminal

    terminal.play(
        args.game,
        args.players,
        args.seat,
        args.opponents.split(","),
        seed=args.seed,
        record=args.record,
        options=args.options,
        any_options=args.any_options,
        at_limit=args.at_limit,
    )


def _options(sub: argparse.ArgumentParser) -> None:
    """Options of the game, where trained agents have a say in them."""
    options.add(sub)
    sub.add_argument(
        "--any-options",
        action="store_true",
        help="let trained agents play with other options than those they were trained with",
    )
    sub.add_argument(
        "--at-limit",
        choices=("decide", "truncate"),
        default="decide",
        help="a game at its limit of decisions is decided as it stands, or truncated (default: decide)",
    )


# -- replay ----------------------------------------------------------------------------------------------------------


def _replay(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "step through a recorded game"
    sub = commands.add_parser(
        "replay",
        help=told,
        description=f"{told.capitalize()}, from agezoo play --record. It knows its seats and options by itself.",
    )
    sub.add_argument("file", type=Path, metavar="FILE", help="a game record")
    sub.add_argument(
        "--seat", type=int, metavar="S", help="see it as this seat did (default: with all that is hidden)"
    )
    sub.add_argument("--all", action="store_true", help="print the whole game without stopping")
    sub.set_defaults(run=replay)


def replay(args: argparse.Namespace) -> None:
    """`agezoo replay`."""
    from . import terminal

    terminal.replay(args.file.read_text(encoding="utf-8"), args.seat, stop=not args.all)


# -- arena -----------------------------------------------------------------------------------------------------------


def _arena(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "rate agents against each other"
    sub = commands.add_parser("arena", help=told, description=f"{told.capitalize()}: every two of them meet.")
    sub.add_argument("game", metavar="GAME", help="a game (see agezoo games)")
    sub.add_argument(
        "--agents",
        nargs="+",
        default=["random", "greedy"],
        metavar="A",
        help="random, greedy, montecarlo:N, the paths of trained ones, or module:name of your own "
        "(default: random greedy)",
    )
    _options(sub)
    sub.add_argument(
        "--games", type=int, default=400, metavar="N", help="games of each pairing (default: 400)"
    )
    sub.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="seats at each table (default: the game's own, or those that trained agents were trained with)",
    )
    sub.add_argument(
        "--seed", type=int, default=0, metavar="N", help="decides every deal and die (default: 0)"
    )
    sub.add_argument("--json", action="store_true", help="print JSON")
    sub.set_defaults(run=arena)


def arena(args: argparse.Namespace) -> None:
    """`agezoo arena`."""
    import json

    from agezoo.agents.arena import round_robin
    from agezoo.agents.base import resolve
    from agezoo.envs import find

    game = find(args.game)
    given = options.read(game, args.options)
    players = [resolve(spec, game, allow_code=True, any_options=args.any_options) for spec in args.agents]
    standing = round_robin(
        game,
        players,
        args.games,
        num_players=args.players,
        seed=args.seed,
        progress=_progress(),
        at_limit=args.at_limit,
        **given,
    )
    if args.json:
        print(json.dumps(standing.summary(), indent=2))
        return
    facts = [standing.game.title, f"{standing.num_players} players"]
    facts += [f"{name} {value}" for name, value in standing.options.items()]
    print(", ".join([*facts, f"seed {standing.seed}"]) + f"\n\n{standing.table()}\n\n{limits(standing)}")


def limits(standing: Standing) -> str:
    """How many games of an arena ended at a limit, and what happened then."""
    games, at_limit = (sum(getattr(p, what) for p in standing.pairings) for what in ("games", "at_limit"))
    how = "were decided" if standing.at_limit == "decide" else "were broken off, and count,"
    then = f": they {how} as they stood" if at_limit else ""
    return f"{at_limit:,} of {games:,} games ended at a limit of the game{then}."


def _progress() -> Callable[[int, int], None] | None:
    """Games so far, on a terminal's stderr only."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        sys.stderr.write(f"\r{done} of {total} games" + ("\r\x1b[K" if done == total else ""))
        sys.stderr.flush()

    return show


# -- bench -----------------------------------------------------------------------------------------------------------


def _bench(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "measure how fast the games run"
    sub = commands.add_parser(
        "bench", help=told, description=f"{told.capitalize()} here; benchmarks/steps.py adds the peers."
    )
    bench_arguments(sub)
    sub.set_defaults(run=bench)


def bench_arguments(sub: argparse.ArgumentParser) -> None:
    """What `agezoo bench` and ``benchmarks/steps.py`` have in common."""
    sub.add_argument("games", nargs="*", metavar="GAME", help="games (default: all of them)")
    options.add(sub)
    sub.add_argument(
        "--seconds", type=float, default=0.3, metavar="S", help="length of a burst (default: 0.3)"
    )
    sub.add_argument(
        "--repeats", type=int, default=7, metavar="N", help="bursts of each measurement (default: 7)"
    )
    sub.add_argument("--json", action="store_true", help="print JSON")


def bench(args: argparse.Namespace, peers: Sequence[Measure] = ()) -> Report:
    """`agezoo bench`, beside `peers`."""
    from agezoo.envs import find, names

    from .bench import run

    for name in ("seconds", "repeats"):
        if getattr(args, name) <= 0:
            raise BadOption(f"--{name} {getattr(args, name)}: give more than nothing")
    games = [find(name) for name in args.games or names()]
    if args.options and len(games) != 1:
        raise BadOption(
            "--option: name the one game that has it, as in agezoo bench GAME --option NAME=VALUE"
        )
    report = run(
        games,
        peers,
        args.seconds,
        args.repeats,
        say=lambda line: print(line, file=sys.stderr),
        options=options.read(games[0], args.options) if args.options else {},
    )
    print(report.to_json() if args.json else report.to_markdown())
    return report


# -- train -----------------------------------------------------------------------------------------------------------


def _train(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "train an agent"
    commands.add_parser(
        "train", help=f"{told} (agezoo train --help says more)", description=told.capitalize(), add_help=False
    )


def train(arguments: Sequence[str]) -> int:
    """`agezoo train`: what train.py does, with the published configurations at hand wherever it is called."""
    from agezoo.agents.command import main as command

    return command(_with_configuration(arguments), "agezoo train")


def _with_configuration(arguments: Sequence[str]) -> list[str]:
    """The same, with the published configuration where one is named by its game, or none is."""
    from agezoo.agents.command import DEFAULT

    published = Path(__file__).resolve().parent.parent / "configs"  # in a checkout as in a wheel
    words: list[str] = []
    named = False
    for word in arguments:
        is_file = "=" not in word and not word.startswith("-") and not (words and words[-1] in _TRAIN_VALUES)
        named = named or is_file or word.partition("=")[0].lstrip("-") == "resume"
        found = published / f"{Path(word).stem.removesuffix('_ppo')}_ppo.yaml"
        words.append(str(found) if is_file and not Path(word).exists() and found.exists() else word)
    helps = any(word in ("-h", "--help") for word in words)
    return words if named or helps or DEFAULT.exists() else [str(published / DEFAULT.name), *words]


_TRAIN_VALUES = ("--run", "--resume")  # the word behind them is their value


# -- compile ---------------------------------------------------------------------------------------------------------


def _compile(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "compile games, as into the image of a container"
    sub = commands.add_parser(
        "compile",
        help=told,
        description=f"{told.capitalize()}, so that they start from a cache, which is below AGEZOO_CACHE_DIR or the "
        "user's own cache folder and may be read-only afterwards. Code is compiled for this processor; with "
        "NUMBA_CPU_NAME=generic, set now and later, for any.",
    )
    sub.add_argument("games", nargs="*", metavar="GAME", help="games (default: all of them)")
    sub.set_defaults(run=compile_games)


def compile_games(args: argparse.Namespace) -> None:
    """`agezoo compile`."""
    from agezoo.envs import find, names

    from .warm import warm

    for game in [find(name) for name in args.games or names()]:
        print(f"{game.name}: {warm(game)}", flush=True)


# -- new -------------------------------------------------------------------------------------------------------------


def _new(commands: argparse._SubParsersAction[Parser]) -> None:
    told = "begin a game of your own"
    sub = commands.add_parser(
        "new",
        help=told,
        description=f"{told.capitalize()}, in a checkout: writes envs/NAME and tests/NAME, a small card game that "
        "passes all tests, to be edited. CONTRIBUTING.md says how to go on.",
    )
    sub.add_argument("name", metavar="NAME", help="lower case letters, digits and underscores")
    sub.set_defaults(run=new)


def new(args: argparse.Namespace) -> None:
    """`agezoo new`."""
    from .new import begin

    for line in begin(args.name):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
