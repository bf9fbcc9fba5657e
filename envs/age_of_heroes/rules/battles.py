"""Battles."""

from __future__ import annotations

from ...engine.chance import draw, randint
from ...engine.compile import kernel
from ..components import NUM_HELD, NUM_STRENGTHS, RULE, Building, Card
from ..hands import move_hand, move_unseen, show
from ..state import ATTACK, BARBARIANS, DEFENCE, NONE, NUM_UNITS, A, Goal, Phase, Stage, Unit
from .promises import note_attack
from .start import shuffle_battle_deck
from .table import ask, direct_road, discard, end_event

GENERAL_BONUS, FORTRESS_BONUS = RULE.general_bonus, RULE.fortress_bonus
CARDS_A_WINNER, ONE_CITY, TWO_CITIES, TWO_SPECIAL = (
    RULE.cards_a_winner,
    RULE.one_city,
    RULE.two_cities,
    RULE.two_special,
)
BARBARIAN_ARMIES = RULE.barbarian_armies
LAY_ORDER = tuple(int(unit) for unit in (Unit.LED_ARMY, Unit.HERO_LED_ARMY, Unit.HERO, Unit.ARMY))


# -- The attack --------------------------------------------------------------------------------------------------------


@kernel
def declare_war(s, target):
    """One tribe may be attacked in a turn, with one goal."""
    s.attacker = s.turn
    s.target = target
    if s.army[s.turn] + s.led[s.turn] == 0:
        show(s, s.turn, Card.HERO, 1)  # who attacks without an army must have one
    ask(s, s.turn, Phase.GOAL)


@kernel
def may_declare(s, mask):
    """A goal that there is something to win for: a city, cards in hand, a part of a monument (ruling 17)."""
    mask[A.goal + Goal.CONQUEST] = s.cities[s.target] > 0
    mask[A.goal + Goal.PLUNDER] = s.hand_size[s.target] > 0
    mask[A.goal + Goal.DESTRUCTION] = s.monument[s.target] > 0


@kernel
def declare_goal(s, goal):
    """Then the armies are chosen: those without a general, those with one, Heroes."""
    s.goal = goal
    s.sent = 0
    s.sent_led = 0
    _choose_armies(s)


@kernel
def _choose_armies(s):
    if s.army[s.turn] > 0:
        ask(s, s.turn, Phase.SEND)
    else:
        _choose_led(s)


@kernel
def _choose_led(s):
    if s.led[s.turn] > 0:
        ask(s, s.turn, Phase.SEND_LED)
    else:
        _muster(s)


@kernel
def _muster(s):
    """Who sends no army must have a Hero, and shows it (With the Hero card alone, Cards: Hero)."""
    if s.sent + s.sent_led == 0:
        show(s, s.turn, Card.HERO, 1)
    ask(s, s.turn, Phase.MUSTER)


@kernel
def may_send(s, mask):
    """Any number of armies at home, none only if others or a Hero go."""
    seat = s.seat
    heroes = s.hand[seat, Card.HERO]
    if s.phase == Phase.SEND:
        for number in range(s.army[seat] + 1):
            mask[A.send + number] = number > 0 or s.led[seat] + heroes > 0
    else:
        for number in range(s.led[seat] + 1):
            mask[A.send_led + number] = number > 0 or s.sent + heroes > 0


@kernel
def send(s, number):
    """So many armies without a general set out; from now on they cannot be recalled."""
    s.sent = number
    s.army[s.turn] -= number
    s.units[ATTACK, Unit.ARMY] = number
    _choose_led(s)


@kernel
def send_led(s, number):
    """So many armies with a general set out."""
    s.sent_led = number
    s.led[s.turn] -= number
    s.units[ATTACK, Unit.LED_ARMY] = number
    _muster(s)


@kernel
def may_muster(s, mask):
    """Heroes, as an army or as a general, before the army sets out."""
    _may_play_hero(s, ATTACK, mask)
    mask[A.ready] = _size(s, ATTACK) > 0


@kernel
def _may_play_hero(s, side, mask):
    """A Hero stands for an army, or leads one that has no general (ruling 19)."""
    if s.hand[s.seat, Card.HERO] > 0:
        mask[A.hero_army] = True
        mask[A.hero_general] = s.units[side, Unit.ARMY] > 0


@kernel
def play_hero(s, as_general):
    """A Hero is played from the hand, for this battle alone."""
    side = ATTACK if s.phase == Phase.MUSTER else DEFENCE
    discard(s, s.seat, Card.HERO, 1)
    s.discards[Card.HERO] -= 1
    s.heroes[side] += 1
    if as_general:
        s.units[side, Unit.ARMY] -= 1
        s.units[side, Unit.HERO_LED_ARMY] += 1
    else:
        s.units[side, Unit.HERO] += 1
    s.asked = True  # the same seat may play another


@kernel
def set_out(s):
    """The armies are on their way: promises not to attack are broken now (Fair); the attacked answers."""
    note_attack(s, s.turn, s.target)
    _stand_to_arms(s)


@kernel
def barbarians_come(s, seat):
    """A barbarian army attacks whoever drew the card; its goal is always plunder."""
    s.attacker = BARBARIANS
    s.target = seat
    s.goal = Goal.PLUNDER
    _stand_to_arms(s)


# -- The defence -------------------------------------------------------------------------------------------------------


@kernel
def may_defend(s, mask):
    """Olympic Games, against barbarians Luck, Heroes as army or general, or what is there."""
    seat = s.seat
    mask[A.ready] = True
    mask[A.olympic_games] = s.hand[seat, Card.OLYMPIC_GAMES] > 0
    mask[A.luck] = s.attacker == BARBARIANS and s.hand[seat, Card.LUCK] > 0
    _may_play_hero(s, DEFENCE, mask)


@kernel
def _stand_to_arms(s):
    """All armies at home defend, but for those under an earthquake; and the attacked may answer with a card."""
    s.units[DEFENCE, Unit.ARMY] = s.army[s.target]
    s.units[DEFENCE, Unit.LED_ARMY] = s.led[s.target]
    ask(s, s.target, Phase.DEFEND)


@kernel
def call_off(s, card):
    """Olympic Games, or Luck against barbarians: the attackers turn around, and there are no winners."""
    discard(s, s.seat, card, 1)
    s.phase = Phase.SPOILS


# -- Determining the result of a battle --------------------------------------------------------------------------------


@kernel
def _size(s, side):
    """Units of a side that have not fought yet."""
    count = 0
    for unit in range(NUM_UNITS):
        count += s.units[side, unit]
    return count


@kernel
def commander(s, side):
    """The seat that decides for a side; BARBARIANS have nobody."""
    return s.attacker if side == ATTACK else s.target


@kernel
def join_battle(s):
    """A battle card for each army of both sides, if anybody defends."""
    s.wins = 0
    s.phase = Phase.LAY
    if s.attacker == BARBARIANS:
        s.units[ATTACK, Unit.ARMY] = BARBARIAN_ARMIES
    if _size(s, DEFENCE) > 0:
        for side in range(2):
            if commander(s, side) != BARBARIANS:  # theirs are turned up as they fight
                for _ in range(_size(s, side)):
                    s.drawn[side, draw(s, s.battle_deck)] += 1


@kernel
def go_on_with_battle(s):
    """Battle cards are laid, then armies fight, then the winners are counted."""
    side = laying_side(s)
    unit = next_to_lay(s, side)
    if unit != NONE:
        _lay_or_ask(s, side, unit)
    elif s.phase == Phase.SPOILS:
        end_battle(s)
    elif _size(s, ATTACK) > 0 and _size(s, DEFENCE) > 0:
        _next_duel(s)
    else:
        s.wins += _size(s, ATTACK)  # armies for which the defender had not enough
        _stand_down(s)
        _count_winners(s)


@kernel
def _lay_or_ask(s, side, unit):
    """Which battle card goes under which army is chosen, where there are armies of several kinds.

    Everybody sees who is asked, so that must not depend on the battle cards: also who drew equal ones chooses.
    """
    if _others_wait(s, side, unit):
        ask(s, commander(s, side), Phase.LAY)
        return
    _lay(s, side, unit, any_drawn(s, side))


@kernel
def next_to_lay(s, side):
    """The unit that gets the next battle card, NONE when all are laid."""
    cards = 0
    for strength in range(NUM_STRENGTHS):
        cards += s.drawn[side, strength]
    if cards > 0:
        for k in range(NUM_UNITS):
            unit = LAY_ORDER[k]
            if _without_card(s, side, unit) > 0:
                return unit
    return NONE


@kernel
def _without_card(s, side, unit):
    count = s.units[side, unit]
    for strength in range(NUM_STRENGTHS):
        count -= s.laid[side, unit, strength]
    return count


@kernel
def _others_wait(s, side, unit):
    """Whether units of another kind are still without a battle card, too."""
    others = 0
    for other in range(NUM_UNITS):
        if other != unit:
            others += _without_card(s, side, other)
    return others > 0


@kernel
def laying_side(s):
    """The side of the seat that lays battle cards."""
    return ATTACK if next_to_lay(s, ATTACK) != NONE else DEFENCE


@kernel
def may_lay(s, mask):
    """Any battle card that was drawn; where all are alike there is a second word for that, so that none is forced."""
    side = laying_side(s)
    strengths = 0
    for strength in range(NUM_STRENGTHS):
        mask[A.lay + strength] = s.drawn[side, strength] > 0
        strengths += s.drawn[side, strength] > 0
    mask[A.alike] = strengths == 1


@kernel
def lay(s, strength):
    """A battle card goes under the next army."""
    side = laying_side(s)
    _lay(s, side, next_to_lay(s, side), strength)


@kernel
def _lay(s, side, unit, strength):
    s.drawn[side, strength] -= 1
    s.laid[side, unit, strength] += 1


@kernel
def _next_duel(s):
    """Each side chooses an army without seeing the other's choice, the attacker first, until one has none left."""
    if s.attacker == BARBARIANS or s.chosen != NONE:
        ask(s, s.target, Phase.DUEL)
    else:
        ask(s, s.attacker, Phase.DUEL)


@kernel
def _stand_down(s):
    """Who has not fought does not fight any more, and its battle card stays face down."""
    for side in range(2):
        for unit in range(NUM_UNITS):
            s.units[side, unit] = 0
            for strength in range(NUM_STRENGTHS):
                s.battle_deck[strength] += s.laid[side, unit, strength]
                s.laid[side, unit, strength] = 0


@kernel
def may_duel(s, mask):
    """Any unit that has not fought yet; where several are alike there is a second word for that (see `may_lay`)."""
    side = ATTACK if s.seat == s.attacker else DEFENCE
    choices = 0
    for unit in range(NUM_UNITS):
        for strength in range(NUM_STRENGTHS):
            mask[A.duel + unit * NUM_STRENGTHS + strength] = s.laid[side, unit, strength] > 0
            choices += s.laid[side, unit, strength] > 0
    mask[A.alike] = choices == 1 and _size(s, side) > 1


@kernel
def choose_any(s):
    """The battle cards, or the units, that are left are all alike: any of them."""
    if s.phase == Phase.LAY:
        lay(s, any_drawn(s, laying_side(s)))
    else:
        choose_duel(s, any_laid(s, ATTACK if s.seat == s.attacker else DEFENCE))


@kernel
def any_drawn(s, side):
    """The weakest battle card that is not laid yet."""
    strength = 0
    while s.drawn[side, strength] == 0:
        strength += 1
    return strength


@kernel
def any_laid(s, side):
    """A unit that has not fought yet, with its battle card."""
    choice = 0
    while s.laid[side, choice // NUM_STRENGTHS, choice % NUM_STRENGTHS] == 0:
        choice += 1
    return choice


@kernel
def choose_duel(s, choice):
    """The attacker's choice waits for the defender's; then both cards are revealed."""
    if s.seat == s.attacker:
        s.chosen = choice
    else:
        attacking = _barbarian(s) if s.attacker == BARBARIANS else s.chosen
        s.chosen = NONE
        _duel(s, attacking, choice)


@kernel
def _barbarian(s):
    """A barbarian army turns up its battle card."""
    strength = draw(s, s.battle_deck)
    s.laid[ATTACK, Unit.ARMY, strength] += 1
    return Unit.ARMY * NUM_STRENGTHS + strength


@kernel
def _duel(s, attacking, defending):
    """The weaker army is destroyed; in case of a tie nothing happens."""
    attack = _reveal(s, ATTACK, attacking)
    defence = _reveal(s, DEFENCE, defending) + FORTRESS_BONUS * s.fortresses[s.target]
    if attack > defence:
        s.wins += 1
        _destroy(s, DEFENCE, defending // NUM_STRENGTHS)
    elif attack < defence:
        _destroy(s, ATTACK, attacking // NUM_STRENGTHS)


@kernel
def _reveal(s, side, choice):
    """A unit fights: its strength with +2 for whoever leads it."""
    unit, strength = choice // NUM_STRENGTHS, choice % NUM_STRENGTHS
    s.units[side, unit] -= 1
    s.laid[side, unit, strength] -= 1
    s.shown[strength] += 1
    led = unit in (Unit.LED_ARMY, Unit.HERO_LED_ARMY)
    return strength + 1 + (GENERAL_BONUS if led else 0)


@kernel
def _destroy(s, side, unit):
    """The army returns to the main deck, and its general with it; Heroes go after the battle in any case."""
    seat = commander(s, side)
    if seat == BARBARIANS or unit == Unit.HERO:
        return
    s.supply[Building.ARMY] += 1
    if unit == Unit.LED_ARMY:
        s.supply[Building.GENERAL] += 1
        if side == ATTACK:
            s.sent_led -= 1
        else:
            s.led[seat] -= 1
    elif side == ATTACK:
        s.sent -= 1
    else:
        s.army[seat] -= 1


# -- Victory in battle -------------------------------------------------------------------------------------------------


@kernel
def most_spoils(s):
    """What the winning armies may take, as far as it is there."""
    if s.goal == Goal.CONQUEST:
        return min(s.cities[s.target], (s.wins >= ONE_CITY) + (s.wins >= TWO_CITIES))
    if s.goal == Goal.PLUNDER:
        return min(s.hand_size[s.target], CARDS_A_WINNER * s.wins)
    return min(s.monument[s.target], (s.wins > 0) + (s.wins >= TWO_SPECIAL))


@kernel
def _count_winners(s):
    """The attacker counts its winning armies; barbarians take what they can, others decide (ruling 20)."""
    most = most_spoils(s)
    if s.attacker == BARBARIANS:
        _barbarians_plunder(s, most)
        s.phase = Phase.SPOILS
    elif most > 0:
        ask(s, s.attacker, Phase.SPOILS)
    else:
        s.phase = Phase.SPOILS  # nothing to take


@kernel
def may_take(s, mask):
    """As much as the winning armies may take, or less."""
    for number in range(most_spoils(s) + 1):
        mask[A.take + number] = True


@kernel
def take_spoils(s, number):
    """Cities, cards at random, or special resources to the discards."""
    if s.goal == Goal.CONQUEST:
        s.cities[s.target] -= number
        s.cities[s.attacker] += number
    elif s.goal == Goal.PLUNDER:
        _plunder(s, number)
    else:
        s.monument[s.target] -= number
        s.discards[Card.LIMESTONE + s.tribe[s.target]] += number


@kernel
def _plunder(s, number):
    """Cards are drawn from the victim's hand face down: these two alone know them."""
    if number == s.hand_size[s.target]:
        move_hand(s, s.target, s.attacker)
    else:
        for _ in range(number):
            move_unseen(s, s.target, s.attacker, _random_card(s, s.target))


@kernel
def _random_card(s, holder):
    """One of the cards of a hand, each equally likely."""
    left = randint(s, s.hand_size[holder])
    for card in range(NUM_HELD):
        left -= s.hand[holder, card]
        if left < 0:
            return card
    return NONE


@kernel
def _barbarians_plunder(s, number):
    """What barbarians take is discarded."""
    for _ in range(number):
        discard(s, s.target, _random_card(s, s.target), 1)


@kernel
def end_battle(s):
    """Survivors go home, at once over a direct road; Heroes are discarded, battle cards shuffled into their deck."""
    if s.attacker != BARBARIANS:
        _go_home(s)
        s.stage = Stage.MONUMENT
    else:
        end_event(s)
    s.discards[Card.HERO] += s.heroes[ATTACK] + s.heroes[DEFENCE]
    s.heroes[ATTACK], s.heroes[DEFENCE] = 0, 0
    _stand_down(s)
    shuffle_battle_deck(s)
    s.attacker = NONE
    s.target = NONE
    s.goal = 0
    s.wins = 0
    s.chosen = NONE


@kernel
def _go_home(s):
    """At the end of the attacker's next turn, or at once if a road leads there directly."""
    seat = s.attacker
    if direct_road(s, seat, s.target):
        s.army[seat] += s.sent
        s.led[seat] += s.sent_led
    else:
        s.out[seat] += s.sent
        s.out_led[seat] += s.sent_led
    s.sent = 0
    s.sent_led = 0
