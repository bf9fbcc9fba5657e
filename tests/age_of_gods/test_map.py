"""Components: the map, the peoples, the cards and markers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

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


def walks(start: int) -> dict[int, int]:
    """Steps over land from a territory to each."""
    steps, ahead = {start: 0}, [start]
    while ahead:
        t = ahead.pop(0)
        for u in NEIGHBOURS[t]:
            if u not in steps:
                steps[u] = steps[t] + 1
                ahead.append(u)
    return steps


def turning() -> list[int]:
    """A turn of the map by a sixth: where each territory comes to lie, found without looking at where it is drawn.

    Searched for from the borders alone: one territory is laid on another of a people of the same size, its neighbours
    on the other's in every way that fits, until all sixty lie somewhere.
    """

    def kind(t: int) -> tuple[int, int, int, int]:
        return int(SIZE[START[t]]), len(NEIGHBOURS[t]), int(CITIES) >> t & 1, int(COAST) >> t & 1

    order = list(walks(0))

    def lay(image: dict[int, int]) -> dict[int, int] | None:
        if len(image) == len(order):
            return image
        t = order[len(image)]
        seen = [u for u in NEIGHBOURS[t] if u in image]
        for v in set(NEIGHBOURS[image[seen[0]]]) - set(image.values()):
            peoples = all((START[u] == START[t]) == (START[image[u]] == START[v]) for u in image)
            borders = all((u in NEIGHBOURS[t]) == (image[u] in NEIGHBOURS[v]) for u in image)
            if kind(v) == kind(t) and peoples and borders and (found := lay({**image, t: v})):
                return found
        return None

    for start in range(NUM_TERRITORIES):
        if kind(start) == kind(0) and START[start] != START[0] and (found := lay({0: start})):
            period, people = 1, START[found[0]]
            at = found[0]
            while people != START[0]:
                at, period = found[at], period + 1
                people = START[at]
            if period == 6:
                return [found[t] for t in range(NUM_TERRITORIES)]
    raise AssertionError("no turn of the map lays it on itself")


def test_a_turn_by_a_sixth_lays_the_map_on_itself_and_each_people_on_the_next_of_its_size():
    """So peoples of one size differ in nothing that lies on the map."""
    image = turning()
    assert sorted(image) == list(range(NUM_TERRITORIES))
    for size in (1, 2, 3, 4):
        people = next(p for p in People if SIZE[p] == size)
        met = set()
        for _ in range(6):
            met.add(people)
            people = People(int(START[image[int(np.flatnonzero(people == START)[0])]]))
        assert len(met) == 6


def borders(people: People) -> tuple:
    """All that a map says of a people: its territories, each with its neighbours, and how far the others are."""
    own = [t for t in range(NUM_TERRITORIES) if START[t] == people]
    rows = []
    for t in own:
        sizes = sorted(int(SIZE[START[u]]) for u in NEIGHBOURS[t] if START[u] != people)
        inside = sum(START[u] == people for u in NEIGHBOURS[t])
        steps = walks(t)
        far = sorted((d, int(SIZE[START[u]]), int(CITIES) >> u & 1) for u, d in steps.items())
        sea = min(d for u, d in steps.items() if int(COAST) >> u & 1)
        rows.append((int(CITIES) >> t & 1, sea, inside, sizes, far))
    return len({START[u] for t in own for u in NEIGHBOURS[t]} - {people}), sorted(rows)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_borders_of_peoples_of_one_size_are_alike(size):
    """Neighbouring peoples, neighbouring territories by the sizes of their peoples, cities, the sea, and distances."""
    peoples = [p for p in People if SIZE[p] == size]
    first = borders(peoples[0])
    for people in peoples[1:]:
        assert borders(people) == first, people.name


def test_peoples_of_size_1_live_out_of_the_way():
    """Two neighbours, both of one people, no city to be wanted for: they were wiped out in three games of four."""
    for t in range(NUM_TERRITORIES):
        if SIZE[START[t]] == 1:
            assert not int(CITIES) >> t & 1
            assert len(NEIGHBOURS[t]) == 2
            assert len({START[u] for u in NEIGHBOURS[t]}) == 1


def test_eighteen_cities_one_for_each_people_of_more_than_one_territory():
    assert int(CITIES).bit_count() == IS_CITY.sum() == 18
    assert Counter(People(int(START[t])) for t in range(60) if IS_CITY[t]) == dict.fromkeys(
        [p for p in People if SIZE[p] > 1], 1
    )


def test_the_sea_lies_at_some_territories_of_every_part_and_at_the_pirates():
    assert int(COAST).bit_count() == 30
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


REACHES = (
    ("adjacent", "coast", "anywhere"),
    ("adjacent", "two steps", "anywhere"),
)  # each holds those before it
LEVEL = {"invention": {"attack", "defence"}, "attack marker": {"attack"}, "defence marker": {"defence"}}


def reaches(a: str, b: str) -> bool:
    """Whether a reach holds another."""
    return any(a in row and b in row and row.index(a) >= row.index(b) for row in REACHES)


def launches(a: dict, b: dict) -> bool:
    """Whether the attacks of `a` are all that those of `b` can be; "own" attacks are each by its own people."""
    if not b.get("attacks"):
        return True
    return bool(
        a.get("attacks", 0) >= b["attacks"]
        and a.get("while_winning", False) <= b.get("while_winning", False)
        and (a["whose"] == "any" or b["whose"] == "own")
        and reaches(a["reach"], b["reach"])
        and a.get("bonus", 0) >= b.get("bonus", 0)
        and a["breakthrough"] <= b["breakthrough"]
    )


def covers(a: dict, b: dict) -> bool:
    """Whether ability `a` does all that `b` does, at least as well, as far as their columns say."""
    if b["effect"] in LEVEL:
        gives = LEVEL.get(a["effect"], set()) >= LEVEL[b["effect"]]
        return gives and a.get("count", 1) >= b.get("count", 1) and launches(a, b)
    if b["effect"] == "attack":
        return (
            a["effect"] in ("attack", "swarm", "sight", *LEVEL) and bool(a.get("attacks")) and launches(a, b)
        )
    if b["effect"] == "strike":
        same = a["effect"] == "strike" and a["whose"] == b["whose"]
        return same and reaches(a["reach"], b["reach"]) and a["needs"] <= b["needs"]
    return a["effect"] == b["effect"]


@pytest.mark.parametrize(("a", "b"), list(permutations(TABLE["people"], 2)), ids=lambda row: row["name"])
def test_no_ability_covers_another(a, b):
    """At one size none covers another; at different sizes none gives the markers and levels of another and more."""
    if a["size"] == b["size"] or b["effect"] in LEVEL:
        assert not covers(a, b)


@pytest.mark.parametrize("kind", ["people", "god", "marker", "wrath", "territory"])
def test_every_component_names_its_source(kind):
    assert {row["source"] for row in TABLE[kind]} <= {"rulebook", "public", "ours"}
