"""What an explored position is worth, in words: everybody's chances, and the best moves with what they do and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.engine.rng import new_rng
from lampion.games.core import EVERYTHING
from lampion.games.move_types import Event, Plain
from lampion.insight.explorer import EventDescriber
from lampion.insight.reasons import MOST_REASONS, reasons_for, sentences
from lampion.insight.settings import STANDARD, Settings
from lampion.insight.worth import MoveWorth, SeatWorth, Worth, worth_of, worth_to_seat
from lampion.play.position import Position
from lampion.play.sight import Sight


class BoardMove(Plain, frozen=True):
    """A move with what it is worth."""

    move: Any
    events: list[Event]
    told: list[str]
    share: float
    """The mover's chance to win after it."""
    margin: float
    """The points by which the mover will be ahead of the best other."""
    behind: float
    """By how much it is worth less than the best move, from 0 to 1."""
    sure: float
    """Half of the 95 % interval."""
    why: list[str]
    """Of the best move what it has that the next has not; of another what the best has that it has not."""


class BoardWorth(Plain, frozen=True):
    """What a position is worth to whoever looks."""

    seats: list[SeatWorth]
    mover: int | None
    moves: list[BoardMove]
    options: int
    simulations: int
    source: str


def board_worth(position: Position, names: Sequence[str], viewer: int, settings: Settings = STANDARD) -> BoardWorth:
    """Return what a position is worth by what a seat knows, or to EVERYTHING by all that there is.

    Moves are judged by what their seat knows in any case.
    """
    found = worth_of(position, settings) if viewer == EVERYTHING else worth_to_seat(Sight(position, viewer), settings)
    return BoardWorth(
        seats=found.seats,
        mover=found.mover,
        moves=moves_in_words(position, names, found),
        options=found.options,
        simulations=found.simulations,
        source=found.source,
    )


def moves_in_words(position: Position, names: Sequence[str], found: Worth) -> list[BoardMove]:
    """Return the judged moves in words, as seen from a world that is the same for all positions that look alike."""
    if found.mover is None:
        return []
    seat = found.mover
    known = position.concealed(seat, new_rng())
    describer = EventDescriber(known, names, seat)

    def in_words(place: int, judged: MoveWorth) -> BoardMove:
        events, described = describer.described(known.push_rows(judged.id, seat))
        known.pop()
        best, other = found.moves[0].id, judged.id
        if place == 0:
            other = found.moves[1].id if len(found.moves) > 1 else best
        reasons = reasons_for(known, seat, best, other)[:MOST_REASONS]
        return BoardMove(
            move=judged.move,
            events=events,
            told=described,
            share=judged.shares[seat],
            margin=judged.margins[seat],
            behind=judged.behind,
            sure=judged.sure,
            why=sentences(known, reasons, names),
        )

    return [in_words(place, judged) for place, judged in enumerate(found.moves)]
