"""Makes files of puzzles, and confirms those in a file: every puzzle is legal, unique and true under today's rules."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from lampion import __version__
from lampion.games.core import Game
from lampion.games.editions import standard
from lampion.insight import puzzle_finding as search
from lampion.insight.clear_best import compare_all
from lampion.insight.evaluator import Stop, never_stop
from lampion.insight.puzzles import BadPuzzle, Puzzle, PuzzleFile, name_of, position_of, read, theme_of
from lampion.insight.reasons import MOST_REASONS, reasons_for
from lampion.insight.settings import VERSION
from lampion.insight.worth import evaluator_for
from lampion.locale import Problem

LARGEST_PART = 9, 20
"""The part of the puzzles that may be of one degree."""


def empty(game: Game, seed: int, count: int) -> PuzzleFile:
    """Return a file without puzzles."""
    return PuzzleFile(
        game=game.name,
        rules=game.version,
        edition=standard(game.name).hash,
        lampion=__version__,
        version=VERSION,
        command=f"lampion puzzles {game.name} --count {count} --seed {seed}",
        seed=seed,
        games=0,
        found=search.FOUND,
        confirmed=search.confirm_settings(game),
        puzzles=[],
    )


def begun(game: Game, seed: int, count: int, out: Path) -> PuzzleFile:
    """Return the file to go on with, or an empty one; raise BadPuzzle where `out` was made in another way."""
    new = empty(game, seed, count)
    if not out.exists():
        return new
    old = read(out)
    if msgspec.structs.replace(old, games=0, puzzles=[]) != new:
        raise BadPuzzle("puzzles.other", file=str(out))
    return old


class Quota:
    """How many puzzles of each degree are still wanted: of one degree at most nine in twenty."""

    def __init__(self, count: int, puzzles: list[Puzzle]) -> None:
        part, whole = LARGEST_PART
        self._most = -(-count * part // whole)
        self._degrees = Counter(one.degree for one in puzzles)
        self._names = {one.id for one in puzzles}

    def wants(self, degree: int) -> bool:
        """Return whether another puzzle of a degree is wanted."""
        return self._degrees[degree] < self._most

    def take(self, puzzle: Puzzle) -> bool:
        """Count a puzzle, if it is wanted and new; return whether it was counted."""
        if not self.wants(puzzle.degree) or puzzle.id in self._names:
            return False
        self._degrees[puzzle.degree] += 1
        self._names.add(puzzle.id)
        return True


def make(
    game: Game, count: int, seed: int, out: Path, *, tell: Callable[[PuzzleFile], None], stop: Stop = never_stop
) -> PuzzleFile:
    """Look for puzzles until there are `count`, and write the file after every game that was looked through.

    What a file of the same command holds already is kept, and its games are not played again. Raise Stopped when
    `stop` says so; the file is then as it was after the last game.
    """
    file = begun(game, seed, count, out)
    while len(file.puzzles) < count and file.games < search.SEEDS:
        tell(file)
        quota = Quota(count, file.puzzles)
        found = search.puzzles_of_game(game, seed, file.games, quota.wants, stop)
        kept = [*file.puzzles, *filter(quota.take, found)][:count]
        file = msgspec.structs.replace(file, games=file.games + 1, puzzles=kept)
        _write(file, out)
    tell(file)
    return file


def _write(file: PuzzleFile, out: Path) -> None:
    """Write a file whole or not at all."""
    new = out.with_name(out.name + ".new")
    new.write_bytes(file.to_json())
    os.replace(new, out)


def confirm(file: PuzzleFile, puzzle: Puzzle, *, stop: Stop = never_stop) -> None:
    """Raise a Problem with what is wrong with a puzzle, by the search that confirmed it."""
    position = must_be_legal(file, puzzle)
    sifter = evaluator_for(position.edition, position.players, file.confirmed)
    best = position.id_of(puzzle.move)
    compared = compare_all(sifter, position.state, puzzle.seat, best, search.LEAD, worlds=search.WORLDS, stop=stop)
    if not search.is_puzzle(compared) or search.costs_of(compared) != puzzle.costs:
        raise BadPuzzle("puzzles.two_answers", id=puzzle.id)


def must_be_legal(file: PuzzleFile, puzzle: Puzzle) -> Any:
    """Return the position of a puzzle; raise a Problem where it does not agree with today's rules."""
    position = position_of(file.game, puzzle)
    seat = puzzle.seat
    if file.edition != position.edition.hash or file.rules != position.game.version:
        raise BadPuzzle("puzzles.other_rules", id=puzzle.id)
    if puzzle.id != name_of(position, seat) or seat not in position.pending:
        raise BadPuzzle("puzzles.other_position", id=puzzle.id)
    ids = position.legal_ids(seat).tolist()
    best, instead = position.id_of(puzzle.move), position.id_of(puzzle.instead)
    right = [id for id, cost in zip(ids, puzzle.costs, strict=False) if cost == 0]
    if len(ids) != len(puzzle.costs) or right != [best] or instead not in ids:
        raise BadPuzzle("puzzles.other_moves", id=puzzle.id)
    reasons = reasons_for(position, seat, best, instead)
    plain = [msgspec.to_builtins(reason) for reason in reasons[:MOST_REASONS]]
    if plain != puzzle.reasons or theme_of(position.game, reasons, seat) != puzzle.theme:
        raise BadPuzzle("puzzles.other_reasons", id=puzzle.id)
    return position


def check(file: PuzzleFile, *, stop: Stop = never_stop) -> Iterator[tuple[Puzzle, Problem | None]]:
    """Confirm the puzzles of a file one after another; yield each with what is wrong with it."""
    for puzzle in file.puzzles:
        try:
            confirm(file, puzzle, stop=stop)
        except Problem as problem:
            yield puzzle, problem
        else:
            yield puzzle, None
