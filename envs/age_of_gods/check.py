"""What must hold at every table of Age of Gods: tokens, cards and markers are somewhere, exactly once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from .components import (
    CITIES,
    COUNT,
    EFFECT,
    EVERYWHERE,
    MARKERS,
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    OF_A_SIZE,
    RULE,
    Effect,
    God,
    People,
    Wrath,
)
from .rules import board, destiny, turn
from .state import NONE, Phase, Stage

max_extent, bets_now, acting_seat = plain(board.max_extent), plain(destiny.bets_now), plain(turn.acting_seat)
HAND = {
    "red": (RULE.hand_red, slice(2 * OF_A_SIZE, None)),
    "yellow": (RULE.hand_yellow, slice(0, 2 * OF_A_SIZE)),
}
MOST_TECHNOLOGY = 12
ATTACKING = (Phase.ORIGIN, Phase.TARGET, Phase.ROLL, Phase.EXTENT)
STAGE_OF = {
    Phase.GOD: Stage.GODS,
    Phase.FIRST: Stage.ORDER,
    Phase.BET: Stage.BETS,
    Phase.FORTIFY: Stage.FORTIFICATION,
    Phase.CARD: Stage.ACTION,
    Phase.LOOK: Stage.ACTION,
}


def check(s: Any) -> None:
    """Hold a table against the components.

    Raises:
        ValueError: naming the field and what would be right.
    """
    _check_ranges(s)
    _check_board(s)
    _check_markers(s)
    _check_gods(s)
    _check_destinies(s)
    _check_action_cards(s)
    _check_bets(s)
    if not s.finished:
        _check_decision(s)


def _need(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def _check_ranges(s: Any) -> None:
    _need(not any(s.eliminated), "state.eliminated must be all 0: nobody is knocked out of this game")
    territory, people, seat = (NONE, NUM_TERRITORIES - 1), (NONE, NUM_PEOPLES - 1), (NONE, s.num_players - 1)
    within = {
        "owner": people, "land": (0, int(EVERYWHERE)), "fortified": (0, int(EVERYWHERE)), "love": (0, int(EVERYWHERE)),
        "bulwarks": (0, int(EVERYWHERE)),
        "vortex": territory, "fortress": territory, "attacker": people, "victim": people, "hated": (0, 1),
        "technology": (0, MOST_TECHNOLOGY), "spare_goblins": (0, RULE.spare_goblins), "god": (NONE, len(God) - 1),
        "offer": (NONE, len(God) - 1), "uses": (0, 4), "pieces": (0, RULE.protected_fortifications), "hand": (0, 2),
        "destiny": people, "spent": (0, 1), "revealed": seat, "early": (0, 3), "bets": people, "bets_laid": (0, 1),
        "turn": (0, RULE.turns), "first": (0, s.num_players - 1), "stage": (0, len(Stage) - 1),
        "place": (0, s.num_players - 1), "phase": (NONE if s.finished else 0, len(Phase) - 1), "built": (0, 2),
        "used": (0, 1), "power": (0, 1), "double": (0, 1), "ability": people, "wrath": (0, len(Wrath)), "step": (0, 3),
        "chosen": territory, "attacks": (0, 3), "origin": territory, "target": territory, "natural": (0, 6),
        "follow_up": (0, 1), "boost": (0, RULE.deception), "played": (0, 3),
    }  # fmt: skip
    for field, (low, high) in within.items():
        values = np.asarray(s[field]).astype(object).ravel()
        inside = all(low <= int(value) <= high for value in values)
        _need(inside, f"state.{field} must be from {low} to {high}")
    for field in ("god", "destiny", "bets", "offer"):
        absent = np.asarray(s[field])[s.num_players :]
        _need((absent == NONE).all(), f"state.{field} of absent seats must be {NONE}")
    for field in (
        "hand",
        "spent",
        "looked",
        "uses",
        "pieces",
        "bets_laid",
        "played",
        "led",
        "harmed",
        "favoured",
    ):
        _need(not np.asarray(s[field])[s.num_players :].any(), f"state.{field} of absent seats must be 0")


def _check_board(s: Any) -> None:
    owner = np.asarray(s.owner)
    for people in range(NUM_PEOPLES):
        held = [t for t in range(NUM_TERRITORIES) if owner[t] == people]
        name = People(people).name
        _need(
            int(s.land[people]) == sum(1 << t for t in held),
            f"state.land of {name} is not what state.owner says",
        )
        _need(s.extent[people] == len(held), f"state.extent of {name} must be {len(held)}")
        towns = sum(int(CITIES) >> t & 1 for t in held)
        _need(s.towns[people] == towns, f"state.towns of {name} must be {towns}")
        most = max_extent(s, people)
        _need(len(held) <= most, f"state.owner has {len(held)} tokens of {name}, there are {most}")
    taken = sum(1 << t for t in range(NUM_TERRITORIES) if owner[t] != NONE)
    _need(int(s.fortified) & ~taken == 0, "state.fortified holds a territory without a token")
    _need(
        int(s.bulwarks) & ~int(s.fortified) == 0, "state.bulwarks holds a territory without a fortification"
    )
    _need(s.vortex == NONE or owner[s.vortex] == NONE, "state.vortex is in a territory with a token")
    held_by_dwarves = s.fortress == NONE or owner[s.fortress] == People.DWARVES
    _need(held_by_dwarves, "state.fortress is in a territory that is not held by Dwarves")


def _check_markers(s: Any) -> None:
    both = (s.attacker == NONE) == (s.victim == NONE)
    _need(
        both and (s.attacker == NONE or s.attacker != s.victim),
        "state.attacker and victim must be two peoples",
    )
    marker = np.asarray(s.marker, np.int64)
    for kind, name in enumerate(("Attack", "Defence")):
        for number in range(2):
            most = MARKERS[f"{name} Bonus +{number + 1}"]
            used = marker[kind, number]
            _need(
                used.min() >= 0 and used.sum() <= most,
                f"state.marker: there are {most} {name} Bonus +{number + 1}",
            )
    for god, name, used in (
        (God.LOVE, "Love", int(s.love).bit_count()),
        (God.VENGEANCE, "Hatred", int(np.asarray(s.hated).sum())),
    ):
        left = [int(s.uses[k]) for k in range(s.num_players) if s.god[k] == god and s.stage != Stage.GODS]
        most = MARKERS[name] if left else 0
        _need(
            used + sum(left) == most,
            f"{used} {name} markers placed and {sum(left)} left, must be {most} together",
        )


def _check_gods(s: Any) -> None:
    choosing = s.stage == Stage.GODS
    _need(choosing == (s.turn == 0), "state.turn is 0 while gods are chosen, and only then")
    if choosing:
        offered = np.asarray(s.offer)[: s.num_players].ravel().tolist()
        _need(NONE not in offered and len(set(offered)) == len(offered), "state.offer must be different gods")
        for k in range(s.num_players):
            chosen = (k - s.first) % s.num_players < s.place
            fits = s.god[k] in s.offer[k].tolist() if chosen else s.god[k] == NONE
            _need(fits, f"state.god[{k}] is {s.god[k]}, it does not fit state.offer or the order of choice")
        _need(
            not np.asarray(s.uses).any() and not np.asarray(s.pieces).any(),
            "state.uses and pieces must be 0 by now",
        )
        return
    _need((np.asarray(s.offer) == NONE).all(), f"state.offer must be {NONE} once gods are chosen")
    gods = np.asarray(s.god)[: s.num_players].tolist()
    _need(NONE not in gods and len(set(gods)) == len(gods), "state.god must be different gods")
    uses = {God.LOVE: MARKERS["Love"], God.VENGEANCE: MARKERS["Hatred"], God.MAGIC: RULE.magic_uses}
    uses |= {God.DECEPTION: 1, God.CRAFTS: 1}
    for k, god in enumerate(gods):
        most = uses.get(God(god), 0)
        _need(s.uses[k] <= most, f"state.uses[{k}] is {s.uses[k]}, at most {most} with this god")
        most = RULE.protected_fortifications if god == God.PROTECTORS else RULE.fortifications
        _need(s.pieces[k] <= most, f"state.pieces[{k}] is {s.pieces[k]}, at most {most}")


def _check_destinies(s: Any) -> None:
    dealt = min(NUM_SIZES, s.turn // 2 + (s.turn % 2 == 1 and (s.stage > Stage.DESTINY or s.finished)))
    for k in range(NUM_SIZES):
        cards = np.asarray(s.destiny)[: s.num_players, k].tolist()
        if k >= dealt:
            _need(set(cards) == {NONE}, f"state.destiny: size {NUM_SIZES - k} has not been dealt yet")
        else:
            right = set(cards) <= set(range(k * OF_A_SIZE, (k + 1) * OF_A_SIZE)) and len(set(cards)) == len(
                cards
            )
            _need(right, f"state.destiny: {cards} must be different peoples of size {NUM_SIZES - k}")
    shown = [NONE] * NUM_PEOPLES
    for seat in range(s.num_players):
        for k in range(NUM_SIZES):
            people = s.destiny[seat, k]
            _need(
                people != NONE or not (s.spent[seat, k] or s.looked[seat, k]),
                "state.spent or looked of no card",
            )
            mine = s.looked[seat, k] >> seat & 1 or s.looked[seat, k] >> s.num_players
            _need(not mine, f"state.looked[{seat}] names its own or an absent seat")
            if people != NONE and s.spent[seat, k] and s.god[seat] != God.DECEPTION:
                shown[people] = seat
    _need(s.revealed.tolist() == shown, "state.revealed is not what state.destiny, spent and god say")


def _check_action_cards(s: Any) -> None:
    hand, played, bets = np.asarray(s.hand, np.int64), np.asarray(s.played, np.int64), _bets(s)
    spent = np.zeros_like(played)
    for seat in range(s.num_players):
        for k in range(NUM_SIZES):
            if s.spent[seat, k]:
                spent[seat, s.destiny[seat, k]] = 1
    discarded = played - spent
    _need(discarded.min() >= 0, "state.spent names a card that state.played does not know")
    everywhere = (hand + discarded + bets).sum(axis=0)
    _need(everywhere.max() <= 2, f"{everywhere.max()} action cards of one people, there are 2")
    for seat in range(s.num_players):
        for back, (dealt, part) in HAND.items():
            number = int((hand + discarded + bets)[seat, part].sum())
            _need(
                number == dealt,
                f"player_{seat} has {number} {back} cards in hand, played and bet, must be {dealt}",
            )
        turns = _turns_played(s, seat)
        _need(
            played[seat].sum() == turns,
            f"state.played[{seat}] counts {played[seat].sum()} cards, must be {turns}",
        )
    deceiver = [k for k in range(s.num_players) if s.god[k] == God.DECEPTION and s.stage != Stage.GODS]
    most = played[deceiver[0]] if deceiver else 0
    _need(
        (np.asarray(s.early) <= most).all(),
        "state.early counts cards that the god of deception has not played",
    )


def _turns_played(s: Any, seat: int) -> int:
    """Cards that a seat must have played: one in each Action Phase."""
    if s.finished:
        return int(RULE.turns)
    at = (seat - s.first) % s.num_players
    done = s.stage == Stage.ACTION and (
        at < s.place or (at == s.place and s.phase != Phase.CARD and not s.power)
    )
    return max(0, s.turn - 1) + done


def _bets(s: Any) -> np.ndarray:
    counts = np.zeros(s.hand.shape, np.int64)
    for seat in range(s.num_players):
        for people in s.bets[seat]:
            if people != NONE:
                counts[seat, people] += 1
    return counts


def _check_bets(s: Any) -> None:
    for seat in range(s.num_players):
        due = RULE.late_bet_turn if s.god[seat] == God.WISDOM else RULE.bet_turn
        laid = s.finished or s.turn > due or (s.turn == due and s.stage > Stage.BETS)
        _need(s.bets_laid[seat] == laid, f"state.bets_laid[{seat}] must be {int(laid)}")
        first, second = s.bets[seat].tolist()
        _need(first != NONE or second == NONE, f"state.bets[{seat}] must be filled from the left")
        _need(not laid or first >= second, f"state.bets[{seat}] must be in falling order once laid")
        asked = s.stage == Stage.BETS and bets_now(s, seat) and (seat - s.first) % s.num_players <= s.place
        _need(laid or asked or first == NONE, f"state.bets[{seat}] were laid before their time")
        choosing = asked and s.phase == Phase.BET and s.seat == seat
        _need(not choosing or second == NONE, f"state.bets[{seat}] are complete, yet more are asked for")


# -- the decision that is awaited --------------------------------------------------------------------------------------


def _check_decision(s: Any) -> None:
    phase, stage = Phase(s.phase), Stage(s.stage)
    _need(s.turn <= RULE.turns, "state.turn is past the last one")
    _need(s.stage != Stage.DESTINY, "state.stage: nothing is decided while destiny cards are dealt")
    _need(s.seat == acting_seat(s), f"state.seat is {s.seat}, must be {acting_seat(s)} by the order of play")
    _need(
        stage != Stage.ORDER or s.god[s.seat] == God.TIME,
        "state.stage: only the god of time decides on the order",
    )
    _need(s.chosen == NONE or _asks_again(s, phase), "state.chosen is for the second of two choices")
    wanted = STAGE_OF.get(phase, stage)
    _need(stage == wanted, f"state.phase {phase.name} belongs to {wanted.name}, not to {stage.name}")
    if phase in ATTACKING:
        _check_attack(s, phase, stage)
    elif phase in (Phase.TERRITORY, Phase.PEOPLE):
        _check_choice(s, phase, stage)
    elif phase == Phase.LOOK:
        _need(_effect(s) == Effect.SIGHT, "state.ability looks at no destiny card")
    else:
        _need(
            s.ability == NONE and not s.power and not s.wrath,
            f"state: nothing is resolved while {phase.name} is asked",
        )
    if phase not in ATTACKING:
        _need(s.origin == NONE and s.target == NONE, "state.origin and target: no attack is under way")
        _need(not s.follow_up and not s.boost, "state.follow_up and boost: no attack is under way")
    _need(not s.double or s.god[s.seat] == God.MAGIC, "state.double is for the god of magic")


def _effect(s: Any) -> int:
    return NONE if s.ability == NONE else int(EFFECT[s.ability])


def _check_attack(s: Any, phase: Phase, stage: Stage) -> None:
    in_turn = stage == Stage.COMBAT or (stage == Stage.UPRISING and s.turn in (2, 4, 6))
    by_card = stage == Stage.ACTION and NONE < _effect(s) <= Effect.SIGHT and s.attacks > 0
    _need(by_card or (in_turn and s.ability == NONE), "state.phase: no attack is due in this stage")
    _need(s.attacks >= 1, "state.attacks must count the attack under way")
    _need(not s.power and not s.wrath, "state.power and wrath must be 0 in an attack")
    origin = s.origin != NONE and s.owner[s.origin] != NONE
    _need(
        origin == (phase != Phase.ORIGIN), "state.origin must hold a token of the attacker, once it is named"
    )
    target = s.target != NONE and s.owner[s.target] != s.owner[s.origin]
    _need(
        target == (phase in (Phase.ROLL, Phase.EXTENT)),
        "state.target must be another's territory, once it is named",
    )
    _need(target or s.target == NONE, "state.target belongs to the attacker")
    _need((s.natural > 0) == (phase == Phase.EXTENT), "state.natural is the die of an attack that was won")
    if phase == Phase.EXTENT:
        people = s.owner[s.origin]
        _need(
            s.extent[people] == max_extent(s, people),
            "state.phase EXTENT needs a people at its maximum extent",
        )


def _check_choice(s: Any, phase: Phase, stage: Stage) -> None:
    if s.power:
        god = s.god[s.seat]
        right = {
            God.LOVE: (Stage.FORTIFICATION, Phase.TERRITORY),
            God.VENGEANCE: (Stage.FORTIFICATION, Phase.PEOPLE),
            God.CRAFTS: (Stage.ACTION, Phase.PEOPLE),
        }.get(god)
        _need(right == (stage, phase) and s.uses[s.seat] > 0, "state.power: the god has no such power now")
        return
    _need(stage == Stage.ACTION and s.ability != NONE, "state.phase asks for something that nothing needs")
    if s.wrath:
        asked = Phase.PEOPLE if s.wrath == Wrath.DARK_AGE else Phase.TERRITORY
        _need(
            s.extent[s.ability] == 0 or phase == Phase.PEOPLE, "state.wrath is for a people that is wiped out"
        )
        _need(phase == asked, f"state.phase must be {asked.name} for this wrath")
        return
    effect = _effect(s)
    territory = Effect.FORTIFY <= effect <= Effect.RAISE
    _need(effect > Effect.SIGHT, "state.ability asks for an attack")
    if _asks_again(s, phase):
        _check_second_choice(s, effect)
    else:
        _need(territory == (phase == Phase.TERRITORY), "state.phase is not what state.ability asks for")
        _need(
            s.step == 0 or (effect == Effect.FORTIFY and s.step < COUNT[s.ability]),
            "state.step is not what state.ability asks for",
        )


def _asks_again(s: Any, phase: Phase) -> bool:
    """Whether the second of two things is asked for, and `chosen` holds the first."""
    if s.ability == NONE or s.power or s.wrath or s.step != 1:
        return False
    second = {
        Effect.EXCHANGE: Phase.TERRITORY,
        Effect.RAISE: Phase.PEOPLE,
        Effect.HOLY_WAR: Phase.PEOPLE,
    }
    return second.get(Effect(_effect(s))) == phase


def _check_second_choice(s: Any, effect: int) -> None:
    if effect == Effect.HOLY_WAR:
        _need(0 <= s.chosen < NUM_PEOPLES, "state.chosen must be the Holy War Attacker")
    elif effect == Effect.EXCHANGE:
        _need(s.chosen != NONE and s.owner[s.chosen] == s.ability, "state.chosen must hold a Nomad token")
    else:
        right = s.chosen != NONE and s.owner[s.chosen] == NONE and s.chosen != s.vortex
        _need(right, "state.chosen must be an empty territory")
