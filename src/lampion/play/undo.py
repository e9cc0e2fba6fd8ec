"""Undo that never crosses new information.

A seat may take back its own last move while nothing came from chance after it, nothing hidden was shown by it or after
it, and what the others did since would have been the same without it: moves of a simultaneous step stay, but
another player's answer rules it out.
"""

from __future__ import annotations

from lampion.games.core import CHANCE, BadMove
from lampion.locale import Problem
from lampion.play.position import Position


class CannotUndo(Problem):
    """A move that cannot be taken back, with the reason."""


def last_move_of(position: Position, seat: int) -> int:
    """Return the ply of the seat's last move; raise CannotUndo where there is none."""
    for ply in range(position.ply - 1, -1, -1):
        if position.played[ply].seat == seat:
            return ply
    raise CannotUndo("undo.nothing")


def free_move_of(position: Position, seat: int) -> int:
    """Return the ply of the seat's last move; raise CannotUndo where the seat may not take it back."""
    ply = last_move_of(position, seat)
    if any(played.seat == CHANCE for played in position.played[ply:]):
        raise CannotUndo("undo.chance")
    is_last = ply == position.ply - 1
    if not is_last and not position.game.simultaneous:
        raise CannotUndo("undo.answered")
    kinds, revealing = position.game.events.EVENTS, position.game.revealing
    for made in range(ply, position.ply):
        if any(kinds[kind].name in revealing for kind, *_ in position.rows_of(made).tolist()):
            raise CannotUndo("undo.revealed")
    if not is_last:
        without(position, ply)
    return ply


def take_back(position: Position, seat: int) -> Position:
    """Return the game without the seat's last move, as a new position; raise CannotUndo where that is not allowed."""
    return without(position, free_move_of(position, seat))


def without(position: Position, ply: int) -> Position:
    """Return the game without the move at `ply`; raise CannotUndo where the later moves depend on it."""
    again = position.at(ply)
    (seat, taken), *others = position.moves[ply:]
    try:
        for mover, move in others:
            again.push(move, mover)
        check = again.copy()
        check.push(taken, seat)
    except BadMove:
        raise CannotUndo("undo.answered") from None
    if check != position:
        raise CannotUndo("undo.answered")
    return again
