"""The rules, scenario by scenario: a position, actions in words, what must hold then."""

import numpy as np

from agezoo.envs import make


def lay(hands, pile=(), deck=(), seat=0, **options):
    """A table at which every seat holds these cards; all others have been taken by player 1.

    Without `play_forced` a decision is asked for even where one action is legal, so that a scenario says every step.
    """
    env = make("mygame", num_players=len(hands), play_forced=False, **options)
    env.reset(seed=1)
    position = env.position()
    state = position["state"]
    left = [2] * 10

    def counted(cards):
        counts = [0] * 10
        for card in cards:
            counts[card - 1] += 1
            left[card - 1] -= 1
        return counts

    none = [0] * 10
    state["hand"] = [counted(cards) for cards in hands] + [none] * (6 - len(hands))
    state["pile"], state["top"] = counted(pile), pile[-1] - 1 if pile else -1
    state["deck"] = counted(deck)
    state["held"] = [len(cards) for cards in hands] + [0] * (6 - len(hands))
    state["left"] = len(deck)
    state["buried"], state["graves"] = [none] * 6, [0] * 6
    state["taken"] = [none, left] + [none] * 4
    state["seat"] = seat
    env.load(position)
    return env


def play(env, *words):
    for said in words:
        env.step(env.parse_action(said))
    return env


def field(env, name):
    return env.position()["state"][name]


def test_every_player_is_dealt_a_hand():
    env = make("mygame", num_players=4, hand_size=4)
    env.reset(seed=3)
    assert np.array(field(env, "hand")).sum(axis=1).tolist() == [4, 4, 4, 4, 0, 0]
    assert sum(field(env, "deck")) == 20 - 16


def test_a_higher_card_takes_the_pile():
    env = play(lay([[5, 1], [2, 2]], pile=[3, 4]), "play 5", "bury nothing")
    assert env.scores()["player_0"] == 2
    assert field(env, "pile") == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_a_card_that_is_not_higher_is_only_laid():
    for card in (4, 3):
        env = play(lay([[card, 1], [2, 2]], pile=[3, 4]), f"play {card}")
        assert env.scores()["player_0"] == 0
        assert env.agent_selection == "player_1"
        assert sum(field(env, "pile")) == 3


def test_a_buried_card_is_a_point_and_a_secret():
    env = lay([[5, 1], [2, 2]], pile=[4])
    play(env, "play 5")
    assert env.told_text(env.parse_action("bury 1"), "player_1") == "bury a card"
    assert env.told_text(env.parse_action("bury 1"), "player_0") == "bury 1"
    play(env, "bury 1")
    assert env.scores()["player_0"] == 2
    assert "1 buried" in env.table_text("player_1")
    assert "buried 1" in env.table_text("player_0")


def test_a_card_is_drawn_at_the_end_of_a_turn_while_there_are_any():
    env = play(lay([[1, 3], [2, 2]], deck=[9]), "play 1")
    assert field(env, "hand")[0] == [0, 0, 1, 0, 0, 0, 0, 0, 1, 0]
    play(env, "play 2")
    assert sum(field(env, "hand")[1]) == 1


def test_players_without_cards_are_passed_over_and_the_game_ends_with_the_last_card():
    env = lay([[1, 3], [], [2]], seat=0)
    play(env, "play 1")
    assert env.agent_selection == "player_2"
    play(env, "play 2", "play 3")
    assert not env.legal_actions()
    assert field(env, "finished") is True


def test_a_seat_knows_its_own_cards_and_how_many_the_others_have():
    env = lay([[5, 1, 7], [2, 2, 8], [3, 9]], deck=[6, 6])
    worlds = [env.world("player_0", seed).position()["state"]["hand"] for seed in range(200)]
    assert all(hands[0] == field(env, "hand")[0] for hands in worlds)
    assert all(sum(hands[1]) == 3 and sum(hands[2]) == 2 for hands in worlds)
    seen = np.mean([hands[2] for hands in worlds], axis=0)
    heap = np.array([0, 2, 1, 0, 0, 2, 0, 1, 1, 0])  # what seat 0 cannot place: 2 2 3 6 6 8 9
    assert np.abs(seen - 2 * heap / heap.sum()).max() < 0.2
