"""Every ability against every modifier: what counts is what the texts in components.toml say, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import TABLE, TERRITORIES

from .scenario import Table, bits, lay, people, territory
from .test_wrath import call

ROWS = {row["name"]: row for row in TABLE["people"]}
ATTACKS = [name for name, row in ROWS.items() if row["effect"] in ("attack", "swarm", "ambush", "sight")]
PHASES = ("combat", "uprising")  # beside the abilities: attacks of a phase


def marked(kind: int, number: int, name: str) -> list:
    """A bonus marker (0 attack, 1 defence; +number) on a people."""
    marker = np.zeros((2, 2, 24), int)
    marker[kind, number - 1, people(name)] = 1
    return marker.tolist()


def hated(name: str) -> dict[str, Any]:
    """A Hatred marker on a people; seat 1 is the god of vengeance."""
    marks = [int(k == people(name)) for k in range(24)]
    return {"gods": {1: "Vengeance"}, "hated": marks, "uses": [0, 3, 0, 0, 0, 0]}


# What is laid out, on which territory the attack is, and what it adds. The attacker (A below) holds Croakmarsh; Orcs
# hold Skullridge, and Redtusk with its city.
MODIFIERS: dict[str, tuple[dict[str, Any], str, int]] = {
    "nothing": ({}, "Skullridge", 0),
    "city": ({}, "Redtusk", -1),
    "fortification": ({"fortified": "Skullridge"}, "Skullridge", -1),
    "fortification in a city": ({"fortified": "Redtusk"}, "Redtusk", -2),
    "fortification of Protectors in a city": (
        {"fortified": "Redtusk", "bulwarks": bits("Redtusk"), "gods": {1: "Protectors"}}, "Redtusk", -3,
    ),
    "Dwarven Fortress": (
        {"owners": {"Skullridge": "Dwarves"}, "fortress": territory("Skullridge")}, "Skullridge", -3,
    ),
    "technology of the attacker": ({"technology": {"A": 2}}, "Skullridge", 2),
    "technology of the attacked": ({"technology": {"Orcs": 3}}, "Skullridge", -3),
    "Attack Bonus +1": ({"marker": (0, 1, "A")}, "Skullridge", 1),
    "Attack Bonus +2": ({"marker": (0, 2, "A")}, "Skullridge", 2),
    "Defence Bonus +1": ({"marker": (1, 1, "Orcs")}, "Skullridge", -1),
    "Defence Bonus +2": ({"marker": (1, 2, "Orcs")}, "Skullridge", -2),
    "Attack Bonus of the attacked": ({"marker": (0, 2, "Orcs")}, "Skullridge", 0),
    "Defence Bonus of the attacker": ({"marker": (1, 2, "A")}, "Skullridge", 0),
    "Hatred": (hated("Orcs"), "Skullridge", 1),
    "Holy War": ({"attacker": "A", "victim": people("Orcs")}, "Skullridge", 2),
    "Peace of the attacked": ({"gods": {1: "Peace"}, "destinies": {1: "Orcs (played)"}}, "Skullridge", -2),
    "Peace that has not been revealed": ({"gods": {1: "Peace"}, "destinies": {1: "Orcs"}}, "Skullridge", 0),
    "Peace attacking": ({"gods": {0: "Peace"}}, "Skullridge", 0),
    "War attacking": ({"gods": {0: "War"}}, "Skullridge", 0),
    "Deception attacking": ({"gods": {0: "Deception"}}, "Skullridge", 2),
    "Love elsewhere": ({"gods": {1: "Love"}, "love": "Mudfang, Scalebank"}, "Skullridge", 0),
}  # fmt: skip
IN_COMBAT = {"Peace attacking": -1, "War attacking": 1}  # what the gods' texts say of the Combat Phase
SET_ASIDE = {  # words of a text, and the modifiers that they name
    "city": {"city": -1, "fortification in a city": -1, "fortification of Protectors in a city": -1},
    "fortification": {
        "fortification": -1, "fortification in a city": -1, "fortification of Protectors in a city": -2,
    },
    "Dwarven Fortress": {"Dwarven Fortress": -3},
    "technology": {"technology of the attacked": -3},
    "Defence Bonus markers": {"Defence Bonus +1": -1, "Defence Bonus +2": -2},
}  # fmt: skip


def text_of(attack: str) -> str:
    """The text of an ability; nothing for a phase."""
    return ROWS[attack]["text"] if attack in ROWS else ""


def bonus(attack: str) -> int:
    """What the text itself adds."""
    found = re.search(r"at \+(\d)", text_of(attack))
    return int(found.group(1)) if found else 0


def set_aside(attack: str) -> list[str]:
    """What the text says does not count."""
    found = re.search(r"; (.*) of the attacked do not count", text_of(attack))
    return re.split(", | and ", found.group(1)) if found else []


def says(attack: str, modifier: str) -> int:
    """What must be added to the die, by the texts."""
    total = bonus(attack) + MODIFIERS[modifier][2]
    if attack == "combat":
        total += IN_COMBAT.get(modifier, 0)
    return total - sum(SET_ASIDE[word].get(modifier, 0) for word in set_aside(attack))


def attacker_of(attack: str) -> str:
    """Whose token attacks: the ability's own people where it must be."""
    return attack if attack in ROWS and ROWS[attack]["whose"] == "own" else "Lizardmen"


def laid(attack: str, modifier: str) -> Table:
    """The table at which the attack is asked for."""
    more = dict(MODIFIERS[modifier][0])
    people_there = attacker_of(attack)
    if "technology" in more:
        more["technology"] = {people_there if k == "A" else k: n for k, n in more["technology"].items()}
    if "marker" in more:
        kind, number, name = more["marker"]
        more["marker"] = marked(kind, number, people_there if name == "A" else name)
    if "attacker" in more:
        more["attacker"] = people(people_there)
    more["owners"] = {"Croakmarsh": people_there, **more.get("owners", {})}
    if attack in PHASES:
        return lay(stage=attack, turn=4 if attack == "combat" else 2, **more)
    table = lay(stage="action", hands={0: attack}, turn=2, **more)
    table.play(f"play a card of the {attack} for {ROWS[attack]['ability']}")
    if attack == "Sorcerers":
        table.play("look at player_2's destiny card of size 4")
    return table


@pytest.mark.parametrize("modifier", MODIFIERS)
@pytest.mark.parametrize("attack", [*PHASES, *ATTACKS])
def test_what_counts_is_what_the_texts_say(attack, modifier):
    """As observed before the roll, and as the die falls."""
    target = MODIFIERS[modifier][1]
    table = laid(attack, modifier).play("attack from Croakmarsh")
    due = says(attack, modifier)
    boost = 2 if modifier == "Deception attacking" else 0
    faces = int(np.clip(4 + due - boost, 0, 6))
    assert table.sees(0, "faces")[territory(target)] == faces, "as the target is chosen"
    table.play(f"attack {target}")
    if boost:
        assert table.sees(0, "margin") == due - boost
        table.play("attack with Deception's bonus")
    assert table.sees(0, "margin") == due
    assert table.sees(1, "margin") == due
    before, position = table.owner(target), table.env.position()
    for die in range(1, 7):
        table.env.load(position)
        table.roll(*[die] * 2)
        assert (table.owner(target) != before) == (die + due >= 3), f"with a {die}"


def test_ambush_alone_sets_anything_aside_and_its_text_names_it():
    assert [name for name in ATTACKS if set_aside(name)] == ["Wood Elves"]
    assert set(set_aside("Wood Elves")) == set(SET_ASIDE)
    assert {name: bonus(name) for name in ATTACKS} == {name: ROWS[name].get("bonus", 0) for name in ATTACKS}


@pytest.mark.parametrize("attack", ATTACKS)
def test_in_a_breakthrough_everything_counts_and_no_bonus(attack):
    """Ruling 6: what an ability adds or sets aside is for the attack that it names."""
    owners = {"Croakmarsh": attacker_of(attack), "Redtusk": "Orcs", "Skullridge": "Orcs"}
    table = lay(stage="action", hands={0: attack}, turn=2, owners=owners, fortified="Redtusk",
                technology={"Orcs": 1}, gods={1: "Peace"}, destinies={1: "Orcs (played)"})  # fmt: skip
    table.play(f"play a card of the {attack} for {ROWS[attack]['ability']}")
    if attack == "Sorcerers":
        table.play("look at player_2's destiny card of size 4")
    table.attack("Croakmarsh", "Skullridge", 6).play("attack Redtusk")
    assert table.state.follow_up
    assert table.sees(1, "margin") == -5  # city, fortification, technology, Peace


@pytest.mark.parametrize("attack", [*PHASES, *ATTACKS])
def test_love_and_the_vortex_forbid_every_attack(attack):
    """On a territory and from it."""
    for more in (
        {"gods": {1: "Love"}, "love": "Skullridge"},
        {"owners": {"Skullridge": ""}, "vortex": territory("Skullridge")},
    ):
        MODIFIERS["closed"] = (more, "Skullridge", 0)
        table = laid(attack, "closed")
        assert not table.can("attack from Skullridge")
        assert "Skullridge" not in table.play("attack from Croakmarsh").choices("attack ")
    MODIFIERS["closed"] = ({"gods": {1: "Love"}, "love": "Croakmarsh"}, "Skullridge", 0)
    if len(laid(attack, "nothing").choices("attack from ")) > 1:
        assert not laid(attack, "closed").can("attack from Croakmarsh")
    del MODIFIERS["closed"]


# -- what names a territory or a people --------------------------------------------------------------------------------

# Kinds of territory, near Croakmarsh, which the ability's people holds.
KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "another's": ({}, "Skullridge"),
    "fortified": ({"fortified": "Skullridge"}, "Skullridge"),
    "city": ({}, "Redtusk"),
    "Love": ({"gods": {1: "Love"}, "love": "Skullridge"}, "Skullridge"),
    "Dwarven Fortress": (
        {"owners": {"Skullridge": "Dwarves"}, "fortress": territory("Skullridge")}, "Skullridge",
    ),
    "well defended": ({"technology": {"Orcs": 3}, "marker": marked(1, 2, "Orcs")}, "Skullridge"),
    "of Peace": ({"gods": {1: "Peace"}, "destinies": {1: "Orcs (played)"}}, "Skullridge"),
    "empty": ({"owners": {"Skullridge": ""}}, "Skullridge"),
    "empty with Love": (
        {"owners": {"Skullridge": ""}, "gods": {1: "Love"}, "love": "Skullridge"}, "Skullridge",
    ),
    "Vortex": ({"owners": {"Skullridge": ""}, "vortex": territory("Skullridge")}, "Skullridge"),
    "own": ({"owners": {"Skullridge": "own"}}, "Skullridge"),
    "own, fortified": ({"owners": {"Skullridge": "own"}, "fortified": "Skullridge"}, "Skullridge"),
    "far away": ({}, "Aldermark"),
}  # fmt: skip
TOKENS = {"another's", "fortified", "city", "Love", "Dwarven Fortress", "well defended", "of Peace"}
MAY_NAME = {
    "Humans": ("great works in ", (TOKENS | {"own"}) - {"fortified"}),
    "Chaos": ("tear the world open in ", set(KINDS) - {"city", "Vortex"}),
    "Dark Elves": ("strike at ", (TOKENS | {"far away"}) - {"fortified"}),
    "Voracious": ("devour ", TOKENS - {"city"}),
    "Giants": ("strike at ", TOKENS),
    "Necromancers": ("raise the dead in ", {"empty", "empty with Love"}),
}


def at_kind(name: str, kind: str) -> tuple[dict[str, Any], str]:
    """What to lay out for a kind of territory, and which it is."""
    more, where = KINDS[kind]
    owners = {where: name if own == "own" else own for where, own in more.get("owners", {}).items()}
    return {**more, "wiped_out": name, "owners": {"Croakmarsh": name, "Gorepit": "", **owners}}, where


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAY_NAME)
def test_territories_that_an_ability_may_name(name, kind):
    more, where = at_kind(name, kind)
    table = lay(stage="action", hands={0: name}, turn=2, **more)
    table.play(f"play a card of the {name} for {ROWS[name]['ability']}")
    words, kinds = MAY_NAME[name]
    assert table.can(words + where) == (kind in kinds)


@pytest.mark.parametrize("kind", KINDS)
def test_territories_that_the_trek_may_name(kind):
    """First one of the Nomads, then one of another people, whatever stands there but a city."""
    more, where = at_kind("Nomads", kind)
    table = lay(stage="action", hands={0: "Nomads"}, turn=2, **more)
    table.play("play a card of the Nomads for Great Trek")
    assert table.can(f"trek {where}") == kind.startswith("own")
    assert table.play("trek Croakmarsh").can(f"trek {where}") == (kind in (TOKENS | {"far away"}) - {"city"})


@pytest.mark.parametrize("kind", KINDS)
def test_the_dwarven_fortress_comes_to_a_territory_of_the_dwarves(kind):
    more, where = at_kind("Dwarves", kind)
    table = lay(stage="action", hands={0: "Dwarves"}, turn=2, **more)
    table.play("play a card of the Dwarves for Deep Hold")
    assert table.can(f"the Dwarven Fortress to {where}") == kind.startswith("own")


@pytest.mark.parametrize(("die", "name", "kinds"), [
    (2, "Flood", {"coast", "coast with Love"}), (3, "Earthquake", {"coast"}),
    (4, "Lightning", {"fortified", "fortified with Love"}), (6, "Rebirth", {"plain", "empty"}),
])  # fmt: skip
def test_what_each_divine_wrath_strikes(die, name, kinds):
    """Redtusk is a city on the coast, Skullridge neither."""
    cases = {
        "coast": ({}, "Redtusk"),
        "coast with Love": ({"gods": {1: "Love"}, "love": "Redtusk"}, "Redtusk"),
        "plain": ({}, "Skullridge"),
        "plain with Love": ({"gods": {1: "Love"}, "love": "Skullridge"}, "Skullridge"),
        "fortified": ({"fortified": "Skullridge, Mudfang"}, "Skullridge"),
        "fortified with Love": (
            {"fortified": "Skullridge", "gods": {1: "Love"}, "love": "Skullridge"},
            "Skullridge",
        ),
        "empty": ({"owners": {"Skullridge": ""}}, "Skullridge"),
        "Vortex": ({"owners": {"Skullridge": ""}, "vortex": territory("Skullridge")}, "Skullridge"),
    }
    for kind, (more, where) in cases.items():
        laid_out = {"fortified": "Mudfang", **more}  # so that there is something to strike in any case
        assert call(die, **laid_out).can(f"{name} strikes {where}") == (kind in kinds), kind


def test_pestilence_strikes_the_greatest_but_no_love():
    table = call(1, owners={"Clubpass": "Orcs"}, gods={1: "Love"}, love="Skullridge")
    assert table.choices("Pestilence strikes ") == {"Mudfang", "Redtusk", "Gorepit", "Clubpass"}


@pytest.mark.parametrize(("card", "words", "who"), [
    ("High Elves", "the defence bonus to the ", {"alive", "with technology", "itself"}),
    ("Fairy Folk", "the defence bonus to the ", {"alive", "with technology", "itself"}),
    ("Amazons", "the attack bonus to the ", {"alive", "with technology", "itself"}),
    ("Ogres", "the attack bonus to the ", {"alive", "with technology", "itself"}),
    ("Gnomes", "the invention to the ", {"alive", "with technology", "itself"}),
    ("Hobbits", "rob the ", {"with technology", "gone with technology"}),
    ("Monks", "Holy War by the ", {"alive", "with technology", "itself"}),
])  # fmt: skip
def test_peoples_that_an_ability_may_name(card, words, who):
    names = {"alive": "Orcs", "with technology": "Chaos", "itself": card, "gone": "Pirates",
             "gone with technology": "Giants"}  # fmt: skip
    table = lay(stage="action", hands={0: card}, wiped_out="Pirates, Giants", turn=2,
                technology={"Chaos": 1, "Giants": 1, card: 1})  # fmt: skip
    table.play(f"play a card of the {card} for {ROWS[card]['ability']}")
    tail = " of technology" if card == "Hobbits" else ""
    assert {kind for kind, name in names.items() if table.can(words + name + tail)} == who


def test_every_territory_named_here_is_one():
    assert {where for _, where in KINDS.values()} <= set(TERRITORIES)


def test_from_an_origin_an_ambush_is_seen_to_face_peace_and_nothing_else_that_protects():
    """All around are Orcs of the god of peace, with technology, whose territories are fortified."""
    table = lay(
        stage="action", turn=2, hands={0: "Wood Elves"}, gods={1: "Peace"}, destinies={1: "Orcs (played)"},
        owners={"Croakmarsh": "Wood Elves", "Mirepool": "Orcs", "Scalebank": "Orcs"},
        fortified="Skullridge, Redtusk, Mirepool, Scalebank", technology={"Orcs": 2}, marker=marked(1, 2, "Orcs"),
    )  # fmt: skip
    table.play("play a card of the Wood Elves for Ambush")
    assert table.sees(0, "faces")[territory("Croakmarsh")] == 2
