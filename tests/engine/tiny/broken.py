"""Copies of the tiny game with one thing wrong each, and what the suite says about them.

Run as a program it prints, as JSON, what each check said (null: nothing); uncompiled, so that nothing waits for a
compiler: ``AGEZOO_PLAIN=1 python -m tiny.broken``.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import numpy as np

import tiny
from agezoo.envs.engine import aec, conformance, position
from agezoo.envs.engine import batch as batch_of_engine
from agezoo.envs.engine import fields as fields_of_engine
from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.batch import Batch
from agezoo.envs.engine.chance import randint, shuffle
from agezoo.envs.engine.compile import PLAIN, kernel
from agezoo.envs.engine.conformance import sight
from agezoo.envs.engine.fields import ALL, OWNER
from agezoo.envs.engine.game import Game, _no_check
from agezoo.envs.engine.seat import SeatEnv
from tiny import ACT, CARDS, CHOOSE, GAME, STAYS, UNKNOWN, A, O

CASES: dict[str, tuple[str, Callable[[], Any]]] = {}


def case(check: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a function that makes a broken game, or breaks the engine, for `check` to find."""

    def registered(make: Callable[[], Any]) -> Callable[[], Any]:
        CASES[make.__name__] = check, make
        return make

    return registered


def but(**wrong: Any) -> Game:
    """The tiny game with other parts."""
    number = len(Game.made)
    return replace(GAME, name=f"tiny_broken_{number}", **wrong)


# -- hidden information


@case("worlds")
def determinize_copies():
    return but(determinize=lambda s, seat: None)


@case("blindness")
def determinize_keeps_a_card():
    """What seat 1 holds stays what it is, for everybody."""

    def determinize(s, seat):
        kept = s.card[1]
        tiny.determinize(s, seat)
        if not (s.seen[1] >> seat) & 1 and s.card[1] != kept:
            for other in range(s.num_players):
                if s.card[other] == kept:
                    if (s.seen[other] >> seat) & 1:
                        return
                    s.card[other] = s.card[1]
            if s.deck[kept]:
                s.deck[kept] = 0
                s.deck[s.card[1]] = 1
            s.card[1] = kept

    return but(determinize=determinize)


@case("worlds")
def determinize_shuffles_in_the_order_that_lies_there():
    """Uniform, but whoever knows the random numbers can undo it."""

    def determinize(s, seat):
        others = [k for k in range(s.num_players) if not (s.seen[k] >> seat) & 1]
        cards = np.array([s.card[k] for k in others] + [c for c in range(CARDS) if s.deck[c]])
        shuffle(s, cards, 0, len(cards))
        s.deck[:] = 0
        for k, card in zip(others, cards, strict=False):
            s.card[k] = card
        for card in cards[len(others) :]:
            s.deck[card] = 1

    return but(determinize=determinize)


@case("worlds")
def a_place_out_of_use_remembers_a_card():
    """What the second seat drew is kept where a sixth seat would have its points."""

    def apply(s, action):
        tiny.apply(s, action)
        if s.phase == ACT:
            s.won[5] = s.card[1]

    return but(apply=apply)


@case("calibration")
def determinize_deals_low_cards():
    def determinize(s, seat):
        tiny.determinize(s, seat)
        unknown = [k for k in range(s.num_players) if not (s.seen[k] >> seat) & 1]
        pool = sorted([int(s.card[k]) for k in unknown] + [c for c in range(CARDS) if s.deck[c]])
        if randint(s, 2):
            for k, card in zip(unknown, pool, strict=False):
                s.card[k] = card
            s.deck[:] = 0
            for card in pool[len(unknown) :]:
                s.deck[card] = 1

    return but(determinize=determinize)


@case("worlds")
def observe_shows_a_hidden_card():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.peeked] = s.card[(seat + 1) % s.num_players] > 2

    return but(observe=observe)


@case("worlds")
def legal_depends_on_a_hidden_card():
    def legal(s, mask):
        tiny.legal(s, mask)
        if s.card[(s.seat + 1) % s.num_players] > 2:
            mask[A.peek] = False

    return but(legal=legal)


@case("words")
def text_shows_a_hidden_card():
    return but(table_text=lambda s, seat: tiny.table_text(s, None))


@case("worlds")
def hidden_information_is_denied():
    return but(hidden_information=False)


@case("worlds")
def a_seat_with_the_lowest_card_is_not_asked():
    """So that all others know who has it."""

    def apply(s, action):
        tiny.apply(s, action)
        if s.phase == ACT and s.seat == 1 and s.card[1] == 0 and not s.finished and not s.peeked:
            tiny.apply(s, A.do_pass)

    return but(apply=apply)


@case("worlds")
def a_position_of_a_seat_is_of_the_true_table():
    return mock.patch.object(position, "dump_view", lambda game, states, *seat: position.dump(game, states))


@case("calibration")
def determinize_thinks_that_others_like_to_stay():
    """Right at every deal; wrong only of choices that have been made and not shown."""

    def determinize(s, seat):
        tiny.determinize(s, seat)
        for other in range(s.num_players):
            if s.phase == CHOOSE and other != seat and s.choice[other] != UNKNOWN and randint(s, 2):
                s.choice[other] = STAYS

    return but(determinize=determinize)


@case("calibration")
def determinize_forgets_that_a_swapped_card_is_gone():
    """Right until cards lie open: then the lowest of them that nobody can have is dealt again in place of another."""

    def determinize(s, seat):
        tiny.determinize(s, seat)
        unknown = [k for k in range(s.num_players) if not (s.seen[k] >> seat) & 1]
        if s.phase == ACT and s.open.sum() and len(unknown) > 0:
            pool = sorted([int(s.card[k]) for k in unknown] + [c for c in range(CARDS) if s.deck[c]])
            s.deck[:] = 0
            for k, card in zip(unknown, pool, strict=False):
                s.card[k] = card
            for card in pool[len(unknown) :]:
                s.deck[card] = 1

    return but(determinize=determinize)


# -- who may see what


def but_field(name: str, **declared: Any) -> Game:
    """The tiny game with a field declared in another way."""
    return but(fields=tuple(replace(f, **declared) if f.name == name else f for f in GAME.fields))


@case("fields")
def a_public_field_is_not_shown():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.won : O.won + 3] = 0

    return but(observe=observe)


@case("fields")
def a_public_field_is_shown_to_others_alone():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.won] = 0

    return but(observe=observe)


@case("fields")
def a_field_leaves_its_range():
    return but_field("won", high=0)


@case("fields")
def a_hidden_field_is_declared_to_be_public():
    return but_field("card", sees=ALL, unseen="it is said to be known")


@case("fields")
def nobody_sees_what_those_who_look_should_see():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.known : O.known + 3 * CARDS] = 0

    return but(observe=observe)


@case("fields")
def an_owner_does_not_see_its_own():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.known : O.known + CARDS] = 0

    return but(
        fields=tuple(replace(f, sees=OWNER) if f.name == "card" else f for f in GAME.fields), observe=observe
    )


@case("fields")
def state_does_not_tell_tables_apart():
    return mock.patch.object(
        sight, "state_vector", lambda fields, states: fields_of_engine.state_vector(fields, states)[:20]
    )


@case("secrets")
def a_hidden_card_is_seen():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.peeked] = s.card[(seat + 1) % s.num_players] > 2

    return but(observe=observe)


@case("secrets")
def words_tell_a_hidden_card():
    return but(table_text=lambda s, seat: tiny.table_text(s, None))


@case("secrets")
def what_is_heard_tells_a_hidden_card():
    return but(
        heard_text=lambda s, action, seat: f"{tiny.action_text(s, action)} with {s['card'][s['seat']]}"
    )


@case("secrets")
def a_position_tells_a_hidden_card():
    def determinize(s, seat):
        kept = s.card[0]
        tiny.determinize(s, seat)
        s.won[5] = kept

    return but(determinize=determinize)


# -- actions


@case("actions")
def nothing_is_legal_at_times():
    def legal(s, mask):
        tiny.legal(s, mask)
        if s.peeked:
            mask[:] = False

    return but(legal=legal)


@case("actions")
def a_legal_action_does_nothing():
    def apply(s, action):
        if action != A.peek:
            tiny.apply(s, action)
        else:
            s.decisions -= 1

    return but(apply=apply, max_decisions=1000)


@case("actions")
def an_illegal_action_is_played():
    return mock.patch.object(TableEnv, "_refuse", return_value=None)


@case("actions")
def a_refused_action_leaves_a_trace():
    refuse = TableEnv._refuse

    def refusing(env, agent, action):
        env._states["won"][0, 0] += 1
        refuse(env, agent, action)

    return mock.patch.object(TableEnv, "_refuse", refusing)


@case("actions")
def masks_stay_set_after_the_end():
    legal_actions = TableEnv.legal_actions
    return mock.patch.object(TableEnv, "legal_actions", lambda env: legal_actions(env) or [0])


@case("words")
def two_actions_have_one_name():
    return but(action_text=lambda s, action: ("stay", "swap", "pass", "look", "look")[action])


@case("words")
def words_hold_a_line_break():
    return but(action_text=lambda s, action: tiny.action_text(s, action) + "\n")


# -- state, observations, standing


@case("components")
def a_card_is_lost():
    def apply(s, action):
        tiny.apply(s, action)
        if s.phase == ACT:
            s.open[:] = 0

    return but(apply=apply)


@case("components")
def there_is_no_check():
    return but(check=_no_check)


@case("observations")
def observation_leaves_its_space():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.players] = 2

    return but(observe=observe)


@case("observations")
def observation_is_not_a_number():
    def observe(s, seat, out):
        tiny.observe(s, seat, out)
        out[O.coin] = np.nan

    return but(observe=observe)


@case("observations")
def masks_of_waiting_seats_are_empty():
    observe = TableEnv.observe

    def observing(env, agent):
        seen = observe(env, agent)
        return seen if agent == env.agent_selection else {**seen, "action_mask": seen["action_mask"] * 0}

    return mock.patch.object(TableEnv, "observe", observing)


@case("standing")
def scores_are_not_finite():
    def scores(s, out):
        tiny.scores(s, out)
        out[0] = np.inf

    return but(scores=scores)


@case("standing")
def a_seat_comes_back():
    def apply(s, action):
        was_out = s.eliminated.copy()
        tiny.apply(s, action)
        if was_out.any():
            s.eliminated[:] = 0

    return but(apply=apply)


@case("rewards")
def points_change_after_a_seat_is_out():
    def scores(s, out):
        tiny.scores(s, out)
        for seat in range(s.num_players):
            out[seat] += s.decisions * (s.eliminated[seat] > 0)

    return but(scores=scores)


@case("rewards")
def rewards_do_not_add_up():
    pay = TableEnv._pay
    return mock.patch.object(
        TableEnv, "_pay", lambda env, paid, *rest: pay(env, {a: r + 0.25 for a, r in paid.items()}, *rest)
    )


@case("max_cycles")
def tables_are_never_truncated():
    return mock.patch.object(aec, "check_limit", return_value=None)


@case("at_limit")
def what_should_be_decided_is_truncated():
    return mock.patch.object(aec, "check_at_limit", return_value=False)


@case("at_limit")
def a_batch_does_not_decide():
    return mock.patch.object(batch_of_engine, "check_at_limit", return_value=False)


# -- the same everywhere


def _apply_with_global_random(s, action):
    tiny.apply(s, action)
    if s.phase == CHOOSE:
        s.card[3] = np.random.default_rng().integers(100)


@case("batch")
def chance_is_global():
    return but(apply=_apply_with_global_random)


@case("copies")
def chance_is_global_in_copies():
    return but(apply=_apply_with_global_random)


@case("copies")
def clones_share_the_table():
    clone = TableEnv.clone

    def cloning(env):
        twin = clone(env)
        twin._states = env._states
        return twin

    return mock.patch.object(TableEnv, "clone", cloning)


@case("copies")
def pickles_start_anew():
    setstate = TableEnv.__setstate__

    def restoring(env, kept):
        setstate(env, kept)
        env.reset(seed=1)

    return mock.patch.object(TableEnv, "__setstate__", restoring)


@case("batch")
def a_batch_pays_nothing():
    step = Batch.step

    def stepping(batch, actions):
        step(batch, actions)
        batch.reward[:] = 0

    return mock.patch.object(Batch, "step", stepping)


@kernel
def setup_in_one_mode(s):
    tiny.setup(s)
    s.won[5] = 7 if PLAIN else 3


@case("plain")
def modes_differ():
    return MODES_DIFFER


MODES_DIFFER = replace(GAME, name="tiny_modes_differ", setup=setup_in_one_mode)


# -- facts, records, bad input, other suites


@case("facts")
def games_are_longer_than_declared():
    return but(max_decisions=4)


@case("facts")
def chance_is_denied():
    return but(chance=False)


@case("facts")
def decisions_are_miscounted():
    def apply(s, action):
        tiny.apply(s, action)
        s.decisions += 1

    return but(apply=apply, max_decisions=100)


@case("options")
def an_option_is_forgotten():
    def setup(s):
        tiny.setup(s)
        s.coin = 1

    return but(setup=setup)


@case("positions")
def broken_positions_load():
    numbers = position._numbers

    def lenient(declared, value):
        with contextlib.suppress(ValueError):
            return numbers(declared, value)
        return np.zeros(declared.axes, declared.kind)

    return mock.patch.object(position, "_numbers", lenient)


@case("positions")
def the_position_of_a_seat_lists_other_actions():
    return mock.patch.object(position, "legal_actions", return_value=[0])


@case("gymnasium")
def a_seat_has_no_masks():
    return mock.patch.object(SeatEnv, "action_masks", return_value=np.zeros(5, np.bool_))


@case("gymnasium")
def a_seat_pays_early():
    step = SeatEnv.step

    def stepping(env, action):
        seen, _, *rest = step(env, action)
        return seen, 1.0, *rest

    return mock.patch.object(SeatEnv, "step", stepping)


@case("pettingzoo")
def observations_have_another_type():
    observe = TableEnv.observe

    def observing(env, agent):
        seen = observe(env, agent)
        return {**seen, "observation": seen["observation"].astype(np.float64)}

    return mock.patch.object(TableEnv, "observe", observing)


@case("pettingzoo")
def resets_ignore_their_seed():
    reset = TableEnv.reset
    return mock.patch.object(TableEnv, "reset", lambda env, seed=None, options=None: reset(env))


# -- golden games


def golden() -> Iterator[tuple[str, Game, Path]]:
    """Folders of golden games that must not pass, each with the game that they are held against."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield "no golden games", GAME, folder
        whole = conformance.record_golden(GAME, folder)
        text = whole[-1].read_text()
        for what, wrong in (
            ("a line says another action", text.replace(" stay |", " swap |", 1)),
            ("a digest is wrong", text.replace("| ", "| 0", 1)),
            ("the end is wrong", text.replace("first player_", "first player_9", 1)),
            ("it stops early", "\n".join(text.splitlines()[:-1]) + "\n"),
            ("a line is missing", "\n".join(text.splitlines()[:6] + text.splitlines()[7:]) + "\n"),
        ):
            assert wrong != text, what
            whole[-1].write_text(wrong)
            yield what, GAME, folder
        whole[-1].write_text(text)
        for path in folder.glob("3_*"):
            path.unlink()
        yield "a seat count is missing", GAME, folder


def _said(check: Callable[[], None]) -> str | None:
    try:
        check()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def _verdict(check: str, make: Callable[[], Any]) -> str | None:
    made = make()
    run = {**conformance.checks(), **conformance.checks_once()}[check]
    if isinstance(made, Game):
        return _said(lambda: run(made, 3, 1))
    with made:
        return _said(lambda: run(GAME, 3, 1))


if __name__ == "__main__":
    import importlib

    broken = importlib.import_module("tiny.broken")  # by its own name, for another process to find its games

    verdicts = {name: broken._verdict(check, make) for name, (check, make) in broken.CASES.items()}
    verdicts |= {
        what: _said(lambda g=game, f=folder: conformance.check_golden(g, f))
        for what, game, folder in golden()
    }
    for name in {check for check, _ in CASES.values()} - {"plain"}:
        verdicts[f"sound {name}"] = _said(lambda n=name: conformance.checks()[n](GAME, 3, 1))
    print(json.dumps(verdicts))
