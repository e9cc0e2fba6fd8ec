"""A position of a game that is played: moves, history, refusals and the outcome, through the public API."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from lanternes_games import finished, opened

from lampion.engine.rng import new_rng
from lampion.games.core import (
    CHANCE,
    EVERYTHING,
    OVER,
    SPECTATOR,
    BadMove,
    BadPosition,
    BadSetup,
    IllegalMove,
    OutOfTurn,
    UnreadableMove,
)
from lampion.games.registry import game
from lampion.locale import Problem, speaking
from lampion.play import Position, Seeded
from lampion.play.outcome import Outcome, sentence


class TestPosition:
    def test_the_actor_is_chance_a_seat_or_nobody(self) -> None:
        position = Position("lanternes", 2)
        assert (position.actor, position.pending, position.is_over) == (CHANCE, (), False)
        assert (opened().actor, opened().pending) == (0, (0,))
        assert (finished().actor, finished().pending, finished().is_over) == (OVER, (), True)

    def test_legal_moves_count_iterate_slice_and_answer_in(self) -> None:
        position = opened()
        moves = position.legal_moves
        assert len(moves) == len(list(moves)) == len(moves.ids) == len(moves[:]) > 0
        assert moves[-1] == list(moves)[-1]
        for written in (moves[3], position.notation(moves[3]), int(moves.ids[3]), np.int64(moves.ids[3])):
            assert written in moves
        for nothing in ("pass", -1, 10**9, None, object(), 1.5, {"kind": "pass"}, True, b"pass", ()):
            assert nothing not in moves
        assert repr(moves).startswith("<LegalMoves of seat 0")

    def test_another_seat_has_no_moves_and_neither_has_nobody(self) -> None:
        position = opened()
        assert len(position.legal_moves_of(0)) > 0
        assert [len(position.legal_moves_of(seat)) for seat in (1, CHANCE, OVER, 7)] == [0, 0, 0, 0]
        assert len(finished().legal_moves) == 0

    def test_a_move_may_be_typed_data_notation_or_id(self) -> None:
        typed = opened().legal_moves[5]
        ways = (typed, json.loads(json.dumps(data_of(typed))), opened().notation(typed), opened().id_of(typed))
        after = []
        for way in ways:
            position = opened()
            position.push(way)
            after.append(position.bytes())
        assert len(set(after)) == 1

    def test_positions_are_equal_by_what_is_on_the_table_not_by_how_it_came_about(self) -> None:
        position = opened()
        again = Position.from_view("lanternes", 2, {"first": 0}, position.view(EVERYTHING))
        assert again == position
        assert hash(again) == hash(position)
        assert (again.ply, again.start is None, position.start is None) == (0, False, True)
        again.push(again.legal_moves[0])
        assert again != position
        assert again != "a position"

    def test_pop_gives_the_move_back_and_push_goes_on_from_there(self) -> None:
        position = finished()
        whole = position.bytes()
        moves = position.moves
        taken = [position.pop() for _ in range(position.ply)]
        assert taken == [move for _, move in reversed(moves)]
        assert position == Position("lanternes", 2)
        for seat, move in moves:
            position.push(move, seat)
        assert position.bytes() == whole

    def test_at_goes_back_without_touching_the_game(self) -> None:
        position = finished()
        ply = position.ply
        assert position.at(3).ply == 3
        assert position.ply == ply
        for wrong in (-1, ply + 1):
            with pytest.raises(BadPosition) as caught:
                position.at(wrong)
            assert caught.value.key == "error.ply"

    def test_a_preview_tells_what_a_viewer_may_know_and_changes_nothing(self) -> None:
        position = Position("lanternes", 2, {"first": 0})
        before = position.bytes()
        assert position.preview("+3", CHANCE, 0)[0].thing == "RKGP"
        assert position.preview("+3", CHANCE, 1)[0].thing is None
        with pytest.raises(BadMove):
            position.preview("pass", 0)
        assert (position.bytes(), position.ply) == (before, 0)

    def test_a_world_of_a_viewer_has_no_history(self) -> None:
        world = opened().concealed(0, new_rng(3))
        assert (world.ply, world.moves) == (0, [])
        assert world.view(0) == opened().view(0)
        assert world.view(EVERYTHING) != opened().view(EVERYTHING)

    def test_the_seed_alone_decides_a_deal(self) -> None:
        assert opened(seed=7) == opened(seed=7)
        assert opened(seed=7) != opened(seed=8)

    @pytest.mark.parametrize(
        ("move", "seat", "error", "key"),
        [
            ("pass", 0, IllegalMove, "error.illegal_move"),
            ("pass", 1, OutOfTurn, "error.out_of_turn"),
            ("+3", CHANCE, OutOfTurn, "error.out_of_turn"),
            ("pass", 9, OutOfTurn, "error.out_of_turn"),
            ("banana", 0, UnreadableMove, "error.notation"),
            ({"kind": "banana"}, 0, UnreadableMove, "error.unreadable_move"),
            ({"kind": "pass", "extra": 1}, 0, UnreadableMove, "error.unreadable_move"),
            (-1, 0, IllegalMove, "error.illegal_id"),
            (None, 0, UnreadableMove, "error.unreadable_move"),
        ],
    )
    def test_a_refusal_has_its_class_its_key_and_a_sentence(
        self, move: Any, seat: int, error: type[Problem], key: str
    ) -> None:
        position = opened()
        before = position.bytes()
        with pytest.raises(error) as caught:
            position.push(move, seat)
        assert caught.value.key == key
        assert isinstance(caught.value, ValueError)
        sentences = []
        for language in ("en", "fr"):
            with speaking(language):
                sentences.append(str(caught.value))
        assert sentences[0] != sentences[1]
        assert position.bytes() == before

    def test_after_the_end_every_move_is_refused(self) -> None:
        position = finished()
        for seat in (0, 1, CHANCE):
            with pytest.raises(OutOfTurn) as caught:
                position.push("pass", seat)
            assert caught.value.key == "error.over"

    def test_chance_is_not_drawn_when_somebody_is_to_move(self) -> None:
        for position in (opened(), finished()):
            with pytest.raises(OutOfTurn):
                position.push_chance(Seeded(1))

    def test_set_ups_that_do_not_exist_are_refused(self) -> None:
        for players, options, key in (
            (1, {}, "error.players"),
            (5, {}, "error.players"),
            (2, {"first": 2}, "error.option_value"),
            (2, {"first": True}, "error.option_value"),
            (2, {"second": 0}, "error.option_name"),
        ):
            with pytest.raises(BadSetup) as caught:
                Position("lanternes", players, options)
            assert caught.value.key == key
        with pytest.raises(BadSetup) as caught:
            Position("chess")
        assert caught.value.key == "error.game"

    def test_a_view_of_another_number_of_players_is_refused(self) -> None:
        with pytest.raises(BadPosition) as caught:
            Position.from_view("lanternes", 3, None, opened(2).view(EVERYTHING))
        assert caught.value.key == "error.position_players"

    def test_a_view_that_hides_something_is_no_position(self) -> None:
        with pytest.raises(BadPosition):
            Position.from_view("lanternes", 2, None, opened().view(0))

    def test_it_shows_itself(self) -> None:
        position = opened()
        assert str(position) == position.text(EVERYTHING)
        assert "lanternes" in repr(position)
        assert position._repr_svg_().startswith("<svg")
        assert "Zoé" in position.text(SPECTATOR, ["Zoé", "Max"])

    def test_the_outcome_is_none_until_the_end_and_the_count_is_there_before(self) -> None:
        assert opened().outcome() is None
        assert opened().count().scores == [0, 0]
        assert finished().outcome() == finished().count()


def data_of(move: Any) -> dict[str, Any]:
    """A typed move as plain data."""
    return {"kind": move.kind} | {name: getattr(move, name) for name in move.__struct_fields__}


@pytest.mark.parametrize(
    ("language", "points", "told"),
    [
        ("en", 1, "Ada wins with 1 point."),
        ("en", 0, "Ada wins with 0 points."),
        ("en", 7, "Ada wins with 7 points."),
        ("en", -1, "Ada wins with -1 point."),  # as a browser counts
        ("fr", 1, "Ada gagne avec 1 point."),
        ("fr", 0, "Ada gagne avec 0 point."),
        ("fr", 7, "Ada gagne avec 7 points."),
    ],
)
def test_one_point_is_told_as_one(language: str, points: int, told: str) -> None:
    scores = [points, points - 3]
    outcome = Outcome(scores, [{}, {}], [[score] for score in scores], [1, 2], [1.0, 0.0], [0], "points")
    with speaking(language):
        assert sentence(game("iles").name, outcome, ["Ada", "Ben"]) == told


def test_a_position_alone_is_the_same_without_its_history() -> None:
    position = Position("lanternes", 2)
    position.push_chances(Seeded(1))
    position.push(position.legal_moves[0])
    alone = position.alone()
    assert alone == position
    assert alone.ply == 0
    assert alone.actor == position.actor
    assert alone.start == position.view(EVERYTHING)
    alone.push_chances(Seeded(2))
    assert alone != position
