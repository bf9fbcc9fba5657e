"""A person at the terminal: plays to the end, is told what the seat may know, and can make no mess."""

import itertools
import random
import re

import pytest

from agezoo.envs import find, make, names
from agezoo.envs.engine.position import GameRecord
from agezoo.play import terminal
from agezoo.play.cli import main


def typing(monkeypatch, lines):
    """Have `lines` typed one after the other, then the end of input."""
    lines = iter(lines)

    def typed(prompt=""):
        print(prompt, end="")
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)


def play(capsys, *arguments):
    code = main(["play", "age_de_bronze", *arguments])
    return code, capsys.readouterr()


@pytest.mark.parametrize(
    ("players", "seat", "opponents"), [(2, 0, "greedy"), (3, 2, "greedy,random"), (6, 4, "random")]
)
def test_game_to_its_end(monkeypatch, capsys, tmp_path, players, seat, opponents):
    chance = random.Random(5)
    typing(
        monkeypatch, (str(chance.randint(0, 12)) for _ in itertools.count())
    )  # some of them are not on the list
    record = tmp_path / "game.txt"
    arguments = [
        "--players",
        players,
        "--seat",
        seat,
        "--opponents",
        opponents,
        "--seed",
        7,
        "--record",
        record,
    ]
    code, said = play(capsys, *map(str, arguments))
    assert code == 0
    assert f"you are player_{seat}" in said.out
    assert "Not understood: give a number from 1 to" in said.out
    assert "the game is over" in said.out
    ranking = said.out[said.out.index("place  player") :]
    assert all(f"player_{k}" in ranking for k in range(players))
    assert f"player_{seat} (you)" in ranking
    *_, last = GameRecord.from_text(record.read_text(encoding="utf-8")).replay()
    assert last.agents == []
    # and it can be watched afterwards
    typing(monkeypatch, ["?", "5", "", "nonsense", "e"])
    assert main(["replay", str(record)]) == 0
    watched = capsys.readouterr().out
    assert "Enter goes to the next move" in watched
    assert "Not understood" in watched
    assert "finished; first" in watched
    assert main(["replay", str(record), "--all", "--seat", str(seat)]) == 0
    assert "finished; first" in capsys.readouterr().out


def test_words_their_beginning_and_numbers(monkeypatch, capsys):
    typing(monkeypatch, ["take", "", "99", "  END   the ", "?", "Q"])
    code, said = play(capsys, "--seed", "3")
    assert code == 0
    assert "say more" in said.out
    assert said.out.count("Not understood") == 2
    assert "you: end the turn" in said.out
    assert "Type the number of an action" in said.out
    assert "You leave the table." in said.out


def test_end_of_input_leaves_and_keeps_the_record(monkeypatch, capsys, tmp_path):
    typing(monkeypatch, ["end the turn"])
    record = tmp_path / "game.txt"
    code, _ = play(capsys, "--seed", "3", "--record", str(record))
    assert code == 0
    assert "player_0 end the turn" in record.read_text(encoding="utf-8")
    assert main(["replay", "--all", str(record)]) == 0
    assert "the game went on" in capsys.readouterr().out


def test_same_seed_same_game(monkeypatch, capsys):
    told = []
    for _ in range(2):
        typing(monkeypatch, ["1"] * 5)
        told.append(play(capsys, "--seed", "11", "--opponents", "random,greedy,random")[1].out)
    assert told[0] == told[1]


# -- secrets ---------------------------------------------------------------------------------------------------------

SECRETS = [("age_de_bronze", 3, 1), ("age_of_gods", 3, 0), ("age_of_heroes", 3, 2)]


def a_game(monkeypatch, capsys, tmp_path, name, players, seat):
    """A game with every decision at the first number, and what its player was shown: (record, output)."""
    typing(monkeypatch, itertools.repeat("1"))
    path = tmp_path / "game.txt"
    words = ["play", name, "--players", players, "--seat", seat, "--opponents", "random", "--seed", 5]
    assert main([*map(str, words), "--record", str(path)]) == 0
    return GameRecord.from_text(path.read_text(encoding="utf-8")), path, capsys.readouterr().out


def as_told(record, seat):
    """Of each move: who, what a seat hears of it, what it is, and the table before it, as seen and whole."""
    replay = record.replay()
    env = next(replay)
    for mover, words, _ in record.moves:
        told = env.told_text(env.parse_action(words), f"player_{seat}")
        yield mover, told, words, env.table_text(f"player_{seat}"), env.table_text(None)
        env = next(replay)


@pytest.mark.parametrize(("name", "players", "seat"), SECRETS)
def test_the_terminal_tells_no_more_than_the_seat_may_know(
    monkeypatch, capsys, tmp_path, name, players, seat
):
    record, _, shown = a_game(monkeypatch, capsys, tmp_path, name, players, seat)
    lines = [line.removeprefix("> ") for line in shown.splitlines()]  # what is typed ends no line here
    told_lines = [line for line in lines if re.match(r"  (you|player_\d): ", line)]
    moves = list(as_told(record, seat))
    expected = [f"  {'you' if mover == seat else f'player_{mover}'}: {told}" for mover, told, *_ in moves]
    assert [line.replace(" (there was no choice)", "") for line in told_lines] == expected
    assert any(told != words for _, told, words, *_ in moves), "there was a secret to be told"
    for mover, _, _, seen, whole in moves:
        assert f"\n{whole}\n" not in shown or whole == seen
        assert mover != seat or f"\n{seen}\n" in shown or "(there was no choice)" in shown


@pytest.mark.parametrize(("name", "players", "seat"), SECRETS)
def test_a_replay_for_a_seat_tells_no_more_than_it_saw(monkeypatch, capsys, tmp_path, name, players, seat):
    record, path, _ = a_game(monkeypatch, capsys, tmp_path, name, players, seat)
    moves = list(as_told(record, seat))
    assert main(["replay", "--all", "--seat", str(seat), str(path)]) == 0
    shown = capsys.readouterr().out
    lines = [line for line in shown.splitlines() if re.match(r" *\d+  player_\d: ", line)]
    assert lines == [f"{n:4}  player_{mover}: {told}" for n, (mover, told, *_) in enumerate(moves, 1)]
    for *_, seen, whole in moves:
        assert f"\n{whole}\n" not in shown or whole == seen

    typing(monkeypatch, itertools.repeat(""))  # stopping at each move, the table is shown every time
    assert main(["replay", "--seat", str(seat), str(path)]) == 0
    shown = capsys.readouterr().out
    for *_, seen, whole in moves:
        assert f"\n{seen}\n" in shown
        assert f"\n{whole}\n" not in shown or whole == seen


def test_opponents_do_not_share_their_random_numbers(monkeypatch):
    line_up = terminal._line_up(find("age_de_bronze"), 4, 0, ["random"], 7, False)
    assert len({player._rng.seed for player in line_up}) == 3
    assert 7 not in {player._rng.seed for player in line_up}, "nor the table's"


@pytest.mark.parametrize("name", names())
def test_nobody_is_told_a_difference_that_cannot_be_seen(name):
    """Actions that lead to different tables with the same worlds for a seat are told to it in the same words."""
    env, secrets = make(name, play_forced=False), 0
    game = env.game
    for seed in range(3):
        env.reset(seed=seed)
        for turn in itertools.count():
            legal = env.legal_actions()
            if not legal:
                break
            if len(legal) > 1:
                secrets += no_secret_told(env, legal)
            env.step(env.random_action(1000 * seed + turn))
    assert secrets or game.heard_text is None


# Cards that are laid open for all to see, though nothing tells of it any more when the deck is made anew from them.
SEEN_IN_PASSING = {"age_of_heroes": ("discard", "swap")}


def no_secret_told(env, legal):
    """Assert it at one decision; how many pairs of actions were alike to somebody."""
    open_to_all = SEEN_IN_PASSING.get(env.game.name, ())
    legal = [action for action in legal if env.game.actions.locate(action)[0].name not in open_to_all]
    actor, alike = env.agent_selection, 0
    after = []
    for action in legal:
        twin = env.clone()
        twin.step(action)
        after.append(twin)
    for agent in env.possible_agents:
        if agent == actor:
            assert all(env.told_text(a, agent) == env.action_text(a) for a in legal)
            continue
        views = {}
        for action, twin in zip(legal, after, strict=True):
            view, state = whole(twin.world(agent, 1)), whole(twin)
            told = env.told_text(action, agent)
            for other, other_state in views.setdefault(view, []):
                if other_state != state:
                    alike += 1
                    assert other == told, agent
            views[view].append((told, state))
    return alike


def whole(env):
    """The bytes of a table, but for its random numbers."""
    states = env.states.copy()
    states["rng"] = 0
    return states.tobytes()


def test_victim_of_a_spy_learns_which_card_goes():
    game, env = find("age_de_bronze"), make("age_de_bronze", play_forced=False)
    steals = range(game.actions.starts.spy, game.actions.starts.keep)
    for seed in range(50):
        env.reset(seed=seed)
        for turn in itertools.count():
            legal = env.legal_actions()
            if not legal:
                break
            if legal[0] in steals:
                s = game.record(env.states)
                victim = int(s["target"]) % int(s["num_players"])
                told = {agent: env.told_text(legal[0], agent) for agent in env.possible_agents}
                full = env.action_text(legal[0])
                assert told[f"player_{victim}"] == told[env.agent_selection] == full
                assert sorted(told.values()) == sorted(
                    [full, full, "take a card from the hand", "take a card from the hand"]
                )
                return
            env.step(env.random_action(turn))
    raise AssertionError("no Spy was played")
