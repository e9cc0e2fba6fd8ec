"""Entry points from Python into the compiled rules.

They take arrays and an index, which Numba unpacks several times faster than records, and do in one call what a played
game needs at a time.
"""

from __future__ import annotations

from typing import Any

from lampion.engine import ranking, rules
from lampion.engine.arrays import np
from lampion.engine.compile import entry
from lampion.engine.playout import TO_THE_END, draw_chance, play_out
from lampion.games.core import CHANCE, MOST_SEATS

ILLEGAL = -1
OUT_OF_TURN = -2

# What a pushed move answers, in one number: rows + SOURCE * (1 + source) + ACTOR * (2 + next actor) + MOVE * move
SOURCE = 1 << 16
ACTOR = 1 << 32
MOVE = 1 << 40


@entry
def set_up(boxes: Any, states: Any, players: int, options: Any, log: Any) -> int:
    """Set up states[0], which is all zeros; return the number of rows in the log."""
    return int(rules.setup(boxes[0], states[0], players, options[0], log))


@entry
def actor_at(boxes: Any, states: Any, i: int) -> int:
    """Return who acts in states[i]."""
    return int(rules.actor(boxes[0], states[i]))


@entry
def pending_at(boxes: Any, states: Any, i: int) -> int:
    """Return the bits of the seats that owe a decision in states[i]."""
    return int(rules.pending(boxes[0], states[i]))


@entry
def source_at(boxes: Any, states: Any, i: int) -> int:
    """Return what chance draws from in states[i]."""
    return int(rules.source(boxes[0], states[i]))


@entry
def moves_at(boxes: Any, states: Any, i: int, seat: int, ids: Any, weights: Any) -> int:
    """List what a seat, or chance, may do in states[i]; return the number of moves."""
    if seat == CHANCE:
        return int(rules.chances(boxes[0], states[i], ids, weights))
    if (rules.pending(boxes[0], states[i]) >> seat) & 1:
        return int(rules.legal(boxes[0], states[i], seat, ids))
    return 0


@entry
def push_at(boxes: Any, states: Any, i: int, seat: int, move: int, ids: Any, weights: Any, log: Any) -> int:
    """Make a move of states[i] in states[i + 1] if it is legal.

    Return the rows in the log, what chance drew from and who acts next, packed as above, or a negative number where
    the move is refused and nothing was changed.
    """
    box = boxes[0]
    found = 0
    if seat == CHANCE:
        if rules.actor(box, states[i]) != CHANCE:
            return OUT_OF_TURN
        found = SOURCE * (1 + rules.source(box, states[i]))
    elif not 0 <= seat < MOST_SEATS or not (rules.pending(box, states[i]) >> seat) & 1:
        return OUT_OF_TURN
    n = moves_at(boxes, states, i, seat, ids, weights)
    if not rules.is_listed(ids, n, move):
        return ILLEGAL
    rules.copy(states[i + 1], states[i])
    rows = int(rules.apply(box, states[i + 1], seat, move, log))
    return rows + found + ACTOR * (2 + rules.actor(box, states[i + 1]))


@entry
def deal_at(
    boxes: Any, states: Any, i: int, seed: np.uint64, drawn: Any, rng: Any, ids: Any, weights: Any, log: Any
) -> int:
    """Make the chance move of states[i] that a seeded stream draws; `drawn` counts the draws by source."""
    box = boxes[0]
    if rules.actor(box, states[i]) != CHANCE:
        return OUT_OF_TURN
    source = rules.source(box, states[i])
    move = draw_chance(box, states[i], seed, drawn, rng, ids, weights)
    rules.copy(states[i + 1], states[i])
    rows = int(rules.apply(box, states[i + 1], CHANCE, move, log))
    return rows + SOURCE * (1 + source) + ACTOR * (2 + rules.actor(box, states[i + 1])) + MOVE * move


@entry
def pick_at(boxes: Any, states: Any, i: int, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """Return one move at random."""
    return int(rules.pick(boxes[0], states[i], seat, rng, ids, weights))


@entry
def play_out_at(boxes: Any, states: Any, i: int, rng: Any, ids: Any, weights: Any, log: Any) -> None:
    """Play states[i] on at random to the end."""
    play_out(boxes[0], states[i], TO_THE_END, 0, rng, ids, weights, log)


@entry
def seen_at(boxes: Any, states: Any, i: int, mover: int, move: int, viewer: int) -> int:
    """Return the code of what the viewer would see of a move."""
    return int(rules.seen(boxes[0], states[i], mover, move, viewer))


@entry
def conceal_at(boxes: Any, states: Any, i: int, viewer: int, rng: Any) -> None:
    """Draw anew in states[i] what the viewer cannot see."""
    rules.conceal(boxes[0], states[i], viewer, rng)


@entry
def broken_invariant_at(boxes: Any, states: Any, i: int) -> int:
    """Return the number of the invariant that is broken in states[i], or 0."""
    return int(rules.broken_invariant(boxes[0], states[i]))


@entry
def features_at(boxes: Any, states: Any, i: int, seat: int, out: Any) -> None:
    """Write the numbers for learning that a seat sees in states[i]."""
    rules.features(boxes[0], states[i], seat, out)


@entry
def net_inputs_at(boxes: Any, states: Any, i: int, seat: int, notes: Any, out: Any) -> None:
    """Write the numbers that a net is given of what a seat sees in states[i]."""
    rules.net_inputs(boxes[0], states[i], seat, notes, out)


@entry
def count_at(boxes: Any, states: Any, i: int, players: int, tallies: Any, keys: Any, ranks: Any, shares: Any) -> None:
    """Write the score of states[i]: by seat and category, the keys, the ranks and the shares of the victory."""
    ranking.standing(boxes[0], states[i], players, keys)
    winners = ranking.winners(keys, players)
    for seat in range(players):
        rules.tally(boxes[0], states[i], seat, tallies[seat])
        ranks[seat] = ranking.place_of(keys, players, seat)
        shares[seat] = 1.0 / winners if ranks[seat] == 1 else 0.0


@entry
def tellers_at(boxes: Any, states: Any, i: int, mover: int, move: int, players: int, ids: Any, weights: Any) -> int:
    """Return the bits of the seats that will know exactly which move this was; bit MOST_SEATS is a spectator's."""
    n = moves_at(boxes, states, i, mover, ids, weights)
    bits = 0
    for viewer in range(-1, players):
        code = rules.seen(boxes[0], states[i], mover, move, viewer)
        alike = 0
        for k in range(n):
            if int(ids[k]) != move and rules.seen(boxes[0], states[i], mover, int(ids[k]), viewer) == code:
                alike += 1
        if alike == 0:
            bits |= 1 << (MOST_SEATS if viewer < 0 else viewer)
    return bits
