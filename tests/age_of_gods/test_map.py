"""Components: the map, the peoples, the cards and markers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from agezoo.envs.age_of_gods.components import (
    CITIES,
    COAST,
    EFFECT,
    IS_CITY,
    MARKERS,
    NEAR,
    NEIGHBOURS,
    NUM_TERRITORIES,
    PLACES,
    SIZE,
    START,
    TABLE,
    TERRITORIES,
    WITHIN_TWO,
    Effect,
    People,
)

EDGES = [(t, u) for t, near in enumerate(NEIGHBOURS) for u in near if t < u]


def reach(start: int, allowed: set[int]) -> set[int]:
    found, ahead = {start}, [start]
    while ahead:
        for u in NEIGHBOURS[ahead.pop()]:
            if u in allowed and u not in found:
                found.add(u)
                ahead.append(u)
    return found


def side(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    return int(np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))


def test_sixty_territories_with_names_of_their_own_and_neighbours_that_know_each_other():
    assert NUM_TERRITORIES == 60
    assert len(set(TERRITORIES)) == 60
    for t, near in enumerate(NEIGHBOURS):
        assert t not in near
        assert len(set(near)) == len(near) >= 2
        assert all(t in NEIGHBOURS[u] for u in near)
        assert int(NEAR[t]) == sum(1 << u for u in near)


def test_the_map_is_of_one_piece():
    assert reach(0, set(range(60))) == set(range(60))


def test_the_map_is_planar_borders_drawn_straight_never_cross():
    for (a, b), (c, d) in combinations(EDGES, 2):
        if {a, b} & {c, d}:
            continue
        p, q, r, s = (PLACES[t] for t in (a, b, c, d))
        crosses = side(p, q, r) != side(p, q, s) and side(r, s, p) != side(r, s, q)
        assert not crosses, (TERRITORIES[a], TERRITORIES[b], TERRITORIES[c], TERRITORIES[d])


def test_no_two_territories_lie_on_each_other_in_the_picture():
    for a, b in combinations(PLACES, 2):
        assert np.hypot(a[0] - b[0], a[1] - b[1]) > 55


def test_six_peoples_of_each_size_start_on_as_many_territories_in_one_piece():
    assert Counter(SIZE.tolist()) == {4: 6, 3: 6, 2: 6, 1: 6}
    for people in People:
        own = {t for t in range(60) if START[t] == people}
        assert len(own) == SIZE[people]
        assert reach(min(own), own) == own
        assert {START[u] for t in own for u in NEIGHBOURS[t]} - {people}, "it borders on another people"


def test_sixteen_cities_lie_with_peoples_of_every_size():
    assert int(CITIES).bit_count() == IS_CITY.sum() == 16
    by_size = Counter(int(SIZE[START[t]]) for t in range(60) if IS_CITY[t])
    assert by_size == {4: 6, 3: 4, 2: 3, 1: 3}


def test_the_sea_lies_at_some_territories_of_every_part_and_at_the_pirates():
    assert 24 <= int(COAST).bit_count() <= 40
    assert any(int(COAST) >> t & 1 for t in range(60) if START[t] == People.PIRATES)


def test_two_steps_are_all_neighbours_and_theirs():
    for t in range(60):
        wanted = set(NEIGHBOURS[t]) | {u for v in NEIGHBOURS[t] for u in NEIGHBOURS[v]} - {t}
        assert {u for u in range(60) if int(WITHIN_TWO[t]) >> u & 1} == wanted


def test_population_tokens_are_twice_the_sizes_and_three_goblins():
    assert 2 * SIZE.sum() + TABLE["numbers"]["spare_goblins"] == 123


def test_there_are_26_markers_and_each_kind_belongs_to_an_ability_or_a_god():
    assert sum(MARKERS.values()) == 26
    users = {row["name"] for row in TABLE["people"]} | {f"god of {row['name']}" for row in TABLE["god"]}
    assert all(row["used_by"] in users for row in TABLE["marker"])


def test_every_people_has_an_ability_of_its_own():
    assert len({row["ability"] for row in TABLE["people"]}) == 24
    rows = [
        {k: v for k, v in row.items() if k not in ("name", "size", "ability", "text")}
        for row in TABLE["people"]
    ]
    assert all(
        a != b
        for a, b in combinations(
            [(r, str(row["size"])) for r, row in zip(rows, TABLE["people"], strict=True)], 2
        )
    )
    assert set(EFFECT.tolist()) == set(Effect)


@pytest.mark.parametrize("kind", ["people", "god", "marker", "wrath", "territory"])
def test_every_component_names_its_source(kind):
    assert {row["source"] for row in TABLE[kind]} <= {"rulebook", "public", "ours"}
