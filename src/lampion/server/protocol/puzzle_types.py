"""The bodies of HTTP responses about puzzles and exercises."""

from __future__ import annotations

from typing import Any

import msgspec

from lampion.server.protocol.messages import Outlook, SeatView


class PuzzleInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle in the list that GET /api/puzzles answers with."""

    game: str
    id: str
    number: int
    """Its place among those of its game, from 1: easy ones for two come first."""
    players: int
    theme: str
    degree: int
    """How hard it is, from 1 to 3."""


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How good a move is."""

    cost: float
    """How much of the chance to win it costs; 0 for the best alone."""
    why: list[str]
    """What speaks for the best move beside this one; for the best, beside the one that tempts most."""
    but: list[str]
    """What speaks against the best move there: it is best all the same."""


class BoardTask(msgspec.Struct, frozen=True, kw_only=True):
    """A position in which one move is asked for, with all that is needed to answer, in the asker's language."""

    options: dict[str, Any]
    edition: str
    seat: int
    """Whose move it is."""
    names: list[str]
    pending: list[int]
    before: SeatView
    """With all moves that can be made."""
    outlooks: list[Outlook]
    """What each of them does, with the view after it."""
    best: int
    """The place of the best move; in an exercise, of the one that is shown."""


class PuzzleScene(BoardTask, frozen=True, kw_only=True):
    """GET /api/puzzles/{game}/{puzzle}: a puzzle with all that is needed to solve it, in the asker's language."""

    info: PuzzleInfo
    answers: list[PuzzleAnswer]
    """How good each of the moves is."""
    tempting: int
    """The place of the move that tempts most."""
    share: float
    """The chance to win after the best."""


class ExerciseInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise in the list that GET /api/exercises/{game} answers with, in the asker's language."""

    game: str
    id: str
    number: int
    """Its place among those of its game, from 1."""
    title: str


class ExerciseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What is said to a move, and whether it is right."""

    right: bool
    say: str


class ExerciseScene(BoardTask, frozen=True, kw_only=True):
    """GET /api/exercises/{game}/{exercise}: an exercise with all that is needed to do it."""

    info: ExerciseInfo
    ask: str
    answers: list[ExerciseAnswer]
    """By move."""


PUZZLE_TYPES: tuple[Any, ...] = (PuzzleInfo, PuzzleScene, BoardTask, ExerciseInfo, ExerciseScene)
