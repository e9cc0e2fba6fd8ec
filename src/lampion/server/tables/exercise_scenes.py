"""Exercises for people: the list of a game's, and one with what is said to every move."""

from __future__ import annotations

from lampion.games import registry
from lampion.play.exercises import Exercise, exercises, position_of
from lampion.play.tutorial import is_right, reply, shown_move, spoken
from lampion.server.protocol.messages import Outlook
from lampion.server.protocol.puzzle_types import ExerciseAnswer, ExerciseInfo, ExerciseScene
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.find_move_tasks import NAMES, TaskBuilder


def listed(game: str) -> list[ExerciseInfo]:
    """Return the exercises of a game, in the language in use."""
    return [info_of(game, number, one) for number, one in enumerate(exercises(registry.game(game).name), 1)]


def info_of(game: str, number: int, exercise: Exercise) -> ExerciseInfo:
    """Return an exercise as it is listed."""
    return ExerciseInfo(game=game, id=exercise.id, number=number, title=spoken(exercise.title, NAMES))


class ExerciseBuilder(TaskBuilder[ExerciseAnswer]):
    """Builds the scene of an exercise."""

    def __init__(self, game: str, id: str) -> None:
        found = [(number, one) for number, one in enumerate(exercises(registry.game(game).name), 1) if one.id == id]
        if not found:
            raise Refused("server.no_exercise")
        ((number, self.exercise),) = found
        self.info = info_of(game, number, self.exercise)
        super().__init__(position_of(game, self.exercise), self.exercise.seat)

    def answer(self, place: int) -> ExerciseAnswer:
        """Return whether the move at a place is right, and what is said to it."""
        exercise, move = self.exercise, self.ids[place]
        right = is_right(self.position, self.seat, exercise, move)
        words = exercise.well if right else reply(self.position, self.seat, exercise, move) or exercise.otherwise
        return ExerciseAnswer(right=right, say=spoken(words, self.names))

    def scene(self, answered: list[tuple[Outlook, ExerciseAnswer]]) -> ExerciseScene:
        """Return the whole exercise given what each of its moves does and how it is answered."""
        shown = self.position.id_of(shown_move(self.position, self.seat, self.exercise))
        return ExerciseScene(
            **self.task(answered, self.ids.index(shown)),
            info=self.info,
            ask=spoken(self.exercise.ask, self.names),
            answers=[one for _, one in answered],
        )
