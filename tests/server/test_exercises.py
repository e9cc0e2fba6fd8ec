"""Exercises over plain HTTP: those of a game listed, each with what is said to every move."""

from __future__ import annotations

import pytest

from lampion.play.exercises import exercises, position_of
from lampion.play.tutorial import is_right

from .people import Server

GAMES = ("lanternes", "dice", "lumens", "iles")


@pytest.mark.parametrize("game", GAMES)
def test_the_exercises_of_a_game_are_listed_in_the_language_of_the_asker(server: Server, game: str) -> None:
    english, french = (server.get(f"/api/exercises/{game}?lang={one}") for one in ("en", "fr"))
    own = exercises(game)
    assert [(one["number"], one["id"]) for one in english] == [(i, one.id) for i, one in enumerate(own, 1)]
    assert [one["title"] for one in english] == [one.title["en"] for one in own]
    assert [one["title"] for one in french] == [one.title["fr"] for one in own]
    games = {one["game"]: one["exercises"] for one in server.get("/api/games")}
    assert games[game] == len(own)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_an_exercise_is_answered_as_the_rules_judge_it(server: Server, game: str) -> None:
    for exercise in exercises(game):
        found = server.get(f"/api/exercises/{game}/{exercise.id}?lang=fr")
        position = position_of(game, exercise)
        moves = found["before"]["moves"]
        assert len(moves) == len(found["answers"]) == len(found["outlooks"])
        right = [is_right(position, exercise.seat, exercise, move) for move in position.legal_moves_of(exercise.seat)]
        assert [one["right"] for one in found["answers"]] == right
        assert found["answers"][found["best"]]["right"]
        assert all(one["say"] for one in found["answers"])
        assert "{" not in found["ask"] + "".join(one["say"] for one in found["answers"])
        assert found["names"][exercise.seat] == "Aline"


def test_what_is_no_exercise_is_refused(server: Server) -> None:
    assert server.request("/api/exercises/lumens/nothing")[1]["code"] == "no_exercise"
    assert server.request("/api/exercises/nothing")[0] >= 400
    assert server.request("/api/exercises/nothing/chain")[0] >= 400
    assert server.get("/api/exercises/fireflies") == []
