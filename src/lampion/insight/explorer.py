"""A position that somebody explores: what can happen in it, what has happened, and what chance may bring.

A line that is explored is a record of a game that need not be over. Whoever explores looks through the eyes of a seat,
or sees everything; then the moves of the seat that is to decide are offered.

>>> from lampion.insight.explorer import explore
>>> from lampion.games.core import EVERYTHING
>>> from lampion.play import Position
>>> position = Position("lumens", players=2)
>>> found = explore(position, position.names(), EVERYTHING)
>>> found.turn, len(found.chances)
('chance', 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import field

from lampion.games.core import CHANCE, EVERYTHING, BadMove
from lampion.games.move_types import Event, Plain, event, sentence
from lampion.play.chance import Chance
from lampion.play.outcome import Outcome
from lampion.play.position import Position

Turn = Literal["seat", "chance", "over"]


class ExploredStep(Plain, frozen=True):
    """A move of the line: `seat` -1 is chance. The move is always there, its events as the viewer may know them."""

    seat: int
    move: Any
    events: list[Event]
    told: list[str]


class ChanceOutcome(Plain, frozen=True):
    """What chance may bring, and its weight beside the other outcomes."""

    move: Any
    weight: int
    events: list[Event]
    told: list[str]


class ExploredScore(Plain, frozen=True):
    """The score as it stands, by seat: in all, and by category."""

    scores: list[int]
    categories: list[dict[str, int]]


class Explored(Plain, frozen=True, kw_only=True):
    """A position as a viewer sees it, and the steps of its line that were asked for."""

    ply: int
    turn: Turn
    pending: list[int]
    seat: int | None
    """Whose moves are offered; None where the viewer has none to make."""
    view: Any
    asked: str
    """What is to be decided or drawn now, in words."""
    moves: list[Any]
    standing: ExploredScore | None
    """Missing where the viewer may not know it."""
    chances: list[ChanceOutcome]
    """Where chance moves, and the viewer may know what is in its piles."""
    steps: list[ExploredStep]
    standard: bool
    """Whether it is played with the edition that comes with the game."""
    names: list[str]
    result: Outcome | None


class ExploredOutlook(Plain, frozen=True, omit_defaults=True):
    """What one move would do, up to the first draw; or why it cannot be made."""

    move: Any
    events: list[Event] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    standing: ExploredScore | None = None
    view: Any = None
    reason: str | None = None


class EventDescriber:
    """Describes events and scores as one viewer may know them."""

    def __init__(self, position: Position, names: Sequence[str], viewer: int) -> None:
        self.game, self.box = position.game, position.edition.box
        self.names, self.viewer = names, viewer

    def described(self, rows: Any) -> tuple[list[Event], list[str]]:
        """Return the rows of a log as events, and each of them as a sentence that a page can draw in."""
        events = [event(self.game, self.box, row, self.viewer) for row in rows.tolist()]
        return events, [sentence(self.game, one, self.names, box=self.box, isolate=True) for one in events]

    def standing(self, position: Position) -> ExploredScore | None:
        """Return the score; None where the viewer may not know it."""
        if not self.game.open_score and self.viewer != EVERYTHING:
            return None
        count = position.count()
        return ExploredScore(count.scores, count.categories)


def explore(position: Position, names: Sequence[str], viewer: int, since: int | None = None) -> Explored:
    """Return a position as a viewer sees it, with the steps after the first `since` moves; without it, with none."""
    describer = EventDescriber(position, names, viewer)
    pending = list(position.pending)
    seat = mover_for(position, viewer)
    turn: Turn = "over" if position.is_over else "chance" if position.actor == CHANCE else "seat"
    return Explored(
        ply=position.ply,
        turn=turn,
        pending=pending,
        seat=seat,
        view=position.view(viewer),
        asked="" if position.is_over else position.asked(position.actor if seat is None else seat),
        moves=[] if seat is None else list(position.legal_moves_of(seat)),
        standing=describer.standing(position),
        chances=outcomes(position, describer),
        steps=[] if since is None else steps(position, describer, since),
        standard=position.edition.is_standard,
        names=list(names),
        result=position.outcome(),
    )


def mover_for(position: Position, viewer: int) -> int | None:
    """Return the seat for which a viewer may move: its own, or if it sees everything the first that is to decide."""
    pending = position.pending
    if viewer == EVERYTHING:
        return pending[0] if pending else None
    return viewer if viewer in pending else None


def steps(position: Position, describer: EventDescriber, since: int) -> list[ExploredStep]:
    """Return the moves of a line after the first `since`."""
    again = position.at(min(since, position.ply))
    found = []
    for seat, id in position.played[again.ply :]:
        move = again.move(id)
        found.append(ExploredStep(seat, move, *describer.described(again.push_rows(id, seat))))
    return found


def outcomes(position: Position, describer: EventDescriber) -> list[ChanceOutcome]:
    """Return what chance may bring; none where it does not move, or where its piles hold what the viewer cannot see."""
    if position.game.hidden and describer.viewer != EVERYTHING:
        return []
    found = []
    for move, weight in position.chances():
        events, sentences = describer.described(position.push_rows(position.id_of(move), CHANCE))
        position.pop()
        found.append(ChanceOutcome(move, weight, events, sentences))
    return found


def draw(position: Position, chance: Chance, every: bool) -> None:
    """Let chance move: once, or until somebody decides."""
    if position.actor == CHANCE and not every:
        position.push_chance_rows(chance)
    elif every:
        position.push_chances(chance)


def outlooks(
    position: Position, names: Sequence[str], viewer: int, moves: Sequence[Any], with_view: bool
) -> list[ExploredOutlook]:
    """Return what each move of the seat that the viewer moves for would do, or why it cannot be made."""
    describer, seat = EventDescriber(position, names, viewer), mover_for(position, viewer)
    found = []
    for move in moves:
        try:
            events, sentences = describer.described(
                position.push_rows(position.id_of(move), position.actor if seat is None else seat)
            )
        except BadMove as problem:
            found.append(ExploredOutlook(move, reason=str(problem)))
            continue
        view = position.view(viewer) if with_view else None
        found.append(ExploredOutlook(move, events, sentences, describer.standing(position), view))
        position.pop()
    return found
