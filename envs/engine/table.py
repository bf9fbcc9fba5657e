"""What happens at a table, whatever the rulebook: deal, play, look, imagine, grade.

These are templates: they call a rulebook's kernels by name and are compiled once for each rulebook. `Run` owns the
arrays they write into and is what the AEC environment (one table) and the batch (many) both stand on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .chance import next_seed
from .compile import entry, kernel, specialize, template

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
    while not s.finished:
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


@template
def step(
    states,
    where,
    actions,
    mask,
    observation,
    seat,
    reward,
    points,
    places,
    done,
    truncated,
    limit,
    kind,
    play_forced,
):
    """Play one legal action at each of the tables `where`; returns ENDED, CUT and LOST_SEAT of any of them, or'ed.

    NOTHING as an action only brings mask, observation and seat up to date. A seat is paid once: when it is knocked
    out, or when the table ends by rule. A table that ends keeps its last state; `deal_all` deals the next. An ended
    table's observation is the last one of the seat that acted.
    """
    events = 0
    for j in range(len(where)):
        i = where[j]
        s = states[i]
        reward[i, :] = 0
        out_before = seats_out(s)
        if actions[j] != NOTHING:
            apply(s, actions[j])
            s.decisions += 1
        settle(s, mask[i], play_forced)
        done[i] = s.finished
        truncated[i] = not s.finished and (s.decisions >= limit or cut(s))
        lost = seats_out(s) != out_before
        if done[i] or truncated[i] or lost:
            standing(s, points[i], places[i])
            grade(s.num_players, points[i], places[i], kind, reward[i])
            for k in range(s.num_players):
                if (out_before >> k) & 1 or not (s.finished or s.eliminated[k]):
                    reward[i, k] = 0
        if done[i] or truncated[i]:
            mask[i, :] = False
            events |= ENDED if s.finished else CUT
        elif lost:
            events |= LOST_SEAT
        seat[i] = s.seat
        look(states, i, seat[i], observation[i])
    return events


class Outcome:
    """What a step came to at each table: room for `num_tables` tables of up to `seats` seats.

    Attributes:
        reward: float32 (N, seats), from the last step.
        points, places: float32 and int8 (N, seats), standing when a table last ended.
        done, truncated: bool (N,), the table ended by rule, or at its limit.
    """

    def __init__(self, num_tables: int, seats: int) -> None:
        self.reward = np.zeros((num_tables, seats), np.float32)
        self.points = np.zeros((num_tables, seats), np.float32)
        self.places = np.zeros((num_tables, seats), np.int8)
        self.done = np.zeros(num_tables, np.bool_)
        self.truncated = np.zeros(num_tables, np.bool_)

    def arrays(self) -> tuple[np.ndarray, ...]:
        """All of them, in the order in which `step` takes them."""
        return self.reward, self.points, self.places, self.done, self.truncated


class Run:
    """The arrays that `num_tables` tables are played in; nothing is allocated after this.

    Attributes:
        mask: bool (N, num_actions), what the seat to act may do.
        observation: float32 (N, num_features), what it sees.
        seat: int8 (N,), who it is.
        outcome: what the last step came to.
    """

    def __init__(
        self,
        game: Game,
        num_tables: int,
        seats: int | None = None,
        limit: int | None = None,
        kind: int = WIN,
        play_forced: bool = True,
    ) -> None:
        self.limit = game.max_decisions if limit is None else limit
        self.kind = kind
        self.play_forced = play_forced
        n, seats = num_tables, seats or game.players[1]
        self.mask = np.zeros((n, game.num_actions), np.bool_)
        self.observation = np.zeros((n, game.num_features), np.float32)
        self.seat = np.zeros(n, np.int8)
        self.outcome = Outcome(n, seats)
        self.all = np.arange(n)
        self._outcome = self.outcome.arrays()
        self._untold = Outcome(n, seats).arrays()
        self._step = specialize(step, game)
        self._nothing = np.full(n, NOTHING, np.int64)

    def refresh(self, states: np.ndarray, dealt: bool = False, where: np.ndarray | None = None) -> None:
        """Bring mask, observation and seat up to date with `states`, at the tables `where` (None for all).

        Only tables that have just been `dealt` play on through forced decisions: in an imagined world another seat's
        open decision may look forced, and is still that seat's.
        """
        self.refresh_alone(states, self.mask, self.observation, self.seat, dealt, where)

    def refresh_alone(
        self,
        states: np.ndarray,
        mask: np.ndarray,
        observation: np.ndarray,
        seat: np.ndarray,
        dealt: bool = False,
        where: np.ndarray | None = None,
    ) -> int:
        """`refresh` into arrays that the caller keeps; returns ENDED and CUT, or'ed."""
        forced = self.play_forced and dealt
        where = self.all if where is None else where
        return self._step(
            states,
            where,
            self._nothing,
            mask,
            observation,
            seat,
            *self._untold,
            self.limit,
            self.kind,
            forced,
        )

    def step(self, states: np.ndarray, actions: np.ndarray, where: np.ndarray | None = None) -> int:
        """Play `actions` (int64 (K,), all legal) at the tables `where`; returns ENDED, CUT and LOST_SEAT, or'ed."""
        return self.step_alone(states, actions, self.mask, self.observation, self.seat, where)

    def step_alone(
        self,
        states: np.ndarray,
        actions: np.ndarray,
        mask: np.ndarray,
        observation: np.ndarray,
        seat: np.ndarray,
        where: np.ndarray | None = None,
    ) -> int:
        """`step` where the caller keeps mask, observation and seat."""
        return self._step(
            states,
            self.all if where is None else where,
            actions,
            mask,
            observation,
            seat,
            *self._outcome,
            self.limit,
            self.kind,
            self.play_forced,
        )
