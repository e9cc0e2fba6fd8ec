"""Puzzles for people: the list of all, and one with everything that a page needs to show it and to judge every move."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from lampion.games import registry
from lampion.games.reason_types import favour
from lampion.insight.puzzles import PARTS, Puzzle, position_of, shipped
from lampion.insight.reasons import MOST_REASONS, reasons_for, sentences
from lampion.server.protocol.messages import Outlook
from lampion.server.protocol.puzzle_types import PuzzleAnswer, PuzzleInfo, PuzzleScene
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.find_move_tasks import TaskBuilder

MOST_AGAINST = 2
"""The most reasons against the best move, shown beside those for it: its price is never left out."""


@cache
def in_order(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game from the easy to the hard, of each degree in two rounds, the fewest players first.

    A game gives at most two puzzles, neighbours in the file, of which one would give away the other: no round has
    both. The first round is the one with the fewest players.
    """
    file = shipped(game)
    puzzles = [] if file is None else sorted(file.puzzles, key=lambda one: one.degree)
    degrees = [list(own) for _, own in groupby(puzzles, key=lambda one: one.degree)]
    return tuple(puzzle for own in degrees for half in _rounds(own) for puzzle in half)


def _rounds(puzzles: list[Puzzle]) -> list[list[Puzzle]]:
    """Return two rounds of puzzles, every other one in each, the fewest players first."""
    rounds = [sorted(puzzles[start::2], key=lambda one: one.players) for start in range(2)]
    return sorted(filter(None, rounds), key=lambda own: own[0].players)


def info_of(game: str, number: int, puzzle: Puzzle) -> PuzzleInfo:
    """Return a puzzle as it is listed."""
    return PuzzleInfo(
        game=game,
        id=puzzle.id,
        number=number,
        players=puzzle.players,
        theme=puzzle.theme,
        degree=puzzle.degree,
    )


def listed() -> list[PuzzleInfo]:
    """Return all puzzles of all games."""
    return [
        info_of(game, number, puzzle) for game in registry.games() for number, puzzle in enumerate(in_order(game), 1)
    ]


class PuzzleBuilder(TaskBuilder[PuzzleAnswer]):
    """Builds the scene of a puzzle."""

    def __init__(self, game: str, id: str) -> None:
        registry.game(game)  # refuses a game that is not installed
        found = [(number, one) for number, one in enumerate(in_order(game), 1) if one.id == id]
        if not found:
            raise Refused("server.no_puzzle")
        ((number, self.puzzle),) = found
        self.info = info_of(game, number, self.puzzle)
        super().__init__(position_of(game, self.puzzle), self.puzzle.seat)
        self.best = self.puzzle.costs.index(0)

    def answer(self, place: int) -> PuzzleAnswer:
        """Return how good the move at a place is."""
        puzzle, best = self.puzzle, self.ids[self.best]
        other = self.position.id_of(puzzle.instead) if place == self.best else self.ids[place]
        reasons = reasons_for(self.position, puzzle.seat, best, other)
        against = [one for one in reasons if favour(one, puzzle.seat) < 0]
        speaking_for = [one for one in reasons if one not in against]
        why = sentences(self.position, speaking_for[:MOST_REASONS], self.names)
        but = sentences(self.position, against[:MOST_AGAINST], self.names)
        return PuzzleAnswer(cost=puzzle.costs[place] / PARTS, why=why, but=but)

    def scene(self, answered: list[tuple[Outlook, PuzzleAnswer]]) -> PuzzleScene:
        """Return the whole puzzle given what each of its moves does and how it is answered."""
        return PuzzleScene(
            **self.task(answered, self.best),
            info=self.info,
            answers=[one for _, one in answered],
            tempting=self.ids.index(self.position.id_of(self.puzzle.instead)),
            share=self.puzzle.share,
        )
