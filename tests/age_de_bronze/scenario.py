"""Tables laid out in words, moves in words, questions in words.

`lay` starts from a dealt table's position, puts what a rule is about where the test wants it and every other card
somewhere else, so that no card is lost, and loads the whole as any user could. Dice and draws are forced by looking
for a state of the table's random numbers that gives them (`fate`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from agezoo.envs import age_de_bronze_v0
from agezoo.envs.age_de_bronze.components import COUNTS, MAIN_TOTAL, NUM_HELD, NUM_MAIN, RULE, Card
from agezoo.envs.age_de_bronze.state import AMBUSH, RICHES, Phase
from agezoo.envs.age_de_bronze.text import CARD_NAMES, DEITY_NAMES, NATION_NAMES
from agezoo.envs.engine import chance
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.compile import plain

from .. import scenario
from ..scenario import listed, shows

GAME = age_de_bronze_v0.game
TABLES = ("Family", "Temple", "Victory", "Riches")
_DEALT: dict[int, dict[str, Any]] = {}


def cards(words: str) -> Counter[int]:
    """``2 Family, Temple`` as numbers of cards by `Card`."""
    return Counter(map(_card, listed(words)))


def _card(name: str) -> int:
    return CARD_NAMES.index("End of the Bronze Age" if name == "End" else name)


def _named(counts: Any) -> dict[str, int]:
    return {CARD_NAMES[kind]: int(number) for kind, number in sorted(dict(counts).items()) if number}


def _dealt(players: int) -> dict[str, Any]:
    """A dealt table none of whose End cards is out."""
    if players not in _DEALT:
        env = TableEnv(GAME, players)
        for seed in range(100):
            env.reset(seed=seed)
            if env.position()["state"]["ends_out"] == 0:
                _DEALT[players] = env.position()
                break
    return _DEALT[players]


def lay(
    players: int = 3,
    *,
    nations: str = "Akkadians, Sumerians, Amorites, Hurrians, Elamites, Hittites",
    turn: str | None = None,
    actions: int = 4,
    hands: dict[int, str] | None = None,
    tables: dict[str, str] | None = None,
    row: str | None = None,
    top: str = "",
    piles_drawn: int = 0,
    pile_left: int | None = None,
    deities: dict[str, str] | None = None,
    greatest_temple: str | None = None,
    riches_deck: str | None = None,
    riches_discards: str = "",
    play_forced: bool = False,
) -> Table:
    """Lay out a table.

    Args:
        players: seats.
        nations: Nation cards in turn order.
        turn: whose turn it is; the first nation's if None.
        actions: actions left.
        hands: cards by seat; a hand that is not named is empty.
        tables: progress cards by nation.
        row: face-up cards; Bad Kings if None.
        top: the first cards of the deck, from the top down.
        piles_drawn: piles of the setup that are used up, their End cards out.
        pile_left: cards left in the pile that is being drawn; as many as fit if None.
        deities: holder by deity, where it is not the deity's own nation.
        greatest_temple: who holds it.
        riches_deck: its cards; all that are nowhere else if None, else those go to the Riches discards.
        riches_discards: its discards.
        play_forced: decisions with one legal action are played without asking.
    """
    position = {**_dealt(players), "state": dict(_dealt(players)["state"])}
    s = position["state"]
    order = [NATION_NAMES.index(name.strip()) for name in nations.split(",")][: s["nations"]]
    s["nation"] = order + [-1] * (6 - len(order))
    s["deity_holder"] = [order.index(d) if d in order else -1 for d in range(6)]
    for deity, holder in (deities or {}).items():
        s["deity_holder"][DEITY_NAMES.index(deity)] = order.index(NATION_NAMES.index(holder))
    s["turn"] = order.index(NATION_NAMES.index(turn)) if turn else 0
    s["seat"] = s["turn"] % players
    s["actions"], s["phase"], s["ends_out"] = actions, int(Phase.TURN), piles_drawn
    if greatest_temple:
        s["greatest_temple"] = order.index(NATION_NAMES.index(greatest_temple))
    pool = Counter({kind: int(COUNTS[kind]) for kind in range(NUM_MAIN)})
    used = _lay_hands(s, players, hands or {}) + _lay_tables(s, order, tables or {})
    shown = cards(
        row if row is not None else f"{min(5, 3 + piles_drawn)} Bad King" + ", Defeat" * (piles_drawn == 3)
    )
    s["row"] = [shown[kind] for kind in range(NUM_MAIN)]
    pool.subtract({kind: n for kind, n in (used + shown).items() if kind < NUM_MAIN})
    _lay_deck(s, pool, top, piles_drawn, pile_left)
    _lay_riches(s, used[Card.RICHES], riches_deck, riches_discards)
    env = TableEnv(GAME, players, play_forced=play_forced)
    env.load(position)
    return Table(env)


def _lay_hands(s: dict[str, Any], players: int, hands: dict[int, str]) -> Counter[int]:
    """Riches are known to all, as they are once drawn; the rest to the holder."""
    used: Counter[int] = Counter()
    for name in ("hand", "known", "known_to_all", "lost", "mixed", "revealed", "fresh", "hand_size"):
        s[name] = np.zeros(np.shape(s[name]), int).tolist()
    for seat, words in hands.items():
        held = cards(words)
        used.update(held)
        s["hand_size"][seat] = held.total()
        s["hand"][seat] = [held[kind] for kind in range(NUM_HELD)]
        s["known_to_all"][seat][Card.RICHES] = held[Card.RICHES]
        for other in range(players):
            s["known"][other][seat][Card.RICHES] = held[Card.RICHES] * (other != seat)
    return used


def _lay_tables(s: dict[str, Any], order: list[int], tables: dict[str, str]) -> Counter[int]:
    used: Counter[int] = Counter()
    for nation, words in tables.items():
        counts = cards(words)
        used.update(counts)
        for name in TABLES:
            s[name.lower()] = list(s[name.lower()])
            s[name.lower()][order.index(NATION_NAMES.index(nation))] = counts[_card(name)]
    return used


def _lay_deck(
    s: dict[str, Any], pool: Counter[int], top: str, piles_drawn: int, pile_left: int | None
) -> None:
    """End cards lie at the bottom of their piles unless `top` says otherwise; what finds no room is discarded."""
    ends, starts = set(), s["pile_start"]
    named = [_card(word.strip()) for word in top.split(",") if word.strip()]
    s["deck_next"] = starts[piles_drawn] if piles_drawn else 3
    wanted = sum(pool.values()) + RULE.piles - piles_drawn
    s["deck_next"] = max(s["deck_next"], starts[-1] - wanted)
    if pile_left is not None:
        s["deck_next"] = starts[piles_drawn + 1] - pile_left
    assert s["deck_next"] < starts[piles_drawn + 1], "the pile is too small for so many cards elsewhere"
    ends.update(starts[pile + 1] - 1 for pile in range(RULE.piles))
    for k, card in enumerate(named):
        if card == Card.END_OF_THE_BRONZE_AGE:
            pile = max(p for p in range(RULE.piles) if starts[p] <= s["deck_next"] + k)
            ends.remove(starts[pile + 1] - 1)
            ends.add(s["deck_next"] + k)
    pool.subtract(card for card in named if card < NUM_MAIN)
    assert min(pool.values()) >= 0, f"more cards than there are: {_named(pool)}"
    rest = list(pool.elements())
    np.random.default_rng(0).shuffle(rest)
    deck = [0] * len(s["deck"])
    for place in range(starts[-1]):
        if place in ends:
            deck[place] = int(Card.END_OF_THE_BRONZE_AGE)
        elif s["deck_next"] <= place < s["deck_next"] + len(named):
            deck[place] = named[place - s["deck_next"]]
        elif place >= s["deck_next"]:
            deck[place] = rest.pop()
    s["deck"] = deck
    s["discards"] = [rest.count(kind) for kind in range(NUM_MAIN)]


def _lay_riches(s: dict[str, Any], used: int, deck: str | None, discards: str) -> None:
    left = [int(COUNTS[Card.RICHES]) - used, int(COUNTS[Card.AMBUSH])]
    kinds = (Card.RICHES, Card.AMBUSH)
    if deck is None:
        s["riches_discards"] = [cards(discards)[kind] for kind in kinds]
        s["riches_deck"] = [a - b for a, b in zip(left, s["riches_discards"], strict=True)]
    else:
        s["riches_deck"] = [cards(deck)[kind] for kind in kinds]
        s["riches_discards"] = [a - b for a, b in zip(left, s["riches_deck"], strict=True)]


class Table(scenario.Table):
    """A table to play at and to ask."""

    phases = Phase

    # -- play -----------------------------------------------------------------------------------------------------

    def fate(self, *rolls: int, draws: str = "") -> Table:
        """Choose random numbers so that the dice show `rolls` and the Riches deck then gives `draws`.

        An empty Riches deck is made anew from its discards, as by the rules.
        """
        wanted = [RICHES if name == "Riches" else AMBUSH for name in listed(draws)]
        s = self.state
        deck, discards = s.riches_deck.tolist(), s.riches_discards.tolist()
        return self.chosen(lambda trial: shows(trial, rolls) and _gives(trial, wanted, deck, discards))

    # -- ask ------------------------------------------------------------------------------------------------------

    def hand(self, seat: int) -> dict[str, int]:
        """Cards in a hand."""
        return _named(enumerate(self.state.hand[seat]))

    def known(self, seat: int, observer: int) -> dict[str, int]:
        """Cards of a hand that another seat is told of."""
        return _named(
            enumerate(self.sees(observer, "known")[self._place(seat, observer)].round().astype(int))
        )

    def lost(self, observer: int) -> dict[str, int]:
        """Cards of which a seat is told that it lost sight of them by a Spy."""
        return _named(enumerate(self.sees(observer, "lost").sum(axis=0).round().astype(int)))

    def mixed(self, seat: int, observer: int) -> int:
        """Cards of a hand that, as the observer is told, may be one of these."""
        return round(float(self.sees(observer, "mixed")[:, self._place(seat, observer)].sum()))

    def _place(self, seat: int, observer: int) -> int:
        """Where the observer sees what is the seat's."""
        first = next(n for n in range(self.state.nations) if n % self.state.num_players == seat)
        own = int(self.sees(observer, "turn_of").argmax())
        return int(first - self.state.turn + own) % int(self.state.nations)

    def has(self, nation: str) -> dict[str, int]:
        """Progress cards on the table before a nation."""
        n = self._nation(nation)
        return {name: int(self.state[name.lower()][n]) for name in TABLES if self.state[name.lower()][n]}

    def deities(self, nation: str) -> set[str]:
        """Deities that a nation holds."""
        return {DEITY_NAMES[d] for d in range(6) if self.state.deity_holder[d] == self._nation(nation)}

    @property
    def greatest_temple(self) -> str | None:
        """Who holds the Greatest Temple."""
        n = self.state.greatest_temple
        return None if n < 0 else NATION_NAMES[self.state.nation[n]]

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        return NATION_NAMES[self.state.nation[self.state.turn]]

    @property
    def actions(self) -> int:
        """Actions that it has left."""
        return int(self.state.actions)

    @property
    def ends_out(self) -> int:
        """End cards that have come out."""
        return int(self.state.ends_out)

    @property
    def row(self) -> dict[str, int]:
        """Face-up cards."""
        return _named(enumerate(self.state.row))

    @property
    def discards(self) -> dict[str, int]:
        """Main discards."""
        return _named(enumerate(self.state.discards))

    @property
    def riches_deck(self) -> tuple[int, int]:
        """Riches and Ambush cards in the Riches deck."""
        return int(self.state.riches_deck[RICHES]), int(self.state.riches_deck[AMBUSH])

    @property
    def riches_discards(self) -> tuple[int, int]:
        """And in its discard pile."""
        return int(self.state.riches_discards[RICHES]), int(self.state.riches_discards[AMBUSH])

    @property
    def deck_left(self) -> int:
        """Cards in the main deck."""
        return int(self.state.pile_start[RULE.piles] - self.state.deck_next)

    def top(self, number: int) -> list[str]:
        """The first cards of the deck."""
        first = int(self.state.deck_next)
        return [CARD_NAMES[card] for card in self.state.deck[first : first + number]]

    def deck_known(self, seat: int) -> list[str | None]:
        """What a seat is told of the first cards of the deck."""
        return [CARD_NAMES[int(place.argmax())] if place.any() else None for place in self._deck_top(seat)]

    def _deck_top(self, seat: int) -> np.ndarray:
        looked = self.sees(seat, "deck_top")
        return np.insert(looked, NUM_MAIN, 0, axis=1)  # no Riches in the deck, End of the Bronze Age after it

    def points(self, nation: str) -> int:
        """Points of one nation, as they stand."""
        n = self._nation(nation)
        own = int(self.sees(0, "turn_of").argmax())
        return round(float(self.sees(0, "points")[(n - self.state.turn + own) % self.state.nations]))

    def _nation(self, name: str) -> int:
        return self.state.nation.tolist().index(NATION_NAMES.index(name))


def _gives(trial: Any, wanted: list[int], deck: list[int], discards: list[int]) -> bool:
    """Whether the random numbers of `trial` give these draws."""
    left, spare = list(deck), list(discards)
    for kind in wanted:
        if sum(left) == 0:
            left, spare = spare, [0, 0]
        if plain(chance.draw)(trial, left) != kind:
            return False
    return True


__all__ = ["GAME", "MAIN_TOTAL", "Table", "cards", "lay"]
