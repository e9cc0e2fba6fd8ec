"""Tutorials: a guided game as data, `tutorial.toml` in the folder of a game, described in docs/tutorial.md.

A tutorial is played with the real rules: it says what chance draws and what the other seats do, and asks one seat, the
learner's, for moves. `Tutorial` is the file; `matches` says whether a move is an answer; `make_moves` plays what the
script prescribes. Where a learner stands is the number of a step, which whoever plays the tutorial keeps.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from lampion import bounds
from lampion.games import registry
from lampion.games.core import CHANCE, Game
from lampion.locale import FALLBACK, Problem, language
from lampion.play.chance import MOST_SEED, Seeded
from lampion.play.position import Position

FILE = "tutorial.toml"
MOST_STEPS = 100

Words = dict[str, str]
"""A text by language. `{0}`, `{1}` and so on stand for the names of the seats."""
Draws = list[str]
"""Draws in notation, in their order; an empty one is left to the tutorial's seed, and so are those after the last."""
Seat = Annotated[int, Meta(ge=0)]


class BadTutorial(Problem):
    """A file that is not a tutorial."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition on moves: every field that is given must hold, and without any every move meets it."""

    move: str | None = None
    """One move, in notation."""
    like: dict[str, Any] = {}
    """What fields of the move have to be."""
    does: list[str] = []
    """Events that the move must bring, as `kind`, `kind:why`, `kind:why:thing` or `kind:why:thing:number`.

    They concern the learner, or the seat that stands before them: `2 missed`.
    """
    lacks: list[str] = []
    """Events that it must not bring."""
    points: dict[str, int] = {}
    """The points of a category of the score after the move: the learner's, or those of the seat before it."""


class Try(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said to a legal move that is not what was asked; the move is not made."""

    when: Answer
    say: Words


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What is answered by a move."""

    right: list[Answer] = []
    """What counts as right; the first that is legal is what is shown to somebody who asks for help."""
    tries: list[Try] = []
    """Answers to other moves; the first that fits is said."""


class Step(Question, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One step: it is read, or it asks for a move (`ask` and `right`), or others move (`moves`) when it is reached."""

    id: Annotated[str, Meta(pattern="^[a-z][a-z_]*$")]
    say: Words
    point: list[str] = []
    """What it speaks of, by the names that the game's board gives to its parts."""
    ask: Words | None = None
    moves: list[tuple[Seat, str | dict[str, Any]]] = []
    """Moves of any seats, in notation or as data."""
    draws: Draws = []
    """What chance draws after the learner's answer, or among `moves`."""


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A guided game."""

    players: Annotated[int, Meta(ge=1)]
    seat: Seat = 0
    """The learner's."""
    options: dict[str, Any] = {}
    seed: Annotated[int, Meta(ge=0)] = 0
    """From it follow the draws that the script leaves open."""
    draws: Draws = []
    """The draws before the first step."""
    otherwise: Words
    """What is said to a move for which a step has no answer."""
    steps: Annotated[list[Step], Meta(min_length=1, max_length=MOST_STEPS)]
    hash: str = ""
    """Names this version of the script; not in the file."""


def parsed(text: bytes) -> Tutorial:
    """Return a tutorial from its file; raise BadTutorial with what is wrong."""
    try:
        data = tomllib.loads(text.decode())
        found = msgspec.convert(data, Tutorial)
    except (ValueError, RecursionError) as error:  # of all three readers
        raise BadTutorial("tutorial.wrong", detail=str(error)) from None
    if found.seed > MOST_SEED or found.hash:
        raise BadTutorial("tutorial.wrong", detail="seed, hash")
    return msgspec.structs.replace(found, hash=hashlib.sha256(text).hexdigest()[:16])


@cache
def tutorial(name: str) -> Tutorial | None:
    """Return the tutorial of an installed game; None where it brings none."""
    file = registry.game(name).folder / FILE
    if not file.is_file():
        return None
    text = bounds.read_bytes(file, bounds.MOST_RECORD)
    if text is None:
        raise BadTutorial("tutorial.wrong", detail=FILE)
    return parsed(text)


def spoken(words: Words, names: Sequence[str]) -> str:
    """Return a text in the language in use, with the names of the seats."""
    text = words.get(language()) or words[FALLBACK]
    return text.format(*names)


def opening(game: Game, script: Tutorial) -> Position:
    """Return the position before the first step."""
    position = Position(game, script.players, script.options)
    push_draws(position, script, iter(script.draws))
    return position


def push_draws(position: Position, script: Tutorial, draws: Iterator[str]) -> None:
    """Make the chance moves that are due, as the script draws them."""
    while position.actor == CHANCE:
        if written := next(draws, ""):
            position.push(written, CHANCE)
        else:
            position.push_chance_rows(Seeded(script.seed))


def make_moves(position: Position, script: Tutorial, step: Step) -> None:
    """Make the moves that others make in a step, and the draws among them."""
    draws = iter(step.draws)
    for seat, move in step.moves:
        position.push(move, seat)
        push_draws(position, script, draws)


def answer_with(position: Position, script: Tutorial, step: Step, move: Any) -> None:
    """Make the learner's move in a step, and the draws that follow."""
    position.push(move, script.seat)
    push_draws(position, script, iter(step.draws))


def matches(position: Position, seat: int, answer: Answer, move: Any) -> bool:
    """Return whether a legal move of a seat meets the condition of an answer."""
    id = position.id_of(move)
    if answer.move is not None and position.notation(id) != answer.move:
        return False
    given = msgspec.to_builtins(position.move(id))
    if any(given.get(name) != value for name, value in answer.like.items()):
        return False
    if answer.does or answer.lacks:
        events = position.preview(id, seat)
        done = {
            (one.seat, ":".join(map(str, (one.kind, one.why, one.thing, one.number)[:parts])))
            for one in events
            for parts in (1, 2, 3, 4)
        }
        if not done.issuperset(map(seat_reader(seat), answer.does)) or not done.isdisjoint(
            map(seat_reader(seat), answer.lacks)
        ):
            return False
    return not answer.points or has_points(position, seat, answer, id)


def seat_reader(learner: int) -> Callable[[str], tuple[int, str]]:
    """Return a function that splits a text into a seat, by default the learner, and the rest."""

    def read(text: str) -> tuple[int, str]:
        before, space, what = text.partition(" ")
        return (int(before), what) if space and before.isdecimal() else (learner, text)

    return read


def has_points(position: Position, seat: int, answer: Answer, id: int) -> bool:
    """Return whether the points after a move are those that an answer names."""
    position.push_rows(id, seat)
    try:
        categories = position.count().categories
    finally:
        position.pop()
    wanted = [(seat_reader(seat)(name), points) for name, points in answer.points.items()]
    return all(categories[whose].get(category) == points for (whose, category), points in wanted)


def is_right(position: Position, seat: int, question: Question, move: Any) -> bool:
    """Return whether a legal move of a seat is what is asked for."""
    return any(matches(position, seat, answer, move) for answer in question.right)


def reply(position: Position, seat: int, question: Question, move: Any) -> Words | None:
    """Return what is said to a legal move that is not right; None where nothing is said to it alone."""
    fitting = (each.say for each in question.tries if matches(position, seat, each.when, move))
    return next(fitting, None)


def shown_move(position: Position, seat: int, question: Question) -> Any:
    """Return the move that is shown to somebody who asks for help; None where no move is asked for."""
    legal = position.legal_moves_of(seat)
    found = (move for answer in question.right for move in legal if matches(position, seat, answer, move))
    return next(found, None)


__all__ = [
    "Answer",
    "BadTutorial",
    "Question",
    "Step",
    "Try",
    "Tutorial",
    "answer_with",
    "is_right",
    "make_moves",
    "opening",
    "parsed",
    "push_draws",
    "reply",
    "shown_move",
    "spoken",
    "tutorial",
]
