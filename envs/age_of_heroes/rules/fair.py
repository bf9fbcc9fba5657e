"""Fair."""

from __future__ import annotations

from ...engine.compile import kernel
from ..components import NUM_EVENTS, NUM_HELD, RULE
from ..hands import gain, gain_shown, lose, show
from ..state import NEWEST, NONE, NUM_WORDS, VOW_OF, A, Fair, Phase, Reply, Stage, Vow, Word
from .events import is_catastrophe, play_event
from .promises import can_promise, gifts_are_over, make_promises, note_gift, promises_end
from .table import ask, connected, draw_card, first_unmarked, has, seat_after, seats_in_play

FAIR_CARDS = RULE.fair_cards


# -- The cards ---------------------------------------------------------------------------------------------------------


@kernel
def begin_round(s):
    """A Fair before every turn of the first player, if it is not switched off; promises hold until then."""
    s.round += 1
    s.marked = 0
    promises_end(s)
    _forget_words(s)
    if s.fair == Fair.OFF:
        s.stage = Stage.NEXT_TURN
        return
    for k in range(s.num_players):
        seat = seat_after(s, s.first, k)
        if s.eliminated[seat] == 0:
            for _ in range(FAIR_CARDS + connected(s, seat)):
                _draw_for_fair(s, seat)
    s.stage = Stage.FAIR_CARDS


@kernel
def _draw_for_fair(s, seat):
    """What is played at once waits, face up, until all have drawn (ruling 5); at the first Fair nothing strikes."""
    card = draw_card(s)
    if card == NONE:
        return
    if card < NUM_HELD:
        gain(s, seat, card)
    elif s.round == 1 and is_catastrophe(card):
        s.discards[card] += 1
    else:
        s.waiting[seat, card - NUM_HELD] += 1


@kernel
def play_waiting(s):
    """Everybody, the first player first, uses the cards that must be played at once; then bargaining begins."""
    for k in range(s.num_players):
        seat = seat_after(s, s.first, k)
        for event in range(NUM_EVENTS):
            if s.waiting[seat, event] > 0:
                s.waiting[seat, event] -= 1
                play_event(s, seat, NUM_HELD + event)
                return
    if s.fair == Fair.CARDS_ONLY:
        s.stage = Stage.NEXT_TURN
        return
    s.stage = Stage.BARGAINING


# -- Bargaining: who has its say ---------------------------------------------------------------------------------------


@kernel
def give_the_floor(s):
    """In turn order everybody has a say, so many times, or until nobody says anything (ruling 6)."""
    seat = first_unmarked(s, s.marked)
    if seat == NONE:
        s.marked = 0
        s.lap += 1
        if s.lap == s.offers or not s.spoken:
            _close_the_fair(s)
            return
        s.spoken = 0
        seat = first_unmarked(s, s.marked)
    s.marked |= 1 << seat
    s.floor = seat
    s.questioned = 0
    ask(s, seat, Phase.OFFER)


@kernel
def _close_the_fair(s):
    """The turns begin."""
    gifts_are_over(s)
    s.floor = NONE
    s.questioned = 0
    s.spoken = 0
    s.lap = 0
    s.stage = Stage.NEXT_TURN


@kernel
def may_offer(s, mask):
    """A question to the table, an offer to a named seat, or to all where there are several; or nothing."""
    mask[A.no_offer] = True
    mask[A.question] = s.questioned == 0
    mask[A.offer] = s.open_offers == 1 and seats_in_play(s) > 2
    for k in range(1, s.num_players):
        mask[A.offer + k] = s.eliminated[seat_after(s, s.seat, k)] == 0


# -- Bargaining: words -------------------------------------------------------------------------------------------------


@kernel
def _say(s, kind, to):
    """Something new is said, aloud; the oldest of the words that are remembered is forgotten."""
    for k in range(NEWEST):
        s.word[k] = s.word[k + 1]
        s.word_by[k] = s.word_by[k + 1]
        s.word_to[k] = s.word_to[k + 1]
        s.third[k] = s.third[k + 1]
        s.vow_given[k] = s.vow_given[k + 1]
        s.vow_wanted[k] = s.vow_wanted[k + 1]
        s.said_yes[k] = s.said_yes[k + 1]
        s.said_no[k] = s.said_no[k + 1]
        s.dropped[k] = s.dropped[k + 1]
        for card in range(NUM_HELD):
            s.given[k, card] = s.given[k + 1, card]
            s.wanted[k, card] = s.wanted[k + 1, card]
    _clear_word(s, NEWEST)
    s.word[NEWEST] = kind
    s.word_by[NEWEST] = s.seat
    s.word_to[NEWEST] = to
    s.speaking = 1


@kernel
def _clear_word(s, k):
    """Nothing was said there."""
    s.word[k] = Word.NONE
    s.word_by[k] = 0
    s.word_to[k] = 0
    s.third[k] = 0
    s.vow_given[k] = 0
    s.vow_wanted[k] = 0
    s.said_yes[k] = 0
    s.said_no[k] = 0
    s.dropped[k] = 0
    for card in range(NUM_HELD):
        s.given[k, card] = 0
        s.wanted[k, card] = 0


@kernel
def _forget_words(s):
    """What was said in the last round."""
    for k in range(NUM_WORDS):
        if s.word[k] != Word.NONE:
            _clear_word(s, k)


@kernel
def _all_others(s, seat):
    """Everybody else who is in play, as a set."""
    others = 0
    for k in range(1, s.num_players):
        other = seat_after(s, seat, k)
        if s.eliminated[other] == 0:
            others |= 1 << other
    return others


@kernel
def is_meant(s, seat):
    """Whether the newest word was said to this seat."""
    return has(s.word_to[NEWEST], seat) == 1


@kernel
def is_to_one(s):
    """Whether it was said to a single seat."""
    count = 0
    for seat in range(s.num_players):
        count += is_meant(s, seat)
    return count == 1


@kernel
def _put_to_next(s, phase):
    """The next seat to which the newest word was said is asked, whatever it holds (ruling 8); False: all have been."""
    seat = seat_after(s, s.seat, 1)
    while seat != s.word_by[NEWEST]:
        if is_meant(s, seat):
            ask(s, seat, phase)
            return True
        seat = seat_after(s, seat, 1)
    return False


# -- Bargaining: questions ---------------------------------------------------------------------------------------------


@kernel
def may_wish(s, mask):
    """Any card may be asked about: does anyone have marble?"""
    for card in range(NUM_HELD):
        mask[A.ask + card] = True


@kernel
def ask_the_table(s, card):
    """Everybody else is asked, in turn order."""
    _say(s, Word.QUESTION, _all_others(s, s.seat))
    s.wanted[NEWEST, card] = 1
    s.questioned = 1
    s.spoken = 1
    _put_to_next(s, Phase.REPLY)


@kernel
def reply(s, said):
    """Yes, no or nothing, true or not; then the seat that asked may make its offer."""
    if said == Reply.YES:
        s.said_yes[NEWEST] |= 1 << s.seat
    elif said == Reply.NO:
        s.said_no[NEWEST] |= 1 << s.seat
    if not _put_to_next(s, Phase.REPLY):
        s.speaking = 0
        ask(s, s.floor, Phase.OFFER)


# -- Bargaining: offers ------------------------------------------------------------------------------------------------


@kernel
def address(s, k):
    """To all, or to the seat that sits k places further on."""
    _say(s, Word.OFFER, _all_others(s, s.seat) if k == 0 else 1 << seat_after(s, s.seat, k))
    ask(s, s.seat, Phase.GIVE)


@kernel
def named(cards):
    """How many cards one side of an offer names."""
    count = 0
    for card in range(NUM_HELD):
        count += cards[card]
    return count


@kernel
def _last_named(cards):
    last = 0
    for card in range(NUM_HELD):
        if cards[card] > 0:
            last = card
    return last


@kernel
def may_give(s, mask):
    """Cards that are held, named in the order of their kinds, then promises; or nothing: a demand."""
    mask[A.for_what] = True
    mask[A.drop_offer] = True
    if s.vow_given[NEWEST] == 0 and named(s.given[NEWEST]) < s.cards:
        for card in range(_last_named(s.given[NEWEST]), NUM_HELD):
            mask[A.give + card] = s.hand[s.seat, card] > s.given[NEWEST, card]
    _may_promise(s, mask, True)


@kernel
def _may_promise(s, mask, gives):
    """Promises of the one who speaks, or of those to whom it speaks, in the order of `Vow`."""
    first, said = A.ask_promise, s.vow_wanted[NEWEST]
    if gives:
        first, said = A.promise, s.vow_given[NEWEST]
    for k in range(len(VOW_OF)):
        mask[first + k] = said < 1 << VOW_OF[k] and is_new(s, VOW_OF[k], gives)
    if said < 1 << Vow.STAY_OUT and is_new(s, Vow.STAY_OUT, gives):
        _may_name_a_third(s, mask, A.promise_out if gives else A.ask_out)


@kernel
def is_new(s, vow, gives):
    """Whether a promise, given or asked for, would say something new to, or of, one of those to whom it is said."""
    by, new = s.word_by[NEWEST], False
    for seat in range(s.num_players):
        if is_meant(s, seat):
            new = new or (can_promise(s, by, seat, vow) if gives else can_promise(s, seat, by, vow))
    return new


@kernel
def _may_name_a_third(s, mask, first):
    """Any other tribe in play; both sides of an offer name the same one."""
    for k in range(1, s.num_players):
        seat = seat_after(s, s.seat, k)
        named_already = s.third[NEWEST] == 0 or s.third[NEWEST] == 1 << seat
        mask[first + k - 1] = s.eliminated[seat] == 0 and not is_meant(s, seat) and named_already


@kernel
def give(s, card):
    """The card is shown (ruling 7)."""
    s.given[NEWEST, card] += 1
    show(s, s.seat, card, s.given[NEWEST, card])
    ask(s, s.seat, Phase.GIVE)


@kernel
def promise(s, vow, k):
    """And a promise; to stay out of a war with the seat that sits k places further on."""
    s.vow_given[NEWEST] |= 1 << vow
    if k > 0:
        s.third[NEWEST] = 1 << seat_after(s, s.seat, k)
    ask(s, s.seat, Phase.GIVE)


@kernel
def may_ask(s, mask):
    """Any cards, held by the others or not, but none of a kind that is offered; promises; or nothing: a gift."""
    mask[A.send_offer] = says_something(s)
    mask[A.drop_offer] = True
    if s.vow_wanted[NEWEST] == 0 and named(s.wanted[NEWEST]) < s.cards:
        for card in range(_last_named(s.wanted[NEWEST]), NUM_HELD):
            mask[A.ask + card] = s.given[NEWEST, card] == 0
    _may_promise(s, mask, False)


@kernel
def says_something(s):
    """Whether an offer gives or asks for anything."""
    vows = s.vow_given[NEWEST] > 0 or s.vow_wanted[NEWEST] > 0
    return vows or named(s.given[NEWEST]) + named(s.wanted[NEWEST]) > 0


@kernel
def ask_for(s, card):
    """One more card is asked for; or the table is asked about it."""
    if s.phase == Phase.WISH:
        ask_the_table(s, card)
        return
    s.wanted[NEWEST, card] += 1
    ask(s, s.seat, Phase.ASK)


@kernel
def ask_promise(s, vow, k):
    """The other side is asked for a promise."""
    s.vow_wanted[NEWEST] |= 1 << vow
    if k > 0:
        s.third[NEWEST] = 1 << seat_after(s, s.seat, k)
    ask(s, s.seat, Phase.ASK)


@kernel
def send_offer(s):
    """The offer stands, and those to whom it is made answer in turn order."""
    s.spoken = 1
    _put_to_next(s, Phase.ANSWER)


@kernel
def drop_offer(s):
    """It is dropped; cards that were shown stay known."""
    s.dropped[NEWEST] = 1
    _end_talk(s)


@kernel
def _end_talk(s):
    """An offer is over, and the say of the seat that made it, or to which it was a counter-offer."""
    s.speaking = 0
    s.chain = 0


# -- Bargaining: answers -----------------------------------------------------------------------------------------------


@kernel
def may_answer(s, mask):
    """Who holds what is asked may accept; to an offer to oneself a counter-offer may be made, so many in a row."""
    mask[A.answer] = True
    mask[A.answer + 1] = can_accept(s, s.seat)
    mask[A.counter] = s.chain < s.counters and is_to_one(s)


@kernel
def can_accept(s, seat):
    """Whoever accepts must hold what is asked for."""
    enough = True
    for card in range(NUM_HELD):
        enough = enough and s.hand[seat, card] >= s.wanted[NEWEST, card]
    return enough


@kernel
def is_gift(s):
    """Cards for nothing."""
    return named(s.given[NEWEST]) > 0 and named(s.wanted[NEWEST]) == 0 and s.vow_wanted[NEWEST] == 0


@kernel
def answer_offer(s, accepts):
    """The first to accept has the bargain; who declines leaves it to the next."""
    seat, by = s.seat, s.word_by[NEWEST]
    if is_gift(s):
        note_gift(s, by, seat)
    if accepts:
        s.said_yes[NEWEST] |= 1 << seat
        _strike_bargain(s, by, seat)
        _end_talk(s)
    else:
        s.said_no[NEWEST] |= 1 << seat
        if not _put_to_next(s, Phase.ANSWER):
            _end_talk(s)


@kernel
def counter_offer(s):
    """Giver and taker change places: whoever was made an offer makes one instead."""
    by = s.word_by[NEWEST]
    if is_gift(s):
        note_gift(s, by, s.seat)
    s.said_no[NEWEST] |= 1 << s.seat
    _say(s, Word.COUNTER_OFFER, 1 << by)
    s.chain += 1
    ask(s, s.seat, Phase.GIVE)


@kernel
def _strike_bargain(s, seat, other):
    """Cards change hands for all to see; promises are remembered."""
    for card in range(NUM_HELD):
        given, wanted = s.given[NEWEST, card], s.wanted[NEWEST, card]
        if given > 0:
            lose(s, seat, card, given)
            gain_shown(s, other, card, given)
        if wanted > 0:
            lose(s, other, card, wanted)
            gain_shown(s, seat, card, wanted)
    make_promises(s, seat, other, s.vow_given[NEWEST], s.third[NEWEST])
    make_promises(s, other, seat, s.vow_wanted[NEWEST], s.third[NEWEST])
    s.trades += 1
