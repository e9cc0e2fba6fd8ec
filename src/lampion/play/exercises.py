"""Exercises: small positions with a question, `exercises.toml` in the folder of a game, described in docs/tutorial.md.

An exercise is one step of a tutorial that begins at a position of its own and asks for one move.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from lampion import bounds
from lampion.games import registry
from lampion.games.editions import standard
from lampion.locale import Problem
from lampion.play.position import Position
from lampion.play.tutorial import Question, Seat, Words

FILE = "exercises.toml"
MOST = 40


class BadExercises(Problem):
    """A file that holds no exercises."""


class Exercise(Question, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A position, what is asked in it, and what is said to the answers."""

    id: Annotated[str, Meta(pattern="^[a-z][a-z_]*$")]
    title: Words
    players: Annotated[int, Meta(ge=1)]
    seat: Seat = 0
    """The learner's."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    position: str
    """The whole position as JSON, as the analysis board shows it as text."""
    ask: Words
    well: Words
    """What is said to an answer that is right."""
    otherwise: Words
    """What is said to a move for which there is no other answer."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exercises: Annotated[list[Exercise], Meta(min_length=1, max_length=MOST)]


def parsed(text: bytes) -> tuple[Exercise, ...]:
    """Return the exercises in a file; raise BadExercises with what is wrong."""
    try:
        return tuple(msgspec.convert(tomllib.loads(text.decode()), _File).exercises)
    except (ValueError, RecursionError) as error:  # of all three readers
        raise BadExercises("exercises.wrong", detail=str(error)) from None


@cache
def exercises(name: str) -> tuple[Exercise, ...]:
    """Return the exercises of an installed game in their order; none where it brings none."""
    file = registry.game(name).folder / FILE
    if not file.is_file():
        return ()
    text = bounds.read_bytes(file, bounds.MOST_RECORD)
    if text is None:
        raise BadExercises("exercises.wrong", detail=FILE)
    return parsed(text)


def position_of(game: str, exercise: Exercise) -> Position:
    """Return the position of an exercise, in the standard edition; raise BadPosition where the file gives none."""
    try:
        view = msgspec.json.decode(exercise.position)
    except (ValueError, RecursionError) as error:
        raise BadExercises("exercises.wrong", detail=str(error)) from None
    return Position.from_view(game, exercise.players, exercise.options, view, components=standard(game))
