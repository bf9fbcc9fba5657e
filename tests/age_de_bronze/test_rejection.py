"""Worlds against rejection: many tables are dealt and played alike, and those that one seat sees alike are kept.

What is hidden in the kept tables must be distributed as in the worlds of one of them. Players do what is written down,
whatever they hold. Where what they may do depends on hidden cards (what a Spy takes, what a Curse makes them discard)
they name a kind of card blindly, and the table is thrown away if it is not there; what an Augury shows they shuffle.
The tables are small: few cards are left in the deck.

And all kept tables must give the same worlds, byte for byte, and the same position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agezoo.envs.age_de_bronze.components import NUM_HELD, NUM_MAIN, Card
from agezoo.envs.age_de_bronze.rules import A
from agezoo.envs.age_de_bronze.state import Phase
from agezoo.envs.engine.compile import PLAIN

from .scenario import Table, lay

END = int(Card.END_OF_THE_BRONZE_AGE)
TABLES, WORLDS = (60, 60) if PLAIN else (2_500, 6_000)
WALL = 4.2  # standard deviations: once in 75,000 tests, and there are some thirty
TURN = "turn of "
Hidden = Callable[[Any], Any]


def deal(table: Table, observer: int, rng: np.random.Generator) -> Table:
    """The same table with what `observer` cannot know dealt anew: cards, and an End card anywhere in each pile."""
    env = table.env.clone()
    s = table.game.record(env.states)
    hidden: list[int] = []
    dealt = {}
    for seat in range(s.num_players):
        if seat != observer:
            unknown = np.asarray(s.hand[seat]) - np.asarray(s.known_to_all[seat])
            dealt[seat] = int(unknown.sum())
            hidden += [card for card in range(NUM_HELD) for _ in range(unknown[card])]
    last = int(s.pile_start[4])
    hidden += [int(card) for card in s.deck[s.deck_next : last] if card != END]
    hidden = [hidden[k] for k in rng.permutation(len(hidden))]
    for seat, number in dealt.items():
        s.hand[seat, :] = s.known_to_all[seat]
        for _ in range(number):
            s.hand[seat, hidden.pop()] += 1
    ends = {
        int(rng.integers(max(s.deck_next, s.pile_start[pile]), s.pile_start[pile + 1]))
        for pile in range(s.ends_out, 4)
    }
    for place in range(s.deck_next, last):
        s.deck[place] = END if place in ends else hidden.pop()
    s.rng = np.uint64(rng.integers(1 << 60))
    env._refresh()
    return Table(env)


def play(
    table: Table, observer: int, script: list[str], rng: np.random.Generator, asked: list[Any] | None = None
) -> list[bytes] | None:
    """All that the observer sees on the way, None if it cannot be done as written; who is asked goes to `asked`."""
    env, seen = table.env, []
    steps = list(script)
    while True:
        if steps and table.phase == Phase.TURN and steps[0].startswith(TURN):
            pass_on(table, int(steps.pop(0).removeprefix(TURN)))
        s = table.state
        seen.append(view(table, observer))
        if asked is not None:
            asked.append((int(s.phase), int(s.seat), int(s.decisions)))
        chosen = None
        if s.phase == Phase.SPY:
            kind = int(rng.integers(NUM_HELD))
            chosen = A.spy + kind
            if s.hand[s.target % s.num_players, kind] == 0:
                return None
        elif s.phase == Phase.CURSE:
            kind = int(rng.integers(NUM_HELD))
            chosen = A.discard + kind
            if s.hand[s.seat, kind] == 0:
                return None
        elif s.phase == Phase.PUT_BACK:
            chosen = A.put_back + min(int(rng.choice(shown(s))), NUM_MAIN)
        elif not steps:
            return seen
        elif s.phase == Phase.KEEP and steps[0] == "keep any":
            steps.pop(0)
            chosen = A.keep + int(rng.choice([card for card in shown(s) if card != END]))
        else:
            said = steps.pop(0)
            if not table.can(said):
                return None
            chosen = table.action(said)
        seen.append(env.told_text(chosen, f"player_{observer}").encode())
        env.step(chosen)


def shown(s: Any) -> list[int]:
    """Cards that an Augury shows and that are still to be put back."""
    k = s.looks - 1
    return [int(card) for card in s.deck[s.deck_next + s.placed : s.look_at[k] + s.look_size[k]]]


def pass_on(table: Table, seat: int) -> Table:
    """It is a seat's turn, with four actions; the row stays as it is, so nothing is drawn."""
    s = table.state
    s.turn = s.seat = seat
    s.actions = 4
    table.env._refresh()
    return table


def view(table: Table, observer: int) -> bytes:
    seen = table.env.observe(f"player_{observer}")
    return seen["observation"].tobytes() + seen["action_mask"].tobytes()


def hands(*kinds: int) -> Hidden:
    """What each hand holds of some kinds."""
    return lambda s: tuple(tuple(int(s["hand"][seat, k]) for k in kinds) for seat in range(s["num_players"]))


def every_hand(s: Any) -> Any:
    return tuple(tuple(s["hand"][seat].tolist()) for seat in range(s["num_players"]))


def deck(number: int) -> Hidden:
    return lambda s: tuple(s["deck"][s["deck_next"] : s["deck_next"] + number].tolist())


def ends(number: int) -> Hidden:
    return lambda s: tuple((s["deck"][s["deck_next"] : s["deck_next"] + number] == END).tolist())


def compare(kept: Counter, imagined: Counter) -> float:
    """Chi-square of two samples, in standard deviations; rare outcomes are taken together."""
    total = [sum(kept.values()), sum(imagined.values())]
    cells, rare = [], np.zeros(2)
    for outcome in set(kept) | set(imagined):
        pair = np.array([kept[outcome], imagined[outcome]], float)
        due = pair.sum() * min(total) / sum(total)
        if due >= 8:
            cells.append(pair)
        else:
            rare += pair
    if rare.sum() * min(total) / sum(total) >= 8:
        cells.append(rare)
    if len(cells) < 2:
        return 0.0
    counts = np.array(cells)
    due = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    square = ((counts - due) ** 2 / due).sum()
    free = len(cells) - 1
    return float(((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free)))


def hold(table: Table, observer: int, script: list[str], *hidden: Hidden, least: int = 300) -> None:
    """Reject, compare, and look at the worlds of all tables that were kept."""
    rng = np.random.default_rng(observer)
    kept: dict[tuple[bytes, ...], list[Table]] = {}
    for _ in range(TABLES):
        other = deal(table, observer, rng)
        seen = play(other, observer, script, rng)
        if seen is not None:
            kept.setdefault(tuple(seen), []).append(other)
    alike = max(kept.values(), key=len)
    if not PLAIN:  # uncompiled there are too few tables
        assert len(alike) >= least
    agent = f"player_{observer}"
    one = alike[0].env
    for other in alike[1:40]:
        for seed in (1, 2):
            world = [env.world(agent, seed)._states.tobytes() for env in (one, other.env)]
            assert world[0] == world[1]
        assert other.env.position(agent) == one.position(agent)
        assert other.env.table_text(agent) == one.table_text(agent)
    worlds = alike[0].worlds(observer, WORLDS)
    for what in hidden:
        truths = Counter(what(other.env.states[0]) for other in alike)
        imagined = Counter(what(s) for s in worlds)
        assert len(truths) > 1
        assert len(imagined) > 1
        apart = compare(truths, imagined)
        assert apart < WALL, f"{apart:.1f} deviations, over {len(alike)} tables"


SPY = ["play Spy as a dirty trick", "against the Sumerians"]


def spied(*before: str, spies: int = 1) -> Table:
    """Seat 1, the victim, has taken cards from the row for all to see; two others are dealt to it."""
    table = lay(
        4,
        turn="Sumerians",
        hands={0: "Temple, Family", 1: "2 Riches, Victory, Curse", 2: "Family, Victory", 3: "Temple, Defeat"},
        row=f"Family, Temple, {spies} Spy, Earthquake, Famine, Bad King",
        piles_drawn=3,
        pile_left=4,
    )
    for card in before:
        table.play(f"take {card} from the row")
    return pass_on(table, 0)


@pytest.mark.parametrize("before", [(), ("Family",), ("Family", "Temple")])
def test_after_a_spy(before):
    """Riches, and cards that came from the row, in a hand whose other cards are unknown."""
    hold(
        spied(*before), 2, ["take Spy from the row", *SPY],
        every_hand, hands(Card.RICHES), hands(Card.FAMILY, Card.TEMPLE), deck(4),
    )  # fmt: skip


@pytest.mark.parametrize("observer", [0, 1])
def test_what_thief_and_victim_know_after_a_spy(observer):
    """The victim knows what is gone, the thief what is left."""
    hold(spied("Family"), observer, ["take Spy from the row", *SPY], every_hand, deck(4), least=20)


def test_what_is_played_after_a_spy():
    """The victim shows one of its Riches, of which the deck has none."""
    hold(
        spied("Family"),
        3,
        ["take Spy from the row", *SPY, TURN + "1", "play Riches"],
        every_hand,
        deck(4),
        least=100,
    )


def test_after_two_spies_on_two_hands():
    table = spied("Family", "Temple", spies=2)
    second = ["play Spy as a dirty trick", "against the Amorites"]
    script = ["take Spy from the row", *SPY, "take Spy from the row", *second]
    hold(table, 3, script, hands(Card.RICHES, Card.TEMPLE), hands(Card.FAMILY), least=100)


def test_what_a_curse_discards():
    """The victim discards a card that nobody knew, face up; what it keeps, and all else, is weighed by that."""
    table = lay(
        3,
        hands={0: "Family", 1: "Temple, Family", 2: "Temple"},
        row="Curse, Earthquake, Famine, Bad King, Defeat, Spy",
        piles_drawn=3,
        pile_left=5,
        top="Family, Family, Temple, Victory, End",
    )
    script = ["take Curse from the row", "play Curse as a dirty trick", "against the Sumerians"]
    for observer in (0, 2):
        hold(table, observer, script, every_hand, deck(4), least=50)


def augury(pile_left: int, piles_drawn: int) -> Table:
    row = "Augury, Famine, Bad King" + ", Family, Temple, Defeat" * (piles_drawn == 3)
    held = {0: "Family", 1: "Temple, Victory", 2: "Temple"}
    return lay(3, hands=held, row=row, piles_drawn=piles_drawn, pile_left=pile_left)


@pytest.mark.parametrize("keep", ["keep nothing", "keep any"])
@pytest.mark.parametrize(("pile_left", "piles_drawn"), [(6, 3), (3, 0)])
def test_after_an_augury_others_know_no_order(keep, pile_left, piles_drawn):
    """Within the last pile, and over the border of two."""
    table = augury(pile_left, piles_drawn)
    hold(
        table, 1, ["take Augury from the row", "play Augury", keep], ends(8), hands(*range(NUM_HELD)), deck(2)
    )


@pytest.mark.parametrize("keep", ["keep nothing", "keep any"])
def test_who_looked_knows_the_order(keep):
    """What it saw is the same in all tables that it sees alike; what lies below, and hands, are not."""
    table = augury(8, 3)
    rng = np.random.default_rng(1)
    other = deal(table, 0, rng)
    assert play(other, 0, ["take Augury from the row", "play Augury", keep], rng) is not None
    number = 5 - (keep == "keep any")
    seen = {deck(number)(s) for s in other.worlds(0, 200)}
    assert seen == {deck(number)(other.env.states[0])}
    assert len({deck(8)(s) for s in other.worlds(0, 200)}) > 1


@pytest.mark.parametrize("keep", ["keep nothing", "keep any"])
def test_utu_draws_what_was_put_back(keep):
    """To the third seat it is any card."""
    script = ["take Augury from the row", "play Augury", keep, TURN + "1", "Utu: draw the top card"]
    hold(augury(7, 3), 2, script, every_hand, ends(6), deck(2))


def test_who_looked_knows_what_utu_draws():
    rng, drawn = np.random.default_rng(3), Counter()
    for _ in range(40):
        table = deal(augury(7, 3), 0, rng)
        script = [
            "take Augury from the row",
            "play Augury",
            "keep nothing",
            TURN + "1",
            "Utu: draw the top card",
        ]
        assert play(table, 0, script, rng) is not None
        drawn[table.state.hand_size[1]] += 1
        for seed in range(5):
            assert table.world(0, seed).known(1, observer=0) == table.known(1, observer=0)
        assert sum(table.known(1, observer=0).values()) == table.state.hand_size[1] - 2
    assert set(drawn) == {2, 3}  # an End card, or a card


def plenty(**more: Any) -> Table:
    """Several cards of each of three kinds are hidden."""
    return lay(
        3,
        hands={0: "Victory", 1: "2 Family, Temple, Victory", 2: "Temple"},
        row="Famine, Bad King, Earthquake, Augury, Defeat, Curse",
        piles_drawn=3,
        pile_left=6,
        top="Family, Family, Temple, Temple, Victory, End",
        **more,
    )


@pytest.mark.parametrize(
    "shown",
    [
        ["play Family"],
        ["play Family", "play Family"],
        ["play Temple", "play Family"],
        ["Utu: draw the top card", "play Family"],
        ["play Family", "Utu: draw the top card"],
        ["play Family", "take Defeat from the row", "Utu: draw the top card", "play Defeat as a dirty trick"],
    ],
)
def test_cards_that_nobody_knew_are_shown(shown):
    """What was shown makes it less likely that another of its kind is left."""
    table = plenty(tables={"Akkadians": "Victory"})
    script = [TURN + "1", *shown] + ["against the Akkadians"] * (shown[-1].startswith("play Defeat"))
    hold(table, 2, script, hands(Card.FAMILY), hands(Card.TEMPLE), every_hand, deck(3), least=100)


def test_a_deal():
    """Nothing has happened yet."""
    table = augury(5, 3)
    for observer in range(3):
        hold(table, observer, [], every_hand, deck(5), ends(5))


@pytest.mark.parametrize(
    "script",
    [
        ["take Augury from the row", "play Augury", "keep nothing"],
        ["take Augury from the row", "play Augury", "keep any"],
        ["take Curse from the row", "play Curse as a dirty trick", "against the Sumerians"],
        ["take Spy from the row", *SPY],
    ],
)
def test_who_is_asked_what_and_how_often_tells_nothing_if_all_is_asked(script):
    """Hands and the deck are dealt in a hundred ways; phases, seats and the count of decisions are the same."""
    table = lay(
        3,
        hands={0: "Family", 1: "2 Temple, Family, Victory", 2: "2 Temple"},
        row="Augury, Curse, Spy, Family, Temple, Defeat",
        piles_drawn=3,
        pile_left=6,
    )
    rng, asked = np.random.default_rng(8), Counter()
    for _ in range(100):
        other = deal(table, 2, rng)
        heard: list[tuple[int, ...]] = []
        seen = play(other, 2, script, rng, heard)
        if seen is not None:
            asked[tuple(heard)] += 1
    assert len(asked) == 1
    assert asked.total() > 5
