"""The gods: chosen at the start, with powers of their own (Game Setup, components.toml)."""

from __future__ import annotations

from ...engine.chance import shuffle
from ...engine.compile import kernel
from ..components import BIT, MARKERS, NUM_GODS, NUM_PEOPLES, NUM_TERRITORIES, RULE, God
from ..state import NONE, A, Phase
from .abilities import improve
from .board import has, remember

GODS_DEALT = RULE.gods_dealt
FORTIFICATIONS, PROTECTED_FORTIFICATIONS = RULE.fortifications, RULE.protected_fortifications
LOVE_MARKERS, HATRED_MARKERS = MARKERS["Love"], MARKERS["Hatred"]

MAGIC_USES = RULE.magic_uses
DECEPTION = RULE.deception  # what it adds to its one attack


@kernel
def deal_gods(s, gods):
    """Two god cards to each player, face down; `gods` is room for twelve numbers."""
    for god in range(NUM_GODS):
        gods[god] = god
    shuffle(s, gods, 0, NUM_GODS)
    for seat in range(len(s.god)):
        s.god[seat] = NONE
        s.offer[seat, :] = NONE
    for seat in range(s.num_players):
        offer(s, seat, gods, seat * GODS_DEALT)


@kernel
def offer(s, seat, gods, start):
    """The two god cards from `start` on go to a seat; which of them it got first tells nothing, so they are sorted."""
    s.offer[seat, 0] = min(gods[start], gods[start + 1])
    s.offer[seat, 1] = max(gods[start], gods[start + 1])


@kernel
def may_choose_god(s, mask):
    """One of the two."""
    for k in range(GODS_DEALT):
        mask[A.god + s.offer[s.seat, k]] = True


@kernel
def choose_god(s, god):
    """The choice stays secret until all have chosen."""
    s.god[s.seat] = god
    s.phase = NONE


@kernel
def reveal_gods(s):
    """All gods are revealed together; those not chosen leave the game, and pieces and markers are handed out."""
    s.offer[:] = NONE
    for seat in range(s.num_players):
        god = s.god[seat]
        s.pieces[seat] = PROTECTED_FORTIFICATIONS if god == God.PROTECTORS else FORTIFICATIONS
        if god == God.LOVE:
            s.uses[seat] = LOVE_MARKERS
        elif god == God.VENGEANCE:
            s.uses[seat] = HATRED_MARKERS
        elif god == God.MAGIC:
            s.uses[seat] = MAGIC_USES
        elif god in (God.DECEPTION, God.CRAFTS):
            s.uses[seat] = 1


@kernel
def may_use_power(s, phase):
    """Whether the god of the seat to act has a power to use in this phase."""
    god = s.god[s.seat]
    if s.uses[s.seat] == 0 or s.used:
        return False
    if phase == Phase.FORTIFY:
        return god == God.LOVE or (god == God.VENGEANCE and someone_to_hate(s))
    if phase == Phase.ROLL:
        return god == God.DECEPTION
    return god in (God.CRAFTS, God.MAGIC)


@kernel
def someone_to_hate(s):
    """Whether a people on the board has no Hatred marker yet."""
    for people in range(NUM_PEOPLES):
        if s.extent[people] > 0 and not s.hated[people]:
            return True
    return False


@kernel
def use_power(s):
    """Call on the own god's power."""
    god = s.god[s.seat]
    if god == God.DECEPTION:
        s.boost = DECEPTION
        s.uses[s.seat] -= 1
    elif god == God.MAGIC:
        s.double = 1
        s.used = 1
        s.uses[s.seat] -= 1
    else:
        s.power = 1
        s.phase = Phase.TERRITORY if god == God.LOVE else Phase.PEOPLE


@kernel
def may_place_power(s, mask):
    """Where a god's power may go: Love on any territory, Hatred on any people on the board, Crafts to any of them."""
    god = s.god[s.seat]
    if god == God.LOVE:
        for t in range(NUM_TERRITORIES):
            mask[A.territory + t] = not has(s.love, t)
    else:
        for people in range(NUM_PEOPLES):
            hated = god == God.VENGEANCE and s.hated[people]
            mask[A.people + people] = s.extent[people] > 0 and not hated


@kernel
def place_love(s, t):
    """A Love marker forbids combat in a territory."""
    s.love |= BIT[t]
    remember(s.favoured, s.seat, s.owner[t])
    end_power(s, Phase.FORTIFY)


@kernel
def power_on_people(s, people):
    """Vengeance marks a people with Hatred, Crafts gives it a technology level."""
    if s.god[s.seat] == God.VENGEANCE:
        s.hated[people] = 1
        remember(s.harmed, s.seat, people)
        end_power(s, Phase.FORTIFY)
    else:
        improve(s, people)
        end_power(s, Phase.CARD)


@kernel
def end_power(s, phase):
    """Back to the phase in which the power was called on."""
    s.uses[s.seat] -= 1
    s.used = 1
    s.power = 0
    s.phase = phase
