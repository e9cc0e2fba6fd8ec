"""Players who look one step ahead."""

from __future__ import annotations

from typing import Any

from lampion.bots.search import GIVEN, TRIAL, value_after
from lampion.engine import rules
from lampion.engine.compile import compiled, entry
from lampion.engine.playout import ALWAYS
from lampion.engine.rng import below


@compiled
def own_estimate_after(work: Any, state: Any, seat: int, move: int) -> float:
    """Return a seat's own estimate after its move, on the scale of even chances of two players."""
    trial = work.states[TRIAL]
    rules.copy(trial, state)
    rules.apply(work.boxes[0], trial, seat, move, work.log)
    return float(rules.estimate(work.boxes[0], trial, seat, work.keys[seat])) / (4.0 * work.settings[0].scale)


@compiled
def best_of(work: Any, state: Any, seat: int, n: int, noise: float, is_selfish: int) -> int:
    """Return the best of the `n` listed moves, each judged with an error of at most `noise`; ties are broken at random.

    A selfish player compares its own estimates, any other its chances against everybody: `noise` means the same for
    both.
    """
    rng, ids = work.rng, work.ids
    best = int(ids[0])
    most = -1e30
    level = 0
    for i in range(n):
        move = int(ids[i])
        if is_selfish:
            found = own_estimate_after(work, state, seat, move)
        else:
            found = value_after(work, work.net, state, seat, move)
        if noise > 0.0:
            found += noise * (2.0 * below(rng, ALWAYS) / ALWAYS - 1.0)
        if found > most + 1e-9:
            most, best, level = found, move, 1
        elif found > most - 1e-9:
            level += 1
            if below(rng, level) == 0:
                best = move
    return best


@entry
def best_now(work: Any, noise: float, is_selfish: int) -> int:
    """Return the best move of the position to think about, as `best_of`."""
    given, seat = work.states[GIVEN], work.viewer
    n = int(rules.legal(work.boxes[0], given, seat, work.ids))
    return best_of(work, given, seat, n, noise, is_selfish)


@compiled
def greedy_choice(work: Any, state: Any, view: Any, seat: int, n: int) -> int:
    """Return what `greedy` takes of the `n` listed moves; to `view` is drawn what its seat may imagine."""
    rules.copy(view, state)
    rules.conceal(work.boxes[0], view, seat, work.rng)
    return best_of(work, view, seat, n, 0.0, is_selfish=1)
