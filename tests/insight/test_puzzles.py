"""Puzzles: those that come with the games are legal, unique and true; nothing hidden has a part in them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import lampion
from tiers import daily

from lampion.engine.rng import new_rng
from lampion.games.core import EVERYTHING
from lampion.games.registry import game
from lampion.insight import puzzle_finding, puzzle_making
from lampion.insight.clear_best import Comparison, compare_all
from lampion.insight.puzzle_finding import Weaker
from lampion.insight.puzzles import FILE, BadPuzzle, Puzzle, PuzzleFile, name_of, parsed, position_of, shipped
from lampion.insight.settings import Settings
from lampion.insight.worth import evaluator_for
from lampion.locale import LANGUAGES, catalogue

GAMES = ("lanternes", "dice", "lumens", "iles")
EACH = pytest.mark.parametrize("name", GAMES)
MOST_BYTES = 300_000
LITTLE = Settings(simulations=200, wide=256, looks=4, worlds=2)


def puzzles(name: str) -> PuzzleFile:
    """The puzzles of a game."""
    found = shipped(name)
    assert found is not None
    return found


@EACH
def test_sixty_puzzles_come_with_a_game_and_all_are_legal_with_true_reasons(name: str) -> None:
    file = puzzles(name)
    assert len({puzzle.id for puzzle in file.puzzles}) == len(file.puzzles) >= 60
    assert (game(name).folder / FILE).stat().st_size < MOST_BYTES
    assert file.confirmed.simulations >= 10 * file.found.simulations
    for puzzle in file.puzzles:
        puzzle_making.must_be_legal(file, puzzle)
        costs = sorted(puzzle.costs)
        assert puzzle.lead >= max(puzzle_finding.LEAD, puzzle.sure)
        assert costs[0] == 0 < costs[1]
        assert len(costs) >= puzzle_finding.FEWEST_MOVES


@EACH
def test_they_are_of_all_degrees_and_their_themes_have_names(name: str) -> None:
    degrees = Counter(puzzle.degree for puzzle in puzzles(name).puzzles)
    assert sorted(degrees) == [1, 2, 3]
    assert max(degrees.values()) <= 0.5 * degrees.total()
    for puzzle in puzzles(name).puzzles:
        for language in LANGUAGES:
            assert f"{name}.theme.{puzzle.theme}" in catalogue(language)
        if puzzle.degree == 3:
            position = position_of(name, puzzle)
            assert puzzle_finding.greedy_move(position, puzzle.seat) != position.id_of(puzzle.move)


@pytest.mark.parametrize("name", daily(GAMES, "iles"))
def test_the_long_search_confirms_one_again_to_the_last_figure(name: str) -> None:
    file = puzzles(name)
    puzzle_making.confirm(file, min(file.puzzles, key=lambda one: (one.players, one.id)))


@pytest.mark.parametrize("name", ["lanternes", "lumens", "iles"])
def test_what_is_hidden_from_the_seat_has_no_part_in_a_puzzle(name: str) -> None:
    puzzle, position, other = next(  # in some nothing is hidden
        (puzzle, position, changed)
        for puzzle in puzzles(name).puzzles
        for seed in range(1, 5)
        if (changed := (position := position_of(name, puzzle)).concealed(puzzle.seat, new_rng(seed))).view(EVERYTHING)
        != position.view(EVERYTHING)
    )
    assert name_of(other, puzzle.seat) == puzzle.id
    evaluator = evaluator_for(position.edition, position.players, LITTLE)
    best = position.id_of(puzzle.move)
    first, second = (
        compare_all(evaluator, one.state, puzzle.seat, best, puzzle_finding.LEAD, worlds=2) for one in (position, other)
    )
    assert puzzle_finding.costs_of(first) == puzzle_finding.costs_of(second)


def compared(*behind: float, sure: float = 0.01) -> Comparison:
    """Moves that are worth so much less than the first."""
    gaps = [0.0, *behind]
    return Comparison(list(range(len(gaps))), 0, gaps, [sure] * len(gaps), [0.5 - gap for gap in gaps], 8000)


def test_a_puzzle_has_one_good_answer_among_several_sensible_ones() -> None:
    assert puzzle_finding.is_puzzle(compared(0.06, 0.1, 0.2))
    assert not puzzle_finding.is_puzzle(compared(0.04, 0.1, 0.2))
    assert not puzzle_finding.is_puzzle(compared(0.06, 0.1, 0.2, sure=0.07))
    assert not puzzle_finding.is_puzzle(compared(0.06, 0.5, 0.6))
    assert puzzle_finding.costs_of(compared(0.06, 0.1, 0.2)) == [0, 60, 100, 200]


def test_what_the_greedy_bot_finds_is_never_hard() -> None:
    assert Weaker(1, 1, 1).degree(1) == 1
    assert Weaker(2, 1, 1).degree(1) == 2
    assert Weaker(1, 2, 2).degree(1) == 2
    assert Weaker(2, 2, 1).degree(1) == 3


def test_a_puzzle_that_is_not_true_is_found_out() -> None:
    file = puzzles("iles")
    good = file.puzzles[0]

    def refused(**changes: Any) -> str:
        with pytest.raises(BadPuzzle) as refusal:
            puzzle_making.must_be_legal(file, msgspec.structs.replace(good, **changes))
        return refusal.value.code

    assert refused(costs=good.costs[:-1]) == "other_moves"
    assert refused(move=good.instead) == "other_moves"
    assert refused(reasons=[]) == "other_reasons"
    assert refused(id="0" * 8) == "other_position"


def test_making_is_taken_up_where_it_stopped_and_ends_with_all_degrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock = puzzles("iles").puzzles
    looked: list[int] = []

    def of_game(_: Any, seed: int, number: int, wants: Any, stop: Any) -> list[Puzzle]:
        looked.append(number)
        if number == 3 and looked.count(3) == 1:
            raise KeyboardInterrupt
        return [one for one in stock[2 * number : 2 * number + 2] if wants(one.degree)]

    monkeypatch.setattr(puzzle_finding, "puzzles_of_game", of_game)
    out = tmp_path / "puzzles.json"
    with pytest.raises(KeyboardInterrupt):
        puzzle_making.make(game("iles"), 6, 1, out, tell=lambda file: None)
    assert parsed(out.read_bytes()).games == 3
    made = puzzle_making.make(game("iles"), 6, 1, out, tell=lambda file: None)
    assert looked == [0, 1, 2, 3, *range(3, made.games)]
    assert len(made.puzzles) == 6
    assert max(Counter(one.degree for one in made.puzzles).values()) <= 3
    assert parsed(out.read_bytes()) == made
    with pytest.raises(BadPuzzle):
        puzzle_making.make(game("iles"), 7, 1, out, tell=lambda file: None)


def test_the_command_confirms_a_file_and_refuses_what_is_none(tmp_path: Path) -> None:
    file = puzzles("iles")
    path = tmp_path / "puzzles.json"
    path.write_bytes(msgspec.structs.replace(file, puzzles=file.puzzles[:1]).to_json())
    done = lampion("puzzles", "iles", "--check", "--out", str(path))
    assert (done.returncode, done.stdout) == (0, "1 of 1 puzzles are confirmed.\n"), done.stderr
    bad = msgspec.structs.replace(file.puzzles[0], theme="dream")
    path.write_bytes(msgspec.structs.replace(file, puzzles=[bad]).to_json())
    done = lampion("puzzles", "iles", "--check", "--out", str(path))
    assert (done.returncode, done.stdout) == (1, "0 of 1 puzzles are confirmed.\n")
    path.write_text("[]", encoding="utf-8")
    assert lampion("puzzles", "iles", "--check", "--out", str(path)).returncode == 2
    assert lampion("puzzles", "chess").returncode == 2
