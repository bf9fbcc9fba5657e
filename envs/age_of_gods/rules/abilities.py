"""The special abilities of the 24 peoples (components.toml): data, and a kernel for each kind of effect."""

from __future__ import annotations

import numpy as np

from ...engine.chance import roll
from ...engine.compile import kernel
from ..components import (
    ATTACKS,
    BIT,
    CITIES,
    COUNT,
    EFFECT,
    EVERYWHERE,
    NEEDS,
    NUM_PEOPLES,
    NUM_SIZES,
    NUM_TERRITORIES,
    OWN_ATTACK,
    REACH,
    Effect,
)
from ..components import MARKERS as MARKER_NUMBERS
from ..state import ATTACK, DEFENCE, NONE, A, Phase
from .board import (
    NOWHERE,
    destroy,
    empty,
    has,
    max_extent,
    remember,
    settle,
    take_away,
    torn,
)
from .combat import can_attack, reached

BONUS_MARKERS = np.array(
    [[MARKER_NUMBERS[f"{kind} Bonus +{n}"] for n in (1, 2)] for kind in ("Attack", "Defence")], np.int64
)


@kernel
def begin_ability(s, people):
    """The ability of a people is used; it asks for what it needs."""
    s.ability = people
    s.step = 0
    s.chosen = NONE
    effect = EFFECT[people]
    s.attacks = ATTACKS[people] if effect <= Effect.SIGHT else 0
    if effect == Effect.SWARM and s.spare_goblins > 0:
        s.spare_goblins -= 1
    if effect <= Effect.SIGHT:
        s.phase = (
            Phase.LOOK if effect == Effect.SIGHT and can_look(s) else NONE
        )  # then `run_on` asks for the attack
    elif effect <= Effect.RAISE:
        s.phase = Phase.TERRITORY
    else:
        s.phase = Phase.PEOPLE


@kernel
def is_of_use(s, people):
    """Whether the ability of a people that is on the board can do something (ruling 9)."""
    effect = EFFECT[people]
    if effect <= Effect.SIGHT:
        return could_attack(s, people)
    if effect <= Effect.RAISE:
        return eligible(s, people, 0, NONE) != NOWHERE
    if effect in (Effect.ATTACK_MARKER, Effect.DEFENCE_MARKER):
        return markers_left(s, effect - Effect.ATTACK_MARKER, COUNT[people] - 1) > 0
    if effect == Effect.BURGLARY:
        for other in range(NUM_PEOPLES):
            if other != people and s.technology[other] > 0:
                return True
        return False
    return effect != Effect.HOLY_WAR or living(s) > 1


@kernel
def living(s):
    """Peoples on the board."""
    count = 0
    for people in range(NUM_PEOPLES):
        count += s.extent[people] > 0
    return count


@kernel
def could_attack(s, people):
    """Whether the ability's attack could be launched."""
    before = s.ability
    s.ability = people
    found = can_attack(s)
    s.ability = before
    return found


@kernel
def markers_left(s, kind, number):
    """Bonus markers of a kind that nobody has: there are only so many."""
    left = BONUS_MARKERS[kind, number]
    for people in range(NUM_PEOPLES):
        left -= s.marker[kind, number, people]
    return left


# -- abilities that ask for a territory ----------------------------------------------------------------------------


@kernel
def eligible(s, people, step, chosen):
    """Territories that the ability of a people may name in its first or second step."""
    effect = EFFECT[people]
    if effect == Effect.FORTIFY:
        return EVERYWHERE & ~empty(s) & ~s.fortified
    if effect == Effect.VORTEX:
        return EVERYWHERE & ~CITIES & ~torn(s)
    if effect == Effect.FORTRESS:
        held = NOWHERE if s.fortress == NONE else BIT[s.fortress]
        return s.land[people] & ~held
    if effect == Effect.STRIKE:
        return within(s, people) & ~empty(s) & ~s.land[people] & ~sheltered(s, people)
    if effect == Effect.DEVOUR:
        return within(s, people) & ~CITIES & ~empty(s) & ~s.land[people]
    if effect == Effect.EXCHANGE:
        others = ~empty(s) & ~s.land[people] & ~CITIES & EVERYWHERE
        if step == 1:
            return others
        return s.land[people] & ~CITIES if others != NOWHERE else NOWHERE
    return empty(s) & ~torn(s)  # Raise the Dead


@kernel
def within(s, people):
    """Territories that the ability of a people can reach from those of the people."""
    found = NOWHERE
    for t in range(NUM_TERRITORIES):
        if s.owner[t] == people:
            found |= reached(REACH[people], t)
    return found


@kernel
def sheltered(s, people):
    """Fortifications keep Assassins out, but no Boulders."""
    return NOWHERE if OWN_ATTACK[people] else s.fortified


@kernel
def may_name_territory(s, mask):
    """Territories for an ability; Great Works may stop after one."""
    found = eligible(s, s.ability, s.step, s.chosen)
    for t in range(NUM_TERRITORIES):
        mask[A.territory + t] = has(found, t)
    mask[A.done] = EFFECT[s.ability] == Effect.FORTIFY and s.step > 0


@kernel
def name_territory(s, t):
    """A territory is named for an ability."""
    effect = EFFECT[s.ability]
    s.step += 1
    if effect == Effect.FORTIFY:
        great_works(s, t)
    elif effect == Effect.VORTEX:
        tear(s, t)
    elif effect == Effect.FORTRESS:
        s.fortress = t
    elif effect == Effect.STRIKE:
        strike(s, t)
    elif effect == Effect.DEVOUR:
        harm(s, t)
        destroy(s, t)
    elif effect == Effect.EXCHANGE:
        trek(s, t)
    else:
        s.chosen = t  # Raise the Dead: whose token?
        s.phase = Phase.PEOPLE
    if s.phase == Phase.TERRITORY and not asks_for_more(s):
        s.phase = NONE


@kernel
def asks_for_more(s):
    """Great Works and the Great Trek name two territories."""
    effect = EFFECT[s.ability]
    if effect == Effect.FORTIFY:
        return s.step < COUNT[s.ability] and eligible(s, s.ability, s.step, NONE) != NOWHERE
    return effect == Effect.EXCHANGE and s.step == 1


@kernel
def harm(s, t):
    """Remember against whom a blow was struck."""
    remember(s.harmed, s.seat, s.owner[t])


@kernel
def great_works(s, t):
    """Humans: fortifications from outside the game."""
    s.fortified |= BIT[t]
    remember(s.favoured, s.seat, s.owner[t])


@kernel
def tear(s, t):
    """Chaos: the Vortex opens; where it was before, the land lies empty."""
    harm(s, t)
    destroy(s, t)
    s.vortex = t


@kernel
def strike(s, t):
    """Assassins, Boulders: the die decides; what is destroyed takes its fortification along."""
    harm(s, t)
    if roll(s) >= NEEDS[s.ability]:
        destroy(s, t)


@kernel
def trek(s, t):
    """Nomads: two tokens change places; fortifications stay where they are."""
    if s.step == 1:
        s.chosen = t
        return
    harm(s, t)
    other = s.owner[t]
    take_away(s, t)
    take_away(s, s.chosen)
    settle(s, s.ability, t)
    settle(s, other, s.chosen)


# -- abilities that ask for a people -------------------------------------------------------------------------------


@kernel
def may_name_people(s, mask):
    """Peoples for an ability."""
    effect = EFFECT[s.ability]
    for people in range(NUM_PEOPLES):
        alive = s.extent[people] > 0
        if effect == Effect.RAISE:
            mask[A.people + people] = s.extent[people] < max_extent(s, people)
        elif effect == Effect.BURGLARY:
            mask[A.people + people] = people != s.ability and s.technology[people] > 0
        elif effect == Effect.HOLY_WAR and s.step == 1:
            mask[A.people + people] = alive and people != s.chosen
        else:
            mask[A.people + people] = alive


@kernel
def name_people(s, people):
    """A people is named for an ability."""
    effect = EFFECT[s.ability]
    s.step += 1
    s.phase = NONE
    if effect == Effect.RAISE:
        settle(s, people, s.chosen)
        remember(s.favoured, s.seat, people)
    elif effect == Effect.BURGLARY:
        s.technology[people] -= 1
        remember(s.harmed, s.seat, people)
        improve(s, s.ability)
    elif effect == Effect.INVENTION:
        improve(s, people)
    elif effect == Effect.HOLY_WAR:
        declare(s, people)
    else:
        kind = ATTACK if effect == Effect.ATTACK_MARKER else DEFENCE
        s.marker[kind, COUNT[s.ability] - 1, people] += 1
        remember(s.favoured, s.seat, people)
        s.step = 0  # of the attacks, if there are any (War Cry, Ancient Watch)
        s.attacks = ATTACKS[s.ability]


@kernel
def improve(s, people):
    """A people gains a technology level."""
    s.technology[people] += 1
    remember(s.favoured, s.seat, people)


@kernel
def declare(s, people):
    """Monks: first the Holy War Attacker, then the Holy War Victim."""
    if s.step == 1:
        s.chosen = people
        s.phase = Phase.PEOPLE
        return
    s.attacker = s.chosen
    s.victim = people
    remember(s.favoured, s.seat, s.attacker)
    remember(s.harmed, s.seat, s.victim)


# -- Second Sight --------------------------------------------------------------------------------------------------


@kernel
def may_look_at(s, holder, k):
    """Whether a destiny card is another's, dealt, and not yet known to the seat to act."""
    people = s.destiny[holder, k]
    if holder == s.seat or people == NONE or s.revealed[people] == holder:
        return False
    return (s.looked[holder, k] >> s.seat) & 1 == 0


@kernel
def can_look(s):
    """Whether there is a destiny card to look at."""
    for holder in range(s.num_players):
        for k in range(NUM_SIZES):
            if may_look_at(s, holder, k):
                return True
    return False


@kernel
def may_look(s, mask):
    """Destiny cards that can be looked at."""
    for further in range(1, s.num_players):
        holder = (s.seat + further) % s.num_players
        for k in range(NUM_SIZES):
            mask[A.look + (further - 1) * NUM_SIZES + k] = may_look_at(s, holder, k)


@kernel
def look(s, choice):
    """Sorcerers: look at a destiny card, then attack."""
    holder = (s.seat + 1 + choice // NUM_SIZES) % s.num_players
    s.looked[holder, choice % NUM_SIZES] |= 1 << s.seat
    s.phase = NONE
