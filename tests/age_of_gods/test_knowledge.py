"""What a seat may know: what it remembers, and the worlds that it cannot tell from the real one.

Distributions are held against exact enumeration with a chi-square test at 0.1 %; seeds are fixed, so nothing flickers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import TERRITORIES
from agezoo.envs.age_of_gods.state import A
from agezoo.envs.age_of_gods.text import PEOPLE_NAMES
from agezoo.envs.engine.compile import PLAIN
from agezoo.envs.engine.errors import BadPosition

from .scenario import GAME, God, Phase, Stage, Table, deal, lay, people, territory
from .test_setup import choose_gods
from .test_wrath import call

NUMBER = 500 if PLAIN else 20_000  # worlds drawn for one distribution


def assert_drawn_from(seen: Counter, exact: dict) -> None:
    """Chi-square: `seen` may be a sample of the weights `exact`. Rare outcomes are taken together."""
    assert not set(seen) - {outcome for outcome, weight in exact.items() if weight}, "a world that cannot be"
    total, sum_of = sum(seen.values()), sum(exact.values())
    cells, rare = [], [0.0, 0.0]
    for outcome, weight in exact.items():
        due = weight / sum_of * total
        if due >= 5:
            cells.append((seen[outcome], due))
        else:
            rare = [rare[0] + seen[outcome], rare[1] + due]
    if rare[1] > 0:
        cells.append((rare[0], rare[1]))
    freedom = len(cells) - 1
    value = sum((got - due) ** 2 / due for got, due in cells)
    if freedom:
        wall = (
            freedom * (1 - 2 / (9 * freedom) + 3.09 * np.sqrt(2 / (9 * freedom))) ** 3
        )  # Wilson and Hilferty
        assert value < wall, f"chi-square {value:.1f} over {freedom} degrees of freedom"


def drawn(table: Table, seat: int, what: Callable[[Any], Any]) -> Counter:
    """How often each outcome comes in worlds of a seat."""
    worlds = table.worlds(seat, NUMBER)
    return Counter(what(world) for world in worlds.view(np.ndarray))


# -- what a careful player remembers -----------------------------------------------------------------------------------


def test_who_attacked_whom_with_whom():
    table = lay().attack("Scalebank", "Skullridge", 5)
    for observer in (1, 2):
        assert table.evidence(observer, "led", 0, "Lizardmen") == 1
        assert table.evidence(observer, "harmed", 0, "Orcs") == 1
        assert table.evidence(observer, "led", 0, "Orcs") == 0
    table.attack("Skullridge", "Mudfang", 1)  # an attack that fails tells as much
    assert table.evidence(0, "harmed", 1, "Orcs") == 1
    assert table.evidence(2, "harmed", 0, "Orcs") == 1


def test_whom_a_player_has_fortified_or_given_love():
    table = lay(stage="fortification", gods={0: "Love"}).play(
        "place a Love marker", "Love on Mudfang", "fortify Gorepit"
    )
    assert table.evidence(1, "favoured", 0, "Orcs") == 2


def test_whose_technology_a_player_has_raised_and_who_got_a_marker():
    table = lay(stage="action", hands={0: "Orcs", 1: "Ogres"}).play("play a card of the Orcs for technology")
    assert table.evidence(1, "favoured", 0, "Orcs") == 1
    table.play("play a card of the Ogres for Brute Force", "the attack bonus to the Orcs")
    assert table.evidence(0, "favoured", 1, "Orcs") == 1
    assert table.evidence(0, "favoured", 1, "Ogres") == 0


@pytest.mark.parametrize(("card", "moves"), [
    ("Voracious", ["play a card of the Voracious for Devour", "devour Harrowend"]),
    ("Dark Elves", ["play a card of the Dark Elves for Assassins", "strike at Harrowend"]),
    ("Chaos", ["play a card of the Chaos for Tear in the World", "tear the world open in Harrowend"]),
    ("Nomads", ["play a card of the Nomads for Great Trek", "trek Saltwell", "trek Harrowend"]),
])  # fmt: skip
def test_blows_count_as_harm(card, moves):
    table = lay(stage="action", hands={0: card}).play(*moves)
    assert table.evidence(1, "harmed", 0, "Humans") == 1


def test_divine_wrath_counts_as_harm_a_token_raised_and_a_holy_war_as_favour():
    table = call(3).play("Earthquake strikes Redtusk")
    assert table.evidence(1, "harmed", 0, "Orcs") == 1
    table = call(5, technology={"Orcs": 2}).play("Dark Age strikes the Orcs")
    assert table.evidence(1, "harmed", 0, "Orcs") == 1
    table = lay(stage="action", hands={0: "Necromancers", 1: "Monks"}, owners={"Redtusk": ""})
    table.play("play a card of the Necromancers for Raise the Dead", "raise the dead in Redtusk")
    table.play("raise a token of the Gnomes")
    assert table.evidence(1, "favoured", 0, "Gnomes") == 1
    table.play("play a card of the Monks for Holy War", "Holy War by the Gnomes", "Holy War on the Orcs")
    assert table.evidence(0, "favoured", 1, "Gnomes") == table.evidence(0, "harmed", 1, "Orcs") == 1


def test_hatred_burglary_great_works_count_as_what_they_are():
    table = lay(stage="fortification", gods={0: "Vengeance"})
    table.play("place a Hatred marker", "Hatred on the Orcs")
    assert table.evidence(1, "harmed", 0, "Orcs") == 1
    table = lay(stage="action", hands={0: "Hobbits", 1: "Humans"}, technology={"Orcs": 1})
    table.play("play a card of the Hobbits for Burglary", "rob the Orcs of technology")
    assert table.evidence(1, "harmed", 0, "Orcs") == table.evidence(1, "favoured", 0, "Hobbits") == 1
    table.play("play a card of the Humans for Great Works", "great works in Harrowend", "no more")
    assert table.evidence(0, "favoured", 1, "Humans") == 1


@pytest.mark.parametrize("god", ["War", "Deception"])
def test_everybody_sees_which_cards_each_seat_has_played(god):
    """Action cards are discarded face up; of Deception's the others cannot tell which were destiny cards."""
    table = lay(stage="action", seat=1, hands={1: "2 Orcs"}, destinies={1: "Humans"}, gods={1: god})
    before = [table.sees(seat, "played") for seat in range(3)]
    table.play("play a card of the Orcs for technology")
    for seat in range(3):
        now = table.sees(seat, "played")
        assert now.sum() == before[seat].sum() + 1
        assert [now[(k - seat) % 3][people("Orcs")] for k in range(3)] == [0, 1, 0]
    other = lay(stage="action", seat=1, hands={1: "Orcs"}, destinies={1: "Orcs"}, gods={1: god})
    other.play("play the destiny card of the Orcs for technology")
    assert other.evidence(0, "played", 1, "Orcs") == other.evidence(1, "played", 1, "Orcs") == 1


def test_own_deeds_are_seen_as_the_others_see_them():
    table = lay(fortified="Mudfang").attack("Scalebank", "Skullridge", 5)
    assert table.evidence(0, "led", 0, "Lizardmen") == table.evidence(0, "harmed", 0, "Orcs") == 1
    table = lay(stage="fortification").play("fortify Gorepit")
    assert table.evidence(0, "favoured", 0, "Orcs") == 1


def test_markers_that_are_left_pieces_built_and_powers_used_are_seen_by_all():
    marker = np.zeros((2, 2, 24), int)
    marker[0, 0, :3] = marker[1, 1, 5] = 1
    table = lay(marker=marker.tolist())
    assert table.sees(1, "markers_left").tolist() == [[1, 3], [4, 2]]
    table = lay(stage="fortification", gods={0: "Protectors"})
    assert table.sees(1, "built") == 0
    assert table.play("fortify Gorepit").sees(1, "built") == 1
    table = lay(stage="fortification", gods={0: "Love"})
    assert (table.sees(2, "power"), table.sees(2, "used")) == (0, 0)
    table.play("place a Love marker")
    assert (table.sees(2, "power"), table.sees(2, "used")) == (1, 0)
    table.play("Love on Mudfang")
    assert (table.sees(2, "power"), table.sees(2, "used")) == (0, 1)


def test_winning_faces_are_those_of_the_die():
    """In a target's place for the attack on it, in an origin's place for the easiest attack from there."""
    table = lay(
        fortified="Skullridge", technology={"Lizardmen": 1}, owners={"Redtusk": "", "Ashgate": "Pirates"}
    )
    faces = table.sees(0, "faces")
    assert faces[territory("Croakmarsh")] == 6  # Redtusk is empty
    assert faces[territory("Scalebank")] == 5  # against Featherpeak: 3 or more, at +1
    assert faces[territory("Gullrock")] == 0  # nothing to attack
    assert not table.sees(1, "faces").any()
    table.play("attack from Scalebank")
    faces = table.sees(0, "faces")
    assert faces[territory("Skullridge")] == 4
    assert faces[territory("Featherpeak")] == 5
    assert faces[territory("Mirepool")] == 0


def test_no_face_wins_from_where_nobody_may_attack():
    assert lay().sees(0, "faces")[territory("Scalebank")] == 4
    table = lay(gods={0: "Love"}, love="Scalebank")
    assert table.sees(0, "faces")[territory("Scalebank")] == 0
    assert table.sees(0, "faces")[territory("Croakmarsh")] == 4  # on Skullridge
    table = lay(owners={"Skullridge": ""}, vortex=territory("Skullridge"))
    assert table.sees(0, "faces")[territory("Croakmarsh")] == 3  # on Redtusk, a city


def test_origins_count_holy_war_and_ambush_and_the_strongest_walls():
    table = lay(attacker=people("Lizardmen"), victim=people("Orcs"))
    assert table.sees(0, "faces")[territory("Croakmarsh")] == 6
    assert table.sees(0, "faces")[territory("Mirepool")] == 4  # on Featherpeak of the Winged Folk
    ambush = lay(stage="action", hands={0: "Wood Elves"}, technology={"Centaurs": 5, "Orcs": 5})
    ambush.play("play a card of the Wood Elves for Ambush")
    assert ambush.sees(0, "faces")[territory("Greenhush")] == 4
    marker = np.zeros((2, 2, 24), int)
    marker[0, 1, people("Lizardmen")] = marker[1, 1, people("Orcs")] = 2
    marker[1, 0, people("Orcs")] = 1
    technology = {"Orcs": 5, "Lizardmen": 5}
    strong = lay(technology=technology, marker=marker.tolist(), fortified="Skullridge, Redtusk")
    assert strong.sees(0, "faces")[territory("Croakmarsh")] == 2  # on Skullridge: at +9 - 11


def test_the_faces_of_an_origin_are_the_most_of_its_targets_that_are_not_ones_own():
    """Whole games: every attacking territory against what is seen once it is named."""
    rng = np.random.default_rng(3)
    seen = 0
    for seed in range(1 if PLAIN else 12):
        table = choose_gods(deal(4, seed, play_forced=False))
        while not table.finished:
            if table.phase == Phase.ORIGIN and rng.random() < 0.2:
                seen += 1
                assert_faces(table)
            table.env.step(int(rng.choice(table.env.legal_actions())))
    assert seen > (2 if PLAIN else 100)


def assert_faces(table: Table) -> None:
    """Faces on origins are the most of those on their targets."""
    faces, own = table.sees(table.to_act, "faces"), table.sees(table.to_act, "stake") > 0
    may = [action - A.territory for action in table.env.legal_actions() if action != A.done]
    assert not np.delete(faces, may).any()
    for t in may:
        after = Table(table.env.clone())
        after.env.step(A.territory + t)
        assert faces[t] == np.where(own, 0, after.sees(table.to_act, "faces")).max(), TERRITORIES[t]


def test_origins_count_no_attack_on_ones_own():
    table = lay(destinies={0: "Orcs, Lizardmen"}, fortified="Fallowmere")
    assert table.sees(0, "faces")[territory("Croakmarsh")] == 0  # Orcs and Lizardmen all around
    # Fallowmere is fortified; Scalebank, which is not, and Mirepool are spared
    assert table.sees(0, "faces")[territory("Featherpeak")] == 3


def test_own_things_are_seen_first_and_the_others_in_turn_order():
    table = lay(3, gods={0: "Peace", 1: "War", 2: "Luck"})
    for seat in range(3):
        order = [int(row.argmax()) for row in table.sees(seat, "god")[:3]]
        assert order == [[God.PEACE, God.WAR, God.LUCK][(seat + k) % 3] for k in range(3)]


def names_of(block: np.ndarray, value: float = 1) -> set[str]:
    """Territories where a block of the observation has this value."""
    return {TERRITORIES[t] for t in np.flatnonzero(block == value)}


def peoples_of(block: np.ndarray, value: float = 1) -> set[str]:
    """Peoples for which a block of the observation has this value."""
    return {PEOPLE_NAMES[k] for k in np.flatnonzero(block == value)}


def test_what_a_territory_is_worth_to_the_observer():
    """A point, two with a city; less than nothing where another is known to represent the people."""
    table = lay(destinies={0: "Orcs", 1: "Humans (played)"}, owners={"Gorepit": ""})
    stake = table.sees(0, "stake")
    assert names_of(stake, 2) & table.land("Orcs") == {"Redtusk"}
    assert names_of(stake, 1) & table.land("Orcs") == {"Skullridge", "Mudfang"}
    assert names_of(stake, -1) == {"Aldermark", "Fallowmere", "Harrowend"}
    assert names_of(stake, -2) == {"Kingsreach"}
    assert stake[territory("Gorepit")] == 0
    assert table.sees(2, "stake")[territory("Skullridge")] == 0  # nobody has shown the Orcs


def test_who_lives_where_and_where_the_vortex_is():
    table = lay(owners={"Gorepit": "Lizardmen", "Mudfang": "", "Skullridge": ""}, vortex=territory("Mudfang"))
    owner = table.sees(1, "owner")
    assert owner[territory("Gorepit")] == 1 + people("Lizardmen")
    assert owner[territory("Kingsreach")] == 1 + people("Humans")
    assert owner[territory("Skullridge")] == 0
    assert names_of(owner, -1) == {"Mudfang"}


def test_what_a_territory_itself_lowers_attacks_by():
    table = lay(fortified="Gorepit, Redtusk, Deepdelve", bulwarks=1 << territory("Redtusk"), gods={1: "Protectors"},
                fortress=territory("Ironroot"), technology={"Orcs": 5})  # fmt: skip
    walls = table.sees(0, "walls")
    seen = {
        name: walls[territory(name)] for name in ("Mudfang", "Gorepit", "Howlflats", "Redtusk", "Deepdelve")
    }
    assert seen == {"Mudfang": 0, "Gorepit": 1, "Howlflats": 1, "Redtusk": 3, "Deepdelve": 2}
    assert walls[territory("Ironroot")] == 3


def test_love_and_full_peoples_are_seen_on_the_map():
    table = lay(gods={1: "Love"}, love="Gorepit, Redtusk", owners={"Mudfang": "Ogres"})
    assert names_of(table.sees(0, "loved")) == {"Gorepit", "Redtusk"}
    assert names_of(table.sees(0, "full_there")) == {"Mudfang", "Clubpass"}
    assert peoples_of(table.sees(0, "full")) == {"Ogres"}


def test_technology_hatred_and_what_they_and_markers_add_up_to():
    marker = np.zeros((2, 2, 24), int)
    marker[0, 1, people("Orcs")] = marker[1, 0, people("Humans")] = 1
    hated = [int(k == people("Humans")) for k in range(24)]
    table = lay(gods={1: "Vengeance", 2: "Peace"}, uses=[0, 3, 0, 0, 0, 0], destinies={2: "Dwarves (played)"},
                technology={"Orcs": 2, "Humans": 3}, marker=marker.tolist(), hated=hated)  # fmt: skip
    seen = {name: {p: v[people(p)] for p in ("Orcs", "Humans", "Dwarves", "Monks")}
            for name in ("technology", "hated", "attack", "shield") for v in [table.sees(0, name)]}  # fmt: skip
    assert seen["technology"] == {"Orcs": 2, "Humans": 3, "Dwarves": 0, "Monks": 0}
    assert seen["hated"] == {"Orcs": 0, "Humans": 1, "Dwarves": 0, "Monks": 0}
    assert seen["attack"] == {"Orcs": 4, "Humans": 3, "Dwarves": 0, "Monks": 0}
    assert seen["shield"] == {"Orcs": 2, "Humans": 3, "Dwarves": 2, "Monks": 0}


def test_spare_goblins_are_seen():
    table = lay(stage="action", hands={0: "Goblins"})
    assert table.sees(1, "spare_goblins") == 3
    assert table.play("play a card of the Goblins for Swarm").sees(1, "spare_goblins") == 2


# -- what has been named -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("observer", [0, 1])
def test_the_attack_under_way_is_seen_with_its_territories(observer):
    """To raze or to give up the origin is a choice between territories."""
    table = lay(owners={"Mudfang": "Hobbits", "Clubpass": "Hobbits"})
    assert not table.sees(observer, "named").any()
    table.play("attack from Mudfang")
    assert names_of(table.sees(observer, "named")) == {"Mudfang"}
    assert peoples_of(table.sees(observer, "named_people")) == {"Hobbits"}
    table.play("attack Skullridge").roll(5)
    assert table.phase == Phase.EXTENT
    assert names_of(table.sees(observer, "named"), -1) == {"Skullridge"}
    assert peoples_of(table.sees(observer, "named_people"), -1) == {"Orcs"}
    table.play("raze the attacked territory")
    assert not table.sees(observer, "named").any()
    assert not table.sees(observer, "named_people").any()


@pytest.mark.parametrize("observer", [0, 2])
def test_what_was_named_first_is_seen_while_the_second_is_asked_for(observer):
    table = lay(stage="action", hands={0: "Nomads"}).play("play a card of the Nomads for Great Trek")
    assert not table.sees(observer, "named").any()
    assert names_of(table.play("trek Saltwell").sees(observer, "named")) == {"Saltwell"}
    assert not table.play("trek Harrowend").sees(observer, "named").any()
    table = lay(stage="action", hands={0: "Necromancers"}, owners={"Redtusk": "", "Gorepit": ""})
    table.play("play a card of the Necromancers for Raise the Dead", "raise the dead in Redtusk")
    assert names_of(table.sees(observer, "named")) == {"Redtusk"}
    table = lay(stage="action", hands={0: "Monks"})
    table.play("play a card of the Monks for Holy War", "Holy War by the Gnomes")
    assert peoples_of(table.sees(observer, "named_people")) == {"Gnomes"}
    assert not table.sees(observer, "named").any()


def test_a_table_on_which_something_was_named_for_nothing_is_refused():
    for stage in ("combat", "fortification", "action"):
        with pytest.raises(BadPosition, match=r"state\.chosen"):
            lay(stage=stage, chosen=territory("Sunroad"))
    trek = lay(stage="action", hands={0: "Nomads"}).play("play a card of the Nomads for Great Trek")
    position = trek.env.position()
    with pytest.raises(BadPosition, match=r"state\.chosen"):
        trek.env.load({**position, "state": {**position["state"], "chosen": territory("Saltwell")}})


# -- cards -------------------------------------------------------------------------------------------------------------


def test_own_cards_are_told_apart_from_destiny_cards_and_played_from_unplayed():
    table = lay(3, destinies={0: "Humans (played), Goblins"}, hands={0: "2 Humans, Ogres"})
    assert {k: n for k, n in enumerate(table.sees(0, "in_hand")) if n and k in (0, 7, 21)} == {0: 2, 21: 1}
    assert table.sees(0, "unplayed").tolist() == [0, 1, 0, 0]
    assert peoples_of(table.sees(0, "represented")) == {"Humans", "Goblins"}


def test_revealed_cards_are_told_from_cards_that_were_looked_at():
    looked = np.zeros((6, 4), int)
    looked[1, 0] = 1  # by seat 0
    table = lay(3, destinies={0: "Chaos (played)", 1: "Orcs, Goblins (played)"}, looked=looked.tolist())
    assert {"Chaos", "Goblins"} <= peoples_of(table.sees(0, "revealed"))
    assert "Orcs" not in peoples_of(table.sees(0, "revealed"))
    assert peoples_of(table.sees(0, "holder"), 1) == {"Orcs", "Goblins"}
    assert peoples_of(table.sees(2, "holder"), 2) == {"Goblins"}
    assert not table.sees(0, "holder")[people("Chaos")]


def test_everybody_sees_who_looked_at_which_card():
    """1 for the observer, 2 for the seat after it, 4 for the next."""
    looked = np.zeros((6, 4), int)
    looked[1, 1] = 0b101  # seats 0 and 2
    table = lay(3, destinies={1: "Orcs, Goblins"}, looked=looked.tolist())
    assert table.sees(0, "looked")[1].tolist() == [0, 1 + 4, 0, 0]
    assert table.sees(1, "looked")[0].tolist() == [0, 2 + 4, 0, 0]
    assert table.sees(2, "looked")[2].tolist() == [0, 1 + 2, 0, 0]
    assert table.sees(2, "looked").sum() == 3


def test_backs_of_the_cards_in_hand_are_seen_but_for_deception():
    table = lay(3, played={0: "2 Ogres, Humans", 1: "2 Orcs, Giants"}, gods={1: "Deception"})
    reds = [table.sees(seat, "reds")[:3].tolist() for seat in range(3)]
    assert [row[-seat] for seat, row in enumerate(reds)] == [2, 2, 2]  # seat 0, of the four that were dealt
    assert [row[1 - seat] for seat, row in enumerate(reds)] == [0, 0, 0]  # seat 1


def test_backs_of_secret_bets_still_count_among_the_cards():
    table = lay(2, stage="bets", turn=7, hands={0: "Ogres, Humans"}, gods={0: "War", 1: "Luck"})
    before = table.sees(1, "reds")[1], table.sees(1, "cards")[1]
    table.play("bet on the Ogres")
    assert (table.sees(1, "reds")[1], table.sees(1, "cards")[1]) == before
    assert table.sees(0, "reds")[0] == before[0] - 1


def test_the_gods_of_the_others_are_not_seen_by_the_backs_of_their_cards_before_they_are_revealed():
    for seed in range(30):
        table = deal(3, seed)
        table.play(*sorted(table.choices())[:1])
        chooser = table.state.first
        assert table.sees(table.to_act, "reds")[(chooser - table.to_act) % 3] == 4


def test_what_deception_played_since_a_deal_may_have_been_the_destiny_card():
    early = [0] * 24
    early[people("Nomads")] = 1
    table = deceived(4, "Orcs, Nomads, Ogres", destinies={0: "Chaos, Goblins"}, early=early)
    assert peoples_of(table.sees(0, "suspect")) == {"Orcs"}  # Nomads: before the deal; Ogres: none dealt yet
    assert peoples_of(table.sees(1, "suspect")) == {"Orcs"}  # as the others see it
    open_played = lay(2, played={1: "Orcs"}, gods={1: "War"})
    assert not open_played.sees(0, "suspect").any()


# -- worlds ------------------------------------------------------------------------------------------------------------


def test_unknown_destinies_are_drawn_from_those_not_seen():
    table = lay(
        3,
        destinies={0: "Humans, Goblins", 1: "Chaos (played), Nomads", 2: "Orcs, Lizardmen"},
        gods={2: "Luck"},
    )
    exact = dict.fromkeys(product((2, 3, 4, 5), permutations((6, 8, 9, 10, 11), 2)), 1)
    assert_drawn_from(drawn(table, 0, lambda w: (w["destiny"][2, 0], tuple(w["destiny"][1:3, 1]))), exact)


def test_a_card_that_was_looked_at_is_kept_by_who_looked_alone():
    looked = np.zeros((6, 4), int)
    looked[1, 0] = 1  # by seat 0
    table = lay(
        3, destinies={0: "Humans, Goblins", 1: "Chaos, Nomads", 2: "Orcs, Lizardmen"}, looked=looked.tolist()
    )
    assert set(drawn(table, 0, lambda w: int(w["destiny"][1, 0]))) == {1}
    assert set(drawn(table, 2, lambda w: int(w["destiny"][1, 0]))) == {0, 1, 2, 3, 4}


def test_hands_are_drawn_from_the_cards_not_seen():
    """One yellow card of another's hand: as likely as there are copies that the observer has not seen."""
    table = lay(
        3,
        turn=1,
        stage="action",
        seat=1,
        hands={0: "2 Humans, Chaos"},
        gods={0: "War", 1: "Luck", 2: "Peace"},
    )
    unseen = [2 - int(table.state.hand[0, k]) - int(table.state.played[0, k]) for k in range(12)]
    worlds = table.worlds(0, NUMBER).view(np.ndarray)
    held = worlds["hand"][:, 2, :12].astype(int).sum(axis=0)
    expected = np.array(unseen) / sum(unseen) * 4 * NUMBER
    assert np.abs(held - expected).max() < 4.5 * np.sqrt(4 * NUMBER * 0.1)
    assert not held[[k for k in range(12) if not unseen[k]]].any()


def test_discards_and_own_bets_are_in_no_other_hand():
    table = lay(
        3,
        turn=8,
        hands={0: ""},
        bets={0: "2 Ogres"},
        played={1: "2 Gnomes"},
        gods={1: "War", 2: "Luck", 0: "Peace"},
    )
    worlds = table.worlds(0, NUMBER).view(np.ndarray)
    assert not worlds["hand"][:, 1:, people("Ogres")].any()
    assert not worlds["hand"][:, :, people("Gnomes")].any()


def test_bets_of_others_keep_their_number_and_backs():
    table = lay(3, turn=8, bets={0: "Ogres", 1: "Humans, Gnomes"}, gods={1: "War", 2: "Luck", 0: "Peace"})
    worlds = table.worlds(0, NUMBER).view(np.ndarray)
    bets = worlds["bets"][:, 1]
    assert (bets[:, 0] >= 12).all()
    assert (bets[:, 1] < 12).all()
    assert len(set(bets[:, 0].tolist())) > 8
    assert (worlds["bets"][:, 0] == table.state.bets[0]).all()


def test_before_the_gods_are_revealed_the_others_hold_any_two_others():
    table = deal(2, 5)
    table.play(min(table.choices()))
    seat, other = table.to_act, 1 - table.to_act
    own = table.state.offer[seat].tolist()
    left = [god for god in range(12) if god not in own]
    exact = {(pair, god): 1 for pair in combinations(left, 2) for god in pair}
    seen = drawn(table, seat, lambda w: (tuple(sorted(w["offer"][other].tolist())), int(w["god"][other])))
    assert_drawn_from(seen, exact)
    assert (np.asarray(choose_gods(table).state.offer) == -1).all()


# -- the god of deception ----------------------------------------------------------------------------------------------


def deceived(turn: int = 4, played: str = "Orcs, Humans, Ogres", **more: Any) -> Table:
    """Seat 1 has the god of deception and has played these cards; seat 0 looks on."""
    destinies = more.pop("destinies", {0: "Chaos, Goblins"})
    return lay(2, turn=turn, gods={0: "War", 1: "Deception"}, destinies=destinies, played={1: played}, **more)


def test_what_others_have_shown_leaves_only_destiny_cards_for_what_deception_played():
    """Six players hold all yellow cards; but for four, the observer has seen them."""
    table = lay(
        6, stage="action", turn=7, gods={0: "War", 1: "Deception"},
        destinies={0: "Barbarians (played), Lizardmen (played)", 1: "Chaos (played), Goblins (played)"},
        hands={0: "Humans, Orcs, Centaurs, Voracious"},
        played={
            0: "2 Pirates, 2 Monks",
            1: "Humans, Orcs, Centaurs, Ogres",
            2: "2 Chaos, 2 High Elves, 2 Giants",
            3: "2 Dwarves, 2 Barbarians, 2 Gnomes",
            4: "2 Goblins, 2 Dark Elves, 2 Hobbits",
            5: "2 Nomads, 2 Lizardmen, 2 Amazons",
        },
    )  # fmt: skip
    for world in table.worlds(0, 50).view(np.ndarray):
        GAME.check(GAME.record(np.array([world])))
        assert world["destiny"][1, :2].tolist() == [people("Chaos"), people("Goblins")]
        assert world["spent"][1, :2].tolist() == [1, 1]
        assert world["hand"][1, people("Voracious")] == 1


def test_what_deception_played_before_a_deal_was_no_destiny_card_of_that_size():
    for god, early in (("Deception", {people("Goblins"): 1}), ("War", {})):
        table = lay(
            3, stage="order", turn=3, gods={0: "Time", 1: god}, played={1: "Goblins, Orcs"}, attacks=0
        )
        table.play("player_0 is first")
        assert table.state.destiny[1, 1] >= 0
        assert {k: int(n) for k, n in enumerate(table.state.early) if n} == early


def test_worlds_of_deception_do_not_hang_on_the_truth():
    """Destiny card or action card: the others cannot tell, and believe the same."""
    by_card = deceived(2, "", destinies={0: "Chaos", 1: "Orcs (played)"})
    by_action = deceived(2, "Orcs", destinies={0: "Chaos", 1: "Orcs"})
    for table in (by_card, by_action):
        assert table.state.played[1, people("Orcs")] == 1
        assert table.sees(0, "cards")[1] == 8
    position = by_card.env.position()["state"]
    other = by_action.env.position()["state"]
    same = [k for k in position if position[k] != other[k]]
    assert set(same) <= {"hand", "spent", "rng"}
    seen = by_card.env.observe("player_0")["observation"]
    assert np.array_equal(seen, by_action.env.observe("player_0")["observation"])
    one, two = by_card.worlds(0, 50), by_action.worlds(0, 50)
    assert one.tobytes() == two.tobytes()


def test_in_every_world_of_deception_the_cards_fit():
    """Whole games with the god of deception at the table: worlds pass the check of the components."""
    rng = np.random.default_rng(5)
    for seed in range(30):
        table = choose_gods(deal(3, seed))
        if God.DECEPTION not in np.asarray(table.state.god)[:3]:
            continue
        while not table.finished:
            table.env.step(int(rng.choice(table.env.legal_actions())))
            if rng.random() < 0.1 and not table.finished and table.stage != Stage.GODS:
                for world in table.worlds(int(rng.integers(3)), 2).view(np.ndarray):
                    states = np.array([world])
                    GAME.check(GAME.record(states))
