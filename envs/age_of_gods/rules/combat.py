"""Combat Phase: one attack, and every other attack of the game, which is resolved alike."""

from __future__ import annotations

from ...engine.chance import roll
from ...engine.compile import kernel
from ..components import (
    BONUS,
    BREAKTHROUGH_FROM,
    COAST,
    EFFECT,
    EVERYWHERE,
    IS_CITY,
    NEAR,
    NUM_PEOPLES,
    NUM_TERRITORIES,
    OWN_ATTACK,
    REACH,
    RULE,
    SIZE,
    WHILE_WINNING,
    WITHIN_TWO,
    Effect,
    God,
    Reach,
)
from ..state import NONE, A, Phase, Stage
from .board import (
    NOWHERE,
    attack_of,
    closed,
    defence_of,
    destroy,
    has,
    max_extent,
    remember,
    settle,
)

WIN_FROM, BREAKTHROUGH = RULE.win_from, RULE.breakthrough
FORTIFIED, CITY, BULWARK = RULE.fortified, RULE.city, RULE.bulwark
HOLY_WAR, DWARVEN_FORTRESS, VENGEANCE = RULE.holy_war, RULE.dwarven_fortress, RULE.vengeance
PEACE, PEACE_ATTACK = RULE.peace, RULE.peace_attack
WAR, DECEPTION, LUCK = RULE.war, RULE.deception, RULE.luck


# -- from where, and on what ---------------------------------------------------------------------------------------


@kernel
def may_lead(s, people):
    """Whether the seat to act may launch the attack that it is asked for with this people."""
    if s.ability != NONE:
        return not OWN_ATTACK[s.ability] or people == s.ability
    if s.stage == Stage.UPRISING:  # sizes whose destiny cards have not been dealt
        return SIZE[people] < 5 - (s.turn + 1) // 2
    return s.revealed[people] != s.seat  # Combat Phase: none whose destiny card it has revealed


@kernel
def may_be_led(s):
    """Territories of the peoples that may be led."""
    found = NOWHERE
    for people in range(NUM_PEOPLES):
        if may_lead(s, people):
            found |= s.land[people]
    return found


@kernel
def reach_of(s, t):
    """Territories that an attack from `t` can reach; a breakthrough goes on to a neighbour (ruling 6)."""
    if s.ability != NONE and not s.follow_up:
        return reached(REACH[s.ability], t)
    return NEAR[t]


@kernel
def reached(reach, t):
    """Territories within a reach of `t`."""
    if reach == Reach.TWO_STEPS:
        return WITHIN_TWO[t]
    if reach == Reach.ANYWHERE:
        return EVERYWHERE
    if reach == Reach.COAST and has(COAST, t):
        return NEAR[t] | COAST
    return NEAR[t]


@kernel
def targets_of(s, t):
    """Territories that can be attacked from `t`: within reach, not of the same people, not closed."""
    return reach_of(s, t) & ~(s.land[s.owner[t]] | closed(s))


@kernel
def can_attack(s):
    """Whether the attack that is asked for can be launched from anywhere (ruling 5: if not, there is none)."""
    shut = closed(s)
    led = may_be_led(s) & ~shut
    for t in range(NUM_TERRITORIES):
        if has(led, t) and reach_of(s, t) & ~(s.land[s.owner[t]] | shut) != NOWHERE:
            return True
    return False


@kernel
def may_choose_origin(s, mask):
    """The attacking territory must hold a token and border on something to attack."""
    shut = closed(s)
    led = may_be_led(s) & ~shut
    for t in range(NUM_TERRITORIES):
        if has(led, t):
            mask[A.territory + t] = reach_of(s, t) & ~(s.land[s.owner[t]] | shut) != NOWHERE
    mask[A.done] = s.ability != NONE and WHILE_WINNING[s.ability] and s.step > 0


@kernel
def may_choose_target(s, mask):
    """The attacked territory; after a breakthrough the attack may be left out."""
    targets = targets_of(s, s.origin)
    for t in range(NUM_TERRITORIES):
        mask[A.territory + t] = has(targets, t)
    mask[A.done] = s.follow_up == 1


@kernel
def ask_for_attack(s):
    """The seat to act names the attacking territory next."""
    s.origin = NONE
    s.target = NONE
    s.natural = 0
    s.follow_up = 0
    s.boost = 0
    s.phase = Phase.ORIGIN


@kernel
def choose_origin(s, t):
    """The attacking territory is named."""
    s.origin = t
    s.phase = Phase.TARGET


@kernel
def choose_target(s, t):
    """The attacked territory is named; all that is left is the die."""
    s.target = t
    s.phase = Phase.ROLL


# -- the die -------------------------------------------------------------------------------------------------------


@kernel
def modifiers(s, origin, target):
    """What is added to the die, but for what hangs on who attacks when (the four modifiers; markers, ruling 8)."""
    attacker, defender = s.owner[origin], s.owner[target]
    total = attack_of(s, attacker)
    if not ambushed(s):
        total -= protection(s, target)
    if defender != NONE:
        total -= PEACE * at_peace(s, defender)
        if s.attacker == attacker and s.victim == defender:
            total += HOLY_WAR
        total += VENGEANCE * s.hated[defender]
    return total


@kernel
def ambushed(s):
    """Whether the attack is an Ambush, for which nothing counts that protects the attacked (but Peace, ruling 8)."""
    return s.ability != NONE and EFFECT[s.ability] == Effect.AMBUSH and not s.follow_up


@kernel
def at_peace(s, people):
    """Whether the god of peace has revealed that it represents a people."""
    return s.revealed[people] != NONE and s.god[s.revealed[people]] == God.PEACE


@kernel
def protection(s, t):
    """What attacks on a territory are lowered by: what stands there, and what its people has."""
    total = CITY * IS_CITY[t] + FORTIFIED * has(s.fortified, t) + BULWARK * has(s.bulwarks, t)
    if s.fortress == t:
        total += DWARVEN_FORTRESS
    people = s.owner[t]
    if people != NONE:
        total += defence_of(s, people)
    return total


@kernel
def circumstances(s):
    """What is added because of who attacks when: an ability's bonus, the gods of war, peace and deception."""
    total = s.boost
    if s.ability != NONE and not s.follow_up:
        total += BONUS[s.ability]
    if s.stage == Stage.COMBAT and s.god[s.seat] == God.WAR:
        total += WAR
    elif s.stage == Stage.COMBAT and s.god[s.seat] == God.PEACE:
        total -= PEACE_ATTACK
    return total


@kernel
def margin(s):
    """All that is added to the die of the attack under way."""
    return modifiers(s, s.origin, s.target) + circumstances(s)


@kernel
def roll_for_attack(s):
    """The player rolls the die; an empty territory is taken whatever it shows."""
    remember(s.led, s.seat, s.owner[s.origin])
    remember(s.harmed, s.seat, s.owner[s.target])
    s.natural = roll(s)
    added = margin(s)
    won = s.owner[s.target] == NONE or s.natural + added >= WIN_FROM
    if not won and s.natural <= LUCK and lucky(s):
        s.natural = roll(s)
        won = s.natural + added >= WIN_FROM
    if not won:
        end_attack(s, False)
    elif s.extent[s.owner[s.origin]] >= max_extent(s, s.owner[s.origin]):
        s.phase = Phase.EXTENT
    else:
        conquer(s)


@kernel
def lucky(s):
    """The god of luck rolls again in the Combat Phase, when the die falls low."""
    return s.stage == Stage.COMBAT and s.god[s.seat] == God.LUCK


@kernel
def conquer(s):
    """The token there is destroyed and one of the attacking people takes its place."""
    people = s.owner[s.origin]
    destroy(s, s.target)
    settle(s, people, s.target)
    break_through(s)


# -- Special Cases -------------------------------------------------------------------------------------------------


@kernel
def raze(s):
    """No token left: the attacked territory is destroyed and stays empty; no breakthrough."""
    destroy(s, s.target)
    end_attack(s, True)


@kernel
def give_up_origin(s):
    """The territory from which the attack was launched is destroyed to free a token for the attacked one."""
    people = s.owner[s.origin]
    destroy(s, s.origin)
    destroy(s, s.target)
    settle(s, people, s.target)
    break_through(s)


# -- breakthrough --------------------------------------------------------------------------------------------------


@kernel
def break_through(s):
    """On a natural 6 a second attack may follow from the conquered territory, but no third."""
    least = BREAKTHROUGH if s.ability == NONE else BREAKTHROUGH_FROM[s.ability]
    if s.follow_up or s.natural < least:
        end_attack(s, True)
        return
    s.origin = s.target
    s.target = NONE
    s.natural = 0
    s.boost = 0
    s.follow_up = 1
    if has(closed(s), s.origin) or targets_of(s, s.origin) == NOWHERE:
        end_attack(s, True)
    else:
        s.phase = Phase.TARGET


@kernel
def end_attack(s, won):
    """The attack is over; an ability may allow another (`run_on` asks for it)."""
    s.origin = NONE
    s.target = NONE
    s.natural = 0
    s.boost = 0
    s.follow_up = 0
    s.phase = NONE
    s.step += 1
    s.attacks -= 1
    if s.ability != NONE and WHILE_WINNING[s.ability] and not won:
        s.attacks = 0
