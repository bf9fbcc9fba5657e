"""What a rulebook declares is checked when it is built, options when they are given."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from tiny import GAME

from agezoo.envs.engine import table
from agezoo.envs.engine.errors import AgezooError, BadGame, BadOption
from agezoo.envs.engine.fields import MAX_SEATS, OWNER, Field, state_space, state_vector, table_dtype
from agezoo.envs.engine.game import Game, Option


@pytest.fixture(autouse=True)
def _only_the_real_game():
    """A copy of the game under its own name takes its place among the games made."""
    yield
    Game.made[GAME.name] = GAME


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": (1, 3)}, "2 to 6 fit"),
        ({"players": (2, 7)}, "2 to 6 fit"),
        ({"players": (3, 2)}, "2 to 6 fit"),
        ({"default_players": 4}, "2 to 6 fit"),
        ({"name": "Tiny"}, "lower case"),
        ({"name": "1tiny"}, "lower case"),
        ({"name": "ti-ny"}, "lower case"),
        ({"fields": (*GAME.fields, Field("seat", np.int8))}, "names of their own"),
        ({"fields": (*GAME.fields, Field("sets", np.uint64))}, "'sets' holds more numbers"),
        ({"options": (Option("no_field", default=0),)}, "state field of that name"),
        ({"options": (Option("seat", default=0),)}, "state field of that name"),
        ({"max_decisions": 0}, "at least 1"),
    ],
)
def test_contradictions_are_refused(wrong, message):
    with pytest.raises(BadGame, match=message):
        replace(GAME, **wrong)


def test_an_option_whose_default_is_out_of_range_is_refused():
    with pytest.raises(BadOption, match="option coin=5"):
        replace(GAME, options=(Option("coin", default=5),))


@pytest.mark.parametrize("field", [("x", np.float32), ("x", np.bool_, 3), ("x", "U3"), ("x", object)])
def test_state_fields_are_integers_or_single_bools(field):
    with pytest.raises(BadGame, match="use integers, or a single bool"):
        Field(*field)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"low": -129}, "runs from -129 to 127: int8 holds -128 to 127"),
        ({"high": 128}, "runs from -128 to 128"),
        ({"low": 3, "high": 2}, "runs from 3 to 2"),
        ({"bits": 9}, "has 9 bits: int8 holds 8"),
        ({"sees": OWNER}, "no axis of seats"),
    ],
)
def test_a_field_that_contradicts_itself_is_refused(wrong, message):
    with pytest.raises(BadGame, match=f"'x' .*{message}"):
        Field("x", np.int8, **wrong)


def test_state_begins_with_the_header():
    dtype = table_dtype(Field("x", np.int8), Field("y", np.bool_), Field("z", np.int16, (2, 3)))
    assert dtype.names == (
        "rng", "decisions", "num_players", "seat", "finished", "eliminated", "x", "y", "z",
    )  # fmt: skip
    assert dtype["eliminated"].shape == (MAX_SEATS,)
    assert dtype["z"].shape == (2, 3)


def test_a_whole_table_as_numbers_tells_every_set_and_every_number_apart():
    fields = (
        Field("lands", np.uint64, 2, bits=60),
        Field("count", np.int16, low=-5, high=40),
        Field("over", np.bool_),
    )
    states = np.zeros(1, table_dtype(*fields))
    seen = set()
    for bit in range(60):
        for slot in range(2):
            states["lands"] = 0
            states["lands"][0, slot] = np.uint64(1) << np.uint64(bit)
            seen.add(state_vector(fields, states).tobytes())
    for count in range(-5, 41):
        states["count"] = count
        vector = state_vector(fields, states)
        assert state_space(fields).contains(vector)
        seen.add(vector.tobytes())
    assert len(seen) == 2 * 60 + 46 - 1  # the last set with a count of 0 comes twice
    assert vector.tolist() == [0] * 119 + [1] + [1, 0]


def test_numbers_as_options():
    option = Option("level", default=3, low=1, high=5)
    assert [option.encode(v) for v in (1, 5, np.int8(2), True)] == [1, 5, 2, 1]
    assert option.decode(4) == 4
    for wrong in (0, 6, 2.0, "3", None, [1], 1 << 80):
        with pytest.raises(BadOption, match=r"option level=.*from 1 to 5"):
            option.encode(wrong)


def test_words_as_options():
    option = Option("board", default="small", choices=("small", "large"))
    assert [option.encode(v) for v in ("small", "large")] == [0, 1]
    assert option.decode(1) == "large"
    for wrong in ("tiny", 0, None, ["small"]):
        with pytest.raises(BadOption, match="choose one of small, large"):
            option.encode(wrong)


@pytest.mark.parametrize("wrong", [0, 1, 4, -1, 2.0, "2", True, [2], np.float32(2)])
def test_seat_counts_outside_the_range_are_refused(wrong):
    with pytest.raises(BadOption, match="Tiny is for 2 to 3 players"):
        GAME.num_players(wrong)


def test_seat_counts():
    assert GAME.num_players(None) == 3
    assert GAME.num_players(np.int64(2)) == 2


def test_unknown_options_are_refused():
    for kind in (BadOption, TypeError):
        with pytest.raises(
            kind, match=r"unexpected keyword argument 'dice' \(nor 'cards'\): .* options: coin"
        ):
            GAME.prototype(3, {"dice": 1, "cards": 2})


def test_prototype_holds_seats_and_options_and_nothing_else():
    states = GAME.prototype(2, {"coin": False})
    assert states.shape == (1,)
    assert states["num_players"][0] == 2
    assert states["coin"][0] == 0
    assert GAME.prototype()["coin"][0] == 1
    states["num_players"] = 0
    assert not any(states.tobytes())
    assert GAME.options_of(GAME.prototype(2)[0]) == {"coin": 1}


def test_an_option_may_count_in_steps():
    option = Option("units", default=6, low=2, high=8, step=2)
    assert [option.encode(number) for number in (2, 4, 8)] == [2, 4, 8]
    assert option.samples == (2, 4, 6, 8)
    for wrong in (0, 3, 10, "4", 4.0):
        with pytest.raises(BadOption, match="from 2 to 8 in steps of 2"):
            option.encode(wrong)
    assert Option("level", default=3, low=1, high=5).samples == (1, 5)
    assert Option("board", default="small", choices=("small", "large")).samples == ("small", "large")


def test_games_are_one_object():
    assert pickle.loads(pickle.dumps(GAME)) is GAME
    assert copy.deepcopy(GAME) is GAME
    assert repr(GAME) == "Game('tiny', version=0, players=(2, 3))"
    assert GAME.env_name == "tiny_v0"


def test_compiled_functions_are_made_once():
    assert GAME.compiled(table.deal) is GAME.compiled(table.deal)


def test_errors_are_value_errors():
    assert issubclass(BadGame, AgezooError)
    assert issubclass(AgezooError, ValueError)


@pytest.mark.parametrize(
    ("places", "kind", "wanted"),
    [
        ([1, 2, 3], table.WIN, [1, -0.5, -0.5]),
        ([1, 1, 3], table.WIN, [0.25, 0.25, -0.5]),
        ([1, 1, 1], table.WIN, [0, 0, 0]),
        ([2, 1], table.WIN, [-1, 1]),
        ([1, 2, 3], table.RANK, [1, 0, -1]),
        ([1, 1, 3], table.RANK, [0.5, 0.5, -1]),
        ([1, 2, 2, 4], table.RANK, [1, 0, 0, -1]),
        ([1, 2, 3], table.SCORE, [7, 5, 3]),
    ],
)
def test_rewards_of_places(places, kind, wanted):
    out = np.zeros(len(places), np.float32)
    points = np.array([7, 5, 3, 1][: len(places)], np.float32)
    table.grade(len(places), points, np.array(places, np.int8), kind, out)
    assert np.allclose(out, wanted)
