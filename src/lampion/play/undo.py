"""Undo that never crosses new information.

A seat may take back its own last move while nothing came from chance after it, nothing hidden was shown by it or after
it, and what the others did since would have been the same without it: moves of a simultaneous step stay, another
player's answer binds.
"""

from __future__ import annotations

from lampion.games.core import CHANCE, BadMove
from lampion.games.plain import event
from lampion.locale import Problem
from lampion.play.position import Position


class CannotUndo(Problem):
    """A move that stays made, and why."""


def last_move_of(position: Position, seat: int) -> int:
    """The ply of the seat's last move."""
    for ply in range(position.ply - 1, -1, -1):
        if position.played[ply].seat == seat:
            return ply
    raise CannotUndo("undo.nothing")


def take_back(position: Position, seat: int) -> Position:
    """The game without the seat's last move, as a new position; CannotUndo says what stands against it."""
    ply = last_move_of(position, seat)
    if any(played.seat == CHANCE for played in position.played[ply:]):
        raise CannotUndo("undo.chance")
    shadow = position.at(ply)
    moves = []
    for mover, id in position.played[ply:]:
        moves.append((mover, shadow.move(id)))
        for row in shadow.push_rows(id, mover):
            if event(position.game, position.edition.box, row, -2).kind in position.game.revealing:
                raise CannotUndo("undo.revealed")
    again = position.at(ply)
    if len(moves) == 1:
        return again
    try:
        for mover, move in moves[1:]:
            again.push(move, mover)
        check = again.copy()
        check.push(moves[0][1], seat)
    except BadMove:
        raise CannotUndo("undo.answered") from None
    if check != position:
        raise CannotUndo("undo.answered")
    return again
