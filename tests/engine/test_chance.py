"""The generator is SplitMix64 as published; what is drawn from it is uniform."""

from itertools import permutations

import numpy as np
import pytest

from agezoo.envs.engine import chance
from agezoo.envs.engine.compile import entry, new_tables, plain
from agezoo.envs.engine.conformance import surprise
from agezoo.envs.engine.fields import Field, table_dtype
from agezoo.envs.engine.plain import Record

STATE_FIELDS = (
    Field("cards", np.int8, 5, doc="Cards"),
    Field("counts", np.int8, 4, doc="Counts"),
)
STATE = table_dtype(*STATE_FIELDS)
MASK = (1 << 64) - 1


def splitmix64(state):
    """Steele, Lea and Flood's generator in Python's own integers: the next state and the number."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


@entry
def numbers(states, out):
    for k in range(len(out)):
        out[k] = chance.next_uint64(states[0])


@entry
def integers(states, n, out):
    for k in range(len(out)):
        out[k] = chance.randint(states[0], n)


@entry
def rolls(states, out):
    for k in range(len(out)):
        out[k] = chance.roll(states[0])


@entry
def shuffles(states, start, stop, out):
    for k in range(len(out)):
        for card in range(5):
            states[0].cards[card] = card
        chance.shuffle(states[0], states[0].cards, start, stop)
        for card in range(5):
            out[k, card] = states[0].cards[card]


@entry
def draws(states, counts, out):
    for k in range(len(out)):
        for kind in range(4):
            states[0].counts[kind] = counts[kind]
        out[k] = chance.draw(states[0], states[0].counts)


def tables(seed):
    states = new_tables(1, STATE)
    states["rng"] = seed
    return states


def uniform(values, kinds, limit=4):
    counts = np.array([np.count_nonzero(values == k) for k in kinds])
    assert counts.sum() == len(values)
    return surprise(counts, np.full(len(kinds), len(values) / len(kinds))) < limit


@pytest.mark.parametrize("seed", [0, 1, 1234567, MASK, 1 << 63])
def test_numbers_are_splitmix64(seed):
    out = np.zeros(50, np.uint64)
    states = tables(seed)
    numbers(states, out)
    state, wanted = seed, []
    for _ in out:
        state, number = splitmix64(state)
        wanted.append(number)
    assert out.tolist() == wanted
    assert int(states["rng"][0]) == state


def test_published_vector():
    """The first numbers from seed 1234567, as printed beside the algorithm on Rosetta Code."""
    out = np.zeros(5, np.uint64)
    numbers(tables(1234567), out)
    assert out.tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 100, 1000])
def test_randint_is_uniform(n):
    out = np.zeros(60_000, np.int64)
    integers(tables(n), n, out)
    assert out.min() >= 0
    assert out.max() < n
    if n > 1:
        assert uniform(out, range(n))


def test_randint_is_unbiased_where_the_modulus_is_not():
    """With n = 3 * 2**29 taking a 32-bit number modulo n would make the first third twice as likely."""
    n = 3 << 29
    out = np.zeros(60_000, np.int64)
    integers(tables(5), n, out)
    assert out.max() < n
    assert uniform(out // (1 << 29), range(3))


def test_randint_rejects_as_lemire_does():
    """The same numbers as the algorithm in Python's integers, rejections included."""
    n = 3 << 29
    out = np.zeros(3000, np.int64)
    integers(tables(9), n, out)
    state, wanted, rejected = 9, [], 0
    while len(wanted) < len(out):
        state, number = splitmix64(state)
        product = (number >> 32) * n
        if (product & 0xFFFFFFFF) < ((1 << 32) - n) % n:
            rejected += 1
        else:
            wanted.append(product >> 32)
    assert out.tolist() == wanted
    assert rejected > 500


def test_roll_is_a_die():
    out = np.zeros(60_000, np.int64)
    rolls(tables(3), out)
    assert uniform(out, range(1, 7))


def test_shuffle_is_uniform():
    out = np.zeros((60_000, 5), np.int64)
    shuffles(tables(4), 0, 5, out)
    codes = out @ (10 ** np.arange(5))
    assert uniform(codes, [int(np.array(p) @ (10 ** np.arange(5))) for p in permutations(range(5))])


def test_shuffle_leaves_the_rest_alone():
    out = np.zeros((500, 5), np.int64)
    shuffles(tables(4), 1, 4, out)
    assert (out[:, 0] == 0).all()
    assert (out[:, 4] == 4).all()
    assert len({tuple(row) for row in out.tolist()}) == 6
    shuffles(tables(4), 2, 2, out)
    assert (out == np.arange(5)).all()


def test_draw_takes_each_thing_equally_often():
    counts = np.array([1, 0, 3, 2])
    out = np.zeros(60_000, np.int64)
    draws(tables(6), counts, out)
    seen = np.array([np.count_nonzero(out == k) for k in (0, 2, 3)])
    assert seen.sum() == 60_000
    assert surprise(seen, np.array([10_000, 30_000, 20_000])) < 4


def test_draw_takes_one_and_says_when_there_is_none():
    states = tables(1)
    states["counts"] = [0, 2, 0, 1]
    record = Record(states.view(np.ndarray)[0])
    drawn = [int(plain(chance.draw)(record, record.counts)) for _ in range(4)]
    assert sorted(drawn) == [-1, 1, 1, 3]
    assert drawn[3] == -1
    assert states["counts"][0].tolist() == [0, 0, 0, 0]


def test_seeds_of_a_batch_are_far_apart():
    seeds = {int(plain(chance.table_seed)(np.uint64(base), i)) for base in range(30) for i in range(300)}
    assert len(seeds) == 9000
    bits = np.array([[s >> b & 1 for b in range(64)] for s in seeds])
    assert (abs(bits.mean(axis=0) - 0.5) < 0.03).all()
    assert int(plain(chance.next_seed)(np.uint64(7))) == splitmix64(7)[1]
