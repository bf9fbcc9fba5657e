"""What must hold at every table of Age of Gods: tokens, cards and markers are somewhere, exactly once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from .components import (
    ATTACKS,
    CITIES,
    COUNT,
    EFFECT,
    FIRST_RED,
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
from .rules import abilities, board, combat, destiny, fortification, turn
from .state import ATTACK, COPIES, DEFENCE, MOST_TECHNOLOGY, NONE, Phase, Stage

board_closed = plain(board.closed)
max_extent, bets_now, acting_seat = plain(board.max_extent), plain(destiny.bets_now), plain(turn.acting_seat)
to_bet_with, attacks_due = plain(destiny.to_bet_with), plain(turn.attacks_due)
may_lead, targets_of, pieces_at_once = (
    plain(combat.may_lead),
    plain(combat.targets_of),
    plain(fortification.pieces_at_once),
)
markers_left, margin = plain(abilities.markers_left), plain(combat.margin)
HAND = {
    "red": (RULE.hand_red, slice(FIRST_RED, None)),
    "yellow": (RULE.hand_yellow, slice(0, FIRST_RED)),
}
ATTACK_FIELDS = ("attacks", "natural", "follow_up", "boost")
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
    _check_technology(s)
    _check_destinies(s)
    _check_action_cards(s)
    _check_bets(s)
    if s.finished:
        _check_end(s)
    else:
        _check_decision(s)


def _need(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def _check_ranges(s: Any) -> None:
    _need(not any(s.eliminated), "state.eliminated must be all 0: nobody is knocked out of this game")
    seats = s.num_players
    for field, high in (
        ("first", seats - 1),
        ("place", seats - 1),
        ("revealed", seats - 1),
        ("looked", (1 << seats) - 1),
    ):
        _need(
            np.asarray(s[field]).max() <= high, f"state.{field} must be at most {high} with {seats} players"
        )
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
        "red_bets",
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
        int(s.bulwarks) & ~(int(s.fortified) & int(CITIES)) == 0,
        "state.bulwarks holds a territory without a city and a fortification",
    )
    _need(
        not s.bulwarks or God.PROTECTORS in np.asarray(s.god), "state.bulwarks are of the god of protectors"
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


def _check_technology(s: Any) -> None:
    """No people can get further than MOST_TECHNOLOGY with the cards that are still to be played."""
    played = np.asarray(s.played, np.int64).sum(axis=0)
    left = COPIES + 1 - played
    crafts = s.stage == Stage.GODS or any(
        s.god[k] == God.CRAFTS and s.uses[k] > 0 for k in range(s.num_players)
    )
    under_way = People(s.ability) if s.phase == Phase.PEOPLE and s.ability != NONE and not s.wrath else None
    for people in range(NUM_PEOPLES):
        still = left[people] + left[People.GNOMES] + crafts + (under_way == People.GNOMES)
        if people == People.HOBBITS:  # they rob others of it
            still += left[people] + (under_way == People.HOBBITS)
        most = MOST_TECHNOLOGY - still
        _need(
            s.technology[people] <= most,
            f"state.technology of {People(people).name} is {s.technology[people]}, at most {most} by now",
        )


def _check_gods(s: Any) -> None:
    choosing = s.stage == Stage.GODS
    _need(choosing == (s.turn == 0), "state.turn is 0 while gods are chosen, and only then")
    if choosing:
        offered = np.asarray(s.offer)[: s.num_players].ravel().tolist()
        _need(NONE not in offered and len(set(offered)) == len(offered), "state.offer must be different gods")
        for k in range(s.num_players):
            _need(s.offer[k][0] < s.offer[k][1], f"state.offer[{k}] must be in rising order")
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
    _check_early(s, (played - spent)[deceiver[0]] if deceiver else None, played)


def _check_early(s: Any, discarded: Any, played: np.ndarray) -> None:
    """What Deception played before the deal of a size were action cards, and the rest came after it."""
    early = np.asarray(s.early, np.int64)
    if discarded is None:
        _need(not early.any(), "state.early counts cards of the god of deception, which nobody has")
        return
    _need((early <= discarded).all(), "state.early counts cards that the god of deception has not played")
    seat = next(k for k in range(s.num_players) if s.god[k] == God.DECEPTION)
    for k in range(NUM_SIZES):
        part = slice(k * OF_A_SIZE, (k + 1) * OF_A_SIZE)
        if s.destiny[seat, k] == NONE:
            _need(not early[part].any(), f"state.early: size {NUM_SIZES - k} has not been dealt yet")
            continue
        before, since = int(early[part].sum()), int((played[seat] - early)[part].sum())
        turns = 2 * k  # before the deal
        _need(
            before <= turns and since <= played[seat].sum() - turns,
            f"state.early counts {before} cards of size {NUM_SIZES - k} before the deal, {since} were played since, "
            f"in {turns} turns before it and {played[seat].sum() - turns} since",
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
        _need(first >= second, f"state.bets[{seat}] must be in falling order")
        red = int(laid) * sum(people >= FIRST_RED for people in (first, second))
        _need(s.red_bets[seat] == red, f"state.red_bets[{seat}] must be {red}")
        answered = RULE.bets if laid else _answers(s, seat)
        _need(
            (first != NONE) + (second != NONE) <= answered,
            f"state.bets[{seat}] were laid before they were asked for",
        )
    if s.stage == Stage.BETS:
        most = min(RULE.bets, to_bet_with(s, s.seat))
        _need(s.step < most, f"state.step is {s.step}: player_{s.seat} is asked for bets {most} times")


def _answers(s: Any, seat: int) -> int:
    """Questions about bets that a seat has answered while bets are laid."""
    if s.stage != Stage.BETS or not bets_now(s, seat):
        return 0
    at = (seat - s.first) % s.num_players
    return int(RULE.bets) if at < s.place else int(s.step) if at == s.place else 0


# -- the decision that is awaited --------------------------------------------------------------------------------------


def _check_end(s: Any) -> None:
    _need(s.turn == RULE.turns and s.phase == NONE, "state.finished: the game ends after the last turn")
    _check_idle(s, ("ability", "chosen", "origin", "target"), NONE)
    _check_idle(s, (*ATTACK_FIELDS, "built", "used", "power", "double", "wrath", "step"), 0)


def _check_idle(s: Any, fields: tuple[str, ...], idle: int) -> None:
    for field in fields:
        _need(s[field] == idle, f"state.{field} is {s[field]}, must be {idle} in this phase")


def _check_decision(s: Any) -> None:
    _need(s.phase != NONE, "state.phase: something must be decided, for the game is not over")
    phase, stage = Phase(s.phase), Stage(s.stage)
    _need(s.stage != Stage.DESTINY, "state.stage: nothing is decided while destiny cards are dealt")
    _need(s.seat == acting_seat(s), f"state.seat is {s.seat}, must be {acting_seat(s)} by the order of play")
    _need(
        stage != Stage.ORDER or (s.god[s.seat] == God.TIME and s.place == 0),
        "state.stage: only the god of time decides on the order, and state.place is 0 then",
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
        _need(
            s.attacks == ATTACKS[s.ability],
            f"state.attacks must be {ATTACKS[s.ability]}, those of the ability",
        )
        _check_idle(s, ("wrath", "power"), 0)
    else:
        _need(
            s.ability == NONE and not s.power and not s.wrath,
            f"state: nothing is resolved while {phase.name} is asked",
        )
    if phase not in ATTACKING:
        _check_idle(s, ("origin", "target"), NONE)
        _check_idle(s, ATTACK_FIELDS[1:] if phase == Phase.LOOK else ATTACK_FIELDS, 0)
    if phase in (Phase.GOD, Phase.FIRST, Phase.FORTIFY, Phase.CARD, Phase.LOOK):
        _check_idle(s, ("step",), 0)
    _check_powers(s, stage)


def _check_powers(s: Any, stage: Stage) -> None:
    """Pieces built and powers used in this phase."""
    most = pieces_at_once(s) if stage == Stage.FORTIFICATION else 0
    _need(s.built <= most, f"state.built is {s.built}, at most {most} in this phase")
    god = God(s.god[s.seat]) if stage != Stage.GODS else None
    used = {Stage.FORTIFICATION: (God.LOVE, God.VENGEANCE), Stage.ACTION: (God.CRAFTS, God.MAGIC)}
    _need(not s.used or god in used.get(stage, ()), "state.used: the god has no power to use in this phase")
    given: dict[God | None, int] = {
        God.LOVE: MARKERS["Love"],
        God.VENGEANCE: MARKERS["Hatred"],
        God.MAGIC: RULE.magic_uses,
        God.CRAFTS: 1,
    }
    _need(not s.used or s.uses[s.seat] < given[god], "state.used: the god's power has not been used yet")
    _need(not (s.used and s.power), "state.power: the god's power has been used in this phase")
    _need(
        s.double == (god == God.MAGIC and s.used),
        "state.double is for the god of magic, when its power is used",
    )


def _effect(s: Any) -> int:
    return NONE if s.ability == NONE else int(EFFECT[s.ability])


def _check_attack(s: Any, phase: Phase, stage: Stage) -> None:
    in_turn = stage == Stage.COMBAT or (stage == Stage.UPRISING and s.turn in (2, 4, 6))
    by_card = stage == Stage.ACTION and s.ability != NONE and ATTACKS[s.ability] > 0 and s.attacks > 0
    _need(by_card or (in_turn and s.ability == NONE), "state.phase: no attack is due in this stage")
    due = int(ATTACKS[s.ability]) if by_card else attacks_due(s) if stage == Stage.COMBAT else 1
    _need(s.attacks >= 1, "state.attacks must count the attack under way")
    _need(
        s.attacks + s.step == due,
        f"state.attacks and step: {s.attacks} left and {s.step} done, must be {due} together",
    )
    _need(not s.follow_up or phase != Phase.ORIGIN, "state.follow_up: a breakthrough has its origin")
    boosted = s.boost in (0, RULE.deception) and (
        not s.boost or (s.god[s.seat] == God.DECEPTION and not s.uses[s.seat])
    )
    _need(boosted, "state.boost is for the god of deception, once")
    _need(
        not s.boost or phase in (Phase.ROLL, Phase.EXTENT),
        "state.boost is said when all but the die is known",
    )
    _need(not s.power and not s.wrath, "state.power and wrath must be 0 in an attack")
    origin = s.origin != NONE and s.owner[s.origin] != NONE
    _need(
        origin == (phase != Phase.ORIGIN), "state.origin must hold a token of the attacker, once it is named"
    )
    reached = 0
    if origin:
        _need(
            s.follow_up or may_lead(s, s.owner[s.origin]), "state.origin is of a people that may not be led"
        )
        reached = int(targets_of(s, s.origin))
        _need(
            not int(board_closed(s)) >> s.origin & 1 and reached,
            "state.origin: no attack can come from there",
        )
    target = s.target != NONE and origin and bool(reached >> s.target & 1)
    _need(
        target == (phase in (Phase.ROLL, Phase.EXTENT)),
        "state.target must be a territory that can be attacked, once it is named",
    )
    _need(target or s.target == NONE, "state.target cannot be attacked from state.origin")
    _need((s.natural > 0) == (phase == Phase.EXTENT), "state.natural is the die of an attack that was won")
    if phase == Phase.EXTENT:
        people = s.owner[s.origin]
        _need(
            s.extent[people] == max_extent(s, people),
            "state.phase EXTENT needs a people at its maximum extent",
        )
        won = s.owner[s.target] == NONE or s.natural + margin(s) >= RULE.win_from
        _need(won, f"state.natural is {s.natural}, which does not win the attack")


def _check_choice(s: Any, phase: Phase, stage: Stage) -> None:
    if s.power:
        god = s.god[s.seat]
        right = {
            God.LOVE: (Stage.FORTIFICATION, Phase.TERRITORY),
            God.VENGEANCE: (Stage.FORTIFICATION, Phase.PEOPLE),
            God.CRAFTS: (Stage.ACTION, Phase.PEOPLE),
        }.get(god)
        _need(right == (stage, phase) and s.uses[s.seat] > 0, "state.power: the god has no such power now")
        _check_idle(s, ("ability",), NONE)
        _check_idle(s, ("wrath",), 0)
        return
    _need(stage == Stage.ACTION and s.ability != NONE, "state.phase asks for something that nothing needs")
    if s.wrath:
        asked = Phase.PEOPLE if s.wrath == Wrath.DARK_AGE else Phase.TERRITORY
        _need(s.extent[s.ability] == 0, "state.wrath is for a people that is wiped out")
        _need(s.step == 0, "state.step must be 0: the divine wrath asks once")
        _need(phase == asked, f"state.phase must be {asked.name} for this wrath")
        return
    effect = _effect(s)
    kind = {Effect.ATTACK_MARKER: ATTACK, Effect.DEFENCE_MARKER: DEFENCE}.get(Effect(effect))
    _need(
        kind is None or markers_left(s, kind, int(COUNT[s.ability]) - 1) > 0,
        "state.marker: none is left for the ability",
    )
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
        named = s.chosen != NONE and s.owner[s.chosen] == s.ability and not int(CITIES) >> s.chosen & 1
        _need(named, "state.chosen must hold a Nomad token, outside a city")
    else:
        right = s.chosen != NONE and s.owner[s.chosen] == NONE and s.chosen != s.vortex
        _need(right, "state.chosen must be an empty territory")
