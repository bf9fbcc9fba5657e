"""A table in the terminal: a person against agents, and recorded games move by move.

A person is told what the seat may know and no more: the table as the seat sees it, and of the others' actions what
`Game.told` says. Decisions with one legal action are played and told, so that nothing happens unseen.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from agezoo import agents
from agezoo.agents.base import resolve, seats_of, table_options
from agezoo.envs import AgezooError, BadOption, Game, find
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.position import GameRecord

from . import tables
from .options import read as options_in

_PLAY_HELP = """\
Type the number of an action, or its words, or their beginning.
  ?      this help, and the table again
  q      leave the table"""
_REPLAY_HELP = """\
Enter goes to the next move.
  a number goes on to that move
  e        goes to the end
  q        leaves"""


class Quit(Exception):
    """The person leaves the table."""


def play(
    name: str,
    num_players: int | None,
    seat: int,
    opponents: Sequence[str],
    seed: int | None = None,
    record: Path | None = None,
    options: Sequence[str] = (),
    any_options: bool = False,
    at_limit: Literal["decide", "truncate"] = "decide",
) -> None:
    """Play one game against agents.

    Args:
        name: the game.
        num_players: seats; None for as many as trained opponents were trained with, else for the game's default.
        seat: the person's.
        opponents: what `agezoo.agents.base.resolve` takes, for the other seats in turn order, ``module:name`` too; one
            alone plays at all of them.
        seed: deals the table; None for a new one.
        record: where the game is written to when it ends or the person leaves.
        options: of the game, each ``NAME=VALUE``; by default those that trained opponents were trained with.
        any_options: trained opponents play with other options, too.
        at_limit: "decide" a game at its limit of decisions as it stands, or "truncate" it.

    Raises:
        AgezooError: naming the argument that is wrong.
    """
    game = find(name)
    given = options_in(game, options)
    seed = secrets.randbits(32) if seed is None else seed
    line_up = _line_up(game, num_players, seat, opponents, seed, any_options)
    chosen = table_options(game, line_up, given)
    env = TableEnv(game, len(line_up) + 1, play_forced=False, at_limit=at_limit, **chosen)
    names = env.possible_agents
    me = names[seat]
    players = {names[(seat + 1 + k) % len(names)]: player for k, player in enumerate(line_up)}
    if record is not None:
        record.open("a", encoding="utf-8").close()  # say now, not after the game, that it cannot be written
    env.reset(seed=seed)
    print(f"{env.game.title}: you are {me}. Type ? for help. --seed {seed} deals this table again.")
    for agent, player in players.items():
        print(f"{agent} is played by {player.name}.")
    try:
        while env.agents:
            _next(env, me, players)
        print(f"\n{env.table_text(me)}\n\n{_result(env, me)}")
    except Quit:
        print("You leave the table.")
    finally:  # also when the person leaves with Ctrl-C
        if record is not None:
            record.write_text(env.record().to_text(), encoding="utf-8")
    if record is not None:
        print(f"The game is in {record}.")


def _line_up(
    game: Game, num_players: int | None, seat: int, opponents: Sequence[str], seed: int, any_options: bool
) -> list[agents.Agent]:
    """The agents at the other seats, in turn order, each with random numbers of its own."""

    def made(k: int, spec: str) -> agents.Agent:
        return resolve(spec, game, seed=seed + 1 + k, allow_code=True, any_options=any_options)

    line_up = [made(k, spec) for k, spec in enumerate(opponents)]
    count = game.num_players(seats_of(line_up) if num_players is None else num_players)
    if not 0 <= seat < count:
        raise BadOption(f"seat {seat}: this table has seats 0 to {count - 1}")
    if len(line_up) == 1:
        line_up += [made(k, opponents[0]) for k in range(1, count - 1)]
    if len(line_up) != count - 1:
        raise BadOption(
            f"opponents: {len(line_up)} given for {count - 1} other seats; give one, or one for each"
        )
    return line_up


def _next(env: TableEnv, me: str, players: Mapping[str, agents.Agent]) -> None:
    """The next decision, or the next seat that leaves."""
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        env.step(None)
        return
    legal = env.legal_actions()
    if agent == me and len(legal) > 1:
        action = _ask(env, me, legal)
    else:
        action = legal[0] if len(legal) == 1 else players[agent].act(env, agent)
    words = env.told_text(action, me)
    note = " (there was no choice)" if agent == me and len(legal) == 1 else ""
    print(f"  {'you' if agent == me else agent}: {words}{note}")
    env.step(action)


def _ask(env: TableEnv, me: str, legal: Sequence[int]) -> int:
    """The person's decision."""
    words = [env.action_text(action) for action in legal]
    _show(env, me, words)
    while True:
        said = " ".join(_read("> ").lower().split())
        if said == "q":
            raise Quit
        if said == "?":
            print(_PLAY_HELP)
            _show(env, me, words)
            continue
        found = _chosen(said, words)
        if len(found) == 1:
            return legal[found[0]]
        print(
            f"That may be {' or '.join(words[k] for k in found)}: say more."
            if found
            else f"Not understood: give a number from 1 to {len(words)}, or an action's words; ? for help, q to leave."
        )


def _chosen(said: str, words: Sequence[str]) -> list[int]:
    """Which of the numbered `words` may be meant: by number, else in full, else by their beginning."""
    if said.isdecimal():
        return [int(said) - 1] if 1 <= int(said) <= len(words) else []
    lower = [w.lower() for w in words]
    whole = [k for k, w in enumerate(lower) if w == said]
    return whole or [k for k, w in enumerate(lower) if said and w.startswith(said)]


def _show(env: TableEnv, me: str, words: Sequence[str]) -> None:
    print(f"\n{env.table_text(me)}\n")
    for number, action in enumerate(words, 1):
        print(f"{number:4}  {action}")


def _read(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        print()
        raise Quit from None


def _result(env: TableEnv, me: str) -> str:
    """Who came where, best first."""
    places, scores = env.places(), env.scores()
    rows = [
        (str(places[agent]), f"{agent} (you)" if agent == me else agent, f"{scores[agent]:g}")
        for agent in sorted(places, key=lambda a: places[a])
    ]
    return tables.columns(("place", "player", "points"), rows, "><>")


# -- replay ------------------------------------------------------------------------------------------------------------


def replay(text: str, seat: int | None = None, stop: bool = True) -> None:
    """Show a recorded game.

    Args:
        text: the record.
        seat: show what this seat saw; None for everything.
        stop: ask after each move; else print the whole game.

    Raises:
        AgezooError: the record is broken, or does not fit the game as it is now.
    """
    record = GameRecord.from_text(text)
    if seat is not None and not 0 <= seat < record.num_players:
        raise BadOption(f"seat {seat}: this game has seats 0 to {record.num_players - 1}")
    agent = None if seat is None else f"player_{seat}"
    positions, goal = record.replay(), 0
    try:
        env = next(positions)
        for number, (mover, words, _) in enumerate(record.moves, 1):
            if stop and number > goal:
                print(f"\n{env.table_text(agent)}")
                goal = _goal(number, len(record.moves))
            told = words if agent is None else _told(env, words, agent)
            print(f"{number:4}  player_{mover}: {told}")
            next(positions)
    except Quit:
        return
    for _ in positions:  # the end of the record is checked, too
        pass
    print(f"\n{env.table_text(agent)}")
    print(record.end or "The record ends here, the game went on.")


def _goal(number: int, last: int) -> int:
    """The move up to which to go on before asking again."""
    while True:
        said = _read(f"[move {number} of {last}] ").strip().lower()
        if said == "q":
            raise Quit
        if said in ("", "e"):
            return last if said else number
        if said.isdecimal() and number <= int(said) <= last:
            return int(said)
        print(
            _REPLAY_HELP
            if said == "?"
            else f"Not understood: Enter, a number from {number} to {last}, e, q or ?."
        )


def _told(env: TableEnv, words: str, agent: str) -> str:
    """A recorded move as `agent` heard of it."""
    try:
        return env.told_text(env.parse_action(words), agent)
    except AgezooError:
        return words  # a broken record: replaying the move says what is wrong with it
