"""The engine apart from any rulebook: the tiny game's whole tree, chance and beliefs against a plain reference."""

from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tiny import ACT, GAME, STAYS, UNKNOWN, reference

from agezoo.envs.engine import conformance, table
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.compile import copied

TABLES = [(2, False), (2, True), (3, False), (3, True)]
WORDS = ("stay", "swap", "pass", "peek", "challenge")
GOLDEN = Path(__file__).parent / "tiny" / "golden"


def as_reference(s):
    """A table of the engine as a state of the reference."""
    n = int(s["num_players"])
    choice = {UNKNOWN: "", STAYS: "stay"}
    return reference.State(
        coin=bool(s["coin"]),
        cards=tuple(s["card"][:n].tolist()),
        known=tuple(frozenset(k for k in range(n) if s["seen"][h] >> k & 1) for h in range(n)),
        choices=tuple(choice.get(c, "swap") for c in s["choice"][:n].tolist()),
        turn=int(s["seat"]) if s["phase"] == ACT else -1,
        peeked=bool(s["peeked"]),
        places=tuple(s["eliminated"][:n].tolist()),
        won=tuple(s["won"][:n].tolist()),
        opened=frozenset(np.flatnonzero(s["open"]).tolist()),
        over=bool(s["finished"]),
    )


def states_of(batch):
    return [as_reference(s) for s in batch._states]


@pytest.mark.parametrize(("seats", "coin"), TABLES)
def test_the_whole_tree_is_the_reference_tree(seats, coin):
    """From every state, every action under many random numbers leads to what the reference says, all of it."""
    step, observe = GAME.compiled(table.step), GAME.compiled(table.look)
    found = {}
    todo = deals_of(seats, coin)
    assert {as_reference(s[0]) for s in todo} == {s for _, s in reference.deals(seats, coin)}
    run = table.Run(GAME, 1)
    seen = np.zeros(GAME.num_features, np.float32)
    views = [{} for _ in range(seats)]
    while todo:
        states = todo.pop()
        here = as_reference(states[0])
        if here in found:
            continue
        found[here] = True
        for seat in range(seats):
            observe(states, 0, seat, seen)
            view = reference.view(here, seat)
            assert views[seat].setdefault(view, seen.tobytes()) == seen.tobytes()
        run.refresh(states)
        legal = [WORDS[a] for a in np.flatnonzero(run.mask[0])]
        assert legal == reference.moves(here)
        for move in legal:
            after = successors(step, run, states, WORDS.index(move), len(reference.outcomes(here, move)))
            assert set(after) == {s for _, s in reference.outcomes(here, move)}
            todo += after.values()
    assert set(found) == reference.walk(seats, coin)
    for seat in range(seats):
        assert len(set(views[seat].values())) == len(views[seat]), "two views look alike"


def deals_of(seats, coin):
    """Every deal once."""
    batch = Batch(GAME, 3000, 5, seats, coin=coin)
    dealt = {}
    for i, s in enumerate(states_of(batch)):
        dealt.setdefault(s, copied(batch._states[i : i + 1]))
    return list(dealt.values())


def successors(step, run, states, action, expected):
    """What an action leads to under up to 600 random numbers."""
    after = {}
    for rng in range(1 if expected == 1 else 600):
        twin = copied(states)
        twin["rng"] = rng * 0x9E3779B9
        run.step(twin, np.array([action]))
        after.setdefault(as_reference(twin[0]), twin)
        if len(after) > expected or (len(after) == expected and rng > 40):
            break
    return after


def test_counts_of_the_tree():
    """The reference's own counts, so that neither can change unseen."""
    counts = {}
    for seats, coin in TABLES:
        states = reference.walk(seats, coin)
        histories = sum(reference.histories(s) for _, s in reference.deals(seats, coin))
        counts[seats, coin] = len(states), sum(s.over for s in states), histories
    assert counts == {
        (2, False): (960, 540, 800),
        (2, True): (960, 540, 800),
        (3, False): (8700, 4140, 9000),
        (3, True): (8700, 4140, 9000),
    }


@pytest.mark.parametrize(("seats", "coin"), TABLES)
def test_ends_of_random_play_are_as_likely_as_they_must_be(seats, coin):
    """Scores at the end of 40,000 random games against exact probabilities (chi-square, fixed seed)."""
    exact = defaultdict(Fraction)
    for p, s in reference.deals(seats, coin):
        for end, q in reference.chances_of_end(s).items():
            exact[tuple(reference.points(end)), tuple(reference.places(end))] += p * q
    assert sum(exact.values()) == 1
    batch = Batch(GAME, 2000, 17, seats, coin=coin)
    rng = np.arange(2000, dtype=np.uint64)
    counts = Counter()
    while counts.total() < 40_000:
        batch.step(batch.random_actions(rng))
        for i in np.flatnonzero(batch.done):
            counts[tuple(batch.scores[i].astype(int).tolist()), tuple(batch.places[i].tolist())] += 1
    assert set(counts) <= set(exact)
    assert misfit(counts, exact) < 4


def misfit(counts, exact):
    """Standard deviations between counts and what is exact, things expected less than eight times taken together."""
    total = counts.total()
    likely = [k for k, p in exact.items() if p * total >= 8]
    seen = [counts[k] for k in likely]
    wanted = [float(exact[k] * total) for k in likely]
    if len(likely) < len(exact):
        seen.append(total - sum(seen))
        wanted.append(total - sum(wanted))
    return conformance.surprise(np.array(seen), np.array(wanted)) if len(seen) > 1 else 0.0


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_worlds_are_what_a_seat_must_believe(seat):
    """Determinize against the exact posterior, at tables met in random play; what is impossible never comes up."""
    beliefs = dict(reference.beliefs(3, True, seat))
    assert all(len(set(b.values())) == 1 for b in beliefs.values()), (
        "all that fits is equally likely in this game"
    )
    rng = np.random.default_rng(seat)
    sizes, env = Counter(), TableEnv(GAME, 3)
    for number in range(60):
        env.reset(seed=number)
        history = [reference.view(as_reference(env._states[0]), seat)]
        while conformance.live(env):
            belief = beliefs[tuple(history)]
            if sizes[len(belief)] < 8:
                sizes[len(belief)] += 1
                check_belief(env, seat, belief)
            conformance.act(env, int(rng.choice(env.legal_actions())))
            history.append(reference.view(as_reference(env._states[0]), seat))
    assert set(sizes) >= {1, 6, 12, 24}


def check_belief(env, seat, belief):
    imagine, world = GAME.compiled(table.imagine), copied(env._states)
    counts = Counter()
    for k in range(1500):
        imagine(env._states, 0, world, 0, seat, np.uint64(k))
        counts[as_reference(world[0])] += 1
    assert set(counts) == set(belief)
    assert misfit(counts, belief) < 4.5


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("coin", [False, True])
@pytest.mark.parametrize("check", conformance.checks())
def test_conforms(check, seats, coin):
    conformance.checks()[check](GAME, seats, seed=seats, coin=coin)


def test_conforms_in_another_process():
    conformance.check_plain(GAME, 3, seed=1)


def test_golden_games():
    conformance.check_golden(GAME, GOLDEN)
