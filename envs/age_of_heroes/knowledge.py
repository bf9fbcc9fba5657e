"""What a seat sees, and a world that it cannot tell from the real one."""

from __future__ import annotations

import numpy as np

from ..engine.chance import draw, randint
from ..engine.compile import kernel
from ..engine.fields import MAX_SEATS
from ..engine.table import places_after
from .components import (
    COUNTS,
    NUM_BUILDINGS,
    NUM_CARDS,
    NUM_EVENTS,
    NUM_HELD,
    NUM_STRENGTHS,
    NUM_TRIBES,
    Card,
)
from .hands import seen_by, sure_of
from .rules.battles import commander
from .rules.table import connected, has, seat_after
from .state import ATTACK, BARBARIANS, NONE, NUM_UNITS, NUM_VOWS, NUM_WORDS, O, Stage, Vow, Word

NUM_CLAIMS = 2
NUM_MARKS = 4  # of a word: its kinds, and whether it was dropped
SAID_IT, BOTH_PROMISE = 2, 2
ALL_CARDS = int(COUNTS.sum())
GRAIN = Card.GRAIN


# -- observe -----------------------------------------------------------------------------------------------------------


@kernel
def observe(s, seat, out):
    """What `seat` may know, in natural units: itself first, the others in turn order."""
    out[O.players + s.num_players - 2] = 1
    _observe_options(s, out)
    out[O.phase + s.phase] = 1
    out[O.stage + s.stage] = 1
    out[O.deciding] = s.seat == seat and not s.finished
    out[O.acting + places_after(s, s.seat, seat)] = 1
    out[O.turn_of + places_after(s, s.turn, seat)] = 1
    out[O.first + places_after(s, s.first, seat)] = 1
    out[O.round] = s.round
    out[O.rounds_left] = max(0, s.rounds - s.round)
    for k in range(s.num_players):
        _observe_tribe(s, seat, seat_after(s, seat, k), k, out)
    _observe_decks(s, out)
    _observe_event(s, seat, out)
    _observe_turn(s, seat, out)
    if s.attacker != NONE:
        _observe_war(s, seat, out)
    _observe_fair(s, seat, out)


@kernel
def _observe_options(s, out):
    """By which options the table is played; limits show as what is left."""
    out[O.drafted] = s.tribes
    out[O.fair + s.fair] = 1
    out[O.promises] = s.promises
    out[O.open_offers] = s.open_offers
    out[O.cards] = s.cards
    out[O.counters] = s.counters


@kernel
def _observe_tribe(s, seat, other, k, out):
    """The tribe that sits k places further on than the observer."""
    out[O.in_play + k] = s.eliminated[other] == 0
    out[O.had_its_turn + k] = (s.marked >> other) & 1
    if s.tribe[other] != NONE:
        out[O.tribe + k * NUM_TRIBES + s.tribe[other]] = 1
    out[O.cities + k] = s.cities[other]
    out[O.fortresses + k] = s.fortresses[other]
    out[O.monument + k] = s.monument[other]
    if s.claim[other] > 0:
        out[O.claim + k * NUM_CLAIMS + s.claim[other] - 1] = 1
    out[O.road + k] = s.road[other]
    if s.eliminated[other] == 0:
        out[O.connected + k] = connected(s, other)
    out[O.army + k] = s.army[other]
    out[O.led + k] = s.led[other]
    out[O.shaken + k] = s.shaken[other]
    out[O.idle_quakes + k] = s.idle_quakes[other]
    out[O.away + k] = s.out[other] + s.back[other]
    out[O.away_led + k] = s.out_led[other] + s.back_led[other]
    out[O.returning + k] = s.back[other]
    out[O.returning_led + k] = s.back_led[other]
    out[O.hand_size + k] = s.hand_size[other]
    out[O.no_grain + k] = s.no_grain[other]
    out[O.declined + k] = (s.declined >> other) & 1
    if other == seat:
        for card in range(NUM_HELD):
            out[O.hand + card] = s.hand[seat, card]
    else:
        at = k * NUM_HELD
        for card in range(NUM_HELD):
            out[O.hand + at + card] = sure_of(s, seat, other, card)
        for card in range(NUM_HELD):
            out[O.seen_by + at + card] = seen_by(s, other, seat, card)
    for event in range(NUM_EVENTS):
        out[O.waiting + k * NUM_EVENTS + event] = s.waiting[other, event]
    _observe_promises(s, seat, other, k, out)


@kernel
def _observe_promises(s, seat, other, k, out):
    """What a tribe has promised to whom, and how many promises it kept and broke."""
    for j in range(s.num_players):
        whom, at = seat_after(s, seat, j), k * MAX_SEATS + j
        out[O.stay_out + at] = -has(s.against[other], whom)
        if whom == other:
            continue
        out[O.peace + at] = s.promise[other, whom, Vow.PEACE]
        out[O.stay_out + at] += s.promise[other, whom, Vow.STAY_OUT]
        out[O.road_promised + at] = s.promise[other, whom, Vow.ROAD]
        out[O.gift_promised + at] = s.promise[other, whom, Vow.GIFT]
        for vow in range(NUM_VOWS):
            out[O.kept + k * NUM_VOWS + vow] += s.kept[other, whom, vow]
            out[O.broken + k * NUM_VOWS + vow] += s.broken[other, whom, vow]
    for vow in range(NUM_VOWS):
        out[O.kept_to + k] += s.kept[other, seat, vow]
        out[O.broken_to + k] += s.broken[other, seat, vow]


@kernel
def _observe_decks(s, out):
    """Main deck, discards, and how many cards are left in the resource deck: those that are nowhere else."""
    for kind in range(NUM_BUILDINGS):
        out[O.supply + kind] = s.supply[kind]
    left = ALL_CARDS - s.heroes[0] - s.heroes[1] - (s.event != NONE)
    for card in range(NUM_CARDS):
        left -= s.discards[card]
        out[O.discards + card] = s.discards[card]
    for seat in range(s.num_players):
        left -= s.hand_size[seat] + s.monument[seat] + s.shaken[seat] + s.idle_quakes[seat]
        if s.stage == Stage.FAIR_CARDS:
            for event in range(NUM_EVENTS):
                left -= s.waiting[seat, event]
    out[O.deck_left] = left


@kernel
def _observe_event(s, seat, out):
    """The event that is being played: who drew it, whom it strikes."""
    if s.event != NONE:
        out[O.event + s.event - NUM_HELD] = 1
    if s.drawer != NONE:
        out[O.drawer + places_after(s, s.drawer, seat)] = 1
    if s.victim != NONE:
        out[O.victim + places_after(s, s.victim, seat)] = 1
    out[O.aim] = s.aim


@kernel
def _observe_turn(s, seat, out):
    """What is going on in a turn, but for events and wars."""
    out[O.draws] = s.draws
    out[O.built] = s.built
    out[O.road_to] = s.road_to
    for side in range(2):
        out[O.refused + side] = (s.refused >> side) & 1


@kernel
def _observe_war(s, seat, out):
    """A battle: both armies, and the battle cards that the observer drew or that were turned up."""
    out[O.attacker + (MAX_SEATS if s.attacker == BARBARIANS else places_after(s, s.attacker, seat))] = 1
    out[O.target + places_after(s, s.target, seat)] = 1
    out[O.goal + s.goal] = 1
    out[O.wins] = s.wins
    out[O.sent] = s.sent
    out[O.sent_led] = s.sent_led
    for strength in range(NUM_STRENGTHS):
        out[O.shown + strength] = s.shown[strength]
    for side in range(2):
        out[O.heroes + side] = s.heroes[side]
        for unit in range(NUM_UNITS):
            out[O.units + side * NUM_UNITS + unit] = s.units[side, unit]
        if commander(s, side) == seat:
            _observe_battle_cards(s, side, out)


@kernel
def _observe_battle_cards(s, side, out):
    for strength in range(NUM_STRENGTHS):
        out[O.drawn + strength] = s.drawn[side, strength]
        for unit in range(NUM_UNITS):
            out[O.laid + unit * NUM_STRENGTHS + strength] = s.laid[side, unit, strength]
    if side == ATTACK and s.chosen != NONE:
        out[O.chosen + s.chosen] = 1


@kernel
def _observe_fair(s, seat, out):
    """Who has its say, and what was said in this round, which all heard."""
    out[O.lap] = s.lap
    out[O.laps_left] = max(0, s.offers - 1 - s.lap)
    out[O.spoken] = s.spoken
    if s.floor != NONE:
        out[O.floor + places_after(s, s.floor, seat)] = 1
    out[O.questioned] = s.questioned
    out[O.speaking] = s.speaking
    out[O.chain] = s.chain
    for k in range(NUM_WORDS):
        if s.word[k] != Word.NONE:
            _observe_word(s, seat, k, out)


@kernel
def _observe_word(s, seat, k, out):
    """A word: what it was, who said it to whom, cards and promises, and what was answered."""
    out[O.word + k * NUM_MARKS + s.word[k] - 1] = 1
    out[O.word + k * NUM_MARKS + NUM_MARKS - 1] = s.dropped[k]
    out[O.word_who + k * MAX_SEATS + places_after(s, s.word_by[k], seat)] = SAID_IT
    for j in range(s.num_players):
        other, at = seat_after(s, seat, j), k * MAX_SEATS + j
        out[O.word_who + at] += has(s.word_to[k], other) - has(s.third[k], other)
        out[O.word_answers + at] = has(s.said_yes[k], other) - has(s.said_no[k], other)
    for card in range(NUM_HELD):
        out[O.word_cards + k * NUM_HELD + card] = s.wanted[k, card] - s.given[k, card]
    for vow in range(NUM_VOWS):
        given, wanted = has(s.vow_given[k], vow), has(s.vow_wanted[k], vow)
        out[O.word_vows + k * NUM_VOWS + vow] = BOTH_PROMISE if given and wanted else wanted - given


# -- determinize -------------------------------------------------------------------------------------------------------


@kernel
def determinize(s, seat):
    """Redraw all that `seat` cannot know, uniformly over the deals that fit what it is sure of."""
    _imagine_hands(s, seat)
    if s.attacker != NONE:
        _imagine_battle(s, seat)


@kernel
def _imagine_hands(s, seat):
    """Cards that nobody showed to `seat` are dealt anew to the other hands and the deck.

    Whatever another seat alone is sure of is unknown to this one, and left out (ruling 26).
    """
    unseen = np.zeros(NUM_HELD, np.int64)
    for card in range(NUM_HELD):
        unseen[card] = s.deck[card]
        for holder in range(s.num_players):
            if holder != seat:
                sure = sure_of(s, seat, holder, card)
                unseen[card] += s.hand[holder, card] - sure
                s.hand[holder, card] = sure
                s.secret[holder, seat, card] = 0
                for other in range(s.num_players):
                    if other != seat:
                        s.noted[other, holder, card] = 0
                        s.secret[other, holder, card] = 0
    grain = unseen[GRAIN]
    unseen[GRAIN] = 0
    for holder in range(s.num_players):
        if holder != seat:
            _fill_hand(s, holder, _open_places(s, holder) - _places_for_grain(s, holder), unseen)
    unseen[GRAIN] = grain
    for holder in range(s.num_players):
        if holder != seat:
            _fill_hand(s, holder, _open_places(s, holder), unseen)
    for card in range(NUM_HELD):
        s.deck[card] = unseen[card]


@kernel
def _open_places(s, holder):
    """How many cards a hand holds besides those that lie in it."""
    count = s.hand_size[holder]
    for card in range(NUM_HELD):
        count -= s.hand[holder, card]
    return count


@kernel
def _places_for_grain(s, holder):
    """How many of them may be grain: cards that came after the last Famine."""
    return max(
        0, min(_open_places(s, holder), s.hand_size[holder] - s.no_grain[holder] - s.hand[holder, GRAIN])
    )


@kernel
def _fill_hand(s, holder, count, unseen):
    """So many more cards come into a hand."""
    for _ in range(count):
        s.hand[holder, draw(s, unseen)] += 1


@kernel
def _imagine_battle(s, seat):
    """Battle cards that were not turned up are drawn and laid anew, on each side that `seat` does not command."""
    for side in range(2):
        if commander(s, side) != seat:
            for strength in range(NUM_STRENGTHS):
                s.battle_deck[strength] += s.drawn[side, strength]
                for unit in range(NUM_UNITS):
                    s.battle_deck[strength] += s.laid[side, unit, strength]
    for side in range(2):
        if commander(s, side) != seat:
            _draw_anew(s, s.drawn[side])
            for unit in range(NUM_UNITS):
                _draw_anew(s, s.laid[side, unit])
    if s.chosen != NONE and seat != s.attacker:
        s.chosen = _any_unit(s)


@kernel
def _draw_anew(s, cards):
    """As many battle cards as lie here, drawn once more."""
    count = 0
    for strength in range(NUM_STRENGTHS):
        count += cards[strength]
        cards[strength] = 0
    for _ in range(count):
        cards[draw(s, s.battle_deck)] += 1


@kernel
def _any_unit(s):
    """The attacker's secret choice: any of its units that have not fought yet."""
    count = 0
    for unit in range(NUM_UNITS):
        count += s.units[ATTACK, unit]
    left = randint(s, count)
    for unit in range(NUM_UNITS):
        for strength in range(NUM_STRENGTHS):
            left -= s.laid[ATTACK, unit, strength]
            if left < 0:
                return unit * NUM_STRENGTHS + strength
    return NONE
