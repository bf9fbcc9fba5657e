"""What must hold at every table of Age of Heroes: each component is somewhere, exactly once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from .components import (
    BATTLE_CARDS,
    COUNTS,
    NUM_HELD,
    NUM_STRENGTHS,
    NUM_TRIBES,
    SUPPLY,
    Building,
    Card,
)
from .rules import battles, building, fair, promises, table
from .rules.battles import BARBARIAN_ARMIES
from .state import (
    ATTACK,
    BARBARIANS,
    DEFENCE,
    DUE,
    MOST_UNITS,
    NEWEST,
    NONE,
    NUM_WORDS,
    STATE_FIELDS,
    Fair,
    Goal,
    Phase,
    Stage,
    Unit,
    Vow,
    Word,
)

direct_road, neighbour, can_pay = plain(table.direct_road), plain(building.neighbour), plain(building.can_pay)
first_unmarked, seat_after, has = plain(table.first_unmarked), plain(table.seat_after), plain(table.has)
named, can_promise = plain(fair.named), plain(promises.can_promise)
next_to_lay, commander, most_spoils = (
    plain(battles.next_to_lay),
    plain(battles.commander),
    plain(battles.most_spoils),
)

#: Stages at which a decision can be asked for; wars against barbarians and other events come at several.
_EVENT_STAGES = (Stage.FAIR_CARDS, Stage.DRAW, Stage.TAXES)
_WAR_STAGES = (Stage.ACTION, *_EVENT_STAGES)
_STAGES = {
    Phase.TRIBE: (Stage.CHOOSING,),
    Phase.ACTION: (Stage.ACTION,),
    Phase.CONSENT: (Stage.ACTION,),
    Phase.GOAL: (Stage.ACTION,),
    Phase.SEND: (Stage.ACTION,),
    Phase.SEND_LED: (Stage.ACTION,),
    Phase.MUSTER: (Stage.ACTION,),
    Phase.SPOILS: (Stage.ACTION,),
    Phase.DEFEND: _WAR_STAGES,
    Phase.LAY: _WAR_STAGES,
    Phase.DUEL: _WAR_STAGES,
    Phase.MONUMENT: (Stage.MONUMENT,),
    Phase.DISCARD: (Stage.DISCARD,),
    Phase.EARTHQUAKE: _EVENT_STAGES,
    Phase.ERUPTION: _EVENT_STAGES,
    Phase.LUCK: _EVENT_STAGES,
    Phase.OFFER: (Stage.BARGAINING,),
    Phase.GIVE: (Stage.BARGAINING,),
    Phase.ASK: (Stage.BARGAINING,),
    Phase.ANSWER: (Stage.BARGAINING,),
    Phase.WISH: (Stage.BARGAINING,),
    Phase.REPLY: (Stage.BARGAINING,),
}
_OF_THE_TURN = (
    Phase.ACTION, Phase.GOAL, Phase.SEND, Phase.SEND_LED, Phase.MUSTER, Phase.SPOILS, Phase.MONUMENT, Phase.DISCARD,
)  # fmt: skip


def check(s: Any) -> None:
    """Hold a table against the components.

    Raises:
        ValueError: naming the field and what would be right.
    """
    _check_ranges(s)
    _check_course(s)
    _check_tribes(s)
    _check_cards(s)
    _check_known(s)
    _check_main_deck(s)
    _check_war(s)
    _check_fair(s)
    _check_decision(s)


def _need(holds: Any, message: str) -> None:
    if not holds:
        raise ValueError(message)


def _check_ranges(s: Any) -> None:
    last, everybody = s.num_players - 1, (1 << s.num_players) - 1
    for field in STATE_FIELDS:
        low, high = field.range
        inside = np.min(s[field.name]) >= low and np.max(s[field.name]) <= high
        _need(inside, f"state.{field.name} must be from {low} to {high}")
    within = {
        "first": last, "turn": last, "drawer": last, "victim": last, "target": last, "floor": last, "winner": last,
        "marked": everybody, "declined": everybody, "round": s.rounds,
    }  # fmt: skip
    for name, high in within.items():
        _need(s[name] <= high, f"state.{name} is {s[name]}, must be at most {high}")


def _check_course(s: Any) -> None:
    """Where in a round the table is, and what goes with that."""
    if s.finished:
        return
    at_limit = s.stage == Stage.ROUND and s.round == s.rounds
    _need(s.asked != at_limit, "state.asked must be true, but where the last round of the limit is over")
    _need(
        (s.round == 0) == (s.stage == Stage.CHOOSING),
        f"state.round is {s.round}, must be 0 while tribes are chosen",
    )
    left = sum(not s.eliminated[seat] for seat in range(s.num_players))
    _need(left > 1, "state.eliminated must leave two seats in play, or state.finished must be true")
    for seat in range(s.num_players):
        _need(
            not s.eliminated[seat] or s.eliminated[seat] > left,
            f"state.eliminated[{seat}] is {s.eliminated[seat]}, a place behind the {left} in play is due",
        )
    _need(s.draws == 0 or s.stage == Stage.TAXES, "state.draws must be 0, but while taxes are collected")
    bargaining = s.stage == Stage.BARGAINING
    _need(s.lap < s.offers and (s.lap == 0 or bargaining), f"state.lap is {s.lap}: no such offer is due")
    for field in ("spoken", "questioned", "speaking", "chain"):
        _need(s[field] == 0 or bargaining, f"state.{field} must be 0 but in bargaining")
    _need(s.stage != Stage.FAIR_CARDS or s.fair != Fair.OFF, "state.stage: there is no Fair")
    _need(s.stage != Stage.BARGAINING or s.fair == Fair.FULL, "state.stage: there is no bargaining")
    if not s.asked:
        _need(
            s.attacker == NONE and s.event == NONE,
            "state.attacker and state.event must be -1 between two rounds",
        )


def _check_tribes(s: Any) -> None:
    """Tribes are different; absent seats and seats that are out have nothing."""
    chosen = [tribe for tribe in s.tribe[: s.num_players].tolist() if tribe != NONE]
    different = len(set(chosen)) == len(chosen) and set(chosen) <= set(range(NUM_TRIBES))
    _need(different, f"state.tribe {chosen} must be different tribes")
    choosing = s.stage == Stage.CHOOSING
    _need(choosing or len(chosen) == s.num_players, "state.tribe must name a tribe for each seat")
    _need(not (s.tribe[s.num_players :] != NONE).any(), "state.tribe must be -1 for absent seats")
    fields = (
        "hand_size", "no_grain", "cities", "fortresses", "monument", "army", "shaken", "idle_quakes", "led", "out",
        "out_led", "back", "back_led", "claim", "road",
    )  # fmt: skip
    for seat in range(len(s.tribe)):
        if seat >= s.num_players or s.eliminated[seat] or choosing:
            for field in fields:
                _need(s[field][seat] == 0, f"state.{field}[{seat}] must be 0: nobody plays there")
            rows = (
                *(s.hand[seat], s.known[seat], s.waiting[seat]),
                *(s.noted[seat], s.noted[:, seat], s.secret[seat], s.secret[:, seat]),
            )
            _need(not any(row.any() for row in rows), f"state.hand[{seat}] and what is known of it must be 0")
            promised = s.promise[seat].any() or s.promise[:, seat].any() or s.against[seat]
            _need(not promised, f"state.promise must be 0 for seat {seat}: nobody plays there")
            third = any(has(marks, seat) for marks in s.against)
            _need(not third, f"state.against must not name seat {seat}: nobody plays there")
        if seat >= s.num_players:
            _need(not (s.kept[seat].any() or s.broken[seat].any()), f"state.kept[{seat}] must be 0")
            _need(not (s.kept[:, seat].any() or s.broken[:, seat].any()), f"state.kept[:, {seat}] must be 0")
    _check_promises(s)
    if not s.finished and not choosing:
        for seat in range(s.num_players):
            alive = s.hand_size[seat] + s.cities[seat] > 0 or _in_mid_move(s, seat)
            _need(
                alive or s.eliminated[seat],
                f"seat {seat} has no card and no city, state.eliminated must say so",
            )


def _check_promises(s: Any) -> None:
    """Nobody promises itself anything, and there is one promise of a kind a round from one seat to another."""
    stands = np.asarray(s.promise) > 0
    made = stands + np.asarray(s.kept, np.int64) + np.asarray(s.broken)
    _need(not made.diagonal().any(), "state.promise, kept and broken must be 0 from a seat to itself")
    _need(made.max() <= s.round, "state.promise, kept and broken are more than one promise a round")
    at_fair = s.stage in (Stage.FAIR_CARDS, Stage.BARGAINING)
    for vow in Vow:
        # what is promised in a round is not settled before its turns, a gift not before the next Fair
        most = max(0, s.round - (at_fair or vow == Vow.GIFT))
        settled = (made - stands)[:, :, vow].max()
        _need(settled <= most, f"state.kept and broken hold more of {vow.name} than can be settled by now")
    _need(s.promises or not stands.any(), "state.promise must be 0: promises are switched off")
    _need(s.fair == Fair.FULL or not made.any(), "state.promise, kept and broken must be 0: nobody bargains")
    for vow in (Vow.PEACE, Vow.ROAD):
        _need(s.promise[:, :, vow].max() < DUE, f"state.promise of {vow.name} must be 0 or 1")
    due = (np.asarray(s.promise)[:, :, Vow.GIFT] == DUE).any()
    _need(s.finished or at_fair or not due, "state.promise of a GIFT is due at the Fair alone")
    for seat in range(len(s.tribe)):
        hearers = np.flatnonzero(stands[seat, :, Vow.STAY_OUT]).tolist()
        thirds = [k for k in range(len(s.tribe)) if has(s.against[seat], k)]
        _need(
            len(hearers) == len(thirds) <= 1,
            f"state.against[{seat}] must name a third tribe if {seat} has promised to stay out of a war, only then",
        )
        if thirds:
            _need(thirds[0] not in (seat, *hearers), f"state.against[{seat}] must name a third tribe")
    most = s.round * s.offers * s.num_players
    _need(s.trades <= most, f"state.trades is {s.trades}, there were at most {most} offers")


def _in_mid_move(s: Any, seat: int) -> bool:
    """A seat may have nothing while cards are on their way to it, or the event that took them goes on."""
    return s.event != NONE or s.attacker != NONE or (seat == s.turn and s.draws > 0)


def _check_cards(s: Any) -> None:
    """Every card of the resource deck is somewhere."""
    for seat in range(s.num_players):
        held = int(s.hand[seat].sum())
        _need(
            s.hand_size[seat] == held,
            f"state.hand_size[{seat}] is {s.hand_size[seat]}, state.hand has {held}",
        )
    counts = np.asarray(s.deck, np.int64) + np.asarray(s.discards, np.int64)
    counts[:NUM_HELD] += np.asarray(s.hand, np.int64).sum(axis=0)
    counts[NUM_HELD:] += np.asarray(s.waiting, np.int64).sum(axis=0)
    counts[Card.HERO] += int(sum(s.heroes))
    counts[Card.EARTHQUAKE] += int(sum(s.shaken) + sum(s.idle_quakes))
    for seat in range(s.num_players):
        if s.tribe[seat] != NONE:
            counts[Card.LIMESTONE + s.tribe[seat]] += s.monument[seat]
    if s.event != NONE:
        _need(s.event >= NUM_HELD, f"state.event is {s.event}, no event that is played at once")
        counts[s.event] += 1
    for card in Card:
        wrong = f"{counts[card]} {card.name} cards in all places together, must be {COUNTS[card]}"
        _need(counts[card] == COUNTS[card], wrong)
    _need(s.waiting.sum() == 0 or s.stage == Stage.FAIR_CARDS, "state.waiting must be 0 but at the Fair")


def _check_known(s: Any) -> None:
    """Nobody is sure of a card that is not there."""
    for seat in range(s.num_players):
        own = s.noted[seat, seat].any() or s.secret[seat, seat].any()
        _need(not own, f"state.noted[{seat}][{seat}] and secret must be 0: a hand is known to its holder")
        may_be_grain = s.hand_size[seat] - s.no_grain[seat]
        _need(
            may_be_grain >= 0 and s.hand[seat, Card.GRAIN] <= may_be_grain,
            f"state.no_grain[{seat}] is {s.no_grain[seat]}: there is more grain in that hand",
        )
        for holder in range(s.num_players):
            sure = np.asarray(s.known[holder], np.int64) + np.asarray(s.noted[seat, holder], np.int64)
            sure = sure + np.asarray(s.secret[seat, holder], np.int64)
            right = (sure <= np.asarray(s.hand[holder])).all()
            _need(
                right,
                f"state.known[{holder}], noted and secret[{seat}][{holder}] are more than state.hand[{holder}]",
            )


def _check_main_deck(s: Any) -> None:
    """Every card of the main deck is somewhere."""
    led = int(sum(s.led) + sum(s.out_led) + sum(s.back_led) + s.sent_led)
    used = {
        Building.CITY: int(sum(s.cities)),
        Building.ARMY: led + int(sum(s.army) + sum(s.shaken) + sum(s.out) + sum(s.back) + s.sent),
        Building.FORTRESS: int(sum(s.fortresses)),
        Building.GENERAL: led,
        Building.ROAD: int(sum(s.road)),
    }
    for kind, number in used.items():
        wrong = f"{number + s.supply[kind]} {kind.name} cards in all places together, must be {SUPPLY[kind]}"
        _need(number + s.supply[kind] == SUPPLY[kind], wrong)
    playing = [seat for seat in range(s.num_players) if not s.eliminated[seat]]
    if len(playing) <= 2:
        _need(
            not any(s.road[seat] for seat in playing[1:]),
            "state.road: two seats share one road, the first one's",
        )
    _need(sum(s.road) == 0 or len(playing) > 1, "state.road leads from a seat to itself")


def _check_war(s: Any) -> None:
    """Battle cards and units of a war, and nothing of it when there is none."""
    cards = np.asarray(s.battle_deck, np.int64) + np.asarray(s.shown) + np.asarray(s.drawn).sum(axis=0)
    cards = cards + np.asarray(s.laid, np.int64).sum(axis=(0, 1))
    _need(
        (cards == BATTLE_CARDS).all(),
        f"battle cards {cards.tolist()} in all places, must be {BATTLE_CARDS.tolist()}",
    )
    if s.attacker == NONE:
        none = not (s.sent or s.sent_led or any(s.heroes) or s.units.any() or s.laid.any() or s.drawn.any())
        none = (
            none
            and not any(s.shown)
            and s.target == NONE
            and s.chosen == NONE
            and s.wins == 0
            and s.goal == 0
        )
        _need(none, "state.attacker is -1, so there must be no units, battle cards, target, goal and wins")
        return
    by_barbarians = s.attacker == BARBARIANS
    _need(s.target != NONE and not s.eliminated[s.target], "state.target must name a seat in play")
    _need(s.attacker != s.target, "state.attacker and state.target must be different")
    _need(by_barbarians == (s.event == Card.BARBARIANS), "state.event must be Barbarians when they attack")
    if by_barbarians:
        _need(s.goal == Goal.PLUNDER and not (s.sent or s.sent_led or s.heroes[ATTACK]), "barbarians plunder")
        _need(s.target == s.drawer, "state.target must be state.drawer when barbarians attack")
    else:
        _need(
            s.attacker == s.turn and s.stage == Stage.ACTION,
            "state.attacker must be state.turn, in its action",
        )
    _check_units(s)
    _check_preparations(s)


_BEFORE_SENDING = (Phase.GOAL, Phase.SEND)
_BEFORE_DUELS = (*_BEFORE_SENDING, Phase.SEND_LED, Phase.MUSTER, Phase.DEFEND, Phase.LAY)


def _check_preparations(s: Any) -> None:
    """Until the first duel, units are exactly the armies that were sent and those at home; no card is turned up."""
    if s.finished:
        return
    by_barbarians, fought = s.attacker == BARBARIANS, int(sum(s.shown)) // 2
    if s.phase in _BEFORE_DUELS:
        _need(
            fought == 0 and not any(s.shown) and s.wins == 0,
            "state.shown and state.wins: nobody has fought yet",
        )
        if s.phase in _BEFORE_SENDING:
            _need(not (s.sent or s.sent_led), "state.sent: no army has been sent yet")
        if s.phase == Phase.GOAL:
            some = s.army[s.turn] + s.led[s.turn] + s.hand[s.turn, Card.HERO] > 0
            _need(some, f"state.army: seat {s.turn} has nobody to attack with")
        _need(
            s.phase != Phase.SEND_LED or s.sent_led == 0,
            "state.sent_led: no army with a general has been sent yet",
        )
        _need(s.phase >= Phase.MUSTER or s.heroes[ATTACK] == 0, "state.heroes: nobody has played a Hero yet")
        _need(
            s.phase >= Phase.DEFEND or s.heroes[DEFENCE] == 0,
            "state.heroes: the attacked has not been asked yet",
        )
        barbarians = BARBARIAN_ARMIES if by_barbarians and s.phase == Phase.LAY else 0
        _need_all_units(s, ATTACK, s.sent + barbarians, s.sent_led)
        defends = s.phase >= Phase.DEFEND
        _need_all_units(s, DEFENCE, s.army[s.target] * defends, s.led[s.target] * defends)
    elif s.phase == Phase.DUEL:
        _need(s.wins <= fought, "state.wins is more than there were duels")
        if by_barbarians:
            alone = s.units[ATTACK].tolist() == [BARBARIAN_ARMIES, 0, 0, 0] and not s.laid[ATTACK].any()
            _need(
                alone and not any(s.shown),
                "state.units: barbarians are one army, whose card is not drawn yet",
            )
    else:
        _need(not s.units.any(), "state.units: the battle is over")
        _need(most_spoils(s) > 0, "state.wins: there is nothing to take")


def _need_all_units(s: Any, side: int, unled: int, led: int) -> None:
    units = s.units[side].tolist()
    heroes = units[Unit.HERO] + units[Unit.HERO_LED_ARMY]
    there = units[Unit.ARMY] + units[Unit.HERO_LED_ARMY] == unled and units[Unit.LED_ARMY] == led
    _need(
        there and heroes == s.heroes[side], f"state.units[{side}] must be all armies and Heroes of that side"
    )


def _check_units(s: Any) -> None:
    """Units that have not fought are armies that are there; each has a battle card once these are laid."""
    units = np.asarray(s.units, np.int64)
    here = ((ATTACK, s.sent, s.sent_led), (DEFENCE, s.army[s.target], s.led[s.target]))
    for side, unled, led in here:
        barbarian = side == ATTACK and s.attacker == BARBARIANS
        most = 1 if barbarian else unled
        some = (
            units[side, Unit.ARMY] + units[side, Unit.HERO_LED_ARMY] <= most
            and units[side, Unit.LED_ARMY] <= led
        )
        _need(some, f"state.units[{side}] are more than the armies that are there")
        heroes = units[side, Unit.HERO] + units[side, Unit.HERO_LED_ARMY]
        _need(heroes <= s.heroes[side], f"state.units[{side}] has more Heroes than state.heroes[{side}]")
        laid = np.asarray(s.laid[side], np.int64).sum(axis=1)
        left = int(units[side].sum() - laid.sum() - sum(s.drawn[side]))
        fits = (laid <= units[side]).all() and left >= 0
        _need(fits, f"state.laid[{side}] and drawn[{side}] are more than state.units[{side}]")
        if s.phase in (Phase.LAY, Phase.DUEL) and not barbarian:
            _need(left == 0, f"state.units[{side}] must have a battle card each")
        elif s.phase not in (Phase.LAY, Phase.DUEL):
            _need(
                not laid.any() and not any(s.drawn[side]), f"state.laid[{side}]: no battle card is laid now"
            )
        if s.phase == Phase.LAY and s.seat == commander(s, side):
            _need(next_to_lay(s, side) != NONE, f"state.drawn[{side}]: there is no battle card to lay")
        if s.phase == Phase.DUEL:
            _need(not any(s.drawn[side]), f"state.drawn[{side}]: all battle cards are laid in a duel")
            _need(units[side].any(), f"state.units[{side}]: there must be units for a duel")
    _need(s.wins + units[ATTACK].sum() <= MOST_UNITS, "state.wins is more than there are units")
    _need(s.chosen == NONE or s.phase == Phase.DUEL, "state.chosen is for duels")
    if s.chosen != NONE:
        unit, strength = divmod(s.chosen, NUM_STRENGTHS)
        _need(s.attacker != BARBARIANS, "state.chosen: barbarians choose nothing")
        _need(s.laid[ATTACK, unit, strength] > 0, "state.chosen names a unit that is not there")


_OFFERS = (Word.OFFER, Word.COUNTER_OFFER)
_SAID = (
    "word_by",
    "word_to",
    "third",
    "given",
    "wanted",
    "vow_given",
    "vow_wanted",
    "said_yes",
    "said_no",
    "dropped",
)
_COMPOSING = (Phase.GIVE, Phase.ASK)


def _check_fair(s: Any) -> None:
    """What was said in this round, and what is being said."""
    bargaining = s.stage == Stage.BARGAINING and not s.finished
    _need(
        s.finished or bargaining == (s.floor != NONE),
        "state.floor must name a seat while there is bargaining, and only then",
    )
    for k in range(NUM_WORDS):
        _check_word(s, k)
    silent = s.stage in (Stage.CHOOSING, Stage.FAIR_CARDS) or s.fair != Fair.FULL
    _need(not (silent and any(s.word)), "state.word: nothing has been said in this round yet")
    if not bargaining:
        return
    speaks = s.phase in (*_COMPOSING, Phase.ANSWER, Phase.REPLY)
    _need(speaks == bool(s.speaking), "state.speaking must be 1 while something is said or answered, else 0")
    _need(not s.eliminated[s.floor], "state.floor must be in play")
    _need(has(s.marked, s.floor), "state.marked must hold state.floor")
    _need(s.phase != Phase.WISH or not s.questioned, "state.questioned: one question a say")
    if s.speaking:
        _check_newest(s)
    else:
        _need(s.chain == 0, "state.chain must be 0 while no offer is made")


def _check_word(s: Any, k: int) -> None:
    """A word is said by one seat to others; where nothing was said there is nothing."""
    by, to = s.word_by[k], s.word_to[k]
    if s.word[k] == Word.NONE:
        _need(
            not any(np.any(s[field][k]) for field in _SAID),
            f"state.word[{k}] is 0, so nothing may be said there",
        )
        _need(k == 0 or not s.word[k - 1], f"state.word[{k}] is 0, so nothing was said before it")
        return
    everybody = (1 << s.num_players) - 1
    _need(by < s.num_players, f"state.word_by[{k}] is {by}, must name a seat")
    _need(
        to and to & ~everybody == 0 and not has(to, by), f"state.word_to[{k}] must name other seats than {by}"
    )
    answers = s.said_yes[k] | s.said_no[k]
    _need(answers & ~to == 0, f"state.said_yes[{k}] and said_no[{k}] must be among state.word_to[{k}]")
    _need(not s.said_yes[k] & s.said_no[k], f"state.said_yes[{k}] and said_no[{k}] must be different seats")
    given, wanted = named(s.given[k]), named(s.wanted[k])
    vows = s.vow_given[k] | s.vow_wanted[k]
    if s.word[k] == Word.QUESTION:
        one = wanted == 1 and not (given or vows or s.third[k] or s.dropped[k])
        _need(one, f"state.wanted[{k}] must name one card in a question, and nothing else")
        return
    both = (np.minimum(s.given[k], s.wanted[k]) > 0).any()
    _need(not both, f"state.given[{k}] and wanted[{k}] must not name the same kind of card")
    _need(
        max(given, wanted) <= s.cards, f"state.given[{k}] and wanted[{k}] must name {s.cards} cards at most"
    )
    _need(s.promises or not vows, f"state.vow_given[{k}]: promises are switched off")
    _need(to & (to - 1) == 0 or s.open_offers, f"state.word_to[{k}]: open offers are switched off")
    thirds = [seat for seat in range(len(s.tribe)) if has(s.third[k], seat)]
    _need(
        len(thirds) == has(vows, Vow.STAY_OUT) and s.third[k] & ~everybody == 0,
        f"state.third[{k}] must name a seat where the promise to stay out of a war is named, and only there",
    )
    _need(
        not thirds or not (has(to, thirds[0]) or thirds[0] == by), f"state.third[{k}] must name a third tribe"
    )
    _need(not thirds or to & (to - 1) == 0, f"state.third[{k}]: such a promise is made to one seat")
    _need(s.said_yes[k] & (s.said_yes[k] - 1) == 0, f"state.said_yes[{k}]: one seat accepts")
    _need(not (s.dropped[k] and answers), f"state.dropped[{k}]: nobody answers an offer that was dropped")
    if s.word[k] == Word.COUNTER_OFFER:
        _need(to & (to - 1) == 0, f"state.word_to[{k}]: a counter-offer is made to one seat")


def _check_newest(s: Any) -> None:
    """What is being said, and how far it has come."""
    word, by, to = s.word[NEWEST], s.word_by[NEWEST], s.word_to[NEWEST]
    _need(not s.eliminated[by], f"state.word_by[{NEWEST}] must be in play")
    here = [seat for seat in range(s.num_players) if has(to, seat)]
    _need(not any(s.eliminated[seat] for seat in here), f"state.word_to[{NEWEST}] must be in play")
    others = [seat for seat in range(s.num_players) if seat != by and not s.eliminated[seat]]
    _need(len(here) == 1 or here == others, f"state.word_to[{NEWEST}] must name one seat or all")
    _need(not s.dropped[NEWEST], f"state.dropped[{NEWEST}]: it is being said")
    answering = s.phase in (Phase.ANSWER, Phase.REPLY)
    before = 0
    if answering:
        _need(has(to, s.seat), f"state.word_to[{NEWEST}] must include the seat to act")
        places = range(1, (s.seat - by) % s.num_players)
        before = sum(1 << seat for seat in (seat_after(s, by, k) for k in places) if has(to, seat))
    answers = s.said_yes[NEWEST] | s.said_no[NEWEST]
    _need(
        answers & ~before == 0,
        f"state.said_yes[{NEWEST}] and said_no[{NEWEST}]: seats before state.seat answered",
    )
    if s.phase == Phase.REPLY:
        _need(word == Word.QUESTION and here == others, f"state.word[{NEWEST}] must be a question to all")
        _need(
            by == s.floor and s.questioned and not s.chain,
            "state.floor must be the seat that asked its question",
        )
        return
    _need(
        word == (Word.COUNTER_OFFER if s.chain else Word.OFFER),
        f"state.word[{NEWEST}] does not fit state.chain",
    )
    _need(s.chain <= s.counters, f"state.chain is {s.chain}, there are at most {s.counters} counter-offers")
    speaks_first = by if s.chain % 2 == 0 else here[0]
    _need(speaks_first == s.floor, "state.floor must be the seat that made the first offer")
    shown = (np.asarray(s.given[NEWEST]) <= np.asarray(s.known[by])).all()
    _need(shown, f"state.given[{NEWEST}] is more than state.known[{by}]: what is offered is shown")
    if s.phase == Phase.GIVE:
        asked = named(s.wanted[NEWEST]) + s.vow_wanted[NEWEST]
        _need(asked == 0, f"state.wanted[{NEWEST}]: nothing has been asked for yet")
    if answering:
        something = (
            named(s.given[NEWEST]) + named(s.wanted[NEWEST]) + s.vow_given[NEWEST] + s.vow_wanted[NEWEST]
        )
        _need(something > 0, f"state.given[{NEWEST}]: something must be offered or asked for")
        _need(
            s.said_no[NEWEST] == before,
            f"state.said_no[{NEWEST}] must hold all who were asked before state.seat",
        )
    if s.third[NEWEST]:
        third = [seat for seat in others if has(s.third[NEWEST], seat)]
        _need(third, f"state.third[{NEWEST}] must be in play")
    for field, pairs in (("vow_given", [(by, k) for k in here]), ("vow_wanted", [(k, by) for k in here])):
        for vow in Vow:
            new = any(can_promise(s, *pair, vow) for pair in pairs)
            _need(
                new or not has(s[field][NEWEST], vow),
                f"state.{field}[{NEWEST}] names a promise that says nothing new",
            )


def _check_decision(s: Any) -> None:
    """Who decides what belongs to the stage of the round."""
    if s.finished or not s.asked:
        return
    phase, stage = Phase(s.phase), Stage(s.stage)
    _need(stage in _STAGES[phase], f"state.phase {phase.name} does not belong to state.stage {stage.name}")
    decides = _who_decides(s, phase)
    _need(s.seat == decides, f"state.seat is {s.seat}, in phase {phase.name} it must be {decides}")
    war = phase in (
        Phase.GOAL,
        Phase.SEND,
        Phase.SEND_LED,
        Phase.MUSTER,
        Phase.DEFEND,
        Phase.LAY,
        Phase.DUEL,
        Phase.SPOILS,
    )
    _need(
        war == (s.attacker != NONE), f"state.attacker must be set in a war, and only then; phase {phase.name}"
    )
    if stage >= Stage.DRAW:
        _need(not s.eliminated[s.turn], "state.turn must be in play")
    event = phase in (Phase.EARTHQUAKE, Phase.ERUPTION, Phase.LUCK) or s.attacker == BARBARIANS
    _need(
        event == (s.event != NONE),
        f"state.event must be set in phase {phase.name}" if event else "no event is on",
    )
    if event:
        _need(s.drawer != NONE and not s.eliminated[s.drawer], "state.drawer must name a seat in play")
        at_fair = stage == Stage.FAIR_CARDS
        _need(at_fair or s.drawer == s.turn, "state.drawer must be state.turn but at the Fair")
    else:
        none = s.drawer == NONE and s.victim == NONE and not s.aim
        _need(none, "state.event is -1, so state.drawer and state.victim must be -1, state.aim 0")
    _need(s.declined == 0 or s.event == Card.FAMINE, "state.declined must be 0 but in a Famine")
    _check_event(s, phase)


def _who_decides(s: Any, phase: Phase) -> int:
    if phase in _OF_THE_TURN:
        return int(s.turn)
    if phase in (Phase.OFFER, Phase.WISH):
        return int(s.floor)
    if phase in _COMPOSING:
        return int(s.word_by[NEWEST])
    if phase in (Phase.EARTHQUAKE, Phase.ERUPTION):
        return int(s.drawer)
    if phase == Phase.DEFEND:
        return int(s.target)
    if phase == Phase.CONSENT:
        return int(neighbour(s, s.turn, s.road_to))
    if phase == Phase.LAY:
        attacks = s.attacker != BARBARIANS and next_to_lay(s, ATTACK) != NONE
        return int(s.attacker if attacks else s.target)
    if phase == Phase.DUEL:
        return int(s.target if s.attacker == BARBARIANS or s.chosen != NONE else s.attacker)
    if phase == Phase.TRIBE:
        return int(first_unmarked(s, sum(1 << k for k in range(s.num_players) if s.tribe[k] != NONE)))
    if phase == Phase.LUCK:
        return int(s.victim if s.event != Card.FAMINE else first_unmarked(s, s.declined))
    return int(s.seat)


def _check_event(s: Any, phase: Phase) -> None:
    if phase == Phase.LUCK:
        struck = s.event in (Card.EARTHQUAKE, Card.ERUPTION)
        _need(struck or s.event == Card.FAMINE, "state.event must be a catastrophe that Luck turns away")
        if struck:
            _need(
                s.victim == s.seat != s.drawer, "state.victim must be state.seat, and not who drew the card"
            )
            has = s.army[s.seat] if s.event == Card.EARTHQUAKE else s.cities[s.seat]
            if s.aim:
                _need(s.event == Card.EARTHQUAKE, "state.aim is for earthquakes")
                has = s.shaken[s.seat] + s.out[s.seat] + s.back[s.seat]
            _need(has > 0, "state.victim has nothing that the catastrophe could strike")
        else:
            _need(s.victim == NONE and not s.aim, "state.victim must be -1 in a Famine, which strikes all")
    else:
        none = s.victim == NONE and not s.aim
        _need(none, "state.victim must be -1 and state.aim 0 but when Luck is asked for")
    if phase in (Phase.EARTHQUAKE, Phase.ERUPTION):
        wanted = Card.EARTHQUAKE if phase == Phase.EARTHQUAKE else Card.ERUPTION
        _need(s.event == wanted, f"state.event must be {wanted.name} in phase {phase.name}")
    if phase == Phase.CONSENT:
        _need(
            s.supply[Building.ROAD] > 0 and can_pay(s, s.turn, Building.ROAD), "nobody can pay for the road"
        )
        joined = direct_road(s, s.turn, s.seat)
        _need(s.seat != s.turn and not joined, "state.road_to must name a neighbour without a road")
