"""Positions and records: what is broken is named, and nothing is loaded."""

import json

import pytest
from tiny import GAME

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.conformance import act, live
from agezoo.envs.engine.errors import BadPosition
from agezoo.envs.engine.position import GameRecord


def table(seed=1, moves=2):
    env = TableEnv(GAME, 3)
    env.reset(seed=seed)
    for _ in range(moves):
        env.step(env.legal_actions()[0])
    return env


def changed(path, value):
    """The position of a table with one thing changed; no value takes it away."""
    where = table().position()
    inner = where
    *way, last = path
    for key in way:
        inner = inner[key]
    if value is KeyError:
        del inner[last]
    else:
        inner[last] = value
    return where


BROKEN = [
    (["agezoo"], 2, "agezoo is 2"),
    (["agezoo"], KeyError, "agezoo missing"),
    (["game"], "chess", "game is 'chess', must be 'tiny'"),
    (["version"], 1, "version is 1"),
    (["num_players"], 2, "num_players is 2, this environment has 3"),
    (["num_players"], "3", "num_players"),
    (["options"], [], "options must be an object"),
    (["options"], {"coin": 2}, "option coin=2"),
    (["options"], {"dice": 1}, "unknown option 'dice'"),
    (["state"], None, "state must be an object"),
    (["state", "card"], KeyError, "state.card is missing"),
    (["state", "horse"], 1, "state.horse is no field of tiny"),
    (["state", "card"], [1, 2], "state.card has shape"),
    (["state", "card"], 1, "state.card has shape"),
    (["state", "card"], [[1], [2, 3]], "state.card has rows of unequal length"),
    (["state", "card"], [0.5] * 6, "state.card must be whole numbers from 0 to 4"),
    (["state", "card"], [True] * 6, "state.card must be whole numbers"),
    (["state", "card"], ["1"] * 6, "state.card must be whole numbers"),
    (
        ["state", "card"],
        [200, 0, 0, 0, 0, 0],
        "state.card[0] is 200, must be a whole number from 0 to 4",
    ),
    (["state", "card"], [1 << 80, 0, 0, 0, 0, 0], "state.card must be whole numbers"),
    (["state", "card"], [0, 0, 1, 0, 0, 0], "each card must be in one place"),
    (["state", "peeked"], 1, "state.peeked must be true or false"),
    (["state", "finished"], "no", "state.finished must be true or false"),
    (["state", "rng"], 17, "state.rng is 17, must be 16 hexadecimal digits"),
    (["state", "rng"], "xyz", "state.rng is 'xyz'"),
    (["state", "rng"], "-1", "state.rng is '-1'"),
    (["state", "rng"], "1" * 17, "state.rng"),
    (["state", "seat"], 3, "state.seat is 3, must be from 0 to 2"),
    (["state", "seat"], -1, "state.seat is -1"),
    (["state", "decisions"], -5, "state.decisions is -5"),
    (["state", "eliminated"], [4, 0, 0, 0, 0, 0], "state.eliminated"),
    (["state", "eliminated"], [0, 0, 0, 3, 0, 0], "state.eliminated"),
    (["state", "eliminated"], [0, 0, 3, 0, 0, 0], "state.seat is 2, which state.eliminated says is out"),
    (["state", "phase"], 7, "state.phase is 7"),
]


@pytest.mark.parametrize(("path", "value", "message"), BROKEN)
def test_broken_positions_name_the_field_and_change_nothing(path, value, message):
    env = table(seed=2, moves=1)
    before = env.position()
    with pytest.raises(BadPosition) as error:
        env.load(changed(path, value))
    assert message in str(error.value)
    assert env.position() == before
    assert len(env.record().moves) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", "null", b"\xff\xfe", "[" * 100_000, 7, None])
def test_what_is_no_position_at_all(text):
    with pytest.raises(BadPosition, match="position: "):
        table().load(text)


def test_positions_are_json_and_load_as_text_too():
    env = table()
    text = json.dumps(env.position())
    for where in (json.loads(text), text, text.encode()):
        twin = TableEnv(GAME, 3)
        twin.load(where)
        assert twin.position() == env.position()
        assert twin._states.tobytes() == env._states.tobytes()


def test_what_a_seat_sees_holds_its_blocks_and_its_actions():
    env = table(moves=0)
    view = env.position("player_0")
    assert view["view_of"] == "player_0"
    assert list(view["observation"]) == [b.name for b in GAME.observation.blocks]
    assert [entry["text"] for entry in view["legal_actions"]] == ["stay", "swap"]
    assert env.position("player_1")["legal_actions"] == []
    assert view["state"]["rng"] != env.position()["state"]["rng"], "the future is hidden, too"
    assert view["state"]["card"][0] == env.position()["state"]["card"][0]


def test_what_a_seat_sees_hides_what_others_hold():
    """Over many deals the cards in player_0's position are as often right as chance has it."""
    right = 0
    for seed in range(400):
        env = table(seed, moves=0)
        right += env.position("player_0")["state"]["card"][1] == env.position()["state"]["card"][1]
    assert 60 < right < 140  # one in four


def record(options=None):
    env = TableEnv(GAME, 3, **(options or {}))
    env.reset(seed=4)
    while live(env):
        act(env, env.random_action(len(env.legal_actions())))
    return env.record()


def test_records_read_back():
    for options in ({}, {"coin": False}, {"play_forced": False}):
        made = record(options)
        text = made.to_text()
        again = GameRecord.from_text(text)
        assert again.to_text() == text
        assert sum(1 for _ in again.replay()) == len(made.moves) + 1
        assert made.end.startswith("finished; first player_")


def test_records_begin_at_positions_too():
    env = table()
    twin = TableEnv(GAME, 3)
    twin.load(env.position())
    twin.step(twin.legal_actions()[1])
    again = GameRecord.from_text(twin.record().to_text())
    assert list(again.replay())[-1].position() == twin.position()


def broken_record(line, old, new):
    lines = record().to_text().splitlines()
    assert old in lines[line], lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (0, "1", "2", "first line"),
        (0, "agezoo", "chess", "agezoo|first line"),
        (1, "tiny 0", "tiny 1", "version 1, this is version 0"),
        (1, "tiny", "chess", "there is no game 'chess'"),
        (2, "3", "three", "bad heading"),
        (3, "{", "", "bad heading"),
        (5, "}", "", "bad heading"),
        (6, " | ", " - ", "cannot read the line"),
        (6, "player_", "seat ", "cannot read the line"),
    ],
)
def test_broken_records_name_the_line(line, old, new, message):
    with pytest.raises(BadPosition, match=message):
        GameRecord.from_text(broken_record(line, old, new))


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (6, "player_0", "player_1", "move 1 .*not the turn of player_1"),
        (6, "player_0 s", "player_0 x", "move 1 .*cannot play"),
        (6, "| ", "| 0", "move 1 .*the record says 0"),
        (-1, "first player_", "first player_9", "end: the standing"),
    ],
)
def test_records_that_do_not_replay_name_the_move(line, old, new, message):
    with pytest.raises(BadPosition, match=message):
        list(GameRecord.from_text(broken_record(line, old, new)).replay())


def test_a_record_of_other_seats_or_options_is_refused():
    for line, old, new in ((2, "3", "9"), (3, '"coin": 1', '"dice": 1')):
        with pytest.raises(ValueError, match=r"num_players|dice"):
            list(GameRecord.from_text(broken_record(line, old, new)).replay())


def test_a_record_of_a_game_that_goes_on_has_no_end():
    made = table().record()
    assert made.end == ""
    assert "end" not in made.to_text().splitlines()[-1].split()[0]


@pytest.mark.parametrize("seed", range(4))
def test_a_record_ends_with_who_has_most_points(seed):
    env = TableEnv(GAME, 3)
    env.reset(seed=seed)
    while live(env):
        act(env, env.legal_actions()[-1])
    points = env.scores()
    best = [agent for agent, has in points.items() if has == max(points.values())]
    said = ", ".join(f"{agent} {has:g}" for agent, has in points.items())
    assert env.record().end == f"finished; first {' and '.join(best)}; scores {said}"
