"""Puzzles over plain HTTP: all of them listed, each with the answer to every move, in both languages."""

from __future__ import annotations

import gzip
import urllib.request
from collections import Counter
from itertools import pairwise

import pytest

from lampion.games.reason_types import favour
from lampion.insight.puzzles import position_of, shipped
from lampion.insight.reasons import reasons_for
from lampion.server.tables.puzzle_scenes import PuzzleBuilder, in_order

from .people import Server


def test_all_puzzles_are_listed_by_game_and_number(server: Server) -> None:
    listed = server.get("/api/puzzles")
    games = Counter(one["game"] for one in listed)
    assert {"lanternes", "dice", "lumens", "iles"} <= set(games)
    for game, count in games.items():
        own = [one for one in listed if one["game"] == game]
        assert [one["number"] for one in own] == list(range(1, count + 1))
        file = shipped(game)
        assert file is not None
        assert {one["id"] for one in own} == {one.id for one in file.puzzles}


def test_the_price_of_the_best_move_is_told_however_much_speaks_for_it() -> None:
    for puzzle in in_order("iles"):
        task = PuzzleBuilder("iles", puzzle.id)
        reasons = reasons_for(task.position, puzzle.seat, task.ids[task.best], task.position.id_of(puzzle.instead))
        against = [one for one in reasons if favour(one, puzzle.seat) < 0]
        assert len(task.answer(task.best).but) == min(len(against), 2)


@pytest.mark.parametrize("game", ["lanternes", "dice", "lumens", "iles"])
def test_two_puzzles_from_one_game_lie_apart(game: str) -> None:
    file = shipped(game)
    assert file is not None
    numbers = {one.id: number for number, one in enumerate(in_order(game))}
    for one, following in pairwise(file.puzzles):
        if one.players == following.players:  # else they are from two games
            assert abs(numbers[one.id] - numbers[following.id]) >= 2


@pytest.mark.parametrize("game", ["lanternes", "dice", "lumens", "iles"])
def test_a_puzzle_has_the_answer_to_every_move_as_its_seat_knows_it(server: Server, game: str) -> None:
    puzzle = in_order(game)[0]
    english, french = (server.get(f"/api/puzzles/{game}/{puzzle.id}?lang={one}") for one in ("en", "fr"))
    assert english["before"]["moves"][english["best"]] == puzzle.move
    assert len(english["before"]["moves"]) == len(english["answers"]) == len(english["outlooks"]) == len(puzzle.costs)
    for place, answer in enumerate(english["answers"]):
        assert (answer["cost"] == 0) == (place == english["best"])
    assert english["answers"][english["best"]]["why"]
    assert english["answers"][english["best"]]["why"] != french["answers"][french["best"]]["why"]
    position = position_of(game, puzzle)
    assert english["before"]["asked"] == position.asked(puzzle.seat)
    assert english["names"][puzzle.seat] == "Aline"


def test_a_browser_that_can_unpack_is_sent_less(server: Server) -> None:
    address = f"http://localhost:{server.port}{server.base}/api/puzzles/lumens/{in_order('lumens')[0].id}"
    asked = urllib.request.Request(address, headers={"accept-encoding": "gzip"})
    with urllib.request.urlopen(asked) as answer:
        packed = answer.read()
    plain = server.answer(address.removeprefix(f"http://localhost:{server.port}{server.base}"))[1].encode()
    assert gzip.decompress(packed) == plain
    assert 4 * len(packed) < len(plain)


def test_a_puzzle_that_is_not_there_is_refused(server: Server) -> None:
    for path in ("/api/puzzles/iles/nothing", "/api/puzzles/chess/00000000"):
        assert server.request(path)[0] == 404
