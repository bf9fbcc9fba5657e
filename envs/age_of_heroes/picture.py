"""The table as a picture: tribes with what they built, the middle, and the cards that a seat may see."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.compile import plain
from ..engine.fields import PUBLIC
from ..engine.render import WHITE, Colour, Sheet, in_columns
from . import hands
from .components import NUM_HELD, NUM_STRENGTHS, RULE, Building, Card
from .rules import table
from .state import ATTACK, DEFENCE, NONE, Stage, Unit, Vow
from .text import BUILDING_NAMES, CARD_NAMES, UNIT_NAMES, decision, kept_and_broken, number, who, words

sure_of, next_in_play, has = plain(hands.sure_of), plain(table.next_in_play), plain(table.has)

WIDTH, MARGIN, GAP = 1240, 20, 14
HEAD, MIDDLE, PANEL, HAND = 58, 226, 300, 162  # heights of the title, the middle, a tribe's panel, the hand

PAPER, SHEET, INK, FAINT, LINE = (
    (240, 236, 224),
    (254, 252, 246),
    (42, 40, 38),
    (128, 120, 108),
    (210, 202, 186),
)
ACTIVE = (196, 60, 36)
BACK, GOLDEN, STEEL, BRICK, SHAKEN = (
    (92, 86, 78),
    (212, 160, 30),
    (88, 100, 116),
    (150, 76, 52),
    (186, 178, 164),
)
CARD_COLOURS = (
    (96, 104, 116), (128, 84, 48), (206, 168, 60), (140, 136, 128), (222, 178, 30),  # iron to gold
    (190, 170, 130), (120, 124, 128), (150, 160, 176), (176, 88, 60), (200, 150, 96), (116, 96, 108),  # special
    (36, 128, 108), (36, 94, 160), (112, 66, 150),  # Olympic Games, Hero, Luck
    (60, 140, 64), (120, 70, 40), (190, 62, 30), (160, 130, 20), (60, 50, 50),  # played at once
)  # fmt: skip
TRIBE_COLOURS = ((176, 120, 30), (150, 44, 44), (40, 100, 150), (110, 70, 130), (44, 116, 74), (170, 72, 40))
UNDER_WAY = (Stage.DRAW, Stage.ACTION, Stage.TAXES, Stage.MONUMENT, Stage.DISCARD, Stage.TURN_END)


def picture(s: Any, seat: int | None) -> np.ndarray:
    """The table as `seat` sees it, whole for None: uint8 (H, W, 3), of one size for each number of players.

    Args:
        s: a table as a record.
        seat: who looks; its hand lies at the bottom.
    """
    columns = 2 if s.num_players in (2, 4) else 3
    lines = -(-int(s.num_players) // columns)
    height = HEAD + MIDDLE + lines * (PANEL + GAP) + (HAND if seat not in (None, PUBLIC) else 0) + MARGIN
    sheet = Sheet(WIDTH, height, PAPER)
    _draw_head(sheet, s)
    _draw_middle(sheet, s, seat)
    places = in_columns(int(s.num_players), columns, MARGIN, HEAD + MIDDLE, WIDTH - 2 * MARGIN, PANEL, GAP)
    for other, place in enumerate(places):
        _draw_tribe(sheet, s, other, seat, *place)
    if seat not in (None, PUBLIC):
        _draw_hand(sheet, s, seat, height - HAND - MARGIN + GAP)
    return sheet.pixels()


# -- title and middle --------------------------------------------------------------------------------------------------


def _draw_head(sheet: Sheet, s: Any) -> None:
    sheet.box(0, 0, WIDTH, HEAD - 10, INK, bend=0)
    end = MARGIN + sheet.write(MARGIN, 25, "Age of Heroes", 22, WHITE)
    sheet.write(end + 26, 25, decision(s), 16, (255, 214, 150))


def _draw_middle(sheet: Sheet, s: Any, seat: int | None) -> None:
    top = HEAD
    sheet.write(MARGIN, top + 8, "Resource deck", 14, FAINT)
    _draw_pile(sheet, MARGIN, top + 22, BACK, str(int(sum(s.deck))))
    sheet.write(MARGIN + 124, top + 8, "Main deck", 14, FAINT)
    for kind in Building:
        x = MARGIN + 124 + kind * 82
        _draw_pile(sheet, x, top + 22, STEEL, str(s.supply[kind]), wide=66)
        sheet.write(x + 33, top + 130, BUILDING_NAMES[kind], 12, INK, "mm")
    x = MARGIN + 124 + len(Building) * 82 + 16
    sheet.write(x, top + 8, "Discards", 14, FAINT)
    chips = [
        (f"{s.discards[c]} {CARD_NAMES[c]}", CARD_COLOURS[c]) for c in range(len(CARD_NAMES)) if s.discards[c]
    ]
    sheet.chips(chips, x, top + 22, WIDTH - MARGIN - x)
    if s.attacker != NONE:
        _draw_war(sheet, s, seat, top + 150)
    elif s.stage == Stage.BARGAINING:
        said = words(s)
        for k, word in enumerate(said):
            last = k == len(said) - 1
            sheet.write(MARGIN, top + 150 + 18 * k, word, 14, ACTIVE if last and s.speaking else INK)
    else:
        waiting = [f"{who(s, k)}: {_waiting(s, k)}" for k in range(s.num_players) if any(s.waiting[k])]
        if waiting:
            sheet.write(MARGIN, top + 162, "still to be played: " + "; ".join(waiting), 15, ACTIVE)


def _waiting(s: Any, seat: int) -> str:
    events = list(s.waiting[seat])
    return ", ".join(f"{events[k]} {CARD_NAMES[NUM_HELD + k]}" for k in range(len(events)) if events[k])


def _draw_war(sheet: Sheet, s: Any, seat: int | None, y: float) -> None:
    """Both armies of a battle in a line, with the battle cards that the seat may see."""
    x = float(MARGIN)
    for side, colour in ((ATTACK, ACTIVE), (DEFENCE, (40, 100, 150))):
        commander = s.attacker if side == ATTACK else s.target
        x += sheet.write(x, y + 12, f"{who(s, int(commander))}: ", 15, colour)
        for unit in Unit:
            if s.units[side, unit]:
                words = f"{s.units[side, unit]} {UNIT_NAMES[unit]}"
                if seat is None or seat == commander:
                    words += _cards_under(s, side, unit)
                x += sheet.write(x, y + 12, words + "   ", 15)
        x += 14
    won = f"{number(int(s.wins), 'winning army', 'winning armies')}; cards turned up: {_strengths(s.shown)}"
    sheet.write(MARGIN, y + 32, won, 13, FAINT)


def _cards_under(s: Any, side: int, unit: int) -> str:
    laid = _strengths(s.laid[side, unit])
    return f" ({laid})" if laid != "none" else ""


def _strengths(counts: Any) -> str:
    return " ".join(str(k + 1) for k in range(NUM_STRENGTHS) for _ in range(counts[k])) or "none"


def _draw_pile(sheet: Sheet, x: float, y: float, colour: Colour, words: str, wide: float = 76) -> None:
    sheet.pile(x, y, wide, 94, colour, SHEET, bend=7)
    sheet.write(x + wide / 2, y + 47, words, 26, WHITE, "mm")


# -- tribes ------------------------------------------------------------------------------------------------------------


def _draw_tribe(sheet: Sheet, s: Any, other: int, seat: int | None, x: float, y: float, wide: float) -> None:
    active = other == s.turn and s.stage in UNDER_WAY and not s.finished
    colour = FAINT if s.eliminated[other] or s.tribe[other] == NONE else TRIBE_COLOURS[s.tribe[other]]
    sheet.panel(x, y, wide, PANEL, colour, SHEET, LINE, ACTIVE if active else None)
    end = sheet.write(x + 12, y + 18, who(s, other), 19, WHITE)
    told = f"player_{other}" + (" (you)" if seat == other else "") + (", first" if s.first == other else "")
    sheet.write(x + 24 + end, y + 19, told, 13, (244, 234, 220))
    if s.eliminated[other]:
        sheet.write(x + wide / 2, y + 150, f"out of the game, place {s.eliminated[other]}", 17, FAINT, "mm")
        return
    if s.claim[other]:
        sheet.write(x + wide - 12, y + 18, "claims victory", 16, WHITE, "rm")
    _draw_cities(sheet, s, other, x + 14, y + 46, wide - 28)
    _draw_monument(sheet, s, other, x + wide - 14, y + 46)
    _draw_armies(sheet, s, other, x + 14, y + 126)
    below = _draw_words(sheet, s, other, x + 14, y + 196)
    _draw_held(sheet, s, other, seat, x + 14, below, wide - 28)


def _draw_cities(sheet: Sheet, s: Any, other: int, x: float, y: float, wide: float) -> None:
    """Cities as houses, five of them an empire; fortresses as towers below."""
    step = min(30.0, (wide - 110) / max(5, int(s.cities[other])))
    for k in range(max(RULE.empire, int(s.cities[other]))):
        left, built = x + k * step, k < s.cities[other]
        fill = GOLDEN if built else LINE
        sheet.shape([(left, y + 14), (left + 12, y), (left + 24, y + 14)], fill)
        sheet.box(left + 3, y + 14, 18, 16, fill, bend=1)
    sheet.write(x, y + 44, f"{number(int(s.cities[other]), 'city', 'cities')}", 13)
    for k in range(s.fortresses[other]):
        left = x + 78 + k * 17
        sheet.box(left, y + 38, 13, 14, BRICK, bend=1)
        for notch in range(3):
            sheet.box(left + notch * 5, y + 34, 3, 5, BRICK, bend=0)
    if s.fortresses[other]:
        sheet.write(x, y + 62, number(int(s.fortresses[other]), "fortress", "fortresses"), 13)


def _draw_monument(sheet: Sheet, s: Any, other: int, right: float, y: float) -> None:
    """The monument as a pyramid of five stones; a sixth lies beside it."""
    colour = CARD_COLOURS[Card.LIMESTONE + s.tribe[other]] if s.tribe[other] != NONE else LINE
    places = [(0, 2), (1, 2), (2, 2), (0.5, 1), (1.5, 1), (1, 0)]
    for k, (column, row) in enumerate(places):
        fill = colour if k < s.monument[other] else LINE
        sheet.box(right - 78 + column * 26, y + row * 17, 24, 15, fill, bend=2)
    sheet.write(right, y + 62, f"monument {s.monument[other]}", 13, INK, "rm")


def _draw_armies(sheet: Sheet, s: Any, other: int, x: float, y: float) -> None:
    """Armies as shields: with a star when a general leads them, pale under an earthquake, small when they are away."""
    led, away_led = int(s.led[other]), int(s.out_led[other] + s.back_led[other])
    groups = (
        (led, True, STEEL, 1.0), (int(s.army[other]), False, STEEL, 1.0), (int(s.shaken[other]), False, SHAKEN, 1.0),
        (away_led, True, ACTIVE, 0.75), (int(s.out[other] + s.back[other]), False, ACTIVE, 0.75),
    )  # fmt: skip
    left = x
    for count, has_general, colour, size in groups:
        for _ in range(count):
            _draw_shield(sheet, left, y, colour, size, has_general)
            left += 28 * size + 4
    home = led + int(s.army[other]) + int(s.shaken[other])
    away = away_led + int(s.out[other] + s.back[other])
    told = [f"{number(home, 'army', 'armies')} at home", f"{led} led"]
    told += [f"{s.shaken[other]} under an earthquake"] if s.shaken[other] else []
    told += [f"{away} away"] if away else []
    idle = int(s.idle_quakes[other])
    told += [number(idle, "idle earthquake", "idle earthquakes")] if idle else []
    sheet.write(x, y + 46, ", ".join(told), 13, INK if home + away else FAINT)


def _draw_shield(sheet: Sheet, x: float, y: float, colour: Colour, size: float, star: bool) -> None:
    corners = [(0, 0), (26, 0), (26, 18), (13, 34), (0, 18)]
    sheet.shape([(x + a * size, y + b * size) for a, b in corners], colour)
    if star:
        sheet.dot(x + 13 * size, y + 13 * size, 7 * size, GOLDEN)


def _draw_words(sheet: Sheet, s: Any, other: int, x: float, y: float) -> float:
    """Roads and promises; where the next line begins."""
    after = int(next_in_play(s, other))
    if s.road[other] and after != other:
        sheet.write(x, y, f"road to the {who(s, after)}", 13)
    y += 20
    kept, broken = kept_and_broken(s, other)
    lines = [f"promises kept {kept}, broken {broken}"] if s.kept[other].any() or s.broken[other].any() else []
    worse = s.broken[other].sum() > s.kept[other].sum()
    lines += [line for line in ("; ".join(_promises(s, other, (Vow.PEACE, Vow.STAY_OUT))),) if line]
    lines += [line for line in ("; ".join(_promises(s, other, (Vow.ROAD, Vow.GIFT))),) if line]
    for line in lines:
        sheet.write(x, y, line, 12, ACTIVE if worse else INK)
        y += 15
    return y + 14


def _promises(s: Any, other: int, vows: tuple[Vow, ...]) -> list[str]:
    """Promises as they stand, in few words."""
    third = "".join(who(s, k) for k in range(s.num_players) if has(s.against[other], k))
    start = {Vow.PEACE: "peace with ", Vow.STAY_OUT: f"not with the {third} against ", Vow.ROAD: "road for "}
    found = []
    for vow in vows:
        whom = [who(s, k) for k in range(s.num_players) if s.promise[other, k, vow]]
        if whom:
            found.append(f"{start.get(vow, 'gift for ')}{', '.join(whom)}")
    return found


def _draw_held(sheet: Sheet, s: Any, other: int, seat: int | None, x: float, y: float, wide: float) -> None:
    """The hand: known cards by name, the others as backs."""
    sheet.write(x, y + 11, f"{s.hand_size[other]} in hand", 13, FAINT)
    known = _known(s, other, seat)
    chips = [(f"{known[c]} {CARD_NAMES[c]}", CARD_COLOURS[c]) for c in range(NUM_HELD) if known[c]]
    hidden = int(s.hand_size[other]) - sum(known)
    if hidden:
        chips.append((f"{hidden} hidden", BACK))
    if chips:
        sheet.chips(chips, x + 84, y, wide - 84)


def _known(s: Any, holder: int, seat: int | None) -> list[int]:
    """Cards of a hand that `seat` knows, by kind; all for None."""
    if seat is None or seat == holder:
        return [int(count) for count in s.hand[holder]]
    return [int(seat != PUBLIC and sure_of(s, seat, holder, card)) for card in range(NUM_HELD)]


# -- the own hand ------------------------------------------------------------------------------------------------------


def _draw_hand(sheet: Sheet, s: Any, seat: int, top: float) -> None:
    sheet.write(
        MARGIN,
        top + 8,
        f"Your hand, player_{seat}: {number(int(s.hand_size[seat]), 'card', 'cards')}",
        14,
        FAINT,
    )
    kinds = [card for card in range(NUM_HELD) if s.hand[seat, card]]
    step = min(98.0, (WIDTH - 2 * MARGIN - 84) / max(1, len(kinds) - 1)) if kinds else 98.0
    for k, card in enumerate(kinds):
        _draw_card(sheet, MARGIN + k * step, top + 22, card, int(s.hand[seat, card]))


def _draw_card(sheet: Sheet, x: float, y: float, card: int, count: int) -> None:
    """A card of 84 x 112, and how many of them there are."""
    for under in range(min(count - 1, 2), 0, -1):
        sheet.box(x + 3 * under, y + 3 * under, 84, 112, SHEET, FAINT, bend=8)
    sheet.box(x, y, 84, 112, SHEET, FAINT, bend=8)
    sheet.box(x + 5, y + 5, 74, 102, CARD_COLOURS[card], bend=6)
    _draw_sign(sheet, x + 42, y + 38, card)
    words = CARD_NAMES[card].split()
    for k, line in enumerate(words):
        size = 16 if len(line) <= 7 else 13
        sheet.write(x + 42, y + 82 + (k - (len(words) - 1) / 2) * 18, line, size, WHITE, "mm")
    if count > 1:
        sheet.dot(x + 74, y + 10, 13, INK, SHEET)
        sheet.write(x + 74, y + 10, str(count), 15, WHITE, "mm")


def _draw_sign(sheet: Sheet, x: float, y: float, card: int) -> None:
    """A block for a resource, a stone for a special one, a star for an event."""
    sheet.dot(x, y, 22, SHEET)
    if card <= Card.GOLD:
        sheet.box(x - 11, y - 11, 22, 22, CARD_COLOURS[card], bend=3)
    elif card <= Card.GRANITE:
        sheet.shape([(x - 14, y + 10), (x, y - 14), (x + 14, y + 10)], CARD_COLOURS[card])
    else:
        points = [
            (0, -14),
            (4, -4),
            (14, -4),
            (6, 3),
            (9, 13),
            (0, 7),
            (-9, 13),
            (-6, 3),
            (-14, -4),
            (-4, -4),
        ]
        sheet.shape([(x + a, y + b) for a, b in points], CARD_COLOURS[card])
