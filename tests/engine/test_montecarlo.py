"""The Monte Carlo player: it looks ahead, in worlds of its own seat, with the simulations it was given."""

import numpy as np
import pytest
from tiny import GAME
from trap import DULL, MANY, TAKE, WAIT
from trap import GAME as TRAP
from uncompiled import said_by

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.compile import plain
from agezoo.envs.engine.conformance import play
from agezoo.envs.engine.errors import AgezooError, BadOption
from agezoo.envs.engine.montecarlo import EACH, best_first, halvings, parse_name
from agezoo.envs.engine.seat import SeatEnv


def choices(simulations, depth, times=60):
    env = TableEnv(TRAP)
    env.reset(seed=1)
    return [env.montecarlo_action(seed, simulations, depth) for seed in range(times)]


def test_it_sees_what_pays_later_and_averages_luck():
    """By one world alone it would gamble in half the cases."""
    assert set(choices(600, 2)) == {WAIT}


def test_without_looking_ahead_it_is_greedy():
    assert set(choices(600, 0)) == {TAKE}


def test_what_cannot_all_be_tried_is_what_looks_best():
    """Two actions at most: the best right after, and one of those that look second best."""
    assert set(choices(1, 2)) == {TAKE}
    assert set(choices(2 * EACH, 2)) <= {TAKE, *range(DULL, DULL + MANY)}


def test_simulations_are_never_more_than_asked_for_and_most_of_them():
    """Counted in a program of its own (trap_counted.py), uncompiled; looks one decision ahead to sift do not count."""
    counted = dict(said_by("trap_counted"))
    for simulations in range(1, 2 * EACH):
        assert counted.pop(simulations) == 0, (
            "two actions cannot both be tried in so many worlds: it is greedy"
        )
    assert len(counted) > 25
    for simulations, made in counted.items():
        assert 0.85 * simulations <= made <= simulations


def test_halvings():
    assert [plain(halvings)(count) for count in (1, 2, 3, 4, 5, 8, 9, 64, 65)] == [0, 1, 2, 2, 3, 3, 4, 6, 7]


def test_best_first():
    worth = np.array([3.0, 9.0, 3.0, 1.0, 7.0])
    order = np.array([3, 2, 0, 4, 1])
    plain(best_first)(order, worth, 4)
    assert order.tolist() == [4, 2, 0, 3, 1], "the fifth is not among those that are left"


def test_equals_are_chosen_alike_often():
    """The last decision changes nothing, whatever is chosen."""
    env = TableEnv(TRAP)
    env.reset(seed=1)
    env.step(TAKE)
    chosen = [env.montecarlo_action(seed, 10, 5) for seed in range(400)]
    assert abs(chosen.count(TAKE) - 200) < 4 * 10


def test_the_same_seed_chooses_the_same_and_the_table_stays_as_it_is():
    for env in play(GAME, 3, 1, {}, 30):
        if env.legal_actions():
            before = env.states.tobytes()
            chosen = [env.montecarlo_action(seed, 20, 4) for seed in range(5)]
            assert chosen == [env.montecarlo_action(seed, 20, 4) for seed in range(5)]
            assert set(chosen) <= set(env.legal_actions())
            assert env.states.tobytes() == before


def test_nothing_hidden_is_looked_at():
    """It does the same in every world that its seat cannot tell apart."""
    different = 0
    for env in play(GAME, 3, 2, {}, 60):
        if env.legal_actions():
            for seed in range(3):
                world = env.world(env.agent_selection, seed)
                different += world.states["card"].tobytes() != env.states["card"].tobytes()
                ours = [env.montecarlo_action(k, 16, 6) for k in range(4)]
                assert ours == [world.montecarlo_action(k, 16, 6) for k in range(4)]
    assert different > 30


def test_a_batch_chooses_as_its_tables_alone():
    batch = Batch(GAME, 6, 5, num_players=3, threads=2)
    seeds = np.arange(6, dtype=np.uint64) + np.uint64(70)
    together = batch.montecarlo_actions(seeds.copy(), 12, 5)
    for i, seed in enumerate(batch.seeds.tolist()):
        env = TableEnv(GAME, 3)
        env.reset(seed=seed)
        assert env.montecarlo_action(int(seeds[i]), 12, 5) == together[i]
    some = batch.montecarlo_actions(seeds.copy(), 12, 5, where=np.array([4, 1]))
    assert some.tolist() == together[[4, 1]].tolist()


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("montecarlo", (400, 30)), ("montecarlo:50", (50, 30)), ("montecarlo:50:7", (50, 7)), ("montecarlo:1:0", (1, 0))],
)  # fmt: skip
def test_names(name, numbers):
    assert parse_name(name) == numbers


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("montecarlo:", "give montecarlo:SIMULATIONS or montecarlo:SIMULATIONS:DEPTH"),
        ("montecarlo:many", "give montecarlo:SIMULATIONS"),
        ("montecarlo:-4", "give montecarlo:SIMULATIONS"),
        ("montecarlo:4:5:6", "give montecarlo:SIMULATIONS"),
        ("montecarlo:0", "simulations=0: give a whole number from 1"),
        ("montecarlo:9:99999999999", "depth=99999999999: give a whole number from 0"),
    ],
)
def test_bad_names(name, said):
    with pytest.raises(BadOption, match=said):
        parse_name(name)
    with pytest.raises(BadOption, match=said):
        SeatEnv(GAME, opponents=name)


def test_bad_numbers_and_a_table_that_is_over():
    env = TableEnv(TRAP)
    env.reset(seed=0)
    with pytest.raises(BadOption, match="simulations=0"):
        env.montecarlo_action(0, 0, 5)
    with pytest.raises(BadOption, match="depth=-1"):
        env.montecarlo_action(0, 5, -1)
    with pytest.raises(BadOption, match=r"simulations=2\.5"):
        Batch(TRAP, 2).montecarlo_actions(np.zeros(2, np.uint64), 2.5, 1)
    for _ in range(3):
        env.step(TAKE)
    with pytest.raises(AgezooError):
        env.montecarlo_action(0, 5, 5)


def test_opponent_of_a_seat():
    """Against the seat that waits nothing else wins: it plays as named."""
    env = SeatEnv(TRAP, seat=1, opponents="montecarlo:600:2")
    for seed in range(3):
        env.reset(seed=seed)
        assert env.env.states["chosen"][0] == WAIT
