"""Tiny: a solved game in the form of any rulebook, so that the engine is proved apart from them.

Two or three seats hold one of five cards each; the rest is the deck. First every seat chooses in secret to stay or to
swap; when all have chosen, the choices are shown, and who swaps lays its card open and draws another, while there
are any. Then each seat has one turn: it may pass, peek at the card of the next seat in play (once), or challenge that
seat; who swapped may only pass. A challenge lays both cards open, the challenger may get a coin's help (+1), and the
lower card is out, the challenger's on a tie. A won challenge is worth a point, and who is left at the end scores its
card besides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agezoo.envs.engine.chance import draw, randint, shuffle
from agezoo.envs.engine.compile import kernel
from agezoo.envs.engine.fields import LOOKED, MAX_SEATS, NOBODY, Field, table_dtype
from agezoo.envs.engine.game import Game, Option
from agezoo.envs.engine.layout import Layout, block
from agezoo.envs.engine.table import eliminate

CARDS = 5
CHOOSE, ACT = 0, 1
UNKNOWN, STAYS, SWAPS = 0, 1, 2

STATE_FIELDS = (
    Field("coin", np.int8, low=0, high=1, doc="Option: a coin helps the challenger"),
    Field("phase", np.int8, low=0, high=1, doc="CHOOSE or ACT"),
    Field("card", np.int8, MAX_SEATS, sees=LOOKED, low=0, high=CARDS - 1, doc="Card of each seat, 0 to 4"),
    Field(
        "seen", np.uint8, MAX_SEATS, bits=MAX_SEATS, doc="Bit k: seat k knows this seat's card",
        unseen="a peek is told, and tells nothing about the card",
    ),
    Field(
        "choice", np.int8, MAX_SEATS, sees=LOOKED, low=0, high=2,
        doc="UNKNOWN, STAYS or SWAPS; secret until all have chosen",
    ),
    Field("peeked", np.bool_, doc="The seat to act has peeked in this turn"),
    Field("won", np.int8, MAX_SEATS, low=0, high=MAX_SEATS, doc="Challenges won"),
    Field("deck", np.int8, CARDS, sees=NOBODY, low=0, high=1, doc="By card: 1 if it is in the deck"),
    Field("open", np.int8, CARDS, low=0, high=1, doc="By card: 1 if it was swapped away"),
)  # fmt: skip
STATE = table_dtype(*STATE_FIELDS)

ACTIONS = Layout(block("stay"), block("swap"), block("do_pass"), block("peek"), block("challenge"))
A = ACTIONS.starts

_SEATS = ("own", "next", "last")
OBSERVATION = Layout(
    block("players", 2, doc="Two, or three seats"),
    block("coin", doc="A coin helps the challenger"),
    block("acting", doc="The turns have begun"),
    block("to_act", _SEATS, doc="Whose decision it is"),
    block("number", 3, doc="The observer's seat number"),
    block("known", _SEATS, CARDS, doc="Cards that the observer knows"),
    block("choice", _SEATS, high=2, unit=2, doc="What was chosen, of others once it is shown"),
    block("chosen", _SEATS, doc="Has chosen"),
    block("out", _SEATS, high=3, unit=3, doc="Its place, if it was knocked out"),
    block("won", _SEATS, high=2, unit=2, doc="Challenges won"),
    block("peeked", doc="The seat to act has peeked"),
    block("open", CARDS, doc="Cards swapped away"),
)
O = OBSERVATION.starts  # noqa: E741 - the letter that stands for the layout, as A does


@kernel
def setup(s):
    cards = np.arange(CARDS)
    shuffle(s, cards, 0, CARDS)
    s.deck[:] = 1
    for seat in range(s.num_players):
        s.card[seat] = cards[seat]
        s.seen[seat] = 1 << seat
        s.deck[cards[seat]] = 0


@kernel
def legal(s, mask):
    if s.phase == CHOOSE:
        mask[A.stay] = True
        mask[A.swap] = True
        return
    mask[A.do_pass] = True
    if s.choice[s.seat] == STAYS:
        mask[A.peek] = not s.peeked
        mask[A.challenge] = True


@kernel
def apply(s, action):
    if s.phase == CHOOSE:
        s.choice[s.seat] = STAYS if action == A.stay else SWAPS
        s.seat += 1
        if s.seat == s.num_players:
            s.seat = 0
            s.phase = ACT
            _swap(s)
    elif action == A.peek:
        s.peeked = True
        s.seen[_rival(s)] |= 1 << s.seat
    else:
        if action == A.challenge:
            _challenge(s)
        _next_turn(s)


@kernel
def _swap(s):
    for seat in range(s.num_players):
        if s.choice[seat] == SWAPS:
            drawn = draw(s, s.deck)
            if drawn >= 0:
                s.open[s.card[seat]] = 1
                s.card[seat] = drawn
                s.seen[seat] = 1 << seat


@kernel
def _rival(s):
    """The next seat in play."""
    rival = (s.seat + 1) % s.num_players
    while s.eliminated[rival] > 0:
        rival = (rival + 1) % s.num_players
    return rival


@kernel
def _challenge(s):
    rival = _rival(s)
    s.seen[s.seat] = (1 << s.num_players) - 1
    s.seen[rival] = (1 << s.num_players) - 1
    aid = randint(s, 2) if s.coin else 0
    if s.card[s.seat] + aid > s.card[rival]:
        s.won[s.seat] += 1
        eliminate(s, rival)
    else:
        s.won[rival] += 1
        eliminate(s, s.seat)


@kernel
def _next_turn(s):
    left = 0
    for seat in range(s.num_players):
        left += s.eliminated[seat] == 0
    following = s.seat + 1
    while following < s.num_players and s.eliminated[following] > 0:
        following += 1
    s.peeked = False
    if left == 1 or following >= s.num_players:
        s.finished = True
    else:
        s.seat = following


@kernel
def observe(s, seat, out):
    out[O.players + s.num_players - 2] = 1
    out[O.coin] = s.coin
    out[O.acting] = s.phase == ACT
    out[O.number + seat] = 1
    out[O.peeked] = s.peeked
    if not s.finished:
        out[O.to_act + (s.seat - seat) % s.num_players] = 1
    for k in range(s.num_players):
        other = (seat + k) % s.num_players
        if (s.seen[other] >> seat) & 1:
            out[O.known + k * CARDS + s.card[other]] = 1
        if k == 0 or s.phase == ACT:
            out[O.choice + k] = s.choice[other]
        out[O.chosen + k] = s.choice[other] != UNKNOWN
        out[O.out + k] = s.eliminated[other]
        out[O.won + k] = s.won[other]
    for card in range(CARDS):
        out[O.open + card] = s.open[card]


@kernel
def determinize(s, seat):
    """Cards that the seat does not know are dealt anew to hands and deck, choices not shown yet are free."""
    for other in range(s.num_players):
        if not (s.seen[other] >> seat) & 1:
            s.deck[s.card[other]] = 1
        if s.phase == CHOOSE and other != seat and s.choice[other] != UNKNOWN:
            s.choice[other] = STAYS + randint(s, 2)
    for other in range(s.num_players):
        if not (s.seen[other] >> seat) & 1:
            s.card[other] = draw(s, s.deck)


@kernel
def scores(s, out):
    for seat in range(s.num_players):
        out[seat] = s.card[seat] + 1 + s.won[seat] if s.eliminated[seat] == 0 else 0


def action_text(s: Any, action: int) -> str:
    return ("stay", "swap", "pass", "peek", "challenge")[action]


def table_text(s: Any, seat: int | None) -> str:
    lines = [
        ("choosing", "acting")[s["phase"]] + (", over" if s["finished"] else f", player_{s['seat']} to act")
    ]
    for k in range(s["num_players"]):
        known = seat is None or (s["seen"][k] >> seat) & 1
        state = f"out, place {s['eliminated'][k]}" if s["eliminated"][k] else f"won {s['won'][k]}"
        lines.append(f"player_{k} card {s['card'][k] + 1 if known else '?'} {state}")
    return "\n".join(lines)


def check(s: Any) -> None:
    seats = int(s["num_players"])
    cards = s["card"][:seats]
    if cards.min() < 0 or cards.max() >= CARDS:
        raise ValueError(f"state.card {cards.tolist()}: cards run from 0 to {CARDS - 1}")
    counts = np.bincount(cards, minlength=CARDS) + s["deck"] + s["open"]
    if (counts != 1).any() or s["deck"].min() < 0 or s["open"].min() < 0:
        raise ValueError(f"each card must be in one place, found {counts.tolist()}")
    if not 0 <= s["phase"] <= ACT:
        raise ValueError(f"state.phase is {s['phase']}, must be 0 or 1")
    chosen = s["choice"][:seats]
    if s["phase"] == ACT and not ((chosen == STAYS) | (chosen == SWAPS)).all():
        raise ValueError(f"state.choice {chosen.tolist()}: everybody has chosen")
    if s["phase"] == CHOOSE and ((chosen != UNKNOWN) != (np.arange(seats) < s["seat"])).any():
        raise ValueError(
            f"state.choice {chosen.tolist()}: all before player_{s['seat']} have chosen, no others"
        )
    out = s["eliminated"][:seats]
    if (out == 0).sum() < 2 and not s["finished"]:
        raise ValueError("state.finished is false, but one seat is left")
    lost = sorted(out[out > 0].tolist())
    if lost != list(range(seats - len(lost) + 1, seats + 1)) or s["won"].sum() != len(lost):
        raise ValueError(
            f"state.eliminated {out.tolist()}: one challenge was won for each of the last places"
        )
    opened = int(s["open"].sum())
    if s["phase"] == CHOOSE and (lost or opened or s["peeked"] or s["finished"]):
        raise ValueError(
            "state.phase is 0: nobody is out, nothing lies open, nobody has peeked, the game goes on"
        )
    if opened > (chosen == SWAPS).sum():
        raise ValueError(f"state.open holds {opened} cards, more than were swapped")
    for name in ("card", "seen", "choice", "won"):
        if s[name][seats:].any():
            raise ValueError(f"state.{name} {s[name].tolist()}: this table has {seats} seats")
    if any(not s["seen"][k] >> k & 1 for k in range(seats)) or s["seen"].max() >= 1 << seats:
        raise ValueError(
            f"state.seen {s['seen'].tolist()}: every seat knows its own card, no absent seat any"
        )


GAME = Game(
    name="tiny",
    title="Tiny",
    version=0,
    players=(2, 3),
    default_players=3,
    fields=STATE_FIELDS,
    actions=ACTIONS,
    observation=OBSERVATION,
    max_decisions=9,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    determinize=determinize,
    scores=scores,
    action_text=action_text,
    table_text=table_text,
    check=check,
    options=(Option("coin", default=True, doc="A coin helps the challenger"),),
)
