"""Legal moves, moves, and what happens between them: a table runs on from stage to stage until a seat is asked."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import Card
from ..state import NONE, VOW_OF, A, Phase, Reply, Stage, Vow
from .battles import (
    call_off,
    choose_any,
    choose_duel,
    declare_goal,
    declare_war,
    go_on_with_battle,
    join_battle,
    lay,
    may_declare,
    may_defend,
    may_duel,
    may_lay,
    may_muster,
    may_send,
    may_take,
    play_hero,
    send,
    send_led,
    set_out,
    take_spoils,
)
from .building import RIGHT, answer_road, build, propose_road
from .ends import cut, judge_claim, note_claims, note_defeats
from .events import go_on_with_event, let_it_happen, may_strike, may_use_luck, strike, use_luck
from .fair import (
    address,
    answer_offer,
    ask_for,
    ask_promise,
    begin_round,
    counter_offer,
    drop_offer,
    give,
    give_the_floor,
    may_answer,
    may_ask,
    may_give,
    may_offer,
    may_wish,
    play_waiting,
    promise,
    reply,
    send_offer,
)
from .start import choose_tribes, draw_for_first_turn, draw_tribes, lay_out_decks, may_choose_tribe
from .table import ask, discard, first_unmarked, seat_after
from .turn import (
    begin_turn,
    collect_taxes,
    down_to_the_limit,
    draw_next,
    lay_special,
    may_act,
    may_discard,
    may_lay_special,
    move_cards,
    swap_card,
)

NUM_REPLIES = len(Reply)


@kernel
def setup(s):
    """Deal a table (Setup)."""
    lay_out_decks(s)
    draw_for_first_turn(s)
    if not s.tribes:
        draw_tribes(s)
    s.stage = Stage.CHOOSING
    _run_on(s)


# -- What a seat may do ------------------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark what the acting seat may do; at the limit on rounds nobody is asked."""
    if not s.asked:
        return
    if s.phase == Phase.ACTION:
        may_act(s, mask)
    elif s.phase >= Phase.OFFER:
        _may_bargain(s, mask)
    elif s.phase == Phase.MONUMENT:
        may_lay_special(s, mask)
    elif s.phase == Phase.DISCARD:
        may_discard(s, mask)
    elif s.phase == Phase.CONSENT:
        mask[A.consent] = True
        mask[A.consent + 1] = True
    elif s.phase == Phase.TRIBE:
        may_choose_tribe(s, mask)
    elif s.phase == Phase.LUCK:
        may_use_luck(s, mask)
    elif s.phase >= Phase.EARTHQUAKE:
        may_strike(s, mask)
    else:
        _may_fight(s, mask)


@kernel
def _may_fight(s, mask):
    """Battles."""
    if s.phase == Phase.GOAL:
        may_declare(s, mask)
    elif s.phase <= Phase.SEND_LED:
        may_send(s, mask)
    elif s.phase == Phase.MUSTER:
        may_muster(s, mask)
    elif s.phase == Phase.DEFEND:
        may_defend(s, mask)
    elif s.phase == Phase.LAY:
        may_lay(s, mask)
    elif s.phase == Phase.DUEL:
        may_duel(s, mask)
    else:
        may_take(s, mask)


@kernel
def _may_bargain(s, mask):
    """Fair."""
    if s.phase == Phase.OFFER:
        may_offer(s, mask)
    elif s.phase == Phase.GIVE:
        may_give(s, mask)
    elif s.phase == Phase.ASK:
        may_ask(s, mask)
    elif s.phase == Phase.ANSWER:
        may_answer(s, mask)
    elif s.phase == Phase.WISH:
        may_wish(s, mask)
    else:
        for said in range(NUM_REPLIES):
            mask[A.reply + said] = True


# -- What it does ------------------------------------------------------------------------------------------------------


@kernel
def apply(s, action):
    """Play a legal action and run on to the next decision.

    Whoever looks further ahead than the limit on rounds goes on with the next round there.
    """
    if s.asked:
        _play(s, action)
    else:
        begin_round(s)
    _run_on(s)


@kernel
def _play(s, action):
    """What the acting seat has chosen."""
    s.asked = False
    if action >= A.consent:
        _bargain(s, action)
    elif action < A.goal:
        _act(s, action)
    elif action < A.lay_special and action not in (A.luck, A.no_luck):
        _fight(s, action)
    else:
        _respond(s, action)


@kernel
def _act(s, action):
    """A tribe, or the action of a turn."""
    if action == A.no_action:
        s.stage = Stage.MONUMENT
    elif action < A.no_action:
        s.tribe[s.seat] = action - A.tribe
    elif action == A.taxes:
        collect_taxes(s)
    elif action < A.build:
        swap_card(s, action - A.swap)
    elif action < A.road_right:
        build(s, action - A.build)
    elif action == A.road_right:
        propose_road(s, RIGHT)
    else:
        declare_war(s, seat_after(s, s.seat, action - A.war + 1))


@kernel
def _fight(s, action):
    """A decision of a battle."""
    if action < A.send:
        declare_goal(s, action - A.goal)
    elif action < A.send_led:
        send(s, action - A.send)
    elif action < A.hero_army:
        send_led(s, action - A.send_led)
    elif action < A.ready:
        play_hero(s, action == A.hero_general)
    elif action == A.ready:
        if s.phase == Phase.MUSTER:
            set_out(s)
        else:
            join_battle(s)
    elif action == A.olympic_games:
        call_off(s, Card.OLYMPIC_GAMES)
    elif action < A.duel:
        lay(s, action - A.lay)
    elif action < A.alike:
        choose_duel(s, action - A.duel)
    elif action == A.alike:
        choose_any(s)
    else:
        take_spoils(s, action - A.take)


@kernel
def _respond(s, action):
    """Luck and what it answers, the monument, cards that go."""
    if action == A.luck:
        if s.phase == Phase.DEFEND:
            call_off(s, Card.LUCK)
        else:
            use_luck(s)
    elif action == A.no_luck:
        let_it_happen(s)
    elif action == A.no_special:
        lay_special(s, 0)
    elif action < A.no_special:
        lay_special(s, action - A.lay_special + 1)
    elif action < A.strike:
        discard(s, s.seat, action - A.discard, 1)
    elif action < A.strike_idle:
        strike(s, seat_after(s, s.seat, action - A.strike + 1), 0)
    else:
        strike(s, seat_after(s, s.seat, action - A.strike_idle + 1), 1)


@kernel
def _bargain(s, action):
    """Consent to a road, and the Fair."""
    if action < A.offer:
        answer_road(s, action > A.consent)
    elif action < A.give:
        _speak(s, action)
    elif action < A.send_offer:
        _compose(s, action)
    elif action == A.send_offer:
        send_offer(s)
    elif action == A.drop_offer:
        drop_offer(s)
    elif action == A.counter:
        counter_offer(s)
    else:
        answer_offer(s, action > A.answer)


@kernel
def _speak(s, action):
    """The Fair: what a seat has to say, and what is replied to a question; to say nothing leaves the floor."""
    if action < A.question:
        address(s, action - A.offer)
    elif action == A.question:
        ask(s, s.seat, Phase.WISH)
    elif action > A.no_offer:
        reply(s, action - A.reply)


@kernel
def _compose(s, action):
    """The Fair: one more part of an offer."""
    if action < A.promise:
        give(s, action - A.give)
    elif action < A.promise_out:
        promise(s, VOW_OF[action - A.promise], 0)
    elif action < A.for_what:
        promise(s, Vow.STAY_OUT, action - A.promise_out + 1)
    elif action == A.for_what:
        ask(s, s.seat, Phase.ASK)
    elif action < A.ask_promise:
        ask_for(s, action - A.ask)
    elif action < A.ask_out:
        ask_promise(s, VOW_OF[action - A.ask_promise], 0)
    else:
        ask_promise(s, Vow.STAY_OUT, action - A.ask_out + 1)


# -- From one decision to the next -------------------------------------------------------------------------------------


@kernel
def _run_on(s):
    """Defeats and claims are noted as soon as what was going on is over; then the round takes its course."""
    while not (s.asked or s.finished or cut(s)):
        if s.event == NONE and s.attacker == NONE and s.stage > Stage.CHOOSING:
            note_defeats(s)
            note_claims(s)
        if not s.finished:
            _go_on(s)
    if not s.finished and not s.asked:  # at the limit on rounds
        s.seat = first_unmarked(s, 0)
        s.phase = Phase.OFFER  # what would come next


@kernel
def _go_on(s):
    """One step of the round."""
    if s.attacker != NONE:
        go_on_with_battle(s)
    elif s.event != NONE:
        go_on_with_event(s)
    elif s.stage == Stage.CHOOSING:
        choose_tribes(s)
    elif s.stage == Stage.ROUND:
        begin_round(s)
    elif s.stage == Stage.FAIR_CARDS:
        play_waiting(s)
    elif s.stage == Stage.BARGAINING:
        give_the_floor(s)
    elif s.stage == Stage.NEXT_TURN:
        begin_turn(s)
    elif s.eliminated[s.turn] > 0:
        s.draws = 0
        s.stage = Stage.NEXT_TURN
    else:
        _go_on_with_turn(s)


@kernel
def _go_on_with_turn(s):
    """The five phases."""
    if s.stage in (Stage.DRAW, Stage.TAXES):
        draw_next(s)
    elif s.stage == Stage.ACTION:
        ask(s, s.turn, Phase.ACTION)
    elif s.stage == Stage.MONUMENT:
        ask(s, s.turn, Phase.MONUMENT)
    elif s.stage == Stage.DISCARD:
        down_to_the_limit(s)
    else:
        move_cards(s)
        judge_claim(s)
        s.stage = Stage.NEXT_TURN
