"""How good a table looks to greedy: what `value` must know of the rules, in scenarios."""

from __future__ import annotations

import numpy as np
import pytest

from agezoo.envs.age_of_gods import worth
from agezoo.envs.engine.compile import plain

from .scenario import GAME, Phase, Table, lay, people
from .test_abilities import NAMES, use

value = plain(worth.value)


def looks(table: Table, seat: int = 0) -> float:
    """The value of a table to a seat."""
    return float(value(table.state, seat))


def after(table: Table, words: str) -> float:
    """The value to the seat to act of what a move leads to; the table is left as it was."""
    copy, seat = Table(table.env.clone()), table.to_act
    return looks(copy.play(words), seat)


def best(table: Table) -> str:
    """The move after which the table looks best."""
    return max(sorted(table.choices()), key=lambda words: after(table, words))


MINE = {0: "Orcs, Lizardmen, Pirates, Ogres"}
DECIDED = {
    "Humans": {}, "Dwarves": {"destinies": {0: "Dwarves"}}, "Chaos": {}, "Voracious": {},
    "Nomads": {"destinies": {0: "Nomads"}},
    "Hobbits": {"technology": {"Chaos": 2, "Barbarians": 1}, "destinies": {0: "Orcs, Lizardmen, Hobbits, Ogres"}},
    "Gnomes": {}, "Ogres": {}, "Fairy Folk": {}, "Monks": {},
    "Necromancers": {"owners": {"Skullridge": "", "Cinderwaste": "", "Redtusk": ""}},
}  # fmt: skip


@pytest.mark.parametrize("name", DECIDED)
def test_a_card_promises_what_its_ability_then_brings(name):
    """Abilities without a die: what is expected once the card is played is there when all is named, best by best."""
    table = use(name, turn=7, **{"destinies": MINE, **DECIDED[name]})
    promised, named = looks(table), 0
    while table.to_act == 0 and table.phase in (Phase.TERRITORY, Phase.PEOPLE):
        table.play(best(table))
        named += 1
    assert named >= {"Humans": 3, "Nomads": 2, "Monks": 2, "Necromancers": 2}.get(name, 1)
    assert looks(table) == pytest.approx(promised, abs=0.2)  # what neighbours do is not all looked into


def test_all_three_forts_of_great_works_count():
    cards = {"destinies": {0: "Humans"}, "turn": 2}
    table = use("Humans", **cards)
    promised = looks(table) - looks(use("Humans", **cards).play(best(table), "no more"))
    assert promised > wall_of_one(), "the two that are still to come are worth more than one"


def wall_of_one() -> float:
    """What one fort adds where it helps most, with the same cards played."""
    open_land = {"stage": "combat", "destinies": {0: "Humans"}, "turn": 2, "phase": int(Phase.ORIGIN)}
    none = looks(lay(seat=1, first=1, **open_land))
    names = ("Kingsreach", "Harrowend", "Aldermark", "Fallowmere")
    return max(looks(lay(seat=1, first=1, fortified=name, **open_land)) - none for name in names)


@pytest.mark.parametrize("name", ["Orcs", "Barbarians"])
def test_a_people_is_improved_where_its_attacks_have_no_chance(name):
    """War Drums and Rage are not played for attacks that cannot win."""
    strong = {row: 5 for row in NAMES if row not in (name, "Gnomes", "Hobbits")}
    table = lay(stage="action", turn=2, hands={0: name}, destinies={0: name}, technology=strong)
    technology = after(table, f"play a card of the {name} for technology")
    ability = after(table, f"play a card of the {name} for {NAMES[name]}")
    assert technology > ability


def test_a_fort_is_built_where_more_neighbours_threaten():
    """Of two Lizardmen territories without a city, the one that borders on other peoples."""
    table = lay(stage="fortification", turn=3, destinies={0: "Chaos, Lizardmen"})
    assert after(table, "fortify Scalebank") > after(table, "fortify nothing more")
    owned = {"Skullridge": "Lizardmen", "Redtusk": "Lizardmen", "Featherpeak": "Lizardmen"}
    table = lay(stage="fortification", turn=3, destinies={0: "Chaos, Lizardmen"}, owners=owned)
    assert after(table, "fortify Scalebank") < after(table, "fortify Skullridge")


def test_what_is_taken_from_within_ones_own_land_is_safer_than_what_lies_among_others():
    """Both are worth a point; Clubpass borders on Orcs alone, Greenhush on three other peoples."""
    table = lay(turn=2, destinies={0: "Orcs"}).play("attack from Mudfang")
    assert after(table, "attack Clubpass") > after(table, "attack Greenhush")


def test_a_holy_war_is_declared_on_a_people_that_the_own_one_meets():
    table = use("Monks", destinies={0: "Orcs"}, turn=2).play("Holy War by the Orcs")
    met, far = after(table, "Holy War on the Lizardmen"), after(table, "Holy War on the Dwarves")
    assert met > far
    table = use("Monks", destinies={0: "Orcs"}, turn=2)
    assert after(table, "Holy War by the Orcs") > after(table, "Holy War by the Nomads")


def test_peace_shields_what_is_revealed():
    """With the god of peace a people that all know of is safer, which others must do without."""
    gain = {}
    for god in ("Peace", "Death"):
        shown, hidden = (
            looks(lay(seat=1, first=1, turn=8, gods={0: god}, destinies={0: f"Orcs{played}"}))
            for played in (" (played)", "")
        )
        gain[god] = shown - hidden
    assert gain["Peace"] > gain["Death"]


def test_deceptions_one_boost_is_kept_for_an_attack_that_matters():
    table = lay(turn=2, gods={0: "Deception"}, destinies={0: "Chaos"})
    table.play("attack from Scalebank", "attack Skullridge")  # neither is its own or anybody's
    assert best(table) == "roll the die"


def test_a_token_is_raised_where_it_counts_most():
    """In the city rather than outside, for a people of one's own."""
    table = use("Necromancers", destinies=MINE, turn=7, owners={"Redtusk": "", "Gorepit": ""})
    assert best(table) == "raise the dead in Redtusk"
    raised = best(table.play("raise the dead in Redtusk")).removeprefix("raise a token of the ")
    assert raised in MINE[0].split(", ")


def test_a_destiny_card_of_a_large_people_is_looked_at_before_one_of_a_small():
    table = lay(stage="action", turn=7, hands={0: "Sorcerers"}, destinies=MINE)
    table.play("play a card of the Sorcerers for Second Sight")
    large, small = (after(table, f"look at player_1's destiny card of size {size}") for size in (4, 1))
    assert large > small


def test_the_weights_are_of_the_peoples_that_a_seat_represents():
    of = np.zeros((3, 24))
    table = lay(3, turn=2, destinies={0: "Orcs", 1: "Humans", 2: "Chaos"})
    plain(worth.weigh_peoples)(table.state, 0, of)
    assert of[worth.WEIGHT, people("Orcs")] == 1
    assert of[worth.WEIGHT, people("Humans")] == of[worth.WEIGHT, people("Chaos")] < 0
    assert of[worth.WEIGHT, people("Dwarves")] == 0
    assert GAME.value is worth.value
