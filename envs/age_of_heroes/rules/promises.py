"""Fair: promises, which are made as part of an offer, may be broken, and are remembered either way (ruling 27)."""

from __future__ import annotations

from ...engine.compile import kernel
from ..state import DUE, NONE, NUM_VOWS, Vow
from .table import direct_road, has, road_start

OF_WAR = (int(Vow.PEACE), int(Vow.STAY_OUT))


@kernel
def can_promise(s, who, whom, vow):
    """Whether this promise would say something new, and make sense."""
    if s.promises == 0 or s.promise[who, whom, vow] > 0:
        return False
    if vow == Vow.STAY_OUT:
        return s.against[who] == 0
    if vow == Vow.ROAD:
        return road_start(s, who, whom) != NONE and not direct_road(s, who, whom)
    return True


@kernel
def make_promises(s, who, whom, vows, third):
    """All these promises are made now; to stay out of a war names a third tribe."""
    for vow in range(NUM_VOWS):
        if has(vows, vow) and can_promise(s, who, whom, vow):
            s.promise[who, whom, vow] = 1
            if vow == Vow.STAY_OUT:
                s.against[who] = third


@kernel
def _settle(s, who, whom, vow, kept):
    """A promise was kept or broken, for all to see, and is over."""
    if kept:
        s.kept[who, whom, vow] += 1
    else:
        s.broken[who, whom, vow] += 1
    s.promise[who, whom, vow] = 0
    if vow == Vow.STAY_OUT:
        s.against[who] = 0


@kernel
def note_attack(s, attacker, target):
    """Armies set out: peace is broken, and so is the promise to stay out of a war that a third tribe has begun."""
    if s.promise[attacker, target, Vow.PEACE] > 0:
        _settle(s, attacker, target, Vow.PEACE, False)
    if s.promise[attacker, target, Vow.STAY_OUT] == DUE:
        _settle(s, attacker, target, Vow.STAY_OUT, False)
    for seat in range(s.num_players):
        if s.promise[seat, target, Vow.STAY_OUT] > 0 and has(s.against[seat], attacker):
            s.promise[seat, target, Vow.STAY_OUT] = DUE


@kernel
def note_consent(s, who, whom, consents):
    """A neighbour that promised its consent to a road is asked for it."""
    if s.promise[who, whom, Vow.ROAD] > 0:
        _settle(s, who, whom, Vow.ROAD, consents)


@kernel
def note_gift(s, who, whom):
    """A gift is offered, whether it is taken or not."""
    if s.promise[who, whom, Vow.GIFT] == DUE:
        _settle(s, who, whom, Vow.GIFT, True)


@kernel
def gifts_are_over(s):
    """The bargaining is over: whoever owed a gift at this Fair and offered none has broken its promise."""
    for seat in range(s.num_players):
        for other in range(s.num_players):
            if s.promise[seat, other, Vow.GIFT] == DUE:
                _settle(s, seat, other, Vow.GIFT, False)


@kernel
def promises_end(s):
    """The next Fair: who attacked nobody that it should not has kept its promise; gifts are due, roads are void."""
    for seat in range(s.num_players):
        for other in range(s.num_players):
            for vow in OF_WAR:
                if s.promise[seat, other, vow] > 0:
                    _settle(s, seat, other, vow, True)
            s.promise[seat, other, Vow.ROAD] = 0
            if s.promise[seat, other, Vow.GIFT] > 0:
                s.promise[seat, other, Vow.GIFT] = DUE


@kernel
def forget_promises(s, seat):
    """A tribe that is out of the game is owed nothing, owes nothing, and is no third any more."""
    for other in range(s.num_players):
        for vow in range(NUM_VOWS):
            s.promise[seat, other, vow] = 0
            if s.promise[other, seat, vow] > 0 and vow == Vow.STAY_OUT:
                s.against[other] = 0
            s.promise[other, seat, vow] = 0
        if has(s.against[other], seat):
            s.against[other] = 0
            for whom in range(s.num_players):
                s.promise[other, whom, Vow.STAY_OUT] = 0
    s.against[seat] = 0
