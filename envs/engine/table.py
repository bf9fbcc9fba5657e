"""What happens at a table, whatever the rulebook: deal, play, look, imagine, grade.

These are templates: they call a rulebook's kernels by name and are compiled once for each rulebook. `Run` owns the
arrays they write into and is what the AEC environment (one table) and the batch (many) both stand on.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from .chance import next_seed
from .compile import entry, kernel, new_tables, specialize, template
from .fields import MAX_SEATS

if TYPE_CHECKING:
    from .game import Game

    # the rulebook's kernels, which `specialize` puts in place
    apply: Any
    cut: Any
    determinize: Any
    legal: Any
    observe: Any
    placing: Any
    scores: Any
    setup: Any
    SCALE: Any
    SCALED: Any

WIN, RANK, SCORE = 0, 1, 2  # order of game.REWARDS
ENDED, CUT, LOST_SEAT = 1, 2, 4  # what `step` tells
NOTHING = -1  # an action of `step` that plays none
ROOM = 16  # more than there are places


@kernel
def place_by(s: Any, keys: Any, out: Any) -> None:
    """Places from keys (more is better, equal keys share a place): for use in a rulebook's `placing`."""
    for seat in range(s.num_players):
        out[seat] = 1
        for other in range(s.num_players):
            if keys[other] > keys[seat]:
                out[seat] += 1


@template
def place_by_score(s, out):
    """The default `placing`: the more points, the better; equal points share a place."""
    points = np.zeros(s.num_players, np.float32)
    scores(s, points)
    place_by(s, points, out)


@template
def score_margin(s, seat):
    """The default `value`: points of `seat` over those of the best other seat."""
    points = np.zeros(s.num_players, np.float32)
    scores(s, points)
    best = np.float32(-1e9)
    for other in range(s.num_players):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best


@kernel
def places_after(s: Any, other: int, seat: int) -> int:
    """How many places `other` sits after `seat` in turn order: 0 for itself."""
    places = int(other) - int(seat)
    return places + s.num_players if places < 0 else places


@kernel
def never_cut(s: Any) -> bool:
    """The default `cut`: a table is cut off at the limit of decisions alone."""
    return False


@kernel
def eliminate(s: Any, seat: int) -> None:
    """Knock `seat` out: it takes the last place among those still in play."""
    left = 0
    for other in range(s.num_players):
        left += s.eliminated[other] == 0
    s.eliminated[seat] = left


@template
def deal(states, i, prototypes, j, seed):
    """Deal table `i` anew as `prototypes[j]` says, from `seed`."""
    states[i] = prototypes[j]
    s = states[i]
    s.rng = seed
    setup(s)


@template
def deal_all(states, where, prototypes, seeds, again):
    """Deal the tables `where` as the prototypes say in turn: from their seeds or, `again`, from those that follow."""
    for i in where:
        if again:
            seeds[i] = next_seed(seeds[i])
        deal(states, i, prototypes, i % len(prototypes), seeds[i])


@template
def settle(s, mask, play_forced):
    """Mark what is legal; while there is only one thing to do, do it (if asked to). The mask of the end is empty."""
    while not (s.finished or cut(s)):
        mask[:] = False
        legal(s, mask)
        if not play_forced:
            return
        count = 0
        for action in range(len(mask)):  # all of them: eight at once is faster than stopping at the second
            count += mask[action]
        if count != 1:
            return
        found = 0
        while not mask[found]:
            found += 1
        apply(s, found)
    mask[:] = False


@template
def mark(states, i, mask):
    """What is legal at table `i`, forced or not."""
    mask[:] = False
    if not states[i].finished:
        legal(states[i], mask)


@template
def look(states, i, seat, out):
    """What `seat` sees, scaled: float32[num_features]."""
    out[:] = 0
    observe(states[i], seat, out)
    for run in range(len(SCALED)):
        for k in range(SCALED[run, 0], SCALED[run, 1]):
            out[k] *= SCALE[k]


@template
def imagine(states, i, worlds, j, seat, seed):
    """Put into `worlds[j]` a table that `seat` cannot tell from `states[i]`, with a future of its own."""
    worlds[j] = states[i]
    s = worlds[j]
    s.rng = seed
    s.decisions = 0  # who watches the table may not have been asked as often
    determinize(s, seat)


@template
def standing(s, points, places):
    """Points and places as they are now; a seat that was knocked out keeps its place, behind all that are in play."""
    scores(s, points)
    placing(s, places)
    for seat in range(
        s.num_players
    ):  # both places in one number: the one asked for, and the one among those in play
        for other in range(s.num_players):
            if s.eliminated[other] == 0 and places[other] % ROOM < places[seat] % ROOM:
                places[seat] += ROOM
    for seat in range(s.num_players):
        places[seat] = places[seat] // ROOM + 1 if s.eliminated[seat] == 0 else s.eliminated[seat]


@template
def standings(states, i, points, places):
    """`standing` of table `i`, for callers from Python."""
    standing(states[i], points, places)


@entry
def grade(num_players: int, points: Any, places: Any, kind: int, out: Any) -> None:
    """Rewards at the end, for `kind` WIN, RANK or SCORE (game.REWARDS).

    WIN: k winners of n seats get (1/k - 1/n) * n/(n-1) each, every other seat -1/(n-1). RANK: evenly spaced from +1
    for the first place to -1 for the last, ties share. Both add up to nothing. SCORE: the points themselves.
    """
    n = num_players
    for seat in range(n):
        level, better = 0, 0
        for other in range(n):
            level += places[other] == places[seat]
            better += places[other] < places[seat]
        if kind == SCORE:
            out[seat] = points[seat]
        elif kind == RANK:
            out[seat] = (n - 2 * better - level) / (n - 1)
        elif better == 0:
            out[seat] = (1.0 / level - 1.0 / n) * n / (n - 1)
        else:
            out[seat] = -1.0 / (n - 1)


@entry
def first_illegal(mask: Any, actions: Any) -> int:
    """The first table whose action is not legal, or -1."""
    for i in range(len(actions)):
        a = actions[i]
        if a < 0 or a >= mask.shape[1] or not mask[i, a]:
            return i
    return -1


@kernel
def seats_out(s: Any) -> int:
    """The seats that were knocked out, a bit each."""
    out = 0
    for seat in range(s.num_players):
        if s.eliminated[seat] > 0:
            out |= 1 << seat
    return out


class Term(IntEnum):
    """What a table is played by: index of an array of int64, which Numba takes faster than so many arguments."""

    LIMIT = 0  # decisions after which it is over
    KIND = 1  # WIN, RANK or SCORE
    FORCED = 2  # 1: a decision with one legal action is played without asking
    DECIDE = 3  # 1: at a limit the game ends and the standing counts; 0: it is truncated


#: What a step came to at a table.
OUTCOME = np.dtype(
    [
        ("reward", np.float32, MAX_SEATS),  # of this step
        ("points", np.float32, MAX_SEATS),  # standing when the table last ended, or last lost a seat
        ("places", np.int8, MAX_SEATS),
        ("done", np.bool_),  # it ended by rule, or at a limit where that decides
        ("truncated", np.bool_),  # it ended at a limit, and nothing decides there
        ("at_limit", np.bool_),  # it ended at a limit, one way or the other
    ],
    align=True,
)


@template
def over(s, limit):
    """When a game is over: ENDED by its rules, CUT at `limit` decisions or at a limit of the rulebook's own, or 0."""
    if s.finished:
        return ENDED
    if s.decisions >= limit or cut(s):
        return CUT
    return 0


@template
def over_at(states, i, limit):
    """`over` for table `i`, for callers from Python."""
    return over(states[i], limit)


@template
def play(s, action):
    """Play a legal action that the seat to act was asked for."""
    apply(s, action)
    s.decisions += 1


@template
def step(states, where, actions, mask, shown, observation, seat, outcome, terms):
    """Play one legal action at each of the tables `where`; returns ENDED, CUT and LOST_SEAT of any of them, or'ed.

    NOTHING as an action only brings mask, observation and seat up to date, and leaves the outcome of the last step.
    A seat is paid once: when it is knocked out, or when the table ends. A table that ends keeps its last state;
    `deal_all` deals the next. An ended table's observation is the last one of the seat that acted.

    Args:
        states: tables.
        where: int64 (K,), which of them.
        actions: int64 (K,).
        mask: bool (N, num_actions), what the seat to act may do.
        shown: the same, for others to see and overwrite.
        observation: float32 (N, num_features), what it sees.
        seat: int8 (N,), who it is.
        outcome: OUTCOME (N,).
        terms: int64, one for each `Term`.
    """
    events = 0
    for j in range(len(where)):
        i = where[j]
        s = states[i]
        out_before = seats_out(s)
        if actions[j] != NOTHING:
            play(s, actions[j])
        settle(s, mask[i], terms[Term.FORCED])
        event = over(s, terms[Term.LIMIT])
        cut_off = event == CUT
        if cut_off and terms[Term.DECIDE]:
            event = ENDED
        if event == 0 and seats_out(s) != out_before:
            event = LOST_SEAT
        if event & (ENDED | CUT):
            mask[i, :] = False
        if actions[j] != NOTHING:
            tell(s, outcome[i], event, out_before, terms[Term.KIND])
            outcome[i].at_limit = cut_off
        for action in range(mask.shape[1]):
            shown[i, action] = mask[i, action]
        events |= event
        seat[i] = s.seat
        look(states, i, seat[i], observation[i])
    return events


@template
def tell(s, outcome, event, out_before, kind):
    """Write down what a step came to: `event`, where the seats `out_before` were out and paid already."""
    outcome.done = event == ENDED
    outcome.truncated = event == CUT
    outcome.reward[:] = 0
    if event == 0:
        return
    outcome.points[:] = 0
    outcome.places[:] = 0
    standing(s, outcome.points, outcome.places)
    grade(s.num_players, outcome.points, outcome.places, kind, outcome.reward)
    for k in range(s.num_players):
        if (out_before >> k) & 1 or not (event == ENDED or s.eliminated[k]):
            outcome.reward[k] = 0


class Stepper:
    """`step` of one game and what it is played by. Nothing in it ever changes, so that copies of tables share it.

    Args:
        game: the rulebook.
        num_tables: tables in the arrays that it is given.
        limit: decisions after which a game is over; None for the rulebook's own limit.
        kind: WIN, RANK or SCORE.
        play_forced: a decision with one legal action is played without asking.
        decide: at a limit a game ends and the standing counts; otherwise it is truncated.
    """

    def __init__(
        self,
        game: Game,
        num_tables: int,
        limit: int | None = None,
        kind: int = WIN,
        play_forced: bool = True,
        decide: bool = False,
    ) -> None:
        self.limit = game.max_decisions if limit is None else limit
        self.kind, self.play_forced, self.decide = kind, bool(play_forced), bool(decide)
        self.all = np.arange(num_tables)
        self._terms = np.array([self.limit, kind, play_forced, decide], np.int64)
        self._still = self._terms.copy()
        self._still[Term.FORCED] = 0
        self._nothing = np.full(num_tables, NOTHING, np.int64)
        self._step, self._over = specialize(step, game), specialize(over_at, game)

    def over(self, states: np.ndarray, i: int = 0) -> int:
        """`over` for table `i`."""
        return self._over(states, i, self._terms[Term.LIMIT])

    def after(self, decisions: int) -> Stepper:
        """A stepper with what is left of the limit after so many decisions."""
        twin: Stepper = object.__new__(Stepper)
        twin.__dict__ = self.__dict__.copy()
        twin._terms, twin._still = self._terms.copy(), self._still.copy()
        twin.limit = max(self.limit - decisions, 1)
        twin._terms[Term.LIMIT] = twin._still[Term.LIMIT] = twin.limit
        return twin

    def step(
        self,
        states: np.ndarray,
        actions: np.ndarray,
        mask: np.ndarray,
        shown: np.ndarray,
        observation: np.ndarray,
        seat: np.ndarray,
        outcome: np.ndarray,
        where: np.ndarray | None = None,
    ) -> int:
        """Play `actions` (int64 (K,), all legal) at the tables `where`; returns ENDED, CUT and LOST_SEAT, or'ed."""
        where = self.all if where is None else where
        return self._step(
            states, where, actions, mask, shown, observation, seat, outcome, self._terms
        )  # fmt: skip

    def refresh(
        self,
        states: np.ndarray,
        mask: np.ndarray,
        shown: np.ndarray,
        observation: np.ndarray,
        seat: np.ndarray,
        outcome: np.ndarray,
        dealt: bool = False,
        where: np.ndarray | None = None,
    ) -> int:
        """Bring mask, observation and seat up to date with `states`, at the tables `where` (None for all).

        Only tables that have just been `dealt` play on through forced decisions: in an imagined world another seat's
        open decision may look forced, and is still that seat's.

        Returns:
            ENDED and CUT, or'ed.
        """
        where = self.all if where is None else where
        terms = self._terms if dealt else self._still
        return self._step(states, where, self._nothing, mask, shown, observation, seat, outcome, terms)


class Run:
    """The arrays that `num_tables` tables are played in; nothing is allocated after this.

    Args:
        game, num_tables, **terms: as for `Stepper`.
        shown: users get a mask of their own, which they may overwrite.

    Attributes:
        mask: bool (N, num_actions), what the seat to act may do.
        shown: the same for users.
        observation: float32 (N, num_features), what it sees.
        seat: int8 (N,), who it is.
        outcome: OUTCOME (N,), what the last step came to.
        limit, kind, play_forced, decide: as given to `Stepper`.
    """

    def __init__(self, game: Game, num_tables: int, shown: bool = False, **terms: Any) -> None:
        n = num_tables
        self.mask = np.zeros((n, game.num_actions), np.bool_)
        self.shown = self.mask.copy() if shown else self.mask
        self.observation = np.zeros((n, game.num_features), np.float32)
        self.seat = np.zeros(n, np.int8)
        self.outcome = new_tables(n, OUTCOME)
        self.arrays = self.mask, self.shown, self.observation, self.seat, self.outcome
        self._stepper = Stepper(game, n, **terms)
        self.all = self._stepper.all
        self.limit, self.kind = self._stepper.limit, self._stepper.kind
        self.play_forced, self.decide = self._stepper.play_forced, self._stepper.decide

    def is_over(self, states: np.ndarray, i: int = 0) -> bool:
        """Whether the game at table `i` has ended, or is at its limit."""
        return bool(self._stepper.over(states, i))

    def refresh(self, states: np.ndarray, dealt: bool = False, where: np.ndarray | None = None) -> int:
        """`Stepper.refresh` in these arrays."""
        return self._stepper.refresh(states, *self.arrays, dealt, where)

    def step(self, states: np.ndarray, actions: np.ndarray, where: np.ndarray | None = None) -> int:
        """`Stepper.step` in these arrays."""
        return self._stepper.step(states, actions, *self.arrays, where)
