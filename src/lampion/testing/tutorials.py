"""The laws of tutorials and exercises: a script can be played through by every right answer, a position is one of the
game in which some moves are right and others are not, and every text exists in every language."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter

from lampion.games.core import BadMove, BadPosition, BadSetup, Game
from lampion.locale import LANGUAGES
from lampion.play.exercises import Exercise, exercises, position_of
from lampion.play.position import Position
from lampion.play.tutorial import (
    Question,
    Tutorial,
    Words,
    answer_with,
    is_right,
    make_moves,
    matches,
    opening,
    tutorial,
)

MOST_WORDS = 60
"""Words that one step says, and asks: more is not read."""


def check_tutorial(game: Game) -> None:
    """Check a game's tutorial, if it brings one: its words, then every move that it asks for or makes."""
    script = tutorial(game.name)
    if script is not None:
        check_script(game, script)


def check_script(game: Game, script: Tutorial) -> None:
    """Check a script of a game."""
    assert script.players in game.players, f"{game.name}: not for {script.players} players"
    assert script.seat < script.players, f"{game.name}: there is no seat {script.seat}"
    ids = [step.id for step in script.steps]
    assert len(set(ids)) == len(ids), f"{game.name}: two steps have the same name"
    for place, words in texts(script):
        check_words(f"{game.name}, {place}", script.players, words)
    follow(game, script, opening_of(game, script), 0)


def texts(script: Tutorial) -> Iterator[tuple[str, Words]]:
    """Yield every text of a script and where it stands."""
    yield "otherwise", script.otherwise
    for step in script.steps:
        yield f"step {step.id}", step.say
        if step.ask is not None:
            yield f"what step {step.id} asks", step.ask
        for number, each in enumerate(step.tries, start=1):
            yield f"answer {number} of step {step.id}", each.say


def check_words(place: str, players: int, words: Words) -> None:
    """Check that a text is there in every language, short, and names only seats that there are."""
    assert set(words) == set(LANGUAGES), f"{place}: in {', '.join(words)}, not in {', '.join(LANGUAGES)}"
    named = []
    for spoken, text in words.items():
        assert text.strip() == text, f"{place}: empty, or a space at an end, in {spoken}"
        assert text, f"{place}: nothing is said in {spoken}"
        assert len(text.split()) <= MOST_WORDS, f"{place}: more than {MOST_WORDS} words in {spoken}"
        named.append({name for _, name, _, _ in Formatter().parse(text) if name is not None})
    seats = {str(seat) for seat in range(players)}
    assert all(names <= seats for names in named), f"{place}: names a seat that is not there"
    assert all(names == named[0] for names in named), f"{place}: names other seats in another language"


def opening_of(game: Game, script: Tutorial) -> Position:
    """Return the position before the first step."""
    try:
        return opening(game, script)
    except BadMove as error:
        raise AssertionError(f"{game.name}: the tutorial cannot begin: {error}") from error


def follow(game: Game, script: Tutorial, position: Position, first: int) -> None:
    """Play a script from a step on; every answer that is right, besides the first, is followed to the end as well."""
    for number in range(first, len(script.steps)):
        step = script.steps[number]
        place = f"{game.name}, step {step.id}"
        assert not position.is_over, f"{place}: the game is over"
        try:
            make_moves(position, script, step)
        except BadMove as error:
            raise AssertionError(f"{place}: after {position.ply} moves another cannot be made: {error}") from error
        if step.ask is None:
            assert not step.right, f"{place}: something is right, and nothing is asked"
            assert not step.tries, f"{place}: something is answered, and nothing is asked"
            continue
        assert not step.moves, f"{place}: others move in a step that asks; the step before is their place"
        answers = right_answers(place, script.seat, step, position)
        for other in answers[1:]:
            branch = position.copy()
            answer_with(branch, script, step, other)
            follow(game, script, branch, number + 1)
        try:
            answer_with(position, script, step, answers[0])
        except BadMove as error:
            raise AssertionError(f"{place}: what is drawn after the answer cannot be: {error}") from error


def right_answers(place: str, seat: int, question: Question, position: Position) -> list[int]:
    """Return one legal move for each answer that is right; check that every answer and every try is of some use."""
    assert seat in position.pending, f"{place}: the learner is asked and cannot move"
    assert question.right, f"{place}: nothing is right"
    legal = [int(id) for id in position.legal_ids(seat)]
    found = []
    for number, answer in enumerate(question.right, start=1):
        fitting = [id for id in legal if matches(position, seat, answer, id)]
        assert fitting, f"{place}: no legal move is right answer {number}"
        found.append(fitting[0])
    wrong = [id for id in legal if not is_right(position, seat, question, id)]
    for number, each in enumerate(question.tries, start=1):
        fitting = [id for id in wrong if matches(position, seat, each.when, id)]
        assert fitting, f"{place}: no legal move gets answer {number}, or an earlier one covers it"
        wrong = [id for id in wrong if id not in fitting]
    return found


def check_exercises(game: Game) -> None:
    """Check a game's exercises, if it brings any."""
    found = exercises(game.name)
    ids = [one.id for one in found]
    assert len(set(ids)) == len(ids), f"{game.name}: two exercises have the same name"
    for one in found:
        check_exercise(game, one)


def check_exercise(game: Game, exercise: Exercise) -> None:
    """Check an exercise: its words, its position, and that some legal moves are right and others are not."""
    place = f"{game.name}, exercise {exercise.id}"
    tries = {f"answer {number}": each.say for number, each in enumerate(exercise.tries, start=1)}
    said = {"title": exercise.title, "ask": exercise.ask, "well": exercise.well, "otherwise": exercise.otherwise}
    for what, words in (said | tries).items():
        check_words(f"{place}, {what}", exercise.players, words)
    try:
        position = position_of(game.name, exercise)
    except (BadPosition, BadSetup) as error:
        raise AssertionError(f"{place}: no position of the game: {error}") from error
    right_answers(place, exercise.seat, exercise, position)
    legal = position.legal_ids(exercise.seat)
    assert not all(is_right(position, exercise.seat, exercise, int(id)) for id in legal), f"{place}: all is right"


__all__ = ["check_exercise", "check_exercises", "check_script", "check_tutorial"]
