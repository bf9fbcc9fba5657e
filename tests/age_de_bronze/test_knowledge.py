"""What a seat may know: what it remembers, and the worlds that it cannot tell from the real one.

Distributions are held against exact enumeration with a chi-square test at 0.1 %; seeds are fixed, so nothing flickers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations, product

import numpy as np
import pytest

from agezoo.envs.age_de_bronze.components import NUM_HELD, Card
from agezoo.envs.engine.compile import PLAIN

from .scenario import GAME, Table, lay

END = int(Card.END_OF_THE_BRONZE_AGE)
TOP = "Family, Temple, Victory, Spy, Curse, Famine"
NUMBER = 2_000 if PLAIN else 20_000  # worlds drawn for one distribution


def assert_drawn_from(seen: Counter, exact: dict) -> None:
    """Chi-square: `seen` may be a sample of the probabilities `exact`. Rare outcomes are taken together."""
    assert not set(seen) - set(exact), "a world that cannot be"
    total = sum(seen.values())
    cells, rare = [], [0.0, 0.0]
    for outcome, probability in exact.items():
        if probability * total >= 5:
            cells.append((seen[outcome], probability * total))
        else:
            rare = [rare[0] + seen[outcome], rare[1] + probability * total]
    if rare[1] > 0:
        cells.append((rare[0], rare[1]))
    value = sum((got - due) ** 2 / due for got, due in cells)
    freedom = len(cells) - 1
    if freedom:
        wall = (
            freedom * (1 - 2 / (9 * freedom) + 3.09 * np.sqrt(2 / (9 * freedom))) ** 3
        )  # Wilson and Hilferty
        assert value < wall, f"chi-square {value:.1f} over {freedom} degrees of freedom"
    assert freedom or total == sum(seen[outcome] for outcome in exact)


# -- what a seat remembers ---------------------------------------------------------------------------------------------


def test_a_card_taken_from_the_row_is_known_to_all_until_it_is_played():
    table = lay(hands={0: "Family"}, row="2 Temple, Victory").play(*["take Temple from the row"] * 2)
    assert table.known(0, observer=1) == {"Temple": 2}
    assert table.known(0, observer=0) == {"Family": 1, "Temple": 2}
    table.play("play Temple")
    assert table.known(0, observer=2) == {"Temple": 1}


def test_of_two_alike_one_known_nobody_can_say_which_was_played():
    """A second Family in hand is unknown to the others; once one is played they are sure of none."""
    for order in ("Family, Temple", "Temple, Family"):
        table = lay(hands={0: order}, row="2 Family, Victory").play("take Family from the row")
        assert table.known(0, observer=1) == {"Family": 1}
        table.play("play Family")
        assert table.known(0, observer=1) == {}
        assert table.known(0, observer=0) == {"Family": 1, "Temple": 1}


def test_riches_drawn_are_known_to_all():
    table = lay(hands={0: "Victory"}).fate(2, draws="Riches, Riches").play("play Victory")
    assert table.known(0, observer=2) == {"Riches": 2}


def test_a_card_drawn_with_utu_is_hidden_but_its_number_is_not():
    table = lay(turn="Sumerians", top="Spy").play("Utu: draw the top card")
    assert table.known(1, observer=0) == {}
    assert table.sees(0, "hand_size")[1] == 1


def test_discards_are_face_up():
    table = lay(hands={0: "9 Family", 1: "Temple, Curse"}, row="3 Curse"[2:] + ", 2 Bad King")
    table.play("take Curse from the row", "end the turn", "discard Curse", "discard Family")
    assert table.sees(2, "discards")[Card.CURSE] == 1
    assert table.known(0, observer=2) == {}


def test_a_spy_sees_the_whole_hand_and_remembers_it():
    table = lay(hands={0: "Spy", 1: "Family, Temple, Curse"})
    table.play(
        "play Spy as a dirty trick", "against the Sumerians", "take Curse from the hand", "end the turn"
    )
    assert table.known(1, observer=0) == {"Family": 1, "Temple": 1}
    table.play("play Temple", "end the turn")
    assert table.known(1, observer=0) == {"Family": 1}


def test_the_victim_of_a_spy_knows_what_was_taken_and_third_seats_do_not():
    table = lay(hands={0: "Spy", 1: "Family, Temple, Curse"})
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Curse from the hand")
    assert table.known(0, observer=1) == {"Curse": 1}
    assert table.known(0, observer=2) == {}
    assert table.known(1, observer=2) == {}


def spied(taken: str) -> Table:
    """Seat 2 knew two Riches, a Temple and a Family of seat 1, whose Victory it did not know; a Spy takes one card."""
    table = lay(turn="Sumerians", hands={0: "Spy", 1: "2 Riches, Victory"}, row="Family, Temple, Curse")
    table.play("take Family from the row", "take Temple from the row", "end the turn", "end the turn")
    assert table.known(1, observer=2) == {"Family": 1, "Temple": 1, "Riches": 2}
    return table.play("play Spy as a dirty trick", "against the Sumerians", f"take {taken} from the hand")


@pytest.mark.parametrize("taken", ["Family", "Temple", "Victory", "Riches"])
def test_after_a_spy_third_seats_know_what_is_among_the_cards_that_were_in_the_hand(taken):
    """Ruling 8: any of them may be the one that went."""
    table = spied(taken)
    assert table.known(1, observer=2) == table.known(0, observer=2) == {}
    assert table.lost(2) == {"Family": 1, "Temple": 1, "Riches": 2}
    assert [table.mixed(seat, observer=2) for seat in (0, 1, 2)] == [1, 4, 0]
    assert table.known(0, observer=1) == {taken: 1}
    assert table.lost(0) == table.lost(1) == {}


def test_a_card_shown_after_a_spy_is_taken_for_one_of_those_lost_sight_of():
    table = spied("Victory").play("end the turn", "play Temple")
    assert table.lost(2) == {"Family": 1, "Riches": 2}
    assert [table.mixed(seat, observer=2) for seat in (0, 1)] == [1, 3]
    table.play("play Family", "play Riches")
    assert table.lost(2) == {"Riches": 1}
    assert [table.mixed(seat, observer=2) for seat in (0, 1)] == [1, 1]


def test_when_the_thief_shows_the_card_all_is_known_again():
    table = spied("Family").play("play Family")
    assert table.lost(2) == {}
    assert table.known(1, observer=2) == {"Temple": 1, "Riches": 2}
    assert table.known(0, observer=2) == {}


def test_the_thief_may_have_had_the_card_it_shows_before():
    """Then the one it took may be any of the others, so none of them is certain."""
    table = lay(turn="Sumerians", hands={0: "Spy, Temple", 1: "Riches"}, row="Family, Temple, Curse").play(
        "take Family from the row", "take Temple from the row", "end the turn", "end the turn"
    )
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Family from the hand")
    assert [table.mixed(seat, observer=2) for seat in (0, 1)] == [1, 2]
    table.play("play Temple")
    assert table.lost(2) == {"Family": 1, "Riches": 1}
    assert [table.mixed(seat, observer=2) for seat in (0, 1)] == [1, 2]


def test_cards_all_alike_are_not_lost_by_a_spy():
    table = lay(hands={0: "Spy", 1: "3 Riches"})
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Riches from the hand")
    assert table.known(1, observer=2) == {"Riches": 2}
    assert table.known(0, observer=2) == {"Riches": 1}
    assert table.lost(2) == {}


def test_a_spy_of_ones_own_finds_again_what_another_had_moved():
    table = lay(
        turn="Sumerians", hands={0: "Spy", 1: "2 Riches, Victory", 2: "Spy"}, row="Family, Temple, Curse"
    ).play("take Family from the row", "take Temple from the row", "end the turn", "end the turn")
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Family from the hand")
    table.play("end the turn", "end the turn", "play Spy as a dirty trick", "against the Sumerians")
    assert table.known(1, observer=2) == {"Temple": 1, "Riches": 2, "Victory": 1}
    assert table.known(0, observer=2) == {"Family": 1}
    assert table.lost(2) == {}


def test_what_a_third_seat_sees_of_a_spy_does_not_tell_which_card_was_taken():
    views = {
        spied(taken).env.observe("player_2")["observation"].tobytes()
        for taken in ("Family", "Victory", "Riches")
    }
    assert len(views) == 1


def looked(*back: str, keep: str = "nothing", **more) -> Table:
    more.setdefault("hands", {0: "Augury"})
    table = lay(top=TOP, **more).play("play Augury", f"keep {keep}")
    return table.play(*[f"put back {card}" for card in back])


def test_whoever_looked_knows_the_order_and_the_others_do_not():
    table = looked("Curse", "Spy", "Victory", "Temple", "Family")
    assert table.deck_known(0) == ["Curse", "Spy", "Victory", "Temple", "Family"]
    assert table.deck_known(1) == table.deck_known(2) == [None] * 5


def test_the_looker_knows_what_another_draws_from_the_cards_that_it_put_back():
    table = looked("Curse", "Spy", "Victory", "Temple", "Family").play(
        "end the turn", "Utu: draw the top card"
    )
    assert table.known(1, observer=0) == {"Curse": 1}
    assert table.known(1, observer=2) == {}
    assert table.deck_known(0) == ["Spy", "Victory", "Temple", "Family", None]


def test_an_augury_of_another_makes_one_forget_the_cards_on_top():
    """Ruling 9: they may have been put back in any order, less one."""
    table = looked("Curse", "Spy", "Victory", "Temple", "Family", hands={0: "Augury", 1: "Augury"})
    table.play("end the turn", "play Augury")
    assert table.deck_known(0) == [None] * 5
    table.play("keep Spy", *[f"put back {card}" for card in ("Temple", "Victory", "Curse", "Family")])
    assert table.deck_known(0) == [None] * 5
    assert table.deck_known(1) == ["Temple", "Victory", "Curse", "Family", None]
    assert table.known(1, observer=0) == {}


def test_a_second_augury_of_ones_own_shows_one_card_more_for_each_that_was_drawn():
    table = looked("Curse", "Spy", "Victory", "Temple", "Family", hands={0: "2 Augury"})
    table.play("play Augury", "keep Curse")
    assert table.deck_known(0) == ["Spy", "Victory", "Temple", "Family", None]


# -- what is on the table, as numbers ----------------------------------------------------------------------------------


def test_a_seat_sees_the_table_from_its_own_nation_on():
    table = lay(
        4,
        turn="Amorites",
        actions=3,
        hands={0: "Family", 1: "2 Temple", 3: "Augury, Riches"},
        tables={"Akkadians": "3 Family, Temple", "Sumerians": "2 Victory", "Hurrians": "4 Riches"},
        row="2 Family, Spy",
        deities={"Utu": "Hurrians"},
        greatest_temple="Akkadians",
        riches_discards="3 Riches, Ambush",
        piles_drawn=0,
    )
    order = [1, 2, 3, 0]  # from seat 1's own nation on
    expected = {
        "players": [0, 0, 1, 0, 0],
        "turn_of": [0, 1, 0, 0, 0, 0],
        "in_play": [1, 1, 1, 1, 0, 0],
        "mine": [1, 0, 0, 0, 0, 0],
        "family": [0, 0, 0, 3, 0, 0],
        "temple": [0, 0, 0, 1, 0, 0],
        "victory": [2, 0, 0, 0, 0, 0],
        "riches": [0, 0, 4, 0, 0, 0],
        "greatest_temple": [0, 0, 0, 1, 0, 0],
        "points": [2, 2, 2 + 3, 2 + 3 + 2, 0, 0],
        "hand_size": [2, 0, 2, 1, 0, 0],
        "ends_out": 0,
        "deck_left": table.deck_left,
        "pile_left": table.state.pile_start[1] - table.state.deck_next,
        "pile_end_out": 0,
        "riches_deck": [38 - 4 - 1 - 3, 6],
        "riches_discards": [3, 1],
        "actions": 3,
        "deciding": 0,
        "deity_used": [0] * 6,
        "free_trick": 0,
        "owed": 0,
        "placed": 0,
    }
    for name, value in expected.items():
        assert np.allclose(table.sees(1, name), value), name
    assert table.sees(1, "nation").argmax(axis=1)[:4].tolist() == order
    deities = table.sees(1, "deities")
    assert [np.flatnonzero(row).tolist() for row in deities[:4]] == [[], [2], [1, 3], [0]]
    assert table.sees(1, "row")[:4].tolist() == [2, 0, 0, 1]
    assert table.sees(1, "discards")[Card.FAMILY] == table.discards.get("Family", 0)
    assert table.sees(2, "deciding") == 1


def test_what_is_being_resolved_is_public():
    table = lay(
        hands={0: "2 Riches", 1: "Family"},
        tables={"Amorites": "Family"},
        nations="Hurrians, Sumerians, Amorites",
    )
    table.play("Nergal: play a dirty trick")
    assert table.sees(1, "deity_used")[3] == 1
    assert table.sees(1, "free_trick") == 1
    table.play("play Riches as a dirty trick")
    assert table.sees(1, "trick").tolist() == [0] * 7 + [1]
    assert table.sees(1, "phase").argmax() == table.phase == 1
    table = lay(hands={0: "Curse", 1: "5 Family"}).play(
        "play Curse as a dirty trick", "against the Sumerians"
    )
    assert table.sees(2, "target").tolist() == [0, 0, 1, 0, 0, 0]  # two after seat 2's own
    assert table.sees(2, "owed") == 3
    table = lay(hands={0: "Augury"}, top=TOP).play(
        "play Augury", "keep nothing", "put back Spy", "put back Family"
    )
    assert table.sees(1, "placed") == 2


def test_a_player_of_two_nations_looks_from_the_active_one_else_from_its_next():
    table = lay(2)
    assert [table.sees(seat, "nation")[0].argmax() for seat in (0, 1)] == [0, 1]
    table.play("end the turn")
    assert [table.sees(seat, "nation")[0].argmax() for seat in (0, 1)] == [2, 1]
    assert table.sees(0, "mine").tolist() == [1, 0, 1, 0, 0, 0]


# -- worlds: cards -----------------------------------------------------------------------------------------------------


def test_cards_that_a_seat_does_not_know_are_dealt_uniformly():
    """Two hands and a deck of three: all deals of an End card and five others, two of which are alike."""
    table = lay(
        hands={0: "Augury", 1: "Family", 2: "Temple, Spy"},
        piles_drawn=3,
        pile_left=3,
        top="Family, End, Curse",
    )
    first = int(table.state.deck_next)
    seen: Counter = Counter()
    for s in table.worlds(0, NUMBER):
        seen[tuple(s["deck"][first : first + 3]), *(tuple(s["hand"][seat]) for seat in (1, 2))] += 1
    pool = [Card.FAMILY, Card.FAMILY, Card.TEMPLE, Card.SPY, Card.CURSE]
    deals: Counter = Counter()
    for order in permutations(map(int, pool)):
        for place in range(3):
            deck = [order[3], order[4]]
            deck.insert(place, END)
            hands = [Counter(order[:1]), Counter(order[1:3])]
            deals[tuple(deck), *(tuple(held[card] for card in range(NUM_HELD)) for held in hands)] += 1
    total = sum(deals.values())
    assert_drawn_from(seen, {deal: n / total for deal, n in deals.items()})


def test_known_cards_stay_where_they_are_and_everything_public_too():
    table = spied("Temple")
    for seat in range(3):
        before = table.env.observe(f"player_{seat}")["observation"]
        for seed in range(50):
            world = table.world(seat, seed)
            assert np.array_equal(world.env.observe(f"player_{seat}")["observation"], before)
            GAME.check(world.state)


def test_worlds_vary():
    table = lay(hands={0: "Augury", 1: "4 Family", 2: "3 Temple"})
    hands = {tuple(s["hand"][1]) for s in table.worlds(0, 50)}
    assert len(hands) > 20
    assert len({tuple(s["hand"][0]) for s in table.worlds(0, 50)}) == 1


def test_two_truths_with_one_view_have_the_same_worlds():
    """Which card the Spy took is the only difference, and seat 2 does not see it."""
    counts = []
    for taken in ("Family", "Riches"):
        worlds = spied(taken).worlds(2, NUMBER)
        counts.append(Counter(int(s["hand"][0].argmax()) for s in worlds))
    kinds = sorted(set(counts[0]) | set(counts[1]))
    for kind in kinds:
        a, b = (c[kind] / NUMBER for c in counts)
        assert abs(a - b) < 4 * np.sqrt(2 * 0.25 / NUMBER)


def riches(worlds: np.ndarray) -> Counter:
    """How many Riches each of the hands holds."""
    return Counter(tuple(s["hand"][: s["num_players"], Card.RICHES].tolist()) for s in worlds)


def test_riches_lost_sight_of_stay_in_the_hands_that_took_part_in_a_spy():
    """Two Riches, a Family and a Temple were in the robbed hand: each of the three kinds may be the one that went."""
    row = "Family, Temple, Curse"
    table = lay(4, turn="Sumerians", hands={0: "Spy", 1: "2 Riches", 3: "2 Victory"}, row=row)
    table.play("take Family from the row", "take Temple from the row", *["end the turn"] * 3)
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Riches from the hand")
    assert table.known(1, observer=2) == {}
    assert table.lost(2) == {"Family": 1, "Temple": 1, "Riches": 2}
    assert_drawn_from(riches(table.worlds(2, NUMBER)), {(1, 1, 0, 0): 1 / 3, (0, 2, 0, 0): 2 / 3})


def test_riches_lost_sight_of_are_in_no_hand_that_took_no_part():
    """The bystander sits before the spy and its victim, with more cards than both."""
    table = lay(4, turn="Amorites", hands={0: "6 Victory", 1: "Riches, Family", 2: "Spy"})
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Riches from the hand")
    assert_drawn_from(riches(table.worlds(3, NUMBER)), {(0, 1, 0, 0): 1 / 2, (0, 0, 1, 0): 1 / 2})


def test_the_thief_and_its_victim_keep_sight_of_the_riches():
    table = lay(4, hands={0: "Spy", 1: "2 Riches, Family, Temple"})
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Riches from the hand")
    for seat in (0, 1):
        assert set(riches(table.worlds(seat, 50))) == {(1, 1, 0, 0)}


def test_a_world_of_a_world_keeps_riches_in_hands():
    """In a world others do not know which hand a Spy's Riches are in; they never imagine them in the deck."""
    table = lay(4, hands={0: "Spy", 1: "2 Riches, Family, Temple", 3: "2 Victory"})
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Riches from the hand")
    for seed in range(50):
        world = table.world(2, seed).world(3, seed)
        GAME.check(world.state)
        assert sum(world.state.hand[seat, Card.RICHES] for seat in range(4)) == 2


def test_in_every_world_a_raider_holds_riches_and_nergals_caller_a_trick():
    """What a seat has just announced it can do, also where the onlooker lost track of its cards."""
    table = lay(
        hands={0: "Spy", 1: "2 Riches, Family, Temple"},
        tables={"Amorites": "Family"},
        nations="Hurrians, Sumerians, Amorites",
    )
    table.play("play Spy as a dirty trick", "against the Sumerians", "take Riches from the hand")
    steps = ("Nergal: play a dirty trick", "play Riches as a dirty trick")
    for words in steps:
        table.play(words)
        for seed in range(200):
            world = table.world(2, seed)
            assert world.choices()
            assert words == steps[0] or world.hand(0) == {"Riches": 1}
    table = lay(hands={0: "Curse", 1: "3 Temple", 2: "Family"}, nations="Hurrians, Sumerians, Amorites")
    table.play("Nergal: play a dirty trick")
    assert {tuple(table.world(2, seed).choices()) for seed in range(300)} >= {
        ("play Curse as a dirty trick",),
        ("play Spy as a dirty trick",),
        ("play Theft of Deity as a dirty trick",),
    }
    assert all(table.world(2, seed).choices() for seed in range(300))


# -- worlds: End cards -------------------------------------------------------------------------------------------------


class Ends:
    """Every place that the End cards of some piles may have, by enumeration, with what happened since played out."""

    def __init__(self, piles: Iterable[range]) -> None:
        each = list(piles)
        number = np.prod([len(pile) for pile in each])
        self.worlds = {frozenset(places): 1 / number for places in product(*each)}

    def other_looks(self, start: int, size: int, kept: bool) -> Ends:
        """Another seat may put what it saw back in any order, and keeps a card that is no End card."""
        after: Counter = Counter()
        back = range(start + kept, start + size)
        for ends, p in self.worlds.items():
            count = sum(start <= place < start + size for place in ends)
            rest = frozenset(place for place in ends if not start <= place < start + size)
            orders = list(combinations(back, count))
            for order in orders:
                after[rest | set(order)] += p / len(orders)
        self.worlds = dict(after)
        return self

    def i_look(self, start: int, size: int, back: set[int]) -> Ends:
        """The observer saw as many End cards as it put back, at places `back`."""
        after: Counter = Counter()
        for ends, p in self.worlds.items():
            inside = [place for place in ends if start <= place < start + size]
            if len(inside) == len(back):
                after[frozenset(set(ends) - set(inside) | back)] += p
        self.worlds = dict(after)
        return self

    def shown(self, start: int, stop: int, ends: set[int]) -> Ends:
        """Cards from `start` up to `stop` have come out, those at `ends` were End cards."""
        self.worlds = {w: p for w, p in self.worlds.items() if {e for e in w if start <= e < stop} == ends}
        return self

    def exact(self, first: int) -> dict[frozenset[int], float]:
        """Probabilities of what is left from `first` on."""
        left: Counter = Counter()
        total = sum(self.worlds.values())
        for world, p in self.worlds.items():
            left[frozenset(place for place in world if place >= first)] += p / total
        return dict(left)


def imagined(table: Table, seat: int, stop: int) -> Counter:
    """Where End cards before `stop` lie in imagined worlds."""
    first = int(table.state.deck_next)
    return Counter(
        frozenset(first + np.flatnonzero(s["deck"][first:stop] == END)) for s in table.worlds(seat, NUMBER)
    )


def piles(table: Table, first: int, number: int) -> list[range]:
    starts = table.state.pile_start
    return [range(max(first, starts[k]), starts[k + 1]) for k in range(number)]


def test_each_pile_holds_one_end_card_anywhere_in_it():
    table = lay(hands={0: "Family"})
    first, stop = int(table.state.deck_next), int(table.state.pile_start[2])
    for seat in (0, 2):
        assert_drawn_from(imagined(table, seat, stop), Ends(piles(table, first, 2)).exact(first))


def test_a_pile_whose_end_card_is_out_holds_no_other():
    table = lay(pile_left=6, top="End, Temple, Spy, Victory, Curse, Family", row="2 Bad King")
    assert table.sees(1, "pile_end_out") == 0
    table.play("end the turn")
    assert table.sees(1, "pile_end_out") == 1
    assert table.sees(1, "pile_left") == 3
    first = int(table.state.deck_next)
    stop = int(table.state.pile_start[2])
    exact = Ends([range(int(table.state.pile_start[1]), stop)]).exact(first)
    assert_drawn_from(imagined(table, 1, stop), exact)


def test_what_one_saw_with_an_augury_of_ones_own():
    """Neither of the first five is an End card, so it lies further down in its pile."""
    table = looked("Curse", "Spy", "Victory", "Temple", "Family", pile_left=12)
    first, stop = int(table.state.deck_next), int(table.state.pile_start[1])
    assert_drawn_from(
        imagined(table, 0, stop), Ends([range(first, stop)]).i_look(first, 5, set()).exact(first)
    )
    assert_drawn_from(
        imagined(table, 1, stop), Ends([range(first, stop)]).other_looks(first, 5, False).exact(first)
    )


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_an_augury_of_another_that_spans_two_piles(keep, second):
    """Three cards of the first pile and two of the next; with and without its End card, keeping a card or not."""
    table = lay(
        hands={0: "Augury"}, pile_left=3, top=f"Temple, Family, End, {'End' if second else 'Spy'}, Victory"
    )
    first, stop = int(table.state.deck_next), int(table.state.pile_start[2])
    exact = Ends(piles(table, first, 2))
    table.play("play Augury")
    assert_drawn_from(
        imagined(table, 1, stop), exact.other_looks(first, 5, False).exact(first)
    )  # before it is said
    exact = Ends(piles(table, first, 2)).other_looks(first, 5, keep)
    table.play("keep Family" if keep else "keep nothing")
    while table.phase == 6:
        table.play(max(table.choices()))  # the End card goes to the bottom, across the border
    now = int(table.state.deck_next)
    assert_drawn_from(imagined(table, 1, stop), exact.exact(now))
    assert_drawn_from(imagined(table, 2, stop), exact.exact(now))


@pytest.mark.parametrize("keep", [False, True])
def test_what_comes_out_after_an_augury_of_another_is_taken_into_account(keep):
    table = lay(
        hands={0: "Augury"},
        pile_left=3,
        top="Temple, Family, End, Spy, Victory",
        row="2 Theft of Deity, Bad King",
    )
    first, stop = int(table.state.deck_next), int(table.state.pile_start[2])
    table.play("play Augury", "keep Family" if keep else "keep nothing")
    while table.phase == 6:
        table.play(max(table.choices()))
    exact = Ends(piles(table, first, 2)).other_looks(first, 5, keep)
    for _ in range(2):
        table.play("take Theft of Deity from the row") if table.can(
            "take Theft of Deity from the row"
        ) else None
        table.play("end the turn")
        now = int(table.state.deck_next)
        out = {first + int(k) for k in np.flatnonzero(table.state.deck[first:now] == END)}
        assert_drawn_from(imagined(table, 1, stop), exact.shown(first, now, out).exact(now))
    assert now > first + 1


def test_an_end_card_put_into_the_pile_before_its_own():
    """Two End cards come out before the first pile is used up: its own one, or the next pile's, or both."""
    table = lay(
        hands={0: "Augury"}, pile_left=3, top="Temple, Family, End, End, Victory", row="2 Bad King, Curse"
    )
    first, stop = int(table.state.deck_next), int(table.state.pile_start[2])
    table.play(
        "play Augury", "keep nothing", "put back End of the Bronze Age", "put back Temple", "put back Family"
    )
    table.play(
        "put back Victory", "put back End of the Bronze Age", "take Curse from the row", "end the turn"
    )
    now = int(table.state.deck_next)
    assert table.ends_out == 1
    exact = Ends(piles(table, first, 2)).other_looks(first, 5, False).shown(first, now, {first})
    assert_drawn_from(imagined(table, 1, stop), exact.exact(now))


def test_two_auguries_that_overlap():
    """The first one's cards are all drawn when the second's are not; what the first did still counts."""
    table = lay(
        hands={0: "Augury", 1: "Augury"},
        pile_left=3,
        top="Temple, Family, End, End, Victory, Spy, Curse, Famine",
        row="Bad King, Theft of Deity, Defeat",
    )
    first, stop = int(table.state.deck_next), int(table.state.pile_start[2])
    table.play(
        "play Augury", "keep nothing", "put back Temple", "put back End of the Bronze Age", "put back Family"
    )
    table.play(
        "put back End of the Bronze Age", "put back Victory", "take Defeat from the row", "end the turn"
    )
    second = int(table.state.deck_next)
    assert second == first + 1
    table.play(
        "play Augury", "keep nothing", "put back Family", "put back End of the Bronze Age", "put back Spy"
    )
    table.play("put back Victory", "put back End of the Bronze Age", "take Bad King from the row")
    table.play("take Theft of Deity from the row", "end the turn")
    assert int(table.state.deck_next) == second + 4
    for seat in range(3):
        now = int(table.state.deck_next)
        exact = Ends(piles(table, first, 2))
        if seat == 0:
            exact.i_look(first, 5, {first + 1, first + 3}).shown(first, second, set()).other_looks(
                second, 5, False
            )
        elif seat == 1:
            exact.other_looks(first, 5, False).shown(first, second, set()).i_look(
                second, 5, {second + 1, second + 4}
            )
        else:
            exact.other_looks(first, 5, False).shown(first, second, set()).other_looks(second, 5, False)
        out = {second + int(k) for k in np.flatnonzero(table.state.deck[second:now] == END)}
        assert_drawn_from(imagined(table, seat, stop), exact.shown(second, now, out).exact(now))


def test_in_the_end_all_is_known():
    """The last card of the deck is the last End card, to everybody."""
    table = lay(piles_drawn=3, pile_left=1)
    assert imagined(table, 1, int(table.state.pile_start[4])) == {
        frozenset({int(table.state.deck_next)}): NUMBER
    }
