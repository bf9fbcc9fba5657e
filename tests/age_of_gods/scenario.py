"""Tables laid out in words, moves in words, questions in words.

`lay` starts from a dealt table's position, puts what a rule is about where the test wants it, gives every seat as many
other cards as it must have by then, and loads the whole as any user could. Dice are forced by looking for a state of
the table's random numbers that shows them (`die`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from agezoo.envs import age_of_gods_v0
from agezoo.envs.age_of_gods.components import (
    CITIES,
    NUM_PEOPLES,
    NUM_TERRITORIES,
    START,
    TERRITORIES,
    God,
)
from agezoo.envs.age_of_gods.state import NONE, Phase, Stage
from agezoo.envs.age_of_gods.text import GOD_NAMES, PEOPLE_NAMES
from agezoo.envs.engine.aec import TableEnv

from .. import scenario
from ..scenario import listed

GAME = age_of_gods_v0.game
QUIET_GODS = ("Death", "Protectors", "Magic", "Luck", "Time", "Wisdom")  # for seats whose god does not matter
PHASE = {
    "order": Phase.FIRST,
    "uprising": Phase.ORIGIN,
    "bets": Phase.BET,
    "fortification": Phase.FORTIFY,
    "combat": Phase.ORIGIN,
    "action": Phase.CARD,
}
_POSITIONS: dict[int, dict[str, Any]] = {}


def people(name: str) -> int:
    """The number of a people."""
    return PEOPLE_NAMES.index(name)


def territory(name: str) -> int:
    """The number of a territory."""
    return TERRITORIES.index(name)


def bits(names: str) -> int:
    """Territories as a set."""
    return sum(1 << territory(name) for name in _words(names))


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def cards(text: str) -> Counter[int]:
    """``2 Humans, Orcs`` as numbers of cards by people."""
    return Counter(map(people, listed(text)))


def lay(
    players: int = 3,
    *,
    stage: str = "combat",
    turn: int = 4,
    seat: int = 0,
    first: int = 0,
    gods: dict[int, str] | None = None,
    owners: dict[str, str] | None = None,
    wiped_out: str = "",
    hands: dict[int, str] | None = None,
    destinies: dict[int, str] | None = None,
    played: dict[int, str] | None = None,
    bets: dict[int, str] | None = None,
    fortified: str = "",
    love: str = "",
    technology: dict[str, int] | None = None,
    play_forced: bool = False,
    **fields: Any,
) -> Table:
    """Lay out a table.

    Args:
        players: seats.
        stage: "order", "uprising", "bets", "fortification", "combat" or "action".
        turn: 1 to 9.
        seat: who is to act.
        first: the first player.
        gods: by seat; the others get gods that do not matter.
        owners: whose token stands in a territory, where it is not as at the start; "" for none.
        wiped_out: peoples without a territory.
        hands: action cards in hand by seat, among others.
        destinies: destiny cards by seat, ``Humans (played)`` for one that is; the others as they come.
        played: action cards that a seat has played, among others.
        bets: cards bet.
        fortified: territories with a fortification.
        love: territories with a Love marker.
        technology: levels by people.
        play_forced: decisions with one legal action are played without asking.
        **fields: other state fields, as they are.
    """
    position = {**_dealt(players), "state": dict(_dealt(players)["state"])}
    s = position["state"]
    s["turn"], s["first"], s["seat"], s["place"] = turn, first, seat, (seat - first) % players
    s["stage"], s["phase"] = int(Stage[stage.upper()]), int(PHASE[stage])
    s["attacks"] = int(PHASE[stage] == Phase.ORIGIN)
    _lay_gods(s, players, gods or {}, len(_words(love)))
    _lay_board(s, owners or {}, wiped_out)
    s["fortified"], s["love"] = bits(fortified), bits(love)
    for name, level in (technology or {}).items():
        s["technology"][people(name)] = level
    named = [hands or {}, played or {}, bets or {}]
    _lay_destinies(s, players, destinies or {}, [word for part in named for word in part.values()])
    _lay_cards(s, players, *named)
    _lay_early(s, players)
    s.update(fields)
    env = TableEnv(GAME, players, play_forced=play_forced)
    env.load(position)
    return Table(env)


def _dealt(players: int) -> dict[str, Any]:
    """A table whose gods are chosen, with nothing on it but what `lay` puts there."""
    if players not in _POSITIONS:
        env = TableEnv(GAME, players)
        env.reset(seed=1)
        state = GAME.record(env.states)
        for field in ("hand", "uses", "pieces"):
            state[field] = 0
        for field in ("god", "offer", "destiny", "bets"):
            state[field] = NONE
        _POSITIONS[players] = env.position()
    position = _POSITIONS[players]
    copied = {
        k: [row[:] if isinstance(row, list) else row for row in v] if isinstance(v, list) else v
        for k, v in position["state"].items()
    }
    return {**position, "state": copied}


def _lay_gods(s: dict[str, Any], players: int, gods: dict[int, str], loved: int) -> None:
    spare = [name for name in QUIET_GODS if name not in gods.values()]
    uses = {"Love": 4 - loved, "Vengeance": 4, "Deception": 1, "Crafts": 1, "Magic": 3}
    for seat in range(players):
        name = gods.get(seat) or spare.pop(0)
        s["god"][seat] = GOD_NAMES.index(name)
        s["uses"][seat] = uses.get(name, 0)
        s["pieces"][seat] = 10 if name == "Protectors" else 5


def _lay_board(s: dict[str, Any], owners: dict[str, str], wiped_out: str) -> None:
    owner = START.tolist()
    for name in _words(wiped_out):
        owner = [NONE if held == people(name) else held for held in owner]
    for where, name in owners.items():
        owner[territory(where)] = people(name) if name else NONE
    s["owner"] = owner
    for number in range(NUM_PEOPLES):
        held = [t for t in range(NUM_TERRITORIES) if owner[t] == number]
        s["land"][number] = sum(1 << t for t in held)
        s["extent"][number] = len(held)
        s["towns"][number] = sum(int(CITIES) >> t & 1 for t in held)


def _lay_destinies(s: dict[str, Any], players: int, destinies: dict[int, str], named: list[str]) -> None:
    """Destiny cards of every size that is dealt; those not named avoid peoples that the test speaks of."""
    dealt = min(4, s["turn"] // 2 + (s["turn"] % 2 == 1 and s["stage"] > Stage.DESTINY))
    used = {people(word.removesuffix(" (played)")) for words in destinies.values() for word in _words(words)}
    used |= {number for words in named for number in cards(words)}
    for seat in range(players):
        for word in _words(destinies.get(seat, "")):
            number = people(word.removesuffix(" (played)"))
            s["destiny"][seat][number // 6] = number
            if word.endswith("(played)"):
                _spend(s, seat, number // 6)
    for k in range(dealt):
        taken = {s["destiny"][seat][k] for seat in range(players)}
        spare = sorted(set(range(6 * k, 6 * k + 6)) - taken, key=lambda number: (number in used, number))
        for seat in range(players):
            if s["destiny"][seat][k] == NONE:
                s["destiny"][seat][k] = spare.pop(0)


def _spend(s: dict[str, Any], seat: int, k: int) -> None:
    """A destiny card has been played."""
    number = s["destiny"][seat][k]
    s["spent"][seat][k] = 1
    s["played"][seat][number] += 1
    if s["god"][seat] != God.DECEPTION:
        s["revealed"][number] = seat


def _lay_cards(
    s: dict[str, Any], players: int, hands: dict[int, str], played: dict[int, str], bets: dict[int, str]
) -> None:
    named = [
        (cards(hands.get(k, "")), cards(played.get(k, "")), cards(bets.get(k, ""))) for k in range(players)
    ]
    total: Counter[int] = Counter()
    for three in named:
        for counts in three:
            total.update(counts)
    assert max(total.values(), default=0) <= 2, "two action cards of each people"
    avoid = set(total) | {number for row in s["destiny"] for number in row}
    for seat in range(players):
        hand, gone, bet = named[seat]
        laid = sorted(bet.elements(), reverse=True)
        s["bets"][seat] = laid + [NONE] * (2 - len(laid))
        due = 9 if s["god"][seat] == God.WISDOM else 7
        s["bets_laid"][seat] = int(s["turn"] > due or (s["turn"] == due and s["stage"] > Stage.BETS))
        s["red_bets"][seat] = s["bets_laid"][seat] * sum(people >= 12 for people in laid)
        acted = s["stage"] == Stage.ACTION and (seat - s["first"]) % players < s["place"]
        wanted = s["turn"] - 1 + acted - sum(s["spent"][seat]) - sum(gone.values())
        rest = []  # whatever else is dealt to the seat, peoples that nobody speaks of first
        for part in (range(12), range(12, 24)):
            count = 4 - sum(n for counts in named[seat] for number, n in counts.items() if number in part)
            for _ in range(count):
                number = min(part, key=lambda k: (total[k] > 1, k in avoid, total[k], k))
                total[number] += 1
                rest.append(number)
        for k in range(3, -1, -1):  # late in the game destiny cards must have been played, too
            if wanted > len(rest) and s["destiny"][seat][k] != NONE and not s["spent"][seat][k]:
                _spend(s, seat, k)
                wanted -= 1
        assert 0 <= wanted <= len(rest), (
            f"seat {seat}: {wanted} cards are still to be played, {len(rest)} are left"
        )
        rest.sort(key=lambda number: number in avoid, reverse=True)
        for number in rest[:wanted]:
            gone[number] += 1
        for number in rest[wanted:]:
            hand[number] += 1
        for number in range(NUM_PEOPLES):
            s["hand"][seat][number] = hand[number]
            s["played"][seat][number] += gone[number]


def _lay_early(s: dict[str, Any], players: int) -> None:
    """Where the god of deception has played more of a size than there were turns since the deal, the rest was early."""
    for seat in range(players):
        if s["god"][seat] == God.DECEPTION:
            for k in range(4):
                since = sum(s["played"][seat]) - 2 * k
                for number in range(6 * k, 6 * k + 6):
                    action = s["played"][seat][number] - (
                        s["spent"][seat][k] and s["destiny"][seat][k] == number
                    )
                    rest = sum(s["played"][seat][number : 6 * k + 6])
                    if s["destiny"][seat][k] != NONE:
                        s["early"][number] = min(action, max(0, rest - since))
                        since -= s["played"][seat][number] - s["early"][number]


class Table(scenario.Table):
    """A table to play at and to ask."""

    # -- play ----------------------------------------------------------------------------------------------------------

    def attack(self, origin: str, target: str, *rolls: int) -> Table:
        """An attack, the die falling so."""
        return self.play(f"attack from {origin}", f"attack {target}").roll(*rolls)

    def roll(self, *rolls: int) -> Table:
        """Roll for the attack that is set up."""
        return self.die(*rolls).play("roll the die")

    def choices(self, start: str = "") -> set[str]:
        """All that the seat to act may do, as far as it begins with `start`, which is left out."""
        return {said.removeprefix(start) for said in super().choices(start)}

    def die(self, *rolls: int) -> Table:
        """Choose random numbers so that the next dice show this."""
        return self.dice(*rolls)

    # -- ask -----------------------------------------------------------------------------------------------------------

    def owner(self, where: str) -> str:
        """The people in a territory, "" if it is empty."""
        number = self.state.owner[territory(where)]
        return PEOPLE_NAMES[number] if number != NONE else ""

    def land(self, name: str) -> set[str]:
        """The territories of a people."""
        return {TERRITORIES[t] for t in range(NUM_TERRITORIES) if self.state.owner[t] == people(name)}

    def fortified(self, where: str) -> bool:
        """Whether a territory is fortified."""
        return bool(int(self.state.fortified) >> territory(where) & 1)

    def technology(self, name: str) -> int:
        """The level of a people."""
        return int(self.state.technology[people(name)])

    def known(self, observer: int, other: int) -> set[str]:
        """Peoples that a seat knows another to represent."""
        further = (other - observer) % self.state.num_players
        return {PEOPLE_NAMES[k] for k in np.flatnonzero(self.sees(observer, "holder") == further)}

    def evidence(self, observer: int, block: str, other: int, name: str) -> float:
        """What a seat remembers of another's dealings with a people."""
        return round(
            float(self.sees(observer, block)[(other - observer) % self.state.num_players][people(name)])
        )

    def sees(self, seat: int, name: str) -> np.ndarray:
        """A block of what a seat observes, in natural units."""
        return super().sees(seat, name).round(3)

    @property
    def phase(self) -> Phase | None:
        """What is being decided."""
        return Phase(int(self.state.phase)) if self.state.phase != NONE else None

    @property
    def stage(self) -> Stage:
        """Where in the turn play is."""
        return Stage(int(self.state.stage))


def deal(players: int, seed: int, **more: Any) -> Table:
    """A dealt table."""
    env = TableEnv(GAME, players, **more)
    env.reset(seed=seed)
    return Table(env)


__all__ = ["GAME", "God", "Phase", "Stage", "Table", "cards", "deal", "lay", "people", "territory"]
