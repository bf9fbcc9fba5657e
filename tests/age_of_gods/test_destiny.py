"""Destiny Phase: distribution of peoples, uprising of minor peoples, predictions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import SIZE
from agezoo.envs.age_of_gods.text import PEOPLE_NAMES

from ..scenario import listed
from .scenario import Phase, Stage, Table, deal, lay, territory
from .test_setup import choose_gods

# -- Distribution of Peoples -------------------------------------------------------------------------------------------


def through(table: Table, turn: int) -> Table:
    """Play at random into a turn's first decision after the deal."""
    rng = np.random.default_rng(3)
    while table.state.turn < turn or table.stage <= Stage.ORDER:
        table.env.step(int(rng.choice(table.env.legal_actions())))
    return table


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_destiny_cards_of_sizes_four_to_one_are_dealt_on_turns_one_three_five_and_seven(players):
    table = deal(players, players)
    for turn, dealt in ((1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 4)):
        destiny = np.asarray(through(table, turn).state.destiny)[:players]
        assert (destiny[:, :dealt] >= 0).all()
        assert (destiny[:, dealt:] == -1).all()
        for k in range(dealt):
            cards = destiny[:, k].tolist()
            assert len(set(cards)) == players
            assert all(SIZE[card] == 4 - k for card in cards)


def test_each_people_is_dealt_as_often_and_some_to_nobody():
    """Example 3: with three players three of the six lie aside."""
    counts: Counter[int] = Counter()
    for seed in range(240):
        cards = np.asarray(choose_gods(deal(3, seed)).state.destiny)[:3, 0].tolist()
        counts.update(cards)
        assert len(set(range(6)) - set(cards)) == 3
    assert sum((counts[k] - 120) ** 2 / 120 for k in range(6)) < 20.5  # 5 degrees of freedom, 0.1 %


def test_a_destiny_card_is_seen_by_its_holder_alone_and_counts_as_a_card_in_hand():
    table = lay(3, destinies={0: "Humans, Goblins"})
    assert table.sees(0, "represented")[PEOPLE_NAMES.index("Humans")] == 1
    assert table.sees(0, "unplayed").tolist() == [1, 1, 0, 0]
    assert table.known(1, 0) == set()
    assert table.sees(1, "cards")[2] == 7  # 8 dealt + 2 destiny cards - 3 played


# -- Uprising of Minor Peoples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turn", "largest"), [(2, 3), (4, 2), (6, 1)])
def test_an_uprising_starts_from_peoples_of_sizes_not_yet_dealt(turn, largest):
    table = lay(stage="uprising", turn=turn)
    origins = table.choices("attack from ")
    sizes = {int(SIZE[table.state.owner[territory(name)]]) for name in origins}
    assert sizes == set(range(1, largest + 1))


def test_every_player_launches_one_in_turn_order_even_from_the_same_territory():
    table = lay(3, stage="uprising", turn=6, first=1, seat=1)
    assert table.state.extent[20] == 1  # the Giants
    table.attack("Bouldertop", "Frostfell", 1)
    assert (table.stage, table.to_act) == (Stage.UPRISING, 2)
    table.attack("Bouldertop", "Frostfell", 1)
    assert table.to_act == 0
    table.attack("Bouldertop", "Frostfell", 1)
    assert table.stage == Stage.FORTIFICATION


def test_it_is_a_duty():
    table = lay(stage="uprising", turn=6)
    assert all(words.startswith("attack from ") for words in table.choices())
    assert "leave the breakthrough" not in table.play("attack from Bouldertop").choices()


def test_an_uprising_is_resolved_as_any_attack_with_its_breakthrough():
    table = lay(stage="uprising", turn=6).attack("Bouldertop", "Wolfmoor", 6)
    assert (table.phase, table.to_act) == (Phase.TARGET, 0)
    table.play("attack Greymantle").roll(3)  # a city
    assert table.owner("Greymantle") == "Barbarians"
    assert (table.stage, table.to_act) == (Stage.UPRISING, 1)


def test_where_no_minor_people_is_left_nobody_rises():
    """Ruling 5."""
    minor = "Sorcerers, Monks, Giants, Ogres, Necromancers, Fairy Folk"
    table = lay(
        3, stage="order", turn=6, gods={0: "Time"}, wiped_out=minor, attacks=0, phase=int(Phase.FIRST)
    )
    assert table.play("player_0 is first").stage == Stage.FORTIFICATION
    assert table.play("fortify nothing more").phase == Phase.FORTIFY  # and no attack is owed later
    table = lay(
        3, stage="order", turn=4, gods={0: "Time"}, wiped_out=minor, attacks=0, phase=int(Phase.FIRST)
    )
    assert table.play("player_0 is first").stage == Stage.UPRISING


def test_there_is_none_on_other_turns():
    table = through(deal(3, 2), 3)
    assert table.stage == Stage.FORTIFICATION


# -- Predictions -------------------------------------------------------------------------------------------------------


def betting(**more) -> Table:
    more.setdefault("hands", {0: "Humans, Orcs, Gnomes"})
    more.setdefault("destinies", {0: "Chaos (played), Goblins (played), Pirates (played), Giants"})
    return lay(stage="bets", turn=7, **more)


def test_two_red_or_yellow_cards_may_be_bet_but_no_destiny_card():
    table = betting()
    assert table.phase == Phase.BET
    assert {"Humans", "Orcs", "Gnomes"} <= table.choices("bet on the ")
    assert "Giants" not in table.choices("bet on the ") or table.state.hand[0, 20]
    table.play("bet on the Humans", "bet on the Gnomes")
    assert table.to_act == 1
    assert sorted(table.state.bets[0].tolist()) == [0, 17]
    assert table.state.hand[0, 0] == table.state.hand[0, 17] == 0


def test_both_may_show_the_same_people():
    table = betting(hands={0: "2 Humans, Orcs"}).play("bet on the Humans", "bet on the Humans")
    assert table.state.bets[0].tolist() == [0, 0]


def test_a_people_that_the_player_represents_may_be_bet_on():
    assert betting(hands={0: "Goblins, Orcs"}).can("bet on the Goblins")


def test_whoever_holds_destiny_cards_alone_is_not_asked_for_a_bet():
    unplayed = {1: "Humans, Goblins, Gnomes, Monks"}  # the eight action cards are gone by turn 9
    laid = {"gods": {0: "Time", 1: "Wisdom"}, "attacks": 0}
    table = lay(3, stage="order", turn=9, destinies=unplayed, **laid)
    assert table.play("player_1 is first").stage == Stage.FORTIFICATION


def test_bets_are_optional_and_one_card_is_enough():
    assert betting().play("bet no card", "bet no card").state.bets[0].tolist() == [-1, -1]
    table = betting().play("bet on the Orcs", "bet no card")
    assert table.state.bets[0].tolist() == [5, -1]
    assert table.to_act == 1


def test_bets_are_secret_and_simultaneous():
    """Ruling 14: nobody sees whether another has bet before all have; then the number and the backs alone."""
    table = betting(gods={2: "War"}).play("bet on the Humans", "bet on the Gnomes")
    assert table.to_act == 1
    assert table.sees(1, "bets_laid").sum() == 0
    assert table.sees(1, "cards")[2] == table.sees(1, "cards")[1]
    table.play(*4 * ["bet no card"])
    assert table.stage == Stage.FORTIFICATION
    assert table.sees(1, "bets_laid")[2].tolist() == [1, 1]  # a red and a yellow back
    assert table.sees(1, "bets_laid")[0].tolist() == [0, 0]
    assert not table.sees(1, "own_bets").any()
    assert table.sees(0, "own_bets")[0] == 1


def test_others_hear_no_bet():
    table = betting()
    for words in ("bet on the Humans", "bet no card"):
        action = table.env.parse_action(words)
        assert table.env.game.told(table.state, action, 1) == "decide on a bet"
        assert table.env.game.told(table.state, action, 0) == words


ANSWERS = [
    ["bet no card", "bet no card"],
    ["bet on the Orcs", "bet no card"],
    ["bet no card", "bet on the Orcs"],
    ["bet on the Orcs", "bet on the Gnomes"],
    ["bet on the Gnomes", "bet on the Gnomes"],
]


@pytest.mark.parametrize("play_forced", [True, False])
@pytest.mark.parametrize("god", ["War", "Deception"])
def test_what_is_bet_shows_nowhere_before_all_have_bet(god, play_forced):
    """Whoever watches sees the same questions, as often, and believes the same, byte for byte (ruling 14)."""
    watched: dict[int, list] = {}
    for answers in ANSWERS:
        table = betting(
            hands={0: "2 Gnomes, Orcs"}, gods={0: god, 1: "Luck", 2: "Peace"}, play_forced=play_forced
        )
        for number, words in enumerate([*answers, "bet no card", "bet no card"]):
            assert (table.phase, table.to_act) == (Phase.BET, number // 2)
            table.play(words)
            for agent in ("player_1", "player_2"):
                seen = {
                    "position": table.env.position(agent),
                    "observation": table.env.observe(agent)["observation"].tolist(),
                    "words": table.env.table_text(agent),
                    "worlds": table.worlds(int(agent[-1]), 20).tobytes(),
                    "watched": (int(table.state.seat), int(table.state.phase), int(table.state.decisions)),
                }
                assert watched.setdefault((number, agent), seen) == seen, (answers, agent)
        assert (table.phase, table.to_act) == (Phase.BET, 2)
    assert len(watched) == 8


@pytest.mark.parametrize(("held", "questions"), [
    ("Humans, Orcs, Gnomes, Ogres", 2), ("2 Gnomes, Ogres", 2), ("Gnomes, Ogres", 2), ("2 Gnomes", 2), ("Gnomes", 1),
    ("", 0),
])  # fmt: skip
def test_how_often_a_seat_is_asked_hangs_on_how_many_cards_it_has(held, questions):
    """By turn 9 a seat may have few; the backs of its cards tell how many."""
    number = len(listed(held))  # so many destiny cards were played instead
    words = ", ".join(
        name + " (played)" * (k < number) for k, name in enumerate(("Humans", "Goblins", "Pirates", "Monks"))
    )
    laid = {"gods": {0: "Time", 1: "Wisdom"}, "destinies": {1: words}, "hands": {1: held}, "attacks": 0}
    for first in ("bet no card", "bet on the Gnomes"):
        table = lay(3, stage="order", turn=9, **laid, play_forced=True).play("player_1 is first")
        before = int(table.state.decisions)
        for number in range(questions):
            assert (table.phase, table.to_act, int(table.state.step)) == (Phase.BET, 1, number)
            assert len(table.choices()) >= 2
            table.play(first if number == 0 else "bet no card")
        assert table.stage == Stage.FORTIFICATION
        assert table.state.decisions == before + questions


def test_both_questions_have_at_least_two_answers():
    """So that neither is ever answered unasked, which would tell something."""
    for answers in ANSWERS:
        table = betting(hands={0: "2 Gnomes, Orcs"})
        for words in answers:
            assert len(table.choices()) >= 2
            table.play(words)
    laid = {"stage": "bets", "turn": 9, "gods": {0: "Wisdom"}, "hands": {0: "2 Gnomes"}}
    table = lay(3, **laid, destinies={0: "Humans (played), Goblins (played), Pirates, Monks"})
    for words in ("bet on the Gnomes", "bet on the Gnomes"):
        assert len(table.choices()) == 2
        table.play(words)


def test_a_card_that_is_bet_is_out_of_the_hand():
    table = betting().play("bet on the Humans", "bet no card")
    while not (table.stage == Stage.ACTION and table.to_act == 0):
        table.env.step(table.env.legal_actions()[-1])
    assert not table.can("play a card of the Humans for technology")


def test_on_other_turns_nobody_bets():
    table = through(deal(4, 6), 8)
    assert table.state.turn == 8
    assert table.stage > Stage.BETS
