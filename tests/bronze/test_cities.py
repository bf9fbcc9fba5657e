"""City cards: every condition, one short of it and met."""

from __future__ import annotations

import pytest

from agezoo.envs.bronze import cities
from agezoo.envs.bronze.components import (
    CITY_AND,
    CITY_CONDITION,
    CITY_NAMES,
    CITY_NEED,
    CITY_OF,
    CITY_POINTS,
    Card,
    Condition,
)
from agezoo.envs.bronze.text import city_text
from agezoo.envs.engine.compile import plain

from .scenario import lay

is_met, counted = plain(cities.is_met), plain(cities.counted)


def blank():
    """A four-player table with all tiles open, to be filled by hand."""
    table = lay(4, tiles=tuple(range(1, 12)))
    return table.state


def fill(s, city: int, amount: int) -> None:
    """Give seat 2 exactly so much of what a city card counts, and other seats more of it."""
    kind, of, other = Condition(int(CITY_CONDITION[city])), int(CITY_OF[city]), int(CITY_AND[city])
    if kind == Condition.TERRAIN:
        s.in_terrain[1:4, of] = 20, amount, 20
    elif kind == Condition.PAIR:
        s.in_terrain[1:3, of] = 20, amount // 2
        s.in_terrain[1:3, other] = 20, amount - amount // 2
    elif kind == Condition.SETTLERS:
        s.of_settler[1:4, of] = 20, amount, 20
    elif kind == Condition.BALANCE:
        s.of_settler[2] = amount, amount + 3, amount + 1
    elif kind == Condition.SETTLEMENTS:
        s.markers[2] = 30 - amount
    elif kind == Condition.TERRAINS:
        s.in_terrain[2] = [of] * amount + [of - 1] * (7 - amount)
    elif kind == Condition.TILES:
        s.count[2] = [of] * amount + [of - 1] * (11 - amount)
    elif kind == Condition.LAST_TILE:
        s.count[2, 9:] = 9, amount
    elif kind == Condition.PROVINCES:
        s.province_of[: amount + 1] = [1] + [2] * amount
    elif kind == Condition.ROUTES:
        for terrain in range(amount):
            s.route_of[terrain, of + (terrain % (3 - of))] = 2
        s.route_of[6, 2] = 1
        if of:
            s.route_of[5, of - 1] = 2
    elif kind == Condition.CITIES:
        s.cities[1:4] = 10, amount, 10
    else:
        fill_matrix(s, kind, of, amount)


def fill_matrix(s, kind: Condition, of: int, amount: int) -> None:
    columns: list[list[int]] = [[], [], [], []]
    if kind == Condition.TECHNOLOGY:
        for k in range(amount):
            columns[k % 4].append(of)
        columns[0].append((of + 1) % 8)
    elif kind == Condition.TECHNOLOGIES:
        columns = [[card] for card in range(min(amount, 4))] + [[]] * (4 - min(amount, 4))
        columns[0] = columns[0] + list(range(4, amount)) + [int(Card.BRONZE_CASTING)]
    elif kind == Condition.STACK:
        columns[0] = [3]
        columns[1] = [3, 2] + [3] * (amount - 1)
    elif kind == Condition.COLUMN:
        columns[:2] = [[1], [k % 7 for k in range(amount)]]
    else:
        columns = [[5] * (amount + (k == 1)) for k in range(4)]
    columns = [column for column in columns if column]
    s.columns[2] = len(columns)
    for c, column in enumerate(columns):
        s.height[2, c] = len(column)
        s.matrix[2, c, : len(column)] = column
        for card in column:
            s.in_matrix[2, card] += 1


@pytest.mark.parametrize("city", range(len(CITY_NAMES)), ids=CITY_NAMES)
def test_a_condition_is_met_from_its_number_on(city):
    need = int(CITY_NEED[city])
    for amount, met in ((need - 1, False), (need, True), (need + 1, True)):
        s = blank()
        if amount > 7 and CITY_CONDITION[city] in (Condition.TERRAINS, Condition.TECHNOLOGIES):
            continue
        fill(s, city, amount)
        assert counted(s, 2, city) == amount, city_text(city)
        assert is_met(s, 2, city) == met


def test_points_are_counted_for_met_conditions_only():
    s = blank()
    ur, uruk = CITY_NAMES.index("Ur"), CITY_NAMES.index("Uruk")
    s.city[2, :2] = ur, uruk
    s.cities[2] = 2
    s.in_terrain[2, :2] = 5, 4
    assert plain(cities.city_points)(s, 2) == CITY_POINTS[ur]
    assert plain(cities.progress)(s, 2, uruk) == pytest.approx(4 / 5)


def test_a_card_face_down_counts_as_bronze_casting_and_not_as_its_face():
    """Ruling 12."""
    table = lay(4, matrix={0: ["Wheel"]}, open_cards="Masonry")
    table.play("take Masonry from pile 1 as Bronze Casting", "put it into column 1")
    s = table.state
    assert counted(s, 0, CITY_NAMES.index("Tyre")) == 0  # Masonry
    assert counted(s, 0, CITY_NAMES.index("Knossos")) == 1  # Bronze Casting
    assert counted(s, 0, CITY_NAMES.index("Larsa")) == 1  # technologies face up


def test_words_say_what_a_condition_asks_for():
    assert city_text(CITY_NAMES.index("Ur")) == "Ur (4 points: 5 settlements in mountains)"
    assert city_text(CITY_NAMES.index("Qatna")) == "Qatna (4 points: 8 settlements in mountains and shore)"
    assert city_text(CITY_NAMES.index("Kerma")) == "Kerma (5 points: 1 tile with 6 settlements or more)"
