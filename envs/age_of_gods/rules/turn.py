"""Game Setup and Turn Structure: the deal, the order of stages and players, and what a decision leads to."""

from __future__ import annotations

import numpy as np

from ...engine.chance import randint, shuffle
from ...engine.compile import kernel
from ..components import FIRST_RED, NUM_PEOPLES, NUM_SIZES, NUM_TERRITORIES, OF_A_SIZE, RULE, START, God
from ..state import NONE, A, Phase, Stage
from .abilities import look, may_look, may_name_people, may_name_territory, name_people, name_territory
from .action import may_play_card, play_action_card, play_destiny_card
from .board import settle
from .combat import (
    ask_for_attack,
    can_attack,
    choose_origin,
    choose_target,
    end_attack,
    give_up_origin,
    may_choose_origin,
    may_choose_target,
    raze,
    roll_for_attack,
)
from .destiny import ask_for_bet, bet, bet_on, bets_now, deal_destiny, may_bet, uncover_backs
from .fortification import fortify, fortify_on, may_fortify
from .gods import (
    choose_god,
    deal_gods,
    may_choose_god,
    may_place_power,
    may_use_power,
    place_love,
    power_on_people,
    reveal_gods,
    use_power,
)
from .wrath import may_choose_dimmed, may_choose_struck, wrath_on_people, wrath_on_territory

TURNS, HAND_RED, HAND_YELLOW, SPARE_GOBLINS = RULE.turns, RULE.hand_red, RULE.hand_yellow, RULE.spare_goblins
TIME_ATTACKS = RULE.time_attacks


# -- Game Setup ----------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    """Deal a table (Game Setup)."""
    for t in range(NUM_TERRITORIES):
        settle(s, START[t], t)
    s.vortex = NONE
    s.fortress = NONE
    s.attacker = NONE
    s.victim = NONE
    s.spare_goblins = SPARE_GOBLINS
    s.destiny[:] = NONE
    s.revealed[:] = NONE
    s.bets[:] = NONE
    cards = np.zeros(2 * NUM_PEOPLES, np.int64)
    deal_hands(s, cards, FIRST_RED, NUM_PEOPLES, HAND_RED)
    deal_hands(s, cards, 0, FIRST_RED, HAND_YELLOW)
    deal_gods(s, cards)
    s.first = randint(s, s.num_players)
    clear(s)
    s.stage = Stage.GODS
    s.seat = s.first
    s.phase = Phase.GOD


@kernel
def deal_hands(s, cards, start, stop, number):
    """Two cards of each people from `start` to `stop` are shuffled, and so many dealt to each player."""
    for k in range(2 * (stop - start)):
        cards[k] = start + k // 2
    shuffle(s, cards, 0, 2 * (stop - start))
    for k in range(number * s.num_players):
        s.hand[k % s.num_players, cards[k]] += 1


# -- what may be done ----------------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark what the acting seat may do."""
    if s.phase == Phase.TARGET:
        may_choose_target(s, mask)
    elif s.phase == Phase.ORIGIN:
        may_choose_origin(s, mask)
    elif s.phase == Phase.ROLL:
        mask[A.roll] = True
        mask[A.power] = may_use_power(s, Phase.ROLL)
    elif s.phase == Phase.FORTIFY:
        may_fortify(s, mask)
    elif s.phase == Phase.CARD:
        may_play_card(s, mask)
    elif s.phase == Phase.EXTENT:
        mask[A.raze] = True
        mask[A.give_up] = True
    elif s.phase == Phase.BET:
        may_bet(s, mask)
    elif s.phase == Phase.GOD:
        may_choose_god(s, mask)
    elif s.phase == Phase.FIRST:
        for k in range(s.num_players):
            mask[A.first + k] = True
    elif s.phase == Phase.LOOK:
        may_look(s, mask)
    else:
        may_name(s, mask)


@kernel
def may_name(s, mask):
    """A territory or a people, for a god's power, the divine wrath or an ability."""
    if s.power:
        may_place_power(s, mask)
    elif s.phase == Phase.TERRITORY:
        if s.wrath:
            may_choose_struck(s, mask)
        else:
            may_name_territory(s, mask)
    elif s.wrath:
        may_choose_dimmed(s, mask)
    else:
        may_name_people(s, mask)


@kernel
def apply(s, action):
    """Play a legal action and run on to the next decision or the end."""
    if action < A.first:
        choose_god(s, action - A.god)
    elif action < A.done:
        s.first = (s.seat + action - A.first) % s.num_players
        s.phase = NONE
    elif action == A.done:
        no_more(s)
    elif action == A.power:
        use_power(s)
    elif action < A.people:
        choose_territory(s, action - A.territory)
    elif action < A.technology:
        choose_people(s, action - A.people)
    elif action < A.ability:
        play_action_card(s, action - A.technology, True)
    elif action < A.destiny_technology:
        play_action_card(s, action - A.ability, False)
    elif action < A.destiny_ability:
        play_destiny_card(s, action - A.destiny_technology, True)
    elif action < A.roll:
        play_destiny_card(s, action - A.destiny_ability, False)
    elif action == A.roll:
        roll_for_attack(s)
    elif action == A.raze:
        raze(s)
    elif action == A.give_up:
        give_up_origin(s)
    else:
        look(s, action - A.look)
    run_on(s)


@kernel
def choose_territory(s, t):
    """A territory, for whatever it is asked."""
    if s.phase == Phase.ORIGIN:
        choose_origin(s, t)
    elif s.phase == Phase.TARGET:
        choose_target(s, t)
    elif s.phase == Phase.FORTIFY:
        fortify(s, t)
        fortify_on(s)
    elif s.power:
        place_love(s, t)
        fortify_on(s)
    elif s.wrath:
        wrath_on_territory(s, t)
    else:
        name_territory(s, t)


@kernel
def choose_people(s, people):
    """A people, for whatever it is asked."""
    if s.phase == Phase.BET:
        bet(s, people)
    elif s.power:
        power_on_people(s, people)
        if s.phase == Phase.FORTIFY:
            fortify_on(s)
    elif s.wrath:
        wrath_on_people(s, people)
    else:
        name_people(s, people)


@kernel
def no_more(s):
    """Bets, fortifications, a breakthrough or the rest of an ability are left."""
    if s.phase == Phase.BET:
        bet_on(s)
        return
    if s.phase == Phase.TARGET:
        end_attack(s, True)
    s.attacks *= s.phase != Phase.ORIGIN
    s.phase = NONE


# -- Turn Structure ------------------------------------------------------------------------------------------------


@kernel
def run_on(s):
    """Go from attack to attack, player to player and stage to stage until something is to be decided."""
    while s.phase == NONE and not s.finished:
        if s.attacks > 0 and can_attack(s):
            ask_for_attack(s)
            return
        clear(s)
        if s.place + 1 < places(s):
            s.place += 1
        else:
            end_stage(s)
        if not s.finished:
            s.seat = acting_seat(s)
            begin(s)


@kernel
def clear(s):
    """Whatever was being resolved is done."""
    s.phase = NONE
    s.built = 0
    s.used = 0
    s.power = 0
    s.double = 0
    s.ability = NONE
    s.wrath = 0
    s.step = 0
    s.chosen = NONE
    s.attacks = 0
    s.origin = NONE
    s.target = NONE


@kernel
def places(s):
    """How many act in this stage: everybody, or one for all."""
    return 1 if s.stage in (Stage.ORDER, Stage.DESTINY) else s.num_players


@kernel
def acting_seat(s):
    """Play goes clockwise from the first player; the god of time names who that is."""
    if s.stage == Stage.ORDER:
        for seat in range(s.num_players):
            if s.god[seat] == God.TIME:
                return seat
    return (s.first + s.place) % s.num_players


@kernel
def end_stage(s):
    """The next stage begins with the first player; after the ninth turn's Action Phase the game ends."""
    if s.stage == Stage.GODS:
        reveal_gods(s)
    elif s.stage == Stage.BETS:
        uncover_backs(s)
    s.place = 0
    if s.stage not in (Stage.ACTION, Stage.GODS):
        s.stage += 1
        return
    s.stage = Stage.ORDER
    if s.turn == TURNS:
        end_game(s)
        return
    if s.turn > 0:
        s.first = (s.first + 1) % s.num_players
    s.turn += 1


@kernel
def end_game(s):
    """Everybody lays the destiny cards and the bets face up (Victory Conditions)."""
    s.finished = True
    for seat in range(s.num_players):
        for k in range(NUM_SIZES):
            s.looked[seat, k] = ((1 << s.num_players) - 1) & ~(1 << seat)


@kernel
def begin(s):
    """What is to be decided at this place of the stage, if anything."""
    if s.stage == Stage.GODS:
        s.phase = Phase.GOD
    elif s.stage == Stage.ORDER:
        if s.god[s.seat] == God.TIME:
            s.phase = Phase.FIRST
    elif s.stage == Stage.DESTINY:
        deal_destiny(s, np.zeros(OF_A_SIZE, np.int64))
    elif s.stage == Stage.UPRISING:
        s.attacks = s.turn in (2, 4, 6)
    elif s.stage == Stage.BETS:
        if bets_now(s, s.seat):
            ask_for_bet(s)
    elif s.stage == Stage.FORTIFICATION:
        fortify_on(s)
    elif s.stage == Stage.COMBAT:
        s.attacks = attacks_due(s)
    else:
        s.phase = Phase.CARD


@kernel
def attacks_due(s):
    """One attack in the Combat Phase; the god of time has time for two in every third turn."""
    return 2 if s.god[s.seat] == God.TIME and s.turn % TIME_ATTACKS == 0 else 1
