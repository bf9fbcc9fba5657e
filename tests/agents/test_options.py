"""What a model file says about the tables it was trained at, and what its agent makes of that."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from agezoo import agents
from agezoo.agents import BadAgent, config
from agezoo.agents.arena import round_robin
from agezoo.agents.policy import read_model, save
from agezoo.agents.ppo import OneMaskPolicy
from agezoo.agents.training import opponents_of
from agezoo.agents.vec import VecTables
from agezoo.envs import BadOption, Batch, find
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.seat import SeatEnv

from . import board, knockout
from .choosy import GAME

SMALL = {"policy_kwargs": {"net_arch": [8]}, "n_steps": 4, "batch_size": 4, "device": "cpu"}


def learner(env, policy=OneMaskPolicy, **more):
    return MaskablePPO(policy, env, **{**SMALL, **more})


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Models by name, each trained with other options."""
    folder = tmp_path_factory.mktemp("models")
    wanted = {
        "short": {"most": 4},
        "long": {"most": 9, "num_players": 3, "at_limit": "truncate"},
        "bound": {"mood": "bound", "most": 4},
        "again": {"most": 4, "num_players": 4},
    }
    for name, options in wanted.items():
        save(learner(VecTables(GAME, 2, {"random": 1}, **options)), folder / f"{name}.zip", GAME)
    return {name: folder / f"{name}.zip" for name in wanted}


class Watching:
    """Plays the first action, and notes the options of its tables."""

    def __init__(self):
        self.options, self.seats = [], set()

    def act(self, env, agent):
        here = env.game.options_of(env.game.record(env.states))
        if here not in self.options:
            self.options.append(here)
        self.seats.add(len(env.possible_agents))
        return 0


# -- what is recorded --------------------------------------------------------------------------------------------------


def test_a_model_file_says_all_options_seats_and_what_happens_at_the_limit(files):
    said = {name: read_model(path)[0] for name, path in files.items()}
    assert said["short"]["options"] == {"most": 4, "mood": "free"}
    assert said["bound"]["options"] == {"most": 4, "mood": "bound"}
    assert [said[name]["num_players"] for name in ("short", "again")] == [3, 4]
    assert [said[name]["at_limit"] for name in ("short", "long")] == ["decide", "truncate"]
    player = agents.load(files["long"])
    assert (player.options, player.num_players) == ({"most": 9, "mood": "free"}, 3)
    assert (player.at_limit, player.any_options) == ("truncate", False)


def test_mixed_seat_counts_are_no_seat_count(tmp_path):
    file = save(learner(VecTables(GAME, 2, {"random": 1}, num_players=[2, 3])), tmp_path / "x.zip", GAME)
    assert agents.load(file).num_players is None


def test_options_come_from_a_gymnasium_seat_too(tmp_path):
    def seat():
        return gymnasium.wrappers.RecordEpisodeStatistics(SeatEnv(GAME, num_players=2, most=5))

    file = save(learner(seat(), "MlpPolicy"), tmp_path / "x.zip", GAME)
    player = agents.load(file)
    assert player.options == {"most": 5, "mood": "free"}
    assert player.num_players == 2


def test_options_stay_when_a_model_is_loaded_and_saved_again(files, tmp_path):
    model = MaskablePPO.load(files["long"], device="cpu")
    again = read_model(save(model, tmp_path / "x.zip", GAME))[0]
    assert again == read_model(files["long"])[0]


def test_options_may_be_said(files, tmp_path):
    model = MaskablePPO.load(files["long"], device="cpu")
    said = read_model(save(model, tmp_path / "x.zip", GAME, options={"most": 7}, num_players=2))[0]
    assert (said["options"], said["num_players"]) == ({"most": 7, "mood": "free"}, 2)
    assert said["at_limit"] == "truncate"
    for wrong, why in [({"options": {"most": 70}}, "most=70"), ({"num_players": 9}, "num_players=9")]:
        with pytest.raises(BadOption, match=why):
            save(model, tmp_path / "y.zip", GAME, **wrong)
    with pytest.raises(BadOption, match="at_limit='stop'"):
        save(model, tmp_path / "y.zip", GAME, at_limit="stop")
    assert not (tmp_path / "y.zip").exists()


# -- what is played ----------------------------------------------------------------------------------------------------


def test_its_options_are_played_by_default(files):
    watching = Watching()
    results = agents.play_games(GAME, [agents.load(files["bound"]), watching, "random"], 4)
    assert results.games == 4
    assert watching.options == [{"most": 4, "mood": "bound"}]
    watching = Watching()
    standing = round_robin(GAME, [files["again"], watching], games=2)
    assert watching.options == [{"most": 4, "mood": "free"}]
    assert watching.seats == {4}
    assert standing.options == standing.summary()["options"] == {"most": 4, "mood": "free"}
    assert standing.num_players == 4


def test_games_without_trained_agents_have_the_default_options():
    watching = Watching()
    round_robin(GAME, [watching, "random"], games=2)
    assert watching.options == [{"most": 6, "mood": "free"}]
    assert watching.seats == {3}
    agents.play_games(GAME, [watching, "random"], 2, most=5)
    assert watching.options[1] == {"most": 5, "mood": "free"}


def test_other_options_are_refused_unless_it_is_told_to(files):
    player = agents.load(files["bound"])
    said = (
        "bound was trained with most=4, mood=bound, this table has most=6, mood=free: make one with these options, "
        "or load the agent with any_options=True"
    )
    batch = Batch(GAME, 3)
    with pytest.raises(BadAgent) as refusal:
        player.choose(batch, np.array([2, 0]))
    assert str(refusal.value) == said
    env = TableEnv(GAME)
    env.reset(seed=1)
    with pytest.raises(BadAgent) as refusal:
        player.act(env, "player_0")
    assert str(refusal.value) == said
    told = agents.load(files["bound"], any_options=True)
    assert told.act(env, "player_0") in (0, 1)
    assert set(told.choose(batch, np.array([2, 0]))) <= {0, 1}
    right = TableEnv(GAME, most=4, mood="bound")
    right.reset(seed=1)
    assert player.act(right, "player_0") in (0, 1)


def test_one_table_with_other_options_among_many_is_found(files):
    player = agents.load(files["short"])
    batch = Batch(GAME, 5, most=4)
    player.choose(batch, np.arange(5))
    batch.states["most"][3] = 5
    assert len(player.choose(batch, np.array([0, 2]))) == 2
    with pytest.raises(BadAgent, match="this table has most=5"):
        player.choose(batch, np.array([0, 3, 4]))


def test_options_that_were_asked_for_must_be_its_own(files):
    player = agents.load(files["bound"])
    with pytest.raises(
        BadAgent, match="bound was trained with most=4 and cannot play with most=5: leave it out"
    ):
        agents.play_games(GAME, [player, "random"], 2, most=5)
    with pytest.raises(BadAgent, match="cannot play with mood=free"):
        round_robin(GAME, [player, "random"], games=2, mood="free")
    watching = Watching()
    agents.play_games(GAME, [player, watching], 2, most=4)
    agents.play_games(GAME, [agents.load(files["bound"], any_options=True), watching], 2, most=5)
    assert watching.options == [{"most": 4, "mood": "bound"}, {"most": 5, "mood": "bound"}]
    with pytest.raises(BadOption, match="got an unexpected keyword argument 'moost'"):
        agents.play_games(GAME, [player, "random"], 2, moost=4)


def test_agents_that_do_not_agree_are_named(files):
    short, long = agents.load(files["short"]), agents.load(files["long"])
    said = "short was trained with most=4, long with most=9: to have them meet, give the options, and load them with"
    with pytest.raises(BadAgent, match=said):
        agents.play_games(GAME, [short, long], 2)
    with pytest.raises(BadAgent, match=said):
        round_robin(GAME, [short, long], games=2)
    with pytest.raises(BadAgent, match="long was trained with most=9 and cannot play with most=4"):
        agents.play_games(GAME, [short, long], 2, most=4)
    told = agents.load(files["long"], any_options=True)
    watching = Watching()
    agents.play_games(GAME, [short, told, watching], 2)  # who must have its own decides
    assert watching.options == [{"most": 4, "mood": "free"}]
    other = agents.load(files["short"], any_options=True)
    with pytest.raises(BadAgent, match="to have them meet, give the options"):
        agents.play_games(GAME, [other, told], 2)
    agents.play_games(GAME, [other, told, watching], 2, most=3)
    assert watching.options[1] == {"most": 3, "mood": "free"}
    assert agents.play_games(GAME, [short, agents.load(files["again"])], 2).games == 2


def test_seats_are_the_trained_agents_own_if_they_agree(files):
    watching = Watching()
    round_robin(GAME, [files["short"], files["again"], watching], games=2)  # 3 and 4 seats: the default
    assert watching.seats == {3}
    round_robin(GAME, [files["again"], watching], games=2, num_players=2)
    assert watching.seats == {3, 2}


def test_a_goal_of_another_table_is_refused_before_anything_is_done(files):
    goals = [{"opponent": str(files["bound"]), "win_rate": 0.5}]
    given = {"game": "choosy", "goals": goals}
    with pytest.raises(config.BadConfig) as refusal:
        opponents_of(config.build({**given, "options": {"most": 5}}))
    assert "was trained with most=4, mood=bound, this run is with most=5, mood=free" in str(refusal.value)
    assert opponents_of(config.build({**given, "options": {"most": 4, "mood": "bound"}}))


# -- files that are refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"options": None}, "it does not say its options as models do now; train it again"),
        ({"options": {"most": 4}}, "it does not say all options of choosy_v0; train it again"),
        (
            {"options": {"most": 4, "mood": "free", "more": 1}},
            "trained with what choosy_v0 does not have .*'more'",
        ),
        ({"options": {"most": 40, "mood": "free"}}, "trained with what choosy_v0 does not have .*most=40"),
        ({"num_players": "3"}, "it does not say its num_players"),
        ({"num_players": 7}, "trained with what choosy_v0 does not have .*num_players=7"),
        ({"network": 8}, "it does not say its network"),
        ({"network": ["a"]}, "its layers are"),
        ({"convolution": ["a"]}, "its layers are"),
        ({"convolution": None}, "it does not say its convolution"),
        ({"aligned": True}, "its actions are not aligned"),
        ({"at_limit": 1}, "it does not say its at_limit"),
        ({"at_limit": "stop"}, "trained with what choosy_v0 does not have .*at_limit='stop'"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(files, tmp_path, change, said):
    target = tmp_path / "changed.zip"
    with zipfile.ZipFile(files["short"]) as before, zipfile.ZipFile(target, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == "data":
                data = json.loads(content)
                data["agezoo"].update(change)
                content = json.dumps(data).encode()
            after.writestr(name, content)
    with pytest.raises(BadAgent, match=said):
        agents.load(target)


# -- models that are not saved -----------------------------------------------------------------------------------------


class Doubled(BaseFeaturesExtractor):
    """Looks at everything twice as hard."""

    def __init__(self, space):
        super().__init__(space, space.shape[0])

    def forward(self, observations):
        return observations * 2


class Doubtful(OneMaskPolicy):
    """Does more than its layers say."""

    def logits(self, obs, latent):
        return super().logits(obs, latent) + obs[:, :1] * torch.tensor([1.0, 0.0])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {"policy_kwargs": {"net_arch": [8], "activation_fn": torch.nn.GELU}},
            "activation GELU: an agent can be played with Tanh or ReLU",
        ),
        (
            {"policy_kwargs": {"net_arch": [8], "features_extractor_class": Doubled}},
            "features extractor Doubled",
        ),
        ({"policy": Doubtful}, "its network does more than"),
    ],
)
def test_what_could_not_be_played_is_not_saved(tmp_path, more, said):
    model = learner(VecTables(GAME, 2, {"random": 1}), **more)
    with pytest.raises(BadAgent, match=said):
        save(model, tmp_path / "x.zip", GAME)
    assert list(tmp_path.iterdir()) == []
    assert not hasattr(model, "agezoo")


def test_a_model_of_another_game_is_not_saved(tmp_path):
    model = learner(VecTables(GAME, 2, {"random": 1}))
    with pytest.raises(BadAgent, match=r"it sees Box.*board_v0 has 14 features and 6 actions"):
        save(model, tmp_path / "x.zip", board.GAME)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(tmp_path, monkeypatch):
    model = learner(VecTables(GAME, 2, {"random": 1}))
    file = save(model, tmp_path / "x.zip", GAME)
    before = file.read_bytes()

    def full(stream):
        stream.write(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(model, "save", full)
    with pytest.raises(OSError, match="No space"):
        save(model, file, GAME)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x.zip"]


def test_an_agent_refuses_another_game_at_one_table_too(files):
    env = TableEnv(knockout.GAME)
    env.reset(seed=1)
    with pytest.raises(BadAgent, match="short plays choosy_v0, not knockout_v0"):
        agents.load(files["short"]).act(env, "player_0")


def test_a_seat_that_is_not_to_act_is_not_asked(files):
    player = agents.load(files["short"])
    env = TableEnv(GAME, most=4)
    with pytest.raises(BadOption, match=r"call reset\(\)"):
        player.act(env, "player_0")
    env.reset(seed=1)
    with pytest.raises(BadOption, match="agent='player_2' is not to act: it is the turn of player_0"):
        player.act(env, "player_2")
    assert player(env, "player_0") == player.act(env, "player_0")


# -- what playing needs ------------------------------------------------------------------------------------------------

BLOCKED = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
sys.path.insert(0, {root!r})
from agezoo import agents
"""


def run(code, blocked, tmp_path):
    from .conftest import REPO

    text = BLOCKED.format(blocked=blocked, root=str(REPO)) + code
    return subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=False, cwd=tmp_path
    )


def test_playing_needs_torch_alone(small_run, tmp_path):
    code = (
        f"player = agents.load({str(small_run[0])!r})\n"
        "from agezoo.envs import make\n"
        "env = make('age_de_bronze', num_players=4); env.reset(seed=1)\n"
        "print(player.act(env, env.agent_selection) in env.legal_actions())\n"
    )
    blocked = ["stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "yaml", "rich"]
    done = run(code, blocked, tmp_path)
    assert done.stdout.strip() == "True", done.stderr


def test_without_torch_the_smallest_extra_is_named(files, tmp_path):
    code = (
        f"try:\n    agents.load({str(files['short'])!r})\n"
        "except agents.MissingExtra as error:\n    print(error)\n"
    )
    done = run(code, ["torch"], tmp_path)
    assert done.stdout.strip().endswith(
        'needs what is not installed here (torch): pip install "agezoo[play]"'
    )


def test_the_options_of_a_game_of_the_house_are_recorded(tmp_path):
    """Ages of War on its small board, as it is published."""
    game = find("ages_of_war")
    env = SeatEnv(game, units=2, field="6x8")
    file = save(learner(env, "MlpPolicy"), tmp_path / "x.zip", game)
    player = agents.load(file)
    assert (player.options["units"], player.options["field"]) == (2, "6x8")
    table = TableEnv(game, units=2, field="6x8")
    table.reset(seed=1)
    assert player.act(table, table.agent_selection) in table.legal_actions()
    other = TableEnv(game)
    other.reset(seed=1)
    with pytest.raises(BadAgent, match="was trained with units=2, field=6x8, this table has"):
        player.act(other, other.agent_selection)
