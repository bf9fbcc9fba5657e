"""What a seat sees, and a world that it cannot tell from the real one."""

from __future__ import annotations

import numpy as np

from ..engine.chance import next_uint64, randint, shuffle
from ..engine.compile import kernel
from ..engine.table import places_after
from .components import (
    BIT,
    CITIES,
    EFFECT,
    FIRST_RED,
    IS_CITY,
    NUM_GODS,
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    OF_A_SIZE,
    RULE,
    SIZE,
    Effect,
    God,
    People,
)
from .rules.abilities import BONUS_MARKERS
from .rules.board import attack_of, closed, defence_of, empty, further, has, max_extent, seat_of
from .rules.combat import (
    ambushed,
    circumstances,
    margin,
    may_be_led,
    modifiers,
    reach_of,
    targets_of,
)
from .rules.destiny import bets_now, sort_bets
from .rules.end import people_points, represents
from .rules.gods import offer
from .state import ATTACK, COPIES, DEFENCE, NONE, RED, YELLOW, O, Phase, Stage

BETS, BET_TURN, GODS_DEALT = RULE.bets, RULE.bet_turn, RULE.gods_dealt
VENGEANCE, PEACE = RULE.vengeance, RULE.peace
CITY, FORTIFIED, DWARVEN_FORTRESS, BULWARK = RULE.city, RULE.fortified, RULE.dwarven_fortress, RULE.bulwark
HAND = (RULE.hand_red, RULE.hand_yellow)
WIN_FROM, HOLY_WAR = RULE.win_from, RULE.holy_war
MOST = 25  # a people's own defence and one: with walls it still fits into five sets
NOWHERE = np.uint64(0)
S11, TWO_53 = np.uint64(11), 9007199254740992.0
RED_SLOT = 2  # destiny slots 2 and 3 have peoples of the red cards' sizes, 0 and 1 of the yellow ones'

FULL = (RULE.extent_factor * SIZE).astype(np.int8)
WORTH = RULE.territory_points + RULE.city_points * IS_CITY  # points that a territory gives


# -- observe -----------------------------------------------------------------------------------------------------------


@kernel
def observe(s, seat, out):
    """What `seat` may know, in natural units: its own things first, the other seats' in turn order."""
    observe_turn(s, seat, out)
    observe_choices(s, out)
    observe_own(s, seat, out)
    observe_seat(s, seat, seat, 0, out)
    theirs = NOWHERE
    observe_deeds(s, seat, 0, out)
    for k in range(1, s.num_players):
        other = further(s, seat, k)
        observe_seat(s, seat, other, k, out)
        observe_deeds(s, other, k, out)
        theirs |= observe_holder(s, seat, other, k, out)
    observe_deception(s, out)
    observe_peoples(s, seat, out)
    observe_markers(s, out)
    observe_map(s, land_of(s, seat), theirs, out)
    if s.seat == seat and s.phase == Phase.ORIGIN:
        observe_origins(s, seat, out)
    elif s.seat == seat and s.phase == Phase.TARGET:
        observe_targets(s, out)


@kernel
def observe_turn(s, seat, out):
    """Where in the game play is."""
    out[O.players + s.num_players - 2] = 1
    out[O.stage + s.stage] = 1
    if s.phase != NONE:
        out[O.phase + s.phase] = 1
    out[O.deciding] = s.seat == seat and not s.finished
    if s.turn > 0:
        out[O.turn + s.turn - 1] = 1
    out[O.first + places_after(s, s.first, seat)] = 1
    out[O.acting + places_after(s, s.seat, seat)] = 1
    out[O.place] = s.place
    out[O.spare_goblins] = s.spare_goblins


@kernel
def observe_choices(s, out):
    """What is being resolved, and what was named for it."""
    if s.ability != NONE:
        out[O.resolving + s.ability] = 1
        if s.chosen != NONE:
            start = O.named_people if EFFECT[s.ability] == Effect.HOLY_WAR else O.named
            out[start + s.chosen] = 1
    if s.wrath > 0:
        out[O.wrath + s.wrath - 1] = 1
    out[O.attacks] = s.attacks
    out[O.step] = s.step
    out[O.double] = s.double
    out[O.built] = s.built
    out[O.used] = s.used
    out[O.power] = s.power
    out[O.natural] = s.natural
    out[O.follow_up] = s.follow_up
    if s.origin != NONE:
        out[O.named + s.origin] = 1
        out[O.named_people + s.owner[s.origin]] = 1
    if s.target != NONE:
        out[O.named + s.target] = -1
        if s.owner[s.target] != NONE:
            out[O.named_people + s.owner[s.target]] = -1
        out[O.margin] = margin(s)


@kernel
def observe_own(s, seat, out):
    """The observer's cards, but for its hand."""
    for k in range(2):
        if s.offer[seat, k] != NONE:
            out[O.offer + s.offer[seat, k]] = 1
    for k in range(NUM_SIZES):
        if s.destiny[seat, k] != NONE:
            out[O.represented + s.destiny[seat, k]] = 1
            out[O.unplayed + k] = not s.spent[seat, k]
    for k in range(BETS):
        if s.bets[seat, k] != NONE:
            out[O.own_bets + s.bets[seat, k]] += 1
    out[O.points] = people_points(s, seat)


@kernel
def observe_seat(s, seat, other, k, out):
    """What all see of the seat that comes k-th after the observer; gods stay hidden until all have chosen."""
    shown = s.stage != Stage.GODS
    if s.god[other] != NONE and (shown or other == seat):
        out[O.god + k * NUM_GODS + s.god[other]] = 1
    out[O.uses + k] = s.uses[other]
    out[O.pieces + k] = s.pieces[other]
    yellow, red = 0, 0
    for people in range(FIRST_RED):
        yellow += s.hand[other, people]
        red += s.hand[other, FIRST_RED + people]
    for n in range(BETS):
        people = s.bets[other, n]
        if people != NONE:
            if s.bets_laid[other]:
                out[O.bets_laid + 2 * k + 1] += 1
            elif other != seat:  # laid in secret: still counted among its cards
                red += people >= FIRST_RED
                yellow += people < FIRST_RED
    out[O.bets_laid + 2 * k] = s.red_bets[other]
    out[O.bets_laid + 2 * k + 1] -= s.red_bets[other]
    held = yellow + red
    for n in range(NUM_SIZES):
        held += (s.destiny[other, n] != NONE) - s.spent[other, n]
        if s.looked[other, n]:
            out[O.looked + k * NUM_SIZES + n] = turned(s, seat, s.looked[other, n])
    out[O.cards + k] = held
    if not (shown and s.god[other] == God.DECEPTION):
        out[O.reds + k] = red


@kernel
def turned(s, seat, seats):
    """A set of seats as the observer counts them, from its own on."""
    twice = int(seats) << s.num_players | int(seats)
    return (twice >> int(seat)) & ((1 << s.num_players) - 1)


@kernel
def observe_deeds(s, other, k, out):
    """What a careful player remembers of a seat: cards played, attacks launched, harm and favours done.

    Unsigned indices never count from the end of an array: so the compiler does eight peoples at once, here and below.
    """
    at = k * NUM_PEOPLES
    for people in range(NUM_PEOPLES):
        out[np.uint64(O.played + at + people)] = s.played[other, people]
        out[np.uint64(O.led + at + people)] = s.led[other, people]
        out[np.uint64(O.harmed + at + people)] = s.harmed[other, people]
        out[np.uint64(O.favoured + at + people)] = s.favoured[other, people]


@kernel
def observe_holder(s, seat, other, k, out):
    """Peoples that another seat is known to represent; returns their territories."""
    found = NOWHERE
    for n in range(NUM_SIZES):
        people = s.destiny[other, n]
        if people != NONE and knows(s, seat, other, n):
            out[O.holder + people] = k
            found |= s.land[people]
    return found


@kernel
def observe_deception(s, out):
    """What the god of deception has played since the destiny cards of that size were dealt (ruling 12)."""
    other = seat_of(s, God.DECEPTION)
    if other == NONE or s.stage == Stage.GODS:
        return
    for k in range(NUM_SIZES):
        if s.destiny[other, k] != NONE:
            for people in range(k * OF_A_SIZE, (k + 1) * OF_A_SIZE):
                out[O.suspect + people] = s.played[other, people] - s.early[people]


@kernel
def observe_peoples(s, seat, out):
    """The Well of Souls: extent, technology, markers; and the observer's hand."""
    peaceful = seat_of(s, God.PEACE)
    for people in range(NUM_PEOPLES):
        out[np.uint64(O.in_hand + people)] = s.hand[seat, people]
        out[np.uint64(O.extent + people)] = s.extent[people]
        out[np.uint64(O.towns + people)] = s.towns[people]
        out[np.uint64(O.full + people)] = s.extent[people] >= FULL[people]
        out[np.uint64(O.technology + people)] = s.technology[people]
        out[np.uint64(O.hated + people)] = s.hated[people]
        out[np.uint64(O.attack + people)] = attack_of(s, people)
        shield = defence_of(s, people) - VENGEANCE * s.hated[people]
        shown = s.revealed[people] != NONE
        out[np.uint64(O.revealed + people)] = shown
        out[np.uint64(O.shield + people)] = shield + PEACE * (shown and s.revealed[people] == peaceful)
    out[O.full + People.GOBLINS] = s.extent[People.GOBLINS] >= max_extent(s, People.GOBLINS)
    if s.attacker != NONE:
        out[O.holy_war + s.attacker] = 1
        out[O.holy_war + s.victim] = -1


@kernel
def observe_markers(s, out):
    """Bonus markers that no people has (`markers_left`, all four at once)."""
    weak_attack, strong_attack, weak_defence, strong_defence = 0, 0, 0, 0
    for people in range(NUM_PEOPLES):
        weak_attack += s.marker[ATTACK, 0, people]
        strong_attack += s.marker[ATTACK, 1, people]
        weak_defence += s.marker[DEFENCE, 0, people]
        strong_defence += s.marker[DEFENCE, 1, people]
    out[O.markers_left] = BONUS_MARKERS[ATTACK, 0] - weak_attack
    out[O.markers_left + 1] = BONUS_MARKERS[ATTACK, 1] - strong_attack
    out[O.markers_left + 2] = BONUS_MARKERS[DEFENCE, 0] - weak_defence
    out[O.markers_left + 3] = BONUS_MARKERS[DEFENCE, 1] - strong_defence


@kernel
def land_of(s, seat):
    """Territories of the peoples that a seat represents."""
    found = NOWHERE
    for k in range(NUM_SIZES):
        if s.destiny[seat, k] != NONE:
            found |= s.land[s.destiny[seat, k]]
    return found


@kernel
def observe_map(s, mine, theirs, out):
    """Each territory: whose it is, what it is worth, what stands there."""
    full = NOWHERE
    for people in range(NUM_PEOPLES):
        full |= s.land[people] if out[np.uint64(O.full + people)] > 0 else NOWHERE
    for t in range(NUM_TERRITORIES):
        out[np.uint64(O.owner + t)] = s.owner[t] + 1
        out[np.uint64(O.stake + t)] = WORTH[t] if has(mine, t) else -WORTH[t] if has(theirs, t) else 0
        out[np.uint64(O.walls + t)] = (
            CITY * IS_CITY[t] + FORTIFIED * has(s.fortified, t) + BULWARK * has(s.bulwarks, t)
        )
        out[np.uint64(O.loved + t)] = has(s.love, t)
        out[np.uint64(O.full_there + t)] = has(full, t)
    if s.vortex != NONE:
        out[O.owner + s.vortex] = -1
    if s.fortress != NONE:
        out[O.walls + s.fortress] += DWARVEN_FORTRESS


# -- the die's faces ---------------------------------------------------------------------------------------------------


@kernel
def observe_targets(s, out):
    """How many faces of the die win the attack on each territory."""
    targets = targets_of(s, s.origin)
    added = circumstances(s)
    for t in range(NUM_TERRITORIES):
        if has(targets, t):
            won = s.owner[t] == NONE
            out[O.faces + t] = 6 if won else winning_faces(modifiers(s, s.origin, t) + added)


@kernel
def observe_origins(s, seat, out):
    """How many faces win the easiest attack from each territory on one that is not the observer's."""
    defence = defences(s, out)
    shut = closed(s)
    spared = shut | land_of(s, seat)
    free = empty(s)
    added = circumstances(s)
    led = may_be_led(s) & ~shut
    for t in range(NUM_TERRITORIES):
        if has(led, t):
            people = s.owner[t]
            attack = added + int(out[O.attack + people])
            targets = reach_of(s, t) & ~(s.land[people] | spared)
            best = best_faces(targets, free, defence, attack)
            if s.attacker == people:
                best = max(best, best_faces(targets & s.land[s.victim], free, defence, attack + HOLY_WAR))
            out[O.faces + t] = best


@kernel
def best_faces(targets, free, defence, attack):
    """Faces that win against the weakest of these territories."""
    if targets & free != NOWHERE:
        return 6
    if targets == NOWHERE:
        return 0
    return winning_faces(attack - least(targets, defence))


@kernel
def winning_faces(added):
    """Faces of the die that win when so much is added."""
    return min(6, max(0, 7 - WIN_FROM + added))


# What attacks are lowered by is written for all territories at once, in sets: a territory is in set k if bit k of its
# number, which is one more than the defence (Hatred makes -1 of nothing), is set. The weakest of many is then found in
# five steps.


@kernel
def defences(s, out):
    """What attacks on each territory are lowered by, as five sets; Ambush heeds Hatred and Peace alone."""
    ambush = ambushed(s)
    ones, twos, fours, eights, more = NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE
    for people in range(NUM_PEOPLES):
        shield = int(out[np.uint64(O.shield + people)]) - (defence_of(s, people) if ambush else 0)
        number = min(shield + 1, MOST)
        land = s.land[people]
        ones |= land if number & 1 else NOWHERE
        twos |= land if number & 2 else NOWHERE
        fours |= land if number & 4 else NOWHERE
        eights |= land if number & 8 else NOWHERE
        more |= land if number & 16 else NOWHERE
    sets = ones, twos, fours, eights, more
    if ambush:
        return sets
    sets = raised(raised(raised(sets, CITIES), s.fortified), s.bulwarks)
    if s.fortress != NONE:
        for _ in range(DWARVEN_FORTRESS):
            sets = raised(sets, BIT[s.fortress])
    return sets


@kernel
def raised(sets, territories):
    """The numbers of these territories, one higher: what is carried goes on to the next set."""
    ones, twos, fours, eights, more = sets
    twice = ones & territories
    four_times = twos & twice
    eight_times = fours & four_times
    return (
        ones ^ territories,
        twos ^ twice,
        fours ^ four_times,
        eights ^ eight_times,
        more ^ (eights & eight_times),
    )


@kernel
def least(territories, sets):
    """The lowest defence among some territories (at least one)."""
    ones, twos, fours, eights, more = sets
    number, left = 0, territories
    for k, these in ((16, more), (8, eights), (4, fours), (2, twos), (1, ones)):
        lower = left & ~these
        if lower == NOWHERE:
            number += k
        else:
            left = lower
    return number - 1


# -- determinize -------------------------------------------------------------------------------------------------------


@kernel
def determinize(s, seat):
    """Redraw all that `seat` cannot know, uniformly over the tables that fit what it has seen.

    Destiny cards come first (with them which of its cards the god of deception has played as such), then the action
    cards in the other hands and bets. Cards that nobody holds lie nowhere: they are what is left.
    """
    if s.stage == Stage.GODS:
        imagine_gods(s, seat)
    deceiver = NONE
    for other in range(s.num_players):
        if other != seat and s.god[other] == God.DECEPTION and s.stage != Stage.GODS:
            deceiver = other
    unknown = np.zeros(NUM_PEOPLES, np.int64)
    count_unknown(s, seat, deceiver, unknown)
    if deceiver != NONE:
        imagine_deceiver(s, seat, deceiver, unknown)
    imagine_destinies(s, seat, deceiver)
    cards = np.zeros(COPIES * NUM_PEOPLES, np.int64)
    for colour in range(2):
        deal_unknown(s, seat, deceiver, colour, unknown, cards)
    for other in range(s.num_players):
        if other != seat and not s.bets_laid[other] and s.stage == Stage.BETS:
            imagine_secret_bets(s, other, deceiver)


@kernel
def imagine_gods(s, seat):
    """Before the gods are revealed: two others for each other player, one of them chosen by those who have."""
    gods = np.zeros(NUM_GODS, np.int64)
    left = 0
    for god in range(NUM_GODS):
        if god not in (s.offer[seat, 0], s.offer[seat, 1]):
            gods[left] = god
            left += 1
    shuffle(s, gods, 0, left)
    for other in range(s.num_players):
        if other != seat:
            left -= GODS_DEALT
            offer(s, other, gods, left)
            if s.god[other] != NONE:
                s.god[other] = s.offer[other, randint(s, GODS_DEALT)]


@kernel
def colour_of(people):
    """RED backs for sizes 1 and 2, YELLOW ones for 3 and 4."""
    return RED if people >= FIRST_RED else YELLOW


@kernel
def spent_on(s, seat, people):
    """How often the seat has played the destiny card of a people: 1 or 0."""
    for k in range(NUM_SIZES):
        if s.destiny[seat, k] == people and s.spent[seat, k]:
            return 1
    return 0


@kernel
def count_unknown(s, seat, deceiver, unknown):
    """Action cards of each people that `seat` has not seen; those that the deceiver played are not taken off yet."""
    for people in range(NUM_PEOPLES):
        unknown[people] = COPIES - s.hand[seat, people]
        for other in range(s.num_players):
            if other != deceiver:
                unknown[people] -= s.played[other, people] - spent_on(s, other, people)
    for other in range(s.num_players):
        if other == seat or s.finished:  # at the end bets lie face up
            for k in range(BETS):
                if s.bets[other, k] != NONE:
                    unknown[s.bets[other, k]] -= 1


@kernel
def held_of(s, seat, colour):
    """Action cards of a colour in a hand, or laid as bets."""
    count = 0
    for people in range(NUM_PEOPLES):
        count += (colour_of(people) == colour) * s.hand[seat, people]
    return count + bets_of(s, seat, colour)


@kernel
def bets_of(s, seat, colour):
    """Cards of a colour that a seat has bet."""
    count = 0
    for k in range(BETS):
        count += s.bets[seat, k] != NONE and colour_of(s.bets[seat, k]) == colour
    return count


# -- destiny cards -----------------------------------------------------------------------------------------------------


@kernel
def knows(s, seat, other, k):
    """Whether `seat` knows another's destiny card."""
    people = s.destiny[other, k]
    return people == NONE or s.revealed[people] == other or (s.looked[other, k] >> seat) & 1 == 1


@kernel
def possible(s, seat, other, k, people):
    """Whether `other` may hold this people's destiny card in slot k, as far as `seat` knows."""
    if knows(s, seat, other, k):
        return s.destiny[other, k] == people
    if represents(s, seat, people):
        return False
    for third in range(s.num_players):
        if third != seat and s.destiny[third, k] == people and knows(s, seat, third, k):
            return False
    return True


@kernel
def imagine_destinies(s, seat, deceiver):
    """Destiny cards that `seat` does not know are drawn from those that it has not seen."""
    taken = np.zeros(NUM_PEOPLES, np.int64)
    cards = np.zeros(OF_A_SIZE, np.int64)
    for k in range(NUM_SIZES):
        if s.destiny[seat, k] == NONE:
            continue
        first = k * OF_A_SIZE
        for other in range(s.num_players):
            if other in (seat, deceiver) or knows(s, seat, other, k):
                taken[s.destiny[other, k]] = 1
        left = 0
        for people in range(first, first + OF_A_SIZE):
            if not taken[people]:
                cards[left] = people
                left += 1
        shuffle(s, cards, 0, left)
        for other in range(s.num_players):
            if other not in (seat, deceiver) and not knows(s, seat, other, k):
                left -= 1
                s.destiny[other, k] = cards[left]


# -- the god of deception ----------------------------------------------------------------------------------------------
#
# Nobody else sees which of its cards are destiny cards. For each slot a people is drawn and what has become of the
# card: it is in hand, or was played, before the bets were laid or after. That weighs as much as there are ways to deal
# the cards and to play them in an order that shows what was seen: any of the cards of a people that were played since
# the deal may have been the destiny card. How many cards are bet tells nothing, which ones is chance (ruling 20); so
# what was bet is the less likely, the more cards there were to choose from.

HELD, BEFORE, AFTER = 0, 1, 2  # in hand; played before the bets were laid; after that
FATES = 3
SLOT = FATES * OF_A_SIZE  # weights of a slot: six peoples for each fate
# Two destiny cards have the sizes of a colour. So many of them were played before the bets, and so many after:
SOONER, LATER = np.array([0, 1, 0, 2, 1, 0]), np.array([0, 0, 1, 0, 1, 2])
NUMBERS = len(SOONER)
# `ways` holds the weights: those of the slots, their sums by slot and fate, those of the numbers for each colour, those
# of the numbers for both together, and then three for a choice between the fates of a card.
SUMS = NUM_SIZES * SLOT
COLOURS = SUMS + NUM_SIZES * FATES
BOTH = COLOURS + 2 * NUMBERS
CHOICE = BOTH + NUMBERS * NUMBERS
ALL_WAYS = CHOICE + FATES


@kernel
def imagine_deceiver(s, seat, other, unknown):
    """Draw the deceiver's destiny cards, and which of them it has played; its action cards played leave `unknown`."""
    ways = np.zeros(ALL_WAYS)
    late = played_late(s, other)
    for k in range(NUM_SIZES):
        weigh_slot(s, seat, other, k, late, unknown, ways)
    for number in range(NUMBERS):
        played = SOONER[number] + LATER[number]
        for colour, k in ((RED, RED_SLOT), (YELLOW, 0)):
            ways[COLOURS + NUMBERS * colour + number] = pairs(ways, k, SOONER[number], LATER[number]) * deals(
                s, other, colour, played, unknown
            )
    for red in range(NUMBERS):
        for yellow in range(NUMBERS):
            chances = choices_of_bets(s, other, late, SOONER[red] + SOONER[yellow])
            if chances > 0:
                ways[BOTH + NUMBERS * red + yellow] = (
                    ways[COLOURS + NUMBERS * RED + red] * ways[COLOURS + NUMBERS * YELLOW + yellow] / chances
                )
    drawn = weighted(s, ways, BOTH, CHOICE)
    draw_slots(s, other, RED_SLOT, drawn // NUMBERS, ways)
    draw_slots(s, other, 0, drawn % NUMBERS, ways)
    for people in range(NUM_PEOPLES):
        unknown[people] -= s.played[other, people] - spent_on(s, other, people)


@kernel
def cards_played(s, seat):
    """All cards that a seat has played, one a turn."""
    count = 0
    for people in range(NUM_PEOPLES):
        count += s.played[seat, people]
    return count


@kernel
def played_late(s, other):
    """Cards that a seat has played since its bets were laid."""
    return cards_played(s, other) - (BET_TURN - 1) if s.bets_laid[other] else 0


@kernel
def weigh_slot(s, seat, other, k, late, unknown, ways):
    """Ways to have played the action cards of this size, for each people on the card and each fate of it."""
    dealt = s.destiny[other, k] != NONE
    since = cards_played(s, other) - 2 * k  # a destiny card is dealt in every second turn
    for n in range(OF_A_SIZE):
        people = k * OF_A_SIZE + n
        if n == 0 and not dealt:  # one way for all: the card's people does not matter
            ways[k * SLOT] = ways_to_play(s, other, k, NONE, unknown)
        elif dealt and possible(s, seat, other, k, people):
            ways[k * SLOT + n] = ways_to_play(s, other, k, NONE, unknown)
            either_of = s.played[other, people] - s.early[people]
            if either_of > 0:
                played = either_of * ways_to_play(s, other, k, people, unknown) / since
                ways[k * SLOT + BEFORE * OF_A_SIZE + n] = played * (since - late)
                ways[k * SLOT + AFTER * OF_A_SIZE + n] = played * late
    for fate in range(FATES):
        total = 0.0
        for n in range(OF_A_SIZE):
            total += ways[k * SLOT + fate * OF_A_SIZE + n]
        ways[SUMS + k * FATES + fate] = total


@kernel
def ways_to_play(s, other, k, spent, unknown):
    """Ways to choose, among the copies not seen, the action cards played of a size; `spent` was a destiny card."""
    ways = 1
    for people in range(k * OF_A_SIZE, (k + 1) * OF_A_SIZE):
        for n in range(s.played[other, people] - (people == spent)):
            ways *= max(0, unknown[people] - n)
    return ways


@kernel
def pairs(ways, k, sooner, later):
    """Ways for the slots k and k + 1 with so many of the two played before the bets, and after."""
    total = 0.0
    for fate in range(FATES):
        total += both(ways, k, fate, sooner, later)
    return total


@kernel
def both(ways, k, fate, sooner, later):
    """Ways for the slots k and k + 1, of which the first has this fate."""
    second = fate_of(sooner - (fate == BEFORE), later - (fate == AFTER))
    if second == NONE:
        return 0.0
    return ways[SUMS + k * FATES + fate] * ways[SUMS + (k + 1) * FATES + second]


@kernel
def fate_of(sooner, later):
    """The fate of one card, which was played so often before the bets, and after; NONE if no card can be."""
    if sooner < 0 or later < 0 or sooner + later > 1:
        return NONE
    return BEFORE * sooner + AFTER * later


@kernel
def deals(s, other, colour, number, unknown):
    """Ways to deal the unseen cards of a colour, up to a factor, when `number` of those played were destiny cards."""
    cards, left = 0, HAND[colour]
    for people in range(NUM_PEOPLES):
        if colour_of(people) == colour:
            cards += unknown[people] - s.played[other, people]
            left -= s.played[other, people]
    if s.bets_laid[other]:
        left -= bets_of(s, other, colour)
    if left + number < 0 or cards + number < 0:
        return 0
    total = 1
    for n in range(1, 3):
        # A factor up to 0 belongs to a number that is impossible, and so to none of the others.
        total *= max(1, cards + n) if n <= number else left + n
    return total


@kernel
def choices_of_bets(s, other, late, sooner):
    """Sets of cards that a seat could have bet instead, as many as it did; 0 if it had not even so many."""
    if not s.bets_laid[other]:
        return 1
    held = HAND[RED] + HAND[YELLOW] + sooner + late - cards_played(s, other)
    number = bets_of(s, other, RED) + bets_of(s, other, YELLOW)
    if number > held:
        return 0
    return 1 if number == 0 else held if number == 1 else held * (held - 1) // 2


@kernel
def draw_slots(s, other, k, number, ways):
    """The destiny cards in the slots k and k + 1, of which so many were played before the bets and after."""
    for fate in range(FATES):
        ways[CHOICE + fate] = both(ways, k, fate, SOONER[number], LATER[number])
    fate = weighted(s, ways, CHOICE, ALL_WAYS)
    draw_card(s, other, k, fate, ways)
    second = fate_of(SOONER[number] - (fate == BEFORE), LATER[number] - (fate == AFTER))
    draw_card(s, other, k + 1, second, ways)


@kernel
def draw_card(s, other, k, fate, ways):
    """The destiny card in slot k, with its fate."""
    start = k * SLOT + fate * OF_A_SIZE
    n = weighted(s, ways, start, start + OF_A_SIZE)
    if s.destiny[other, k] != NONE:
        s.destiny[other, k] = k * OF_A_SIZE + n
        s.spent[other, k] = fate != HELD


@kernel
def weighted(s, ways, start, stop):
    """A number from 0 on, as likely as its share of ``ways[start:stop]``."""
    total = 0.0
    for n in range(start, stop):
        total += ways[n]
    left = np.float64(next_uint64(s) >> S11) / TWO_53 * total
    last = 0
    for n in range(start, stop):
        if ways[n] > 0.0:
            last = n - start
            left -= ways[n]
            if left < 0.0:
                break
    return last


# -- action cards ------------------------------------------------------------------------------------------------------


@kernel
def deal_unknown(s, seat, deceiver, colour, unknown, cards):
    """Shuffle the unseen action cards of a colour and deal the other hands and bets from them."""
    count = 0
    for people in range(NUM_PEOPLES):
        if colour_of(people) == colour:
            for _ in range(unknown[people]):
                cards[count] = people
                count += 1
    shuffle(s, cards, 0, count)
    for other in range(s.num_players):
        if other != seat:
            number = held_of(s, other, colour)
            if other == deceiver:
                number = HAND[colour] - played_of(s, other, colour)
            if s.finished:
                number -= bets_of(s, other, colour)
            count = deal_to(s, other, colour, number, cards, count)


@kernel
def played_of(s, seat, colour):
    """Action cards of a colour that a seat has played."""
    count = 0
    for people in range(NUM_PEOPLES):
        if colour_of(people) == colour:
            count += s.played[seat, people] - spent_on(s, seat, people)
    return count


@kernel
def deal_to(s, other, colour, number, cards, count):
    """A seat's cards of a colour: those bet keep their backs, red ones first; how many cards are left."""
    bet = bets_of(s, other, colour) if s.bets_laid[other] and not s.finished else 0
    start = 0 if colour == RED else bets_of(s, other, RED)
    for people in range(NUM_PEOPLES):
        if colour_of(people) == colour:
            s.hand[other, people] = 0
    for n in range(number):
        count -= 1
        if n < bet:
            s.bets[other, start + n] = cards[count]
        else:
            s.hand[other, cards[count]] += 1
    sort_bets(s, other)
    return count


@kernel
def answers(s, other):
    """Questions about bets that a seat has answered by now, while bets are laid."""
    if not bets_now(s, other):
        return 0
    at = places_after(s, other, s.first)
    return BETS if at < s.place else s.step if at == s.place else 0


@kernel
def number_of_bets(s, held, answered):
    """Bets that may have been laid with so many answers: of `held` cards any set is as likely."""
    one = held if answered > 0 else 0
    two = held * (held - 1) // 2 if answered > 1 else 0
    chosen = randint(s, 1 + one + two)
    return 0 if chosen == 0 else 1 if chosen <= one else 2


@kernel
def imagine_secret_bets(s, other, deceiver):
    """Bets that nobody has seen yet.

    Their number hangs on the cards that may be bet for all that the others can see (of Deception's hand, any), not on
    what those cards are: so what is not seen changes no belief. Which cards, is chance.
    """
    s.bets[other, :] = NONE
    cards = np.zeros(HAND[RED] + HAND[YELLOW], np.int64)
    number = 0
    for people in range(NUM_PEOPLES):
        for _ in range(s.hand[other, people]):
            cards[number] = people
            number += 1
    shuffle(s, cards, 0, number)
    held = number
    if other == deceiver:
        for k in range(NUM_SIZES):
            held += s.destiny[other, k] != NONE and not s.spent[other, k]
    for k in range(min(number, number_of_bets(s, held, answers(s, other)))):
        s.bets[other, k] = cards[k]
        s.hand[other, cards[k]] -= 1
    sort_bets(s, other)
