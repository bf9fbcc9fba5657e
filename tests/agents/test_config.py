"""Configurations: what is read back, what is refused and in which words."""

import dataclasses

import pytest

from agezoo.agents import config as configs
from agezoo.agents.config import BadConfig, Config, build, read, write

from .conftest import REPO

PUBLISHED = sorted((REPO / "configs").glob("*.yaml"))


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_published_configurations_are_valid(path):
    assert isinstance(read(path), Config)


def test_default_configuration_says_what_the_defaults_are():
    """Whoever leaves a key out gets what train.py is tuned with."""
    published = read(REPO / "configs" / "age_de_bronze_ppo.yaml")
    assert dataclasses.replace(published, num_players=None) == Config()


def test_written_configuration_is_read_back(tmp_path):
    config = read(
        None, ["seed=3", "network=[32]", "max_cycles=100", "goals=[{opponent: greedy, win_rate: 0.1}]"]
    )
    write(config, tmp_path / "config.yaml")
    assert read(tmp_path / "config.yaml") == config


def test_overrides_reach_nested_keys():
    config = read(
        None, ["ppo.learning_rate=5e-4", "steps=2e6", "opponents.greedy=0.2", "opponents.random=0.6"]
    )
    assert config.ppo.learning_rate == 5e-4
    assert config.ppo.gamma == Config().ppo.gamma
    assert config.steps == 2_000_000
    assert config.opponents.self_play == Config().opponents.self_play


def test_last_override_counts():
    assert read(None, ["seed=1", "seed=2"]).seed == 2


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("stpes=3", "unknown key stpes, did you mean steps? choose game, seed, steps"),
        (
            "ppo.learing_rate=1",
            "unknown key ppo.learing_rate, did you mean ppo.learning_rate? choose learning_rate",
        ),
        ("zzz=1", "unknown key zzz; choose game, seed"),
        ("steps=0", "steps=0: out of range, give a number from 1 to"),
        ("steps=1.5", "steps=1.5: give a whole number"),
        ("steps=true", "steps=True: give a whole number"),
        ("steps=many", "steps='many': give a whole number"),
        ("ppo.gamma=2", "ppo.gamma=2.0: out of range, give a number from 0 to 1"),
        ("ppo.gamma=.nan", "ppo.gamma=nan: out of range"),
        ("ppo.gamma=half", "ppo.gamma='half': give a number from 0 to 1"),
        ("ppo=3", "ppo=3: give keys with values: learning_rate"),
        ("activation=gelu", "activation='gelu': choose tanh, relu"),
        ("activation=1", "activation=1: choose tanh, relu"),
        ("reward=money", "reward='money': choose win, rank, score"),
        ("evaluation.deterministic=1", "evaluation.deterministic=1: choose true or false"),
        ("network=[]", "network=[]: give a list such as [256, 256]"),
        ("network=256", "network=256: give a list such as [256, 256]"),
        ("network=[256, 0]", "network.1=0: out of range, give a number from 1 to"),
        (
            "goals=[{opponent: random, win_rate: 95}]",
            "goals.0.win_rate=95.0: out of range, give a number from 0 to 1",
        ),
        ("goals=[{oponent: random}]", "unknown key goals.0.oponent, did you mean goals.0.opponent?"),
        ("game=chess", "game='chess': choose age_de_bronze"),
        ("num_players=7", "num_players: num_players=7: Âge de Bronze is for 2 to 6 players"),
        ("max_cycles=0", "max_cycles: max_cycles=0: give a positive whole number"),
        ("options={sun: 1}", "options: got an unexpected keyword argument 'sun'"),
        ("opponents.random=1", "must add up to 1"),
        ("ppo.batch_size=1000", "ppo.batch_size=1000: must divide tables * ppo.n_steps"),
        ("seed=[", "'seed=[': '[' is not a YAML value"),
        ("seed", "'seed': write key=value"),
        ("seed.x.y=1", "seed={'x': {'y': 1}}: give a whole number"),
    ],
)
def test_bad_values_are_refused_in_one_line(override, said):
    with pytest.raises(BadConfig) as refusal:
        read(None, [override])
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_bad_files_are_refused(tmp_path):
    path = tmp_path / "x.yaml"
    with pytest.raises(BadConfig, match=r"x\.yaml: cannot be read \(No such file"):
        read(path)
    path.write_text("a: [")
    with pytest.raises(BadConfig, match=r"x\.yaml: not YAML"):
        read(path)
    path.write_text("- a")
    with pytest.raises(BadConfig, match=r"x\.yaml: a configuration is keys with values, this is a list"):
        read(path)
    path.write_text("sede: 1")
    with pytest.raises(BadConfig, match=r"x\.yaml: unknown key sede, did you mean seed\?"):
        read(path)
    path.write_text("")
    assert read(path) == Config()


def test_every_key_has_a_doc_and_its_default_is_allowed():
    for name, doc, default in configs.all_keys():
        assert doc, name
        nested: dict = {}
        here = nested
        *above, last = name.split(".")
        for part in above:
            here = here.setdefault(part, {})
        here[last] = default if name != "goals" else [dataclasses.asdict(goal) for goal in default]
        assert build(nested) == Config(), name
