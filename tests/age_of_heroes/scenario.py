"""Tables laid out in words, moves in words, questions in words.

`lay` starts from a dealt table's position, puts what a rule is about where the test wants it and every other card
somewhere else, so that no card is lost, and loads the whole as any user could. The resource deck holds just what the
test names, so draws need no luck; battle cards are forced by looking for random numbers that give them (`fate`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from agezoo.envs import age_of_heroes_v0
from agezoo.envs.age_of_heroes.components import BATTLE_CARDS, COUNTS, NUM_HELD, SUPPLY, Building, Card
from agezoo.envs.age_of_heroes.rules import play
from agezoo.envs.age_of_heroes.state import BARBARIANS, NEWEST, Phase, Stage, Vow
from agezoo.envs.age_of_heroes.text import CARD_NAMES, TRIBE_NAMES
from agezoo.envs.engine import chance
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .. import scenario
from ..scenario import listed

GAME = age_of_heroes_v0.game
TRIBES = "Egyptians, Romans, Greeks, Babylonians, Celts, Chinese"
NOTHING = "lay nothing on the monument"
_KEPT = ("rng", "decisions", "seat", "finished", "eliminated")
_NONE = ("event", "drawer", "victim", "attacker", "target", "chosen", "floor", "winner")


def cards(words: str) -> Counter[int]:
    """``2 Iron, Hero`` as numbers of cards by `Card`."""
    return Counter(CARD_NAMES.index(name) for name in listed(words))


def named(counts: Any) -> dict[str, int]:
    """Numbers of cards by name."""
    return {CARD_NAMES[kind]: int(number) for kind, number in sorted(dict(counts).items()) if number}


def lay(
    players: int = 3,
    *,
    turn: int = 0,
    first: int = 0,
    hands: dict[int, str] | None = None,
    deck: str | None = None,
    cities: dict[int, int] | None = None,
    armies: dict[int, int] | None = None,
    led: dict[int, int] | None = None,
    fortresses: dict[int, int] | None = None,
    monument: dict[int, int] | None = None,
    roads: tuple[int, ...] = (),
    shaken: dict[int, int] | None = None,
    claim: dict[int, int] | None = None,
    promise: tuple[tuple[int, int], ...] = (),
    out: tuple[int, ...] = (),
    gone: int = 0,
    at: str = "action",
    play_forced: bool = True,
    **options: Any,
) -> Table:
    """Lay out a table in round 2; seat k has the k-th of `TRIBES`.

    Args:
        players: seats.
        turn: whose turn it is (at the Fair: who had the last one).
        first: who plays first.
        hands: cards by seat; a hand that is not named holds one Iron, so that nobody is defeated by chance.
        deck: the resource deck, the rest is discarded; None: all that is nowhere else is in the deck.
        cities: by seat; one where nothing is said.
        armies: armies without a general by seat, none where nothing is said.
        led: armies with a general.
        fortresses: fortresses by seat.
        monument: special resources on the monument by seat.
        roads: seats from which a road leads to the next seat.
        shaken: armies under an earthquake.
        claim: claims of victory, as in the state.
        promise: pairs (who, whom): peace until the next Fair.
        out: seats that are out of the game.
        gone: armies that the active seat sent to war in its turn before.
        at: "action" (phase 2 of the turn) or "fair" (bargaining, the first player has its say).
        play_forced: decisions with one legal action are played without asking.
        **options: the rulebook's.
    """
    env = TableEnv(GAME, players, play_forced=play_forced, **options)
    env.reset(seed=0)
    position = env.position()
    s = position["state"]
    for name in set(s) - set(_KEPT):
        s[name] = np.zeros_like(np.asarray(s[name])).tolist()
    s.update(dict.fromkeys(_NONE, -1))
    s["eliminated"] = [players - len(out) + 1 if seat in out else 0 for seat in range(6)]
    s["tribe"] = [seat if seat < players else -1 for seat in range(6)]
    s.update(turn=turn, first=first, round=2, asked=True, finished=False)
    playing = [seat for seat in range(players) if seat not in out]
    for field, given in (
        ("army", armies), ("led", led), ("fortresses", fortresses), ("monument", monument), ("shaken", shaken),
        ("claim", claim),
    ):  # fmt: skip
        for seat, number in (given or {}).items():
            s[field][seat] = number
    for seat in playing:
        s["cities"][seat] = (cities or {}).get(seat, 1)
    for seat in roads:
        s["road"][seat] = 1
    for who, whom in promise:
        s["promise"][who][whom][Vow.PEACE] = 1
    s["back"][turn] = gone
    _lay_cards(s, playing, hands or {}, deck)
    _lay_main_deck(s)
    s["battle_deck"] = BATTLE_CARDS.tolist()
    if at == "fair":
        s.update(
            stage=int(Stage.BARGAINING), phase=int(Phase.OFFER), floor=first, seat=first, marked=1 << first
        )
        s["turn"] = max(playing, key=lambda seat: (seat - first) % players)
    else:
        order = [(first + k) % players for k in range(players)]
        s["marked"] = sum(1 << seat for seat in order[: order.index(turn) + 1])
        s.update(stage=int(Stage.ACTION), phase=int(Phase.ACTION), seat=turn)
    env.load(position)
    return Table(env)


def fair_cards(waiting: dict[int, str], **more: Any) -> Table:
    """The Fair's cards have been drawn, and these wait, by seat; everything else as for `lay`."""
    table = lay(**{"fair": "cards_only", "deck": "9 Wood", **more})
    s = table.state
    for seat, words in waiting.items():
        for card, number in cards(words).items():
            s.waiting[seat, card - NUM_HELD] += number
            s.discards[card] -= number
    s.turn, s.marked = (s.first - 1) % s.num_players, 0
    s.stage, s.asked = Stage.FAIR_CARDS, False
    plain(play._run_on)(s)
    GAME.check(s)
    table.env.load(table.env.position())
    while len(table.choices()) == 1:
        table.play(*table.choices())
    return table


def _lay_cards(s: dict[str, Any], playing: list[int], hands: dict[int, str], deck: str | None) -> None:
    left = Counter({card: int(COUNTS[card]) for card in range(len(COUNTS))})
    for seat in playing:
        held = cards(hands.get(seat, "Iron"))
        left.subtract(held)
        s["hand"][seat] = [held[card] for card in range(NUM_HELD)]
        s["hand_size"][seat] = sum(held.values())
        left[Card.LIMESTONE + s["tribe"][seat]] -= s["monument"][seat]
        left[Card.EARTHQUAKE] -= s["shaken"][seat]
    drawn = cards(deck) if deck is not None else left.copy()
    left.subtract(drawn)
    assert min(left.values()) >= 0, f"more cards than there are: {named(left)}"
    s["deck"] = [drawn[card] for card in range(len(COUNTS))]
    s["discards"] = [left[card] for card in range(len(COUNTS))]


def _lay_main_deck(s: dict[str, Any]) -> None:
    led = sum(s["led"])
    used = {
        Building.CITY: sum(s["cities"]),
        Building.ARMY: led + sum(s["army"]) + sum(s["shaken"]) + sum(s["back"]),
        Building.FORTRESS: sum(s["fortresses"]),
        Building.GENERAL: led,
        Building.ROAD: sum(s["road"]),
    }
    s["supply"] = [int(SUPPLY[kind]) - used[kind] for kind in Building]


class Table(scenario.Table):
    """A table to play at and to ask."""

    phases = Phase

    # -- play -----------------------------------------------------------------------------------------------------

    def pass_turn(self) -> Table:
        """The acting seat does nothing more in its turn."""
        turn = self.turn
        while self.turn == turn and self.phase in (Phase.ACTION, Phase.MONUMENT) and not self.finished:
            self.play(
                ("no action" if not self.state.built else "build no more")
                if self.phase == Phase.ACTION
                else NOTHING
            )
        return self

    def no_offers(self) -> Table:
        """Everybody passes at the Fair."""
        while self.phase == Phase.OFFER:
            self.play("make no offer")
        return self

    def fate(self, attack: str = "", defence: str = "") -> Table:
        """Choose random numbers so that the battle cards of both sides are these strengths, such as ``6 1``."""
        sides = [sorted(int(word) - 1 for word in words.split()) for words in (attack, defence)]

        def gives(trial: Any) -> bool:
            deck = np.array(BATTLE_CARDS)
            return all(sorted(int(plain(chance.draw)(trial, deck)) for _ in side) == side for side in sides)

        return self.chosen(gives)

    # -- ask ------------------------------------------------------------------------------------------------------

    def hand(self, seat: int) -> dict[str, int]:
        """Cards in a hand."""
        return named(enumerate(self.state.hand[seat]))

    def size(self, seat: int) -> int:
        """How many cards a hand holds."""
        return int(self.state.hand_size[seat])

    def known(self, seat: int, observer: int) -> dict[str, int]:
        """Cards of a hand that another seat is told of."""
        place = (seat - observer) % self.state.num_players
        return named(enumerate(np.rint(self.sees(observer, "hand")[place]).astype(int)))

    def has(self, seat: int) -> dict[str, int]:
        """What a tribe has on the table, away or at home."""
        s = self.state
        led = s.led[seat] + s.out_led[seat] + s.back_led[seat]
        unled = s.army[seat] + s.shaken[seat] + s.out[seat] + s.back[seat]
        if s.attacker == seat:
            led, unled = led + s.sent_led, unled + s.sent
        found = {
            "city": s.cities[seat], "army": led + unled, "general": led, "fortress": s.fortresses[seat],
            "monument": s.monument[seat],
        }  # fmt: skip
        return {name: number for name, number in found.items() if number}

    def at_home(self, seat: int) -> int:
        """Armies at home that are fit to fight."""
        return int(self.state.army[seat] + self.state.led[seat])

    def away(self, seat: int) -> int:
        """Armies at war."""
        s = self.state
        return int(s.out[seat] + s.out_led[seat] + s.back[seat] + s.back_led[seat])

    def left(self, kind: str) -> int:
        """Cards of this kind in the main deck."""
        return int(self.state.supply[Building[kind.upper()]])

    def road(self, seat: int, other: int) -> bool:
        """Whether a road joins two seats directly."""
        from agezoo.envs.age_of_heroes.text import road_to

        return bool(road_to(self.state, seat, other))

    @property
    def turn(self) -> int:
        """Whose turn it is."""
        return int(self.state.turn)

    @property
    def stage(self) -> Stage:
        """Where in the round the table is."""
        return Stage(int(self.state.stage))

    @property
    def winner(self) -> int | None:
        """Who won."""
        return int(self.state.winner) if self.state.winner >= 0 else None

    @property
    def out(self) -> set[int]:
        """Seats that are out of the game."""
        return {seat for seat in range(self.state.num_players) if self.state.eliminated[seat]}

    @property
    def round(self) -> int:
        """Rounds begun."""
        return int(self.state.round)

    @property
    def discards(self) -> dict[str, int]:
        """Resource discards."""
        return named(enumerate(self.state.discards))

    @property
    def deck(self) -> dict[str, int]:
        """Resource deck."""
        return named(enumerate(self.state.deck))

    def promised(self, seat: int, other: int, vow: Vow = Vow.PEACE) -> bool:
        """Whether the first has promised this to the second."""
        return bool(self.state.promise[seat, other, vow])

    def kept(self, seat: int, other: int, vow: Vow = Vow.PEACE) -> int:
        """Promises of the first to the second that were kept."""
        return int(self.state.kept[seat, other, vow])

    def broken(self, seat: int, other: int, vow: Vow = Vow.PEACE) -> int:
        """Promises of the first to the second that were broken."""
        return int(self.state.broken[seat, other, vow])

    def heard(self, observer: int, back: int = 0) -> dict[str, Any]:
        """The last word of this round, or one before it, as a seat observes it; seats are those of the table."""
        k, players = NEWEST - back, int(self.state.num_players)
        who = np.rint(self.sees(observer, "word_who")[k]).astype(int).tolist()
        said = np.rint(self.sees(observer, "word_answers")[k]).astype(int).tolist()
        counts = np.rint(self.sees(observer, "word_cards")[k]).astype(int)
        vows = np.rint(self.sees(observer, "word_vows")[k]).astype(int)
        kinds = np.flatnonzero(self.sees(observer, "word")[k]).tolist()
        seats = {place: (observer + place) % players for place in range(players)}
        return {
            "what": [("question", "offer", "counter-offer", "dropped")[kind] for kind in kinds],
            "by": sorted(seats[place] for place in seats if who[place] == 2),
            "to": sorted(seats[place] for place in seats if who[place] == 1),
            "third": sorted(seats[place] for place in seats if who[place] == -1),
            "given": named((card, -count) for card, count in enumerate(counts) if count < 0),
            "wanted": named((card, count) for card, count in enumerate(counts) if count > 0),
            "vows": {vow.name: int(vows[vow]) for vow in Vow if vows[vow]},
            "yes": sorted(seats[place] for place in seats if said[place] == 1),
            "no": sorted(seats[place] for place in seats if said[place] == -1),
        }


__all__ = ["BARBARIANS", "GAME", "NOTHING", "TRIBE_NAMES", "Table", "cards", "fair_cards", "lay", "named"]
