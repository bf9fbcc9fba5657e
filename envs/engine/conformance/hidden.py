"""What a determinized copy (a world) must be, see the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..aec import TableEnv
from ..compile import PLAIN, copied, new_tables, template
from ..fields import ALL, OWNER
from ..game import Game
from ..players import pick, spin
from ..table import deal, imagine
from .sight import exchanged
from .tables import (
    Broken,
    act,
    check_record,
    future,
    live,
    need,
    play,
    same_views,
    sampled,
    story,
    table_bytes,
    two_agents,
    without_rng,
)

if TYPE_CHECKING:
    apply: Any
    legal: Any


def check_worlds(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Worlds look to their seat like the table, do vary, play on, and show nothing of what is hidden.

    Exactly: a table and a world of it, or a table in which hidden things have changed places, played on alike for as
    long as the seat sees and hears the same at both, have the same worlds and the same position for that seat, every
    byte of them. So a determinize that copies, or that remembers somewhere what it should forget, or that shuffles
    hidden things from the order they lie in, is found.
    """
    varied = False
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 200), 6)):
        for agent in two_agents(env, number):
            worlds = [env.world(agent, number * 1000 + k) for k in range(4)]
            for world in worlds:
                need(same_views(world, env, agent), f"a world of {agent} looks different to it", env)
            again = env.world(agent, number * 1000)
            need(
                table_bytes(again) == table_bytes(worlds[0]),
                f"two worlds of {agent} from one seed differ",
                env,
            )
            hidden = {without_rng(world) for world in worlds}
            varied |= len(hidden) > 1
            need(
                game.hidden_information or len(hidden) == 1, "worlds vary, but nothing should be hidden", env
            )
            need(
                len({int(w.states["rng"][0]) for w in worlds}) == 4, "worlds share their random numbers", env
            )
            for k, world in enumerate(worlds[1:]):
                _check_twins(env, world, agent, number * 3 + k, words=k == 0)
            other, _ = exchanged(env, agent, np.random.default_rng(number))
            _check_twins(env, other, agent, number, words=True)
            future(worlds[2], number)
            check_record(worlds[2], env)
    need(varied or not game.hidden_information, "worlds never vary: nothing that is hidden is ever redrawn")


def _check_twins(
    env: TableEnv, twin: TableEnv, agent: str, seed: int, words: bool = False, most: int = 12
) -> None:
    """Play on at two tables that `agent` cannot tell apart; while it sees and hears the same, it believes the same.

    Another seat's action may be another at each table, if both are told to `agent` in the same words. `words`: read the
    two tables before play, too, which takes long.
    """
    one, two = _asking(env), _asking(twin)
    if not same_views(one, two, agent):
        return
    two.states["rng"] = one.states["rng"]
    two.states["decisions"] = one.states["decisions"]
    rng = np.random.default_rng(seed)
    for number in range(most):
        if without_rng(one) != without_rng(two):
            _check_same_beliefs(one, two, agent, int(rng.integers(1 << 60)), words=words and not number)
        if not (live(one) and live(two)) or one.agent_selection != two.agent_selection:
            return
        action = int(rng.choice(one.legal_actions()))
        heard, others = one.told_text(action, agent), two.legal_actions()
        if one.agent_selection == agent:
            others = [b for b in others if b == action]
        alike = [b for b in others if two.told_text(b, agent) == heard]
        if not alike:
            return
        before = one.clone(), two.clone()
        act(one, action)
        act(two, action if action in alike and rng.random() < 0.5 else int(rng.choice(alike)))
        if not (live(one) and live(two)):
            return
        if not (one.agent_selection == two.agent_selection and same_views(one, two, agent)):
            _check_only_questions(one, two, agent, before[0])
            return


def _asking(env: TableEnv) -> TableEnv:
    """A copy of a table at which forced decisions are asked for, too, with a record of its own."""
    options: dict[str, Any] = {**env.game.options_of(env.states[0])}
    twin = TableEnv(env.game, len(env.possible_agents), max_cycles=2**31 - 1, play_forced=False, **options)
    twin._start_at(copied(env.states))
    return twin


ASKING = {"rng", "decisions", "seat", "phase"}  # fields that say what is asked and of whom


def _check_only_questions(one: TableEnv, two: TableEnv, agent: str, before: TableEnv) -> None:
    """Whether another seat is asked does not tell by itself what is hidden.

    After actions that `agent` could not tell apart, two tables that it could not tell apart must not differ in the
    question alone.
    """
    seat, here, there = one._seat(agent), one.states.view(np.ndarray), two.states.view(np.ndarray)
    if agent in (one.agent_selection, two.agent_selection):
        return
    for field in one.game.fields:
        part: Any = {ALL: (0,), OWNER: (0, seat)}.get(field.sees)
        if field.name in ASKING or part is None:
            continue
        if not np.array_equal(here[field.name][part], there[field.name][part]):
            return
    need(
        one.agent_selection == two.agent_selection
        and all(
            np.array_equal(here[n], there[n]) for n in ASKING & set(one.game.state.names or ()) - {"rng"}
        ),
        f"{agent} learns what is hidden from being the witness of a question: two tables that it cannot tell apart ask "
        f"{one.agent_selection} and {two.agent_selection}, and nothing else that it sees has changed",
        before,
    )


def _check_same_beliefs(one: TableEnv, two: TableEnv, agent: str, seed: int, words: bool) -> None:
    """Two tables that `agent` cannot tell apart; `words`: read positions and words, too, which are made of worlds."""
    game, a, b = one.game, one.world(agent, seed), two.world(agent, seed)
    if a.states.tobytes() != b.states.tobytes():
        differ = [n for n in game.state.names or () if not np.array_equal(a.states[n], b.states[n])]
        raise Broken(
            f"what {agent} cannot know shows in its worlds, in {', '.join(differ)}: two tables that it cannot tell "
            f"apart have different worlds from one seed (see `Game` on determinize)\n{story(one)}"
        )
    need(
        not words or one.position(agent) == two.position(agent),
        f"position({agent!r}) depends on what it cannot know",
        one,
    )
    need(
        not words or one.table_text(agent) == two.table_text(agent),
        f"table_text of {agent} depends on what it cannot know",
        one,
    )


def check_blindness(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """Exchange hidden things in a table behind a seat's back, and its worlds stay the same to everybody in them.

    Hidden is what the fields declare so and what varies in worlds. So a determinize that keeps one hidden thing is
    found, which no comparison of worlds with their worlds would show: it looks as if the seat knew it.
    """
    if not game.hidden_information:
        return
    rng = np.random.default_rng(seed)
    done = False
    for number, env in enumerate(sampled(play(game, num_players, seed, options, 100), 12)):
        for agent in two_agents(env, number):
            other, changed = exchanged(env, agent, rng, boldly=True)
            done |= bool(changed)
            for k in range(3):
                one, two = env.world(agent, k), other.world(agent, k)
                for watcher in env.possible_agents:
                    need(
                        same_views(one, two, watcher),
                        f"what {agent} cannot know shows in its worlds: {watcher} sees other things in them when "
                        f"hidden things change places ({', '.join(sorted(changed))})",
                        env,
                    )
    need(done, "nothing hidden ever changes places: declare in the fields who may see what (`Field.sees`)")


# -- what worlds are drawn from ---------------------------------------------------------------------------------------

TABLES = 600 if PLAIN else 1500
RANKS = 6  # a table and five of its worlds
SUMS = 24  # of each kind of statistic
PROPOSALS = 4  # worlds in which another seat's actions are looked for
WORST = 5.5  # standard deviations: there are some hundreds of tests


def check_calibration(game: Game, num_players: int | None = None, seed: int = 0, **options: Any) -> None:
    """A table and its worlds are exchangeable: among them the table ranks anywhere, equally often (`rejection`)."""
    for most, tables in ((0, TABLES), (3, 2 * TABLES), (30, TABLES)):
        worst, where = rejection(game, num_players, seed, tables=tables, most=most, **options)
        need(
            worst < WORST,
            f"after up to {most} decisions a table does not look like one of its worlds: {worst:.1f} deviations, most "
            f"of all in {where}",
        )


def rejection(
    game: Game,
    num_players: int | None = None,
    seed: int = 0,
    tables: int = 3000,
    most: int = 30,
    likes: np.ndarray | None = None,
    starts: np.ndarray | None = None,
    fields: tuple[str, ...] | None = None,
    **options: Any,
) -> tuple[float, str]:
    """Hold `determinize` against play: how far tables are from being exchangeable with their worlds.

    Many tables are dealt and played on; at each, one seat imagines worlds. If they come from the right distribution,
    the table itself is one more draw from it: ranked with them by any number that can be made of a table it comes
    first, second, ... equally often, and on average it is what its worlds are on average. That is asked of random sums
    and waves over all hidden numbers, of each field alone, and of the same weighed by random waves over what is not
    hidden, so that errors in opposite directions at different tables show, too.

    That holds for a policy under which an action that the seat sees another take is equally likely in all worlds that
    fit. Choosing among the legal actions would not do, for how many there are depends on what is hidden. So an action
    is proposed from what is legal in some worlds of the watching seat (which depends on nothing but its view), and
    where the table does not allow it, the table is thrown away. What is left has a likelihood that is the same for
    all that fits: that of the deal, of chance, and of one proposal each time. An action that the seat cannot tell from
    another (a card laid face down) is then as likely as any other, which is what "uniformly over worlds that fit"
    means.

    Args:
        game: the rulebook.
        num_players: seats.
        seed: of everything.
        tables: how many are kept.
        most: decisions that are played at most; at each table a number from 0 on.
        likes: float64 (num_actions,), how often each action is proposed in relation to others; None for all alike.
        starts: tables to begin from, each as likely as the others; None to deal.
        fields: those that are compared; None for all numbers that vary in worlds.
        **options: the rulebook's options.

    Returns:
        The largest of all tests in standard deviations, taking into account how many there are (about 0 to 3 if all is
        right), and the field that has most to do with it.
    """
    prototype, rng = game.prototype(num_players, options), np.array([seed], np.uint64)
    count = int(prototype["num_players"][0])
    if likes is None:
        likes = np.ones(game.num_actions)
    states, masks = new_tables(RANKS, game.state), np.zeros((3, game.num_actions), np.bool_)
    blind_game = game.compiled(blind_play)
    kept = np.zeros((tables, RANKS), game.state)
    generator = np.random.default_rng(seed)
    done = tried = 0
    while done < tables:
        tried += 1
        if tried > 40 * tables + 1000:
            raise ValueError(
                f"{game.name}: only {done} of {tried} games could be played blindly: lower `most`"
            )
        begin = starts[generator.integers(len(starts))][None] if starts is not None else prototype
        wanted = int(generator.integers(most + 1))
        if blind_game(states, begin, starts is None, tried % count, wanted, likes, rng, masks):
            kept[done] = states
            done += 1
    return _rank(game, kept, fields, generator)


@template
def blind_play(states, start, dealt, seat, most, likes, rng, masks):  # type: ignore[no-untyped-def]
    """A game into ``states[0]`` by a policy blind to what is hidden from `seat`; its worlds go into the others.

    Returns:
        bool, whether every proposal was legal and the game goes on.
    """
    if dealt:
        deal(states, 0, start, 0, spin(rng, 0))
    else:
        states[0] = start[0]
        states[0].rng = spin(rng, 0)
    for _ in range(most):
        if states[0].finished:
            return False
        masks[0, :] = False
        legal(states[0], masks[0])
        if states[0].seat == seat:
            action = liked_action(masks[0], likes, rng)
        else:
            masks[1, :] = False
            for _ in range(PROPOSALS):
                imagine(states, 0, states, 1, seat, spin(rng, 0))
                masks[2, :] = False
                if states[1].seat == states[0].seat:
                    legal(states[1], masks[2])
                for a in range(len(likes)):
                    masks[1, a] |= masks[2, a]
            action = liked_action(masks[1], likes, rng)
        if action < 0 or not masks[0, action]:
            return False
        apply(states[0], action)
        states[0].decisions += 1
    for j in range(1, len(states)):
        imagine(states, 0, states, j, seat, spin(rng, 0))
    return not states[0].finished


@template
def liked_action(mask, likes, rng):  # type: ignore[no-untyped-def]
    """One of the actions in `mask`, each as likely as it is liked; -1 if there is none."""
    total = 0.0
    for a in range(len(mask)):
        if mask[a]:
            total += likes[a]
    left = total * pick(rng, 0, _FINE) / _FINE
    chosen = -1
    for a in range(len(mask)):
        if mask[a] and likes[a] > 0 and left >= 0:
            chosen = a
            left -= likes[a]
    return chosen


_FINE = 1 << 30


def _rank(
    game: Game, kept: np.ndarray, fields: tuple[str, ...] | None, rng: np.random.Generator
) -> tuple[float, str]:
    """The largest surprise of all statistics over tables and their worlds (N, RANKS), and the field it is about."""
    hidden, public, names = [], [], []
    for field in game.fields:
        values = _in_order(kept[field.name].reshape(len(kept), RANKS, *field.axes), bool(field.bits))
        values = values.reshape(len(kept), RANKS, -1)
        if field.bits:
            places = np.arange(field.bits, dtype=np.uint64)
            values = (values[..., None].astype(np.uint64) >> places) & np.uint64(1)
            values = values.reshape(len(kept), RANKS, -1)
        varies = (values[:, 1:] != values[:, 1:2]).any(axis=(0, 1))
        public.append(_standard(values[:, 1, ~varies]))
        if varies.any() and field.name in (fields or (field.name,)):
            hidden.append(_standard(values[..., varies]))
            names += [field.name] * int(varies.sum())
    if not hidden:
        return 0.0, "nothing"
    numbers, seen, owners = np.concatenate(hidden, axis=2), np.concatenate(public, axis=1), np.array(names)
    seen = seen[:, seen.std(axis=0) > 0]
    worst, about = 0.0, "nothing"
    for part in ("", *dict.fromkeys(names)):
        of_part = numbers if not part else numbers[..., owners == part]
        found = max(_surprises(of_part, seen, rng))
        if found > worst:
            worst, about = found, part or "all together"
    return worst, about


def _surprises(hidden: np.ndarray, seen: np.ndarray, rng: np.random.Generator) -> list[float]:
    """Tests of hidden numbers (N, RANKS, K) beside what is seen (N, P), each in standard deviations."""
    tests: list[float] = []
    sums = hidden @ (rng.normal(size=(hidden.shape[2], SUMS)) / np.sqrt(hidden.shape[2]))
    weighed = _waves(seen @ (rng.normal(size=(seen.shape[1], SUMS)) / np.sqrt(max(seen.shape[1], 1))), rng)
    for statistic in (sums, _waves(sums, rng)):
        tied = np.isclose(statistic[:, 1:], statistic[:, :1])
        below = ((statistic[:, 1:] < statistic[:, :1]) & ~tied).sum(axis=1)
        at = below + rng.integers(tied.sum(axis=1) + 1)
        counts = np.stack([(at == rank).sum(axis=0) for rank in range(RANKS)]).astype(float)
        tests += surprise(counts, np.full_like(counts, len(hidden) / RANKS)).tolist()
        beyond = statistic[:, 0] - statistic[:, 1:].mean(axis=1)
        for apart in (beyond, beyond * weighed):
            error = np.sqrt((apart**2).sum(axis=0)) + 1e-9
            tests += np.abs(apart.sum(axis=0) / error).tolist()
    return tests


def _waves(sums: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.cos(2 * sums + rng.uniform(0, 2 * np.pi, sums.shape[-1]))


def _standard(values: np.ndarray) -> np.ndarray:
    found = values.astype(np.float64)
    axes = tuple(range(found.ndim - 1))
    return (found - found.mean(axis=axes)) / (found.std(axis=axes) + 1e-9)


def _in_order(values: np.ndarray, sets: bool) -> np.ndarray:
    """Rows that worlds always hold in order, in order at the table, too: there the order means nothing.

    Whatever fills up the end of a row is left out of account.
    """
    if values.ndim < 3 or sets or values.shape[-1] < 2:
        return values
    worlds = values[:, 1:].reshape(-1, values.shape[-1])
    filled = np.cumprod(worlds[:, ::-1] == worlds[:, -1:], axis=1)[:, ::-1].astype(bool)
    rising = (np.diff(worlds.astype(np.int64), axis=1) >= 0) | filled[:, 1:]
    held = np.where(filled, -1, np.arange(worlds.shape[1])).max(axis=1) + 1
    return np.sort(values, axis=-1) if rising.all() and held.max() > 2 else values


def surprise(counts: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Chi-square of counts against expected ones, in standard deviations (Wilson and Hilferty).

    Args:
        counts: (kinds, tests).
        expected: the same shape, adding up to the same.

    Returns:
        One number a test: about normal, 6 once in a billion.
    """
    free = len(counts) - 1
    square = ((counts - expected) ** 2 / expected).sum(axis=0)
    return ((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free))
