"""Actions and tables in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from . import rules
from .components import (
    CITIES,
    COAST,
    EFFECT,
    FIRST_RED,
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    RULE,
    TABLE,
    TERRITORIES,
    Effect,
    God,
    People,
    Wrath,
)
from .rules import board, combat, end
from .state import ACTIONS, ATTACK, DEFENCE, NONE, Phase, Stage

max_extent, protection = plain(board.max_extent), plain(combat.protection)
attack_of, defence_of = plain(board.attack_of), plain(board.defence_of)
people_points, scores = plain(end.people_points), plain(rules.scores)

PEOPLE_NAMES = [row["name"] for row in TABLE["people"]]
GOD_NAMES = [row["name"] for row in TABLE["god"]]
ABILITY_NAMES = [row["ability"] for row in TABLE["people"]]
WRATH_NAMES = [row["name"] for row in TABLE["wrath"]]
_GODS_WITH_USES = (God.LOVE, God.VENGEANCE, God.DECEPTION, God.CRAFTS, God.MAGIC)
_ABILITY_TERRITORY = {
    Effect.FORTIFY: "great works in {}",
    Effect.VORTEX: "tear the world open in {}",
    Effect.FORTRESS: "the Dwarven Fortress to {}",
    Effect.STRIKE: "strike at {}",
    Effect.DEVOUR: "devour {}",
    Effect.EXCHANGE: "trek {}",
    Effect.RAISE: "raise the dead in {}",
}
_ABILITY_PEOPLE = {
    Effect.RAISE: "raise a token of the {}",
    Effect.ATTACK_MARKER: "the attack bonus to the {}",
    Effect.DEFENCE_MARKER: "the defence bonus to the {}",
    Effect.BURGLARY: "rob the {} of technology",
    Effect.INVENTION: "the invention to the {}",
}


def action_text(s: Any, action: int) -> str:
    """What `action` says, at a table where it is legal."""
    found, index = ACTIONS.locate(action)
    name = found.name
    if name == "territory":
        return _territory_text(s, TERRITORIES[index[0]])
    if name == "people":
        return _people_text(s, PEOPLE_NAMES[index[0]])
    if name in ("technology", "ability", "destiny_technology", "destiny_ability"):
        return _card_text(s, name, index[0])
    if name == "look":
        return f"look at player_{_seat(s, index[0] + 1)}'s destiny card of size {NUM_SIZES - index[1]}"
    texts = {
        "god": f"choose the god of {GOD_NAMES[index[0]]}" if name == "god" else "",
        "first": f"player_{_seat(s, index[0])} is first" if name == "first" else "",
        "done": _done_text(s),
        "power": _power_text(s),
        "roll": "roll the die",
        "raze": "raze the attacked territory",
        "give_up": "give up the attacking territory",
    }
    return texts[name]


def _seat(s: Any, further: int) -> int:
    """The seat so many places after the one that decides."""
    return (int(s["seat"]) + further) % int(s["num_players"])


def _done_text(s: Any) -> str:
    phase = s["phase"]
    return {
        Phase.BET: "bet no card",
        Phase.FORTIFY: "fortify nothing more",
        Phase.TARGET: "leave the breakthrough",
    }.get(phase, "no more")


def _power_text(s: Any) -> str:
    god = s["god"][s["seat"]]
    return {
        God.DECEPTION: "attack with Deception's bonus",
        God.LOVE: "place a Love marker",
        God.VENGEANCE: "place a Hatred marker",
        God.CRAFTS: "give technology with Crafts",
        God.MAGIC: "play a card in both ways with Magic",
    }.get(god, "use the god's power")


def _territory_text(s: Any, name: str) -> str:
    phase = s["phase"]
    if phase == Phase.ORIGIN:
        return f"attack from {name}"
    if phase == Phase.TARGET:
        return f"attack {name}"
    if phase == Phase.FORTIFY:
        return f"fortify {name}"
    if s["power"]:
        return f"Love on {name}"
    if s["wrath"]:
        return f"{WRATH_NAMES[s['wrath'] - 1]} strikes {name}"
    if s["ability"] == NONE:
        return f"name {name}"
    return _ABILITY_TERRITORY.get(Effect(EFFECT[s["ability"]]), "name {}").format(name)


def _people_text(s: Any, name: str) -> str:
    if s["phase"] == Phase.BET:
        return f"bet on the {name}"
    if s["power"]:
        hatred = s["god"][s["seat"]] == God.VENGEANCE
        return f"Hatred on the {name}" if hatred else f"technology for the {name}"
    if s["wrath"]:
        return f"{WRATH_NAMES[s['wrath'] - 1]} strikes the {name}"
    if s["ability"] == NONE:
        return f"name the {name}"
    effect = Effect(EFFECT[s["ability"]])
    if effect == Effect.HOLY_WAR:
        return f"Holy War by the {name}" if s["step"] == 0 else f"Holy War on the {name}"
    return _ABILITY_PEOPLE.get(effect, "name the {}").format(name)


def _card_text(s: Any, block: str, index: int) -> str:
    card = "the destiny card" if block.startswith("destiny") else "a card"
    people = index
    if block.startswith("destiny"):
        people = int(s["destiny"][s["seat"], index])
        if people == NONE:
            return f"play the destiny card of size {NUM_SIZES - index}"
    return f"play {card} of the {PEOPLE_NAMES[people]} for {_use(s, people, block)}"


def _use(s: Any, people: int, block: str) -> str:
    if block.endswith("technology"):
        return "technology alone" if s["double"] else "technology"
    if s["extent"][people] == 0:
        return "divine wrath"
    return f"technology and {ABILITY_NAMES[people]}" if s["double"] else ABILITY_NAMES[people]


def heard_text(s: Any, action: int, seat: int) -> str:
    """What `seat` hears of another's action: no god and no bet before all have chosen, no card of Deception's."""
    block, index = ACTIONS.locate(action)
    if block.name == "god":
        return "choose a god"
    if s["phase"] == Phase.BET:
        return "decide on a bet"
    if s["god"][s["seat"]] == God.DECEPTION and block.name.startswith("destiny"):
        people = int(s["destiny"][s["seat"], index[0]])
        return f"play a card of the {PEOPLE_NAMES[people]} for {_use(s, people, block.name)}"
    return action_text(s, action)


# -- the table ---------------------------------------------------------------------------------------------------------


def table_text(s: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it; whole, with all that is hidden, for None."""
    lines = [f"Age of Gods - {decision(s)}", ""]
    lines += [_player(s, other, seat) for other in range(s["num_players"])]
    lines += ["", *_board(s), "", _events(s), ""]
    lines.append(
        f"{'':3}{'people':<14}{'size':>4}{'land':>9}{'cities':>8}{'tech':>6}{'att':>5}{'def':>5}{'gone':>6}  notes"
    )
    lines += [_people(s, people, seat) for people in range(NUM_PEOPLES)]
    lines.append("   + represented by you; gone: its cards that have been played, of three")
    return "\n".join(lines)


def decision(s: Any) -> str:
    """Whose turn it is and what is being decided."""
    if s["finished"]:
        points = np.zeros(int(s["num_players"]), np.float32)
        scores(s, points)
        first = [f"player_{k}" for k in range(len(points)) if points[k] == points.max()]
        return f"the game is over, first: {', '.join(first)}"
    turn = (
        f"turn {s['turn']}, {Stage(int(s['stage'])).name.lower()} phase"
        if s["turn"]
        else "before the first turn"
    )
    return f"{turn}: player_{s['seat']} {_question(s)}"


def _question(s: Any) -> str:
    phase = Phase(int(s["phase"])) if s["phase"] != NONE else None
    what = {
        Phase.GOD: "chooses a god",
        Phase.FIRST: "names the first player",
        Phase.BET: "bets",
        Phase.FORTIFY: "fortifies",
        Phase.ORIGIN: "attacks from where?",
        Phase.TARGET: "attacks where?",
        Phase.ROLL: "rolls the die",
        Phase.EXTENT: f"wins with a {s['natural']} at the maximum extent: raze or move?",
        Phase.CARD: "plays a card",
        Phase.LOOK: "looks at a destiny card",
        None: "waits",
    }
    if phase in what:
        return what[phase] + _attack(s)
    asked = "which territory?" if phase == Phase.TERRITORY else "which people?"
    if s["power"]:
        return f"uses the power of {GOD_NAMES[s['god'][s['seat']]]}: {asked}"
    if s["wrath"]:
        return f"calls divine wrath, {WRATH_NAMES[s['wrath'] - 1]}: {asked}"
    return f"uses {ABILITY_NAMES[s['ability']]}{_chosen(s)}: {asked}"


def _chosen(s: Any) -> str:
    """What was named first, for an ability that asks for two."""
    if s["chosen"] == NONE:
        return ""
    holy_war = EFFECT[s["ability"]] == Effect.HOLY_WAR
    return f" ({PEOPLE_NAMES[s['chosen']] if holy_war else TERRITORIES[s['chosen']]})"


def _attack(s: Any) -> str:
    """The attack under way, in brackets."""
    parts = []
    if s["ability"] != NONE:
        parts.append(ABILITY_NAMES[s["ability"]])
    if s["origin"] != NONE:
        parts.append(f"{PEOPLE_NAMES[s['owner'][s['origin']]]} from {TERRITORIES[s['origin']]}")
    if s["target"] != NONE:
        parts.append(f"on {TERRITORIES[s['target']]}")
    if s["follow_up"]:
        parts.append("breakthrough")
    return f" ({', '.join(parts)})" if parts else ""


def _player(s: Any, other: int, seat: int | None) -> str:
    mark = ">" if other == s["seat"] and not s["finished"] else " "
    first = "first" if other == s["first"] else ""
    shown = seat is None or other == seat
    god = god_text(s, other) if shown or s["stage"] != Stage.GODS else "?"
    line = f" {mark} player_{other} {first:<6}god: {god:<20}pieces: {s['pieces'][other]:<3}{_cards(s, other, shown)}"
    face_up = [PEOPLE_NAMES[p] for p in range(NUM_PEOPLES) if s["revealed"][p] == other]
    if face_up:
        line += f"; revealed: {', '.join(face_up)}"
    if not shown and seat is not None:
        line += _looked_at(s, other, seat)
    return line


def god_text(s: Any, other: int) -> str:
    """A seat's god, with the markers or single uses that it has left."""
    god = s["god"][other]
    if god == NONE:
        return "?"
    counted = god in _GODS_WITH_USES and s["stage"] != Stage.GODS
    return GOD_NAMES[god] + (f" ({s['uses'][other]} left)" if counted else "")


def _looked_at(s: Any, other: int, seat: int) -> str:
    seen = [
        PEOPLE_NAMES[s["destiny"][other, k]] for k in range(NUM_SIZES) if s["looked"][other, k] >> seat & 1
    ]
    return f"; seen by you: {', '.join(seen)}" if seen else ""


def _cards(s: Any, other: int, shown: bool) -> str:
    hand = s["hand"][other]
    destinies = [k for k in range(NUM_SIZES) if s["destiny"][other, k] != NONE]
    laid = [p for p in s["bets"][other].tolist() if p != NONE]
    if shown:
        held = [f"{hand[p]} {PEOPLE_NAMES[p]}" for p in range(NUM_PEOPLES) if hand[p]]
        mine = [
            PEOPLE_NAMES[s["destiny"][other, k]] + " (played)" * int(s["spent"][other, k]) for k in destinies
        ]
        bets = f"; bets: {', '.join(PEOPLE_NAMES[p] for p in laid)}" if laid else ""
        points = f"; {people_points(s, other)} points"
        offered = [GOD_NAMES[g] for g in s["offer"][other].tolist() if g != NONE]
        offer = f"; may choose {' or '.join(offered)}" if offered else ""
        return (
            f"hand: {', '.join(held) or 'none'}; destinies: {', '.join(mine) or 'none'}{bets}{points}{offer}"
        )
    bets_open = s["bets_laid"][other]
    number = int(hand.sum()) + (0 if bets_open else len(laid))
    number += sum(1 for k in destinies if not s["spent"][other, k])
    backs = bet_backs(s, other)
    return f"{number} cards" + (f"; bets: {', '.join(backs)}" if backs else "")


def bet_backs(s: Any, other: int) -> list[str]:
    """The backs of the cards that a seat has bet, once they lie on the table; at the end of the game their peoples."""
    laid = [p for p in s["bets"][other].tolist() if p != NONE] if s["bets_laid"][other] else []
    if s["finished"]:
        return [PEOPLE_NAMES[p] for p in laid]
    return ["red" if p >= FIRST_RED else "yellow" for p in laid]


def _board(s: Any) -> list[str]:
    """Territories by people: ``Kingsreach*f`` is a fortified city."""
    lines = []
    for people in (*range(NUM_PEOPLES), NONE):
        held = [place(s, t) for t in range(NUM_TERRITORIES) if s["owner"][t] == people]
        if held:
            name = "(empty)" if people == NONE else PEOPLE_NAMES[people]
            lines.append(f"   {name:<14}{', '.join(held)}")
    lines.append(
        "   * city, ~ coast, f fortified, F by Protectors in a city, L Love, D Dwarven Fortress, V Vortex"
    )
    return lines


def place(s: Any, t: int) -> str:
    """A territory with its marks."""
    bit = np.uint64(1 << t)
    marks = (
        "*" * bool(CITIES & bit)
        + "~" * bool(COAST & bit)
        + ("F" if s["bulwarks"] & bit else "f") * bool(s["fortified"] & bit)
        + "L" * bool(s["love"] & bit)
        + "D" * (s["fortress"] == t)
        + "V" * (s["vortex"] == t)
    )
    return TERRITORIES[t] + marks


def _events(s: Any) -> str:
    parts = [f"spare Goblins: {s['spare_goblins']}"]
    if s["attacker"] != NONE:
        parts.append(f"Holy War of the {PEOPLE_NAMES[s['attacker']]} on the {PEOPLE_NAMES[s['victim']]}")
    return "   " + "; ".join(parts)


def _people(s: Any, people: int, seat: int | None) -> str:
    land = f"{s['extent'][people]} of {max_extent(s, people)}"
    notes = people_notes(s, people)
    mine = seat not in (None, PUBLIC) and people in s["destiny"][seat].tolist()
    line = (
        f" {'+' if mine else ' '} {PEOPLE_NAMES[people]:<14}{4 - people // 6:>4}{land:>9}{s['towns'][people]:>8}"
        f"{s['technology'][people]:>6}{attack_of(s, people):>5}{defence_of(s, people):>5}"
        f"{s['played'][:, people].sum():>6}  {', '.join(notes)}"
    )
    return line.rstrip()


def people_notes(s: Any, people: int) -> list[str]:
    """Markers on a people and who has revealed it."""
    notes = []
    for kind, name in ((ATTACK, "Attack"), (DEFENCE, "Defence")):
        for number in range(2):
            notes += [f"{name} Bonus +{number + 1}"] * int(s["marker"][kind, number, people])
    if s["hated"][people]:
        notes.append("Hatred")
    if s["revealed"][people] != NONE:
        notes.append(f"revealed by player_{s['revealed'][people]}")
    return notes


__all__ = [
    "GOD_NAMES",
    "PEOPLE_NAMES",
    "RULE",
    "People",
    "Wrath",
    "action_text",
    "decision",
    "heard_text",
    "table_text",
]
