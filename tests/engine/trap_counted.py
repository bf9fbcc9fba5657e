"""How many simulations the Monte Carlo player makes of the trap, for numbers that it was given: prints JSON pairs."""

import dataclasses
import json

from trap import GAME

from agezoo.envs.engine.aec import TableEnv
from agezoo.envs.engine.montecarlo import EACH

LEGAL = 15
calls = []


def value(s, seat):
    """Of no account; at depth 0 it is asked for once a simulation."""
    calls.append(seat)
    return 0.0


if __name__ == "__main__":
    env = TableEnv(dataclasses.replace(GAME, name="trap_counted", value=value))
    env.reset(seed=1)
    found = []
    for simulations in [*range(1, 30), 63, 64, 100, 239, 240, 241, 400, 999]:
        calls.clear()
        env.montecarlo_action(3, simulations, 0)
        sifted = (
            len(calls) >= EACH * LEGAL and simulations < 4 * EACH * LEGAL
        )  # 15 actions are halved four times
        found.append((simulations, len(calls) - EACH * LEGAL * sifted))
    print(json.dumps(found))
