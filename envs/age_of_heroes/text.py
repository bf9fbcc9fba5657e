"""Actions and tables in words."""

from __future__ import annotations

from typing import Any

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from . import hands
from .components import NUM_HELD, NUM_STRENGTHS, Building, Card, Tribe
from .rules import battles, building, table
from .state import (
    ACTIONS,
    ATTACK,
    BARBARIANS,
    DEFENCE,
    NEWEST,
    NONE,
    NUM_WORDS,
    VOW_OF,
    A,
    Goal,
    Phase,
    Stage,
    Unit,
    Vow,
    Word,
)

sure_of, neighbour, road_to = plain(hands.sure_of), plain(building.neighbour), plain(table.direct_road)
next_in_play, any_laid, has = plain(table.next_in_play), plain(battles.any_laid), plain(table.has)


def _words(name: str) -> str:
    """``Olympic Games`` for ``OLYMPIC_GAMES``."""
    return " ".join(w.capitalize() for w in name.lower().split("_"))


CARD_NAMES = [_words(card.name) for card in Card]
TRIBE_NAMES = [_words(tribe.name) for tribe in Tribe]
BUILDING_NAMES = [kind.name.lower() for kind in Building]
UNIT_NAMES = ["army", "army with a general", "army with a Hero as general", "Hero"]
VOW_NAMES = {
    Vow.PEACE: "peace until the next Fair",
    Vow.ROAD: "consent to a road",
    Vow.GIFT: "a gift at the next Fair",
}
SPOILS = {
    Goal.CONQUEST: ("city", "cities"),
    Goal.PLUNDER: ("card", "cards"),
    Goal.DESTRUCTION: ("special resource", "special resources"),
}


def number(count: int, one: str, many: str) -> str:
    """``1 city``, ``2 cities``."""
    return f"{count} {one if count == 1 else many}"


def who(s: Any, seat: int) -> str:
    """A seat by its tribe."""
    if seat == BARBARIANS:
        return "Barbarians"
    tribe = int(s["tribe"][seat]) if 0 <= seat < s["num_players"] else NONE
    return TRIBE_NAMES[tribe] if tribe != NONE else f"player_{seat}"


def _further(s: Any, k: int) -> str:
    """The seat k places further on than the acting one."""
    return f"the {who(s, (int(s['seat']) + k) % int(s['num_players']))}"


def action_text(s: Any, action: int) -> str:
    """What `action` says, at a table where it is legal."""
    found, index = ACTIONS.locate(action)
    k = index[0] if index else 0
    label = found.labels[0][k] if index else ""
    if found.name in _CARD_TEXTS:
        return _CARD_TEXTS[found.name].format(CARD_NAMES[k])
    if found.name in ("war", "strike"):
        return f"{'attack' if found.name == 'war' else 'strike'} {_further(s, k + 1)}"
    if found.name == "strike_idle":
        return f"strike an army of {_further(s, k + 1)} that takes no part anyway"
    if found.name == "alike":
        return (
            "lay any of the battle cards, which are all alike"
            if s["phase"] == Phase.LAY
            else "fight with any of those that are left, which are all alike"
        )
    if found.name == "offer":
        return "an offer to all" if k == 0 else f"an offer to {_further(s, k)}"
    if found.name in ("promise", "ask_promise"):
        return f"{'and promise' if found.name == 'promise' else 'for'} {VOW_NAMES[Vow(VOW_OF[k])]}"
    if found.name in ("promise_out", "ask_out"):
        start = "and promise" if found.name == "promise_out" else "for the promise"
        return f"{start} not to attack together with {_further(s, k + 1)}"
    if found.name == "ask":
        return f"ask {'who has' if s['phase'] == Phase.WISH else 'for'} {CARD_NAMES[k]}"
    if found.name == "take":
        return f"take {number(k, *SPOILS[Goal(int(s['goal']))])}"
    if found.name == "duel":
        return f"fight with the {UNIT_NAMES[k]}, strength {index[1] + 1}"
    texts = {
        "tribe": f"choose the {_words(label)}",
        "no_action": "build no more" if s["built"] else "no action",
        "taxes": "collect taxes",
        "build": "build a road to the left"
        if label == "ROAD"
        else f"build {'an' if label == 'ARMY' else 'a'} {label.lower()}",
        "road_right": "build a road to the right",
        "goal": f"for {label.lower()}",
        "send": f"send {number(k, 'army', 'armies')} without a general",
        "send_led": f"send {number(k, 'army', 'armies')} with a general",
        "hero_army": "play a Hero as an army",
        "hero_general": "play a Hero as a general",
        "ready": "set out" if s["phase"] == Phase.MUSTER else "stand and fight",
        "olympic_games": "play the Olympic Games",
        "luck": "play Luck",
        "no_luck": "let it happen",
        "lay": f"lay battle card {label} under the next army",
        "lay_special": f"lay {number(k + 1, 'special resource', 'special resources')} on the monument",
        "no_special": "lay nothing on the monument",
        "consent": "let them build the road" if k else "refuse the road",
        "question": "ask the table",
        "no_offer": "make no offer",
        "reply": f"say {label.lower()}",
        "for_what": "and what for?" if _gives(s, NEWEST) else "offer nothing",
        "send_offer": _sent(s),
        "drop_offer": "drop the offer",
        "answer": "accept" if k else "decline",
        "counter": "make a counter-offer",
    }
    return texts[found.name]


_CARD_TEXTS = {
    "swap": "swap {} for a card of the deck",
    "discard": "discard {}",
    "give": "offer {}",
}


def _gives(s: Any, k: int) -> bool:
    return bool(s["vow_given"][k] or any(s["given"][k]))


def _asks(s: Any, k: int) -> bool:
    return bool(s["vow_wanted"][k] or any(s["wanted"][k]))


def _sent(s: Any) -> str:
    if not _asks(s, NEWEST):
        return "as a gift"
    return f"that is the {'offer' if _gives(s, NEWEST) else 'demand'}"


def heard_text(s: Any, action: int, seat: int) -> str:
    """What `seat` hears of another's action: not which battle card lies where, nor which army comes next.

    Of an offer that is complete it hears all parts once more.
    """
    del seat
    found = ACTIONS.locate(action)[0].name
    if found == "send_offer":
        return _offered(s, NEWEST, complete=True)
    if found in ("lay", "duel", "alike"):
        if s["phase"] == Phase.LAY:
            return "lay a battle card under the next army"
        if s["seat"] == s["attacker"]:
            return "choose an army"
        if found == "alike":
            return action_text(s, A.duel + int(any_laid(s, DEFENCE)))
    return action_text(s, action)


# -- the table ---------------------------------------------------------------------------------------------------------


def table_text(s: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it; whole, with all that is hidden, for None."""
    lines = [f"Age of Heroes - {decision(s)}", *_course(s), ""]
    lines.append(
        f"{'':4}{'tribe':<13}{'player':<10}{'cities':>7}{'fort':>5}{'monum':>6}{'armies':>7}{'led':>4}"
        f"{'away':>5}{'hand':>5}  road to / claims"
    )
    lines += [_tribe(s, other) for other in range(s["num_players"])]
    lines.append("")
    lines += [
        f"player_{holder} holds {hand_text(s, holder, seat)}"
        for holder in range(s["num_players"])
        if not s["eliminated"][holder]
    ]
    lines += _war(s, seat) + _promises(s) + [f"Said: {word}" for word in words(s)]
    return "\n".join(lines)


def decision(s: Any) -> str:
    """Whose turn it is and what is being decided."""
    if s["finished"]:
        winner = (
            f"{who(s, int(s['winner']))} (player_{s['winner']}) win"
            if s["winner"] != NONE
            else "nobody is left"
        )
        return f"the game is over, the {winner}" if s["winner"] != NONE else f"the game is over, {winner}"
    if not s["asked"]:
        return f"round {s['round']} is over, and the limit on rounds is reached"
    phase = Phase(int(s["phase"]))
    said = word_text(s, NEWEST) if s["word"][NEWEST] else ""
    what = {
        Phase.TRIBE: "chooses a tribe",
        Phase.ACTION: "builds on?" if s["built"] else "taxes, building, war, or nothing?",
        Phase.CONSENT: f"may the {who(s, int(s['turn']))} build a road?",
        Phase.GOAL: f"attacks the {who(s, int(s['target']))}, what for?",
        Phase.SEND: "how many armies without a general?",
        Phase.SEND_LED: "how many armies with a general?",
        Phase.MUSTER: "a Hero, too?",
        Phase.DEFEND: f"attacked by the {who(s, int(s['attacker']))} for {Goal(int(s['goal'])).name.lower()}",
        Phase.LAY: "lays battle cards",
        Phase.DUEL: "which army fights next?",
        Phase.SPOILS: f"takes how many {SPOILS[Goal(int(s['goal']))][1]}?",
        Phase.MONUMENT: "how much for the monument?",
        Phase.DISCARD: "discards down to five",
        Phase.EARTHQUAKE: "an earthquake: whose army?",
        Phase.ERUPTION: "an eruption: whose city?",
        Phase.LUCK: f"{CARD_NAMES[s['event']]} of the {who(s, int(s['drawer']))}: Luck?",
        Phase.OFFER: "the Fair: an offer?" if s["questioned"] else "the Fair: a question, an offer?",
        Phase.GIVE: f"the Fair: {said}",
        Phase.ASK: f"the Fair: {said}",
        Phase.ANSWER: f"the Fair: {said}",
        Phase.WISH: "the Fair: asks who has which card?",
        Phase.REPLY: f"the Fair: {said}",
    }[phase]
    return f"round {s['round']}, {who(s, int(s['seat']))} (player_{s['seat']}): {what}"


def words(s: Any) -> list[str]:
    """What was said in this round, as far as it is remembered, oldest first."""
    return [word_text(s, k) for k in range(NUM_WORDS) if s["word"][k] != Word.NONE]


def word_text(s: Any, k: int) -> str:
    """One of the words that are remembered, with what was answered; the newest one as far as it goes."""
    by = f"the {who(s, int(s['word_by'][k]))}"
    if s["word"][k] == Word.QUESTION:
        said = f"{by} ask who has {CARD_NAMES[list(s['wanted'][k]).index(1)]}"
        yes, no = "say yes", "say no"
    else:
        under_way = k == NEWEST and s["speaking"] and s["phase"] in (Phase.GIVE, Phase.ASK)
        said = f"{by} {_offered(s, k, complete=not under_way)}"
        yes, no = "accept", "decline"
        if s["dropped"][k]:
            return f"{said}, and drop it"
    answers = [f"the {name} {yes}" for name in _names(s, s["said_yes"][k])]
    answers += [f"the {name} {no}" for name in _names(s, s["said_no"][k])]
    return "; ".join([said, ", ".join(answers)] if answers else [said])


def _offered(s: Any, k: int, complete: bool) -> str:
    """``offer the Romans 2 Stone for 1 Iron``."""
    to = _names(s, s["word_to"][k])
    whom = "all" if len(to) > 1 else f"the {to[0]}"
    third = "".join(_names(s, s["third"][k]))
    give = " and ".join([*_list(s["given"][k]), *_vows(s["vow_given"][k], third)])
    want = " and ".join([*_list(s["wanted"][k]), *_vows(s["vow_wanted"][k], third)])
    start = "make a counter-offer to" if s["word"][k] == Word.COUNTER_OFFER else "offer"
    if not complete:
        return f"{start} {whom} {give or '...'} for {want or '...'}"
    if not give:
        return f"{start} {whom} nothing for {want}" if want else f"{start} {whom} nothing"
    return f"{start} {whom} {give} for {want}" if want else f"{start} {whom} {give} as a gift"


def _vows(vows: int, third: str) -> list[str]:
    names = VOW_NAMES | {Vow.STAY_OUT: f"no attack together with the {third}"}
    return [names[vow] for vow in Vow if has(vows, vow)]


def _names(s: Any, seats: int) -> list[str]:
    return [who(s, seat) for seat in range(s["num_players"]) if has(seats, seat)]


def _list(counts: Any) -> list[str]:
    return [f"{counts[k]} {CARD_NAMES[k]}" for k in range(len(counts)) if counts[k]]


def cards_text(counts: Any) -> str:
    """Cards by `Card` in words."""
    return ", ".join(_list(counts)) or "nothing"


def _course(s: Any) -> list[str]:
    supply = ", ".join(f"{s['supply'][kind]} {_plural(kind)}" for kind in Building)
    lines = [
        f"Main deck: {supply}",
        f"Resource deck: {int(sum(s['deck']))} cards; discarded: {cards_text(s['discards'])}",
    ]
    waiting = [
        f"{who(s, seat)}: {cards_text([0] * NUM_HELD + list(s['waiting'][seat]))}"
        for seat in range(s["num_players"])
        if any(s["waiting"][seat])
    ]
    if waiting:
        lines.append(f"Cards still to be played: {'; '.join(waiting)}")
    return lines


def _plural(kind: int) -> str:
    return {Building.CITY: "cities", Building.ARMY: "armies", Building.FORTRESS: "fortresses"}.get(
        Building(kind), f"{BUILDING_NAMES[kind]}s"
    )


def _tribe(s: Any, seat: int) -> str:
    mark = ">" if seat == s["turn"] and s["stage"] >= Stage.DRAW and not s["finished"] else " "
    if s["eliminated"][seat]:
        return f"  {mark} {who(s, seat):<13}{f'player_{seat}':<10}    out of the game, place {s['eliminated'][seat]}"
    away, away_led = s["out"][seat] + s["back"][seat], s["out_led"][seat] + s["back_led"][seat]
    at_home = s["army"][seat] + s["led"][seat] + s["shaken"][seat]
    more = []
    after = int(next_in_play(s, seat))
    if after != seat and s["road"][seat]:
        more.append(f"road to the {who(s, after)}")
    if s["shaken"][seat]:
        more.append(f"{s['shaken'][seat]} under an earthquake")
    if s["idle_quakes"][seat]:
        more.append(number(int(s["idle_quakes"][seat]), "idle earthquake", "idle earthquakes"))
    if s["claim"][seat]:
        more.append("claims victory")
    if seat == s["first"]:
        more.append("plays first")
    numbers = (
        f"{s['cities'][seat]:>7}{s['fortresses'][seat]:>5}{s['monument'][seat]:>6}{at_home:>7}{s['led'][seat]:>4}"
        f"{away + away_led:>5}{s['hand_size'][seat]:>5}"
    )
    return f"  {mark} {who(s, seat):<13}{f'player_{seat}':<10}{numbers}  {', '.join(more)}".rstrip()


def hand_text(s: Any, holder: int, seat: int | None) -> str:
    """A hand as `seat` knows it, whole for None."""
    if seat is None or seat == holder:
        return cards_text(s["hand"][holder])
    known = [int(seat != PUBLIC and sure_of(s, seat, holder, card)) for card in range(NUM_HELD)]
    hidden = int(s["hand_size"][holder]) - sum(known)
    return ", ".join([*_list(known), *([f"{hidden} unknown"] if hidden else [])]) or "nothing"


def _war(s: Any, seat: int | None) -> list[str]:
    if s["attacker"] == NONE:
        return []
    lines = [
        (
            f"War: the {who(s, int(s['attacker']))} attack the {who(s, int(s['target']))}, "
            f"{s['wins']} winning armies; battle cards turned up: {_strengths(s['shown'])}"
        )
    ]
    for side, name in ((ATTACK, "Attack"), (DEFENCE, "Defence")):
        units = [
            number(int(s["units"][side, u]), UNIT_NAMES[u], UNIT_NAMES[u] + "s")
            for u in Unit
            if s["units"][side, u]
        ]
        line = f"{name}: {', '.join(units) or 'nobody left'}"
        if seat is None or seat == (s["attacker"] if side == ATTACK else s["target"]):
            line += f"; cards {_strengths(s['drawn'][side])}; laid " + ", ".join(
                f"{UNIT_NAMES[u]}: {_strengths(s['laid'][side, u])}" for u in Unit if any(s["laid"][side, u])
            )
            if side == ATTACK and s["chosen"] != NONE:
                unit, strength = divmod(int(s["chosen"]), NUM_STRENGTHS)
                line += f"; next the {UNIT_NAMES[unit]}, strength {strength + 1}"
        lines.append(line)
    return lines


def _strengths(counts: Any) -> str:
    return " ".join(str(k + 1) for k in range(NUM_STRENGTHS) for _ in range(counts[k])) or "none"


def _promises(s: Any) -> list[str]:
    lines = []
    for seat in range(s["num_players"]):
        parts = _promised(s, seat)
        kept, broken = kept_and_broken(s, seat)
        if parts or kept or broken:
            lines.append(f"{who(s, seat)}: {'; '.join([*parts, f'promises kept {kept}, broken {broken}'])}")
    return lines


def _promised(s: Any, seat: int) -> list[str]:
    """What a tribe has promised to whom, as it stands."""
    third = "".join(_names(s, s["against"][seat]))
    parts = []
    for vow, what in (VOW_NAMES | {Vow.STAY_OUT: f"not to attack together with the {third}"}).items():
        whom = [f"the {who(s, k)}" for k in range(s["num_players"]) if s["promise"][seat, k, vow]]
        if whom:
            parts.append(f"promised {', '.join(whom)} {what}")
    return parts


def kept_and_broken(s: Any, seat: int) -> tuple[str, str]:
    """How many promises a tribe kept and broke, with their kinds: ``3 (2 peace, 1 gift)``."""
    said = []
    for field in ("kept", "broken"):
        counts = [int(s[field][seat, :, vow].sum()) for vow in Vow]
        kinds = ", ".join(f"{counts[vow]} {vow.name.lower().replace('_', ' ')}" for vow in Vow if counts[vow])
        said.append(f"{sum(counts)} ({kinds})" if kinds else "0")
    return said[0], said[1]


__all__ = [
    "BUILDING_NAMES",
    "CARD_NAMES",
    "TRIBE_NAMES",
    "UNIT_NAMES",
    "action_text",
    "cards_text",
    "decision",
    "hand_text",
    "heard_text",
    "kept_and_broken",
    "number",
    "road_to",
    "table_text",
    "who",
    "word_text",
    "words",
]
