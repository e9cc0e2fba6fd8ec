"""A game being played: positions, records and chance, through the public API."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lampion.engine.rng import STEP, below, game_seed, mixed, name_draw, new_rng, random_bits
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
from lampion.games.editions import standard
from lampion.games.registry import game
from lampion.locale import Problem, speaking
from lampion.play import BadRecord, Entropy, Manual, Position, Record, SeatInfo, Seeded
from lampion.play.chance import BadSeed, ChanceNeeded
from lampion.play.outcome import Outcome, sentence
from lampion.play.record import ChanceInfo
from lampion.testing import wander

MASK = 2**64 - 1
BELOW = [0, 0, 1, 27, 527613000]
DRAWN = [28, 17, 31, 26, 18, 4, 4, 8, 10, 20, 5, 14, 8, 33, 16, 6, 19, 28]
WEIGHED = [0, 0, 3, 0, 0, 3, 3, 0, 3, 3, 3, 1]
SEEDS = [
    11590088549758838113,
    10776215610669344720,
    18193655401504675551,
    3756681213985926376,
    2193805282469573279,
    11582107545136561445,
]


def opened(players: int = 2, seed: int = 1) -> Position:
    """Lanternes with its tiles dealt; seat 0 begins."""
    position = Position("lanternes", players, {"first": 0})
    position.push_chances(Seeded(seed))
    return position


def finished(seed: int = 1, name: str = "lanternes", players: int = 2) -> Position:
    """A whole game."""
    *_, position = wander(game(name), players, None, seed)
    return position


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


def damaged(seed: int = 1, **changes: Any) -> dict[str, Any]:
    """The data of a record with some entries changed; ... takes one away."""
    data: dict[str, Any] = json.loads(Record.of(finished(seed), date="2001-01-01").to_json())
    for name, value in changes.items():
        if value is ...:
            del data[name]
        else:
            data[name] = value
    return data


def refused(data: Any) -> str:
    """The key of the refusal of a record, which has its words in both languages."""
    with pytest.raises(Problem) as caught:
        Record.from_data(data).check()
    for language in ("en", "fr"):
        with speaking(language):
            assert str(caught.value)
    return str(caught.value.key)


class TestRecord:
    def test_a_file_leads_back_to_the_game(self, tmp_path: Path) -> None:
        position = finished()
        seats = [SeatInfo("Zoé"), SeatInfo("robot", "bot", "3", "1")]
        record = Record.of(position, seats, chance=ChanceInfo("seeded", 1), milliseconds=range(position.ply))
        record.save(tmp_path / "game.json")
        read = Record.load(tmp_path / "game.json")
        assert read == record
        assert read.check() == position
        assert read.result == position.outcome()
        assert "Zoé" in (tmp_path / "game.json").read_text(encoding="utf-8")

    def test_the_file_has_one_line_a_move(self) -> None:
        position = finished()
        lines = Record.of(position).to_json().splitlines()
        assert sum(line.startswith("  [") for line in lines) == position.ply

    def test_a_game_without_a_move_and_one_that_goes_on_are_records_too(self) -> None:
        for position in (Position("lanternes", 3), opened(4)):
            record = Record.from_json(Record.of(position).to_json())
            assert record.result is None
            assert record.check() == position

    def test_it_replays_up_to_any_move(self) -> None:
        record = Record.of(finished())
        assert [record.replay(ply).ply for ply in (0, 1, 20)] == [0, 1, 20]
        for wrong in (-1, len(record.moves) + 1):
            with pytest.raises(BadRecord) as caught:
                record.replay(wrong)
            assert caught.value.key == "record.ply"

    def test_a_game_from_the_middle_keeps_where_it_began(self) -> None:
        position = Position.from_view("lanternes", 2, {"first": 0}, opened().view(EVERYTHING))
        position.push(position.legal_moves[0])
        read = Record.from_json(Record.of(position).to_json())
        assert read.opening() == opened()
        assert read.check() == position

    def test_a_record_needs_no_seed(self) -> None:
        assert Record.of(finished()).chance.seed is None

    def test_cut_anywhere_it_says_that_a_part_is_missing(self) -> None:
        text = Record.of(finished()).to_json()
        for end in [*range(1, 60), *range(60, len(text) - 2, 97), len(text) - 2]:
            with pytest.raises(BadRecord) as caught:
                Record.from_json(text[:end])
            assert caught.value.key == "record.truncated", text[:end][-40:]

    def test_a_text_of_another_kind_is_no_record(self) -> None:
        with pytest.raises(BadRecord) as caught:
            Record.from_json("# Lampion\n\nA games room")
        assert caught.value.key == "record.foreign"

    def test_a_damaged_line_is_named(self) -> None:
        lines = Record.of(finished()).to_json().splitlines()
        lines[20] = lines[20].replace(":", ";", 1)
        with pytest.raises(BadRecord) as caught:
            Record.from_json("\n".join(lines))
        assert (caught.value.key, caught.value.values["line"]) == ("record.damaged", 21)

    @pytest.mark.parametrize("text", ["[]", "{}", "1", "null", '"lampion"', '{"format": "pgn"}', "[" * 100_000])
    def test_what_is_not_a_record_is_foreign(self, text: str) -> None:
        with pytest.raises(BadRecord) as caught:
            Record.from_json(text)
        assert caught.value.key in ("record.foreign", "record.truncated", "bounds.depth")

    def test_files_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
        for name, key in (
            ("none.json", "record.unreadable"),
            (".", "record.unreadable"),
            ("picture.png", "record.foreign"),
        ):
            with pytest.raises(BadRecord) as caught:
                Record.load(tmp_path / name)
            assert caught.value.key == key

    def test_a_newer_format_and_newer_rules_say_so(self) -> None:
        assert refused(damaged(version=2)) == "record.too_new"
        assert refused(damaged(rules=99)) == "record.rules_too_new"

    def test_an_altered_result_is_found(self) -> None:
        data = damaged()
        data["result"]["scores"][0] += 1
        assert refused(data) == "record.result"
        data = damaged()
        data["moves"] = data["moves"][:-1]
        assert refused(data) == "record.result"

    def test_an_altered_move_is_named_by_its_number(self) -> None:
        data = damaged()
        number = next(i for i, (seat, move) in enumerate(data["moves"]) if move["kind"] == "place")
        data["moves"][number][1]["x"] = 30
        with pytest.raises(BadRecord) as caught:
            Record.from_data(data).check()
        assert (caught.value.key, caught.value.values["number"]) == ("record.move", number + 1)

    @pytest.mark.parametrize("seat", [1, 64, 2**40, 2**63, "chance"])
    def test_a_move_of_the_wrong_seat_is_named(self, seat: int | str) -> None:
        data = damaged()
        number = next(i for i, (mover, _) in enumerate(data["moves"]) if mover == 0)
        data["moves"][number][0] = seat
        assert refused(data) == "record.move"

    @pytest.mark.parametrize(
        ("changes", "key"),
        [
            ({"format": ...}, "record.foreign"),
            ({"game": "chess"}, "error.game"),
            ({"game": 7}, "record.wrong"),
            ({"players": 3}, "record.seats"),
            ({"players": "2"}, "record.wrong"),
            ({"seats": [{"name": "a"}]}, "record.seats"),
            ({"seats": [{"name": "a"}, {"name": "b", "kind": "cat"}]}, "record.wrong"),
            ({"milliseconds": [1, 2]}, "record.milliseconds"),
            ({"moves": ...}, "record.wrong"),
            ({"moves": [[0]]}, "record.wrong"),
            ({"moves": [["chance", {"kind": "banana"}]]}, "record.move"),
            ({"options": {"first": 7}}, "error.option_value"),
            ({"options": {"speed": 7}}, "error.option_name"),
            ({"comment": "new"}, "record.wrong"),
            ({"start": {}}, "error.position"),
            ({"version": "1"}, "record.wrong"),
        ],
    )
    def test_what_is_wrong_is_named(self, changes: dict[str, Any], key: str) -> None:
        assert refused(damaged(**changes)) == key

    def test_other_components_than_those_played_with_are_found(self) -> None:
        data = damaged()
        lake = data["edition"]["components"]["tiles"]["lake"]
        lake[0], lake[1] = lake[1], lake[0]
        assert refused(data) == "record.edition"
        data["edition"]["components"]["tiles"]["lake"] = lake[1:]
        assert refused(data) == "components.count"

    def test_a_record_carries_its_edition_whole(self) -> None:
        assert Record.of(opened()).edition.components == standard("lanternes").data


def unmixed(value: int) -> int:
    """The 64 bits that `mixed` turns into these, by plain integers."""

    def undo_shift(value: int, by: int) -> int:
        found = value
        for _ in range(64 // by + 1):
            found = value ^ (found >> by)
        return found & MASK

    value = undo_shift(value, 31)
    value = value * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    value = undo_shift(value, 27)
    value = value * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return undo_shift(value, 30)


def before(*halves: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A generator whose next draw has these upper 32 bits."""
    return new_rng((unmixed(halves[0] << 32) - int(STEP)) & MASK)


class TestChance:
    def test_the_generator_is_the_same_on_every_machine(self) -> None:
        rng = new_rng(0)
        assert [int(random_bits(rng)) for _ in range(4)] == [
            0xE220A8397B1DCDAF,
            0x6E789E6AA1B965F4,
            0x06C45D188009454F,
            0xF88BB8A8724C81EC,
        ]
        assert [int(below(rng, n)) for n in (1, 2, 6, 35, 2**31)] == BELOW

    def test_draws_by_name_are_the_same_on_every_machine(self) -> None:
        stream = Seeded(20240229)
        drawn = [stream.draw(source, k, [1] * 35) for source in (0, 1, 7) for k in range(6)]
        assert drawn == DRAWN
        assert [Seeded(3).draw(0, k, [5, 1, 0, 2]) for k in range(12)] == WEIGHED

    def test_the_seeds_of_many_games_are_the_same_on_every_machine(self) -> None:
        seeds = [int(game_seed(np.uint64(5), number, part)) for number in (0, 1, 2**33) for part in (0, 1)]
        assert seeds == SEEDS

    def test_a_draw_depends_on_seed_source_and_count_alone(self) -> None:
        asked = [(source, k) for source in (0, 1, 2) for k in range(20)]
        straight = {name: Seeded(9).draw(*name, [1] * 100) for name in asked}
        stream = Seeded(9)
        for name in reversed(asked):
            assert stream.draw(*name, [1] * 100) == straight[name]
        assert len({Seeded(seed).draw(0, 0, [1] * 10_000) for seed in range(20)}) > 15
        assert len(set(straight.values())) > 30

    def test_the_same_deal_comes_to_games_that_diverge(self) -> None:
        deals = []
        for first in (0, 1):
            position = Position("lanternes", 2, {"first": first})
            position.push_chances(Seeded(4))
            deals.append([move.tile for _, move in position.moves])
        assert deals[0] == deals[1]

    def test_draws_are_counted_by_source(self) -> None:
        position = Position("lanternes", 2)
        asked = []

        class Spy:
            def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
                asked.append((source, k, sum(weights)))
                return 0

        position.push_chances(Spy())
        assert asked == [(0, 0, 2), *((1, k, 35 - k) for k in range(6))]
        position.pop()
        position.push_chance(Spy())
        assert asked[-1] == (1, 5, 30)

    def test_shares_of_the_total_go_by_weight(self) -> None:
        counts = Counter(Seeded(1).draw(0, k, [1, 2, 0, 5]) for k in range(8000))
        assert counts[2] == 0
        for outcome, weight in ((0, 1), (1, 2), (3, 5)):
            assert abs(counts[outcome] - 1000 * weight) < 150

    @pytest.mark.parametrize("n", [3, 5, 6, 7, 35, 1000, 2**31 + 1, 2**32 - 1])
    def test_what_does_not_fit_evenly_is_drawn_again(self, n: int) -> None:
        """Each outcome keeps as many of the 2**32 first draws as every other: those too many are refused."""
        uneven = 2**32 % n
        for outcome in {0, 1, n // 2, n - 1}:
            first = -(-outcome * 2**32 // n)
            after = -(-(outcome + 1) * 2**32 // n)
            refused = first * n % 2**32 < uneven
            assert after - first - refused == 2**32 // n
            rng = before(first)
            start = int(rng[0])
            drawn = int(below(rng, n))
            draws_made = (int(rng[0]) - start) * pow(int(STEP), -1, 2**64) & MASK
            assert (draws_made > 1) == refused
            if not refused:
                assert drawn == outcome
            assert int(below(before(after - 1), n)) == outcome

    def test_every_number_below_n_comes_up(self) -> None:
        rng = new_rng(1)
        counts = Counter(int(below(rng, 7)) for _ in range(7000))
        assert set(counts) == set(range(7))
        assert max(abs(count - 1000) for count in counts.values()) < 120

    def test_naming_a_draw_leaves_no_trace_of_the_last_one(self) -> None:
        one, two = new_rng(1), new_rng(2)
        name_draw(one, np.uint64(3), 4, 5)
        name_draw(two, np.uint64(3), 4, 5)
        assert one[0] == two[0] != mixed(np.uint64(0))

    @pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, None])
    def test_a_seed_is_a_whole_number_of_64_bits(self, seed: Any) -> None:
        with pytest.raises(BadSeed):
            Seeded(seed)
        assert Seeded(2**64 - 1).draw(0, 0, [1]) == 0

    def test_entropy_draws_by_weight_and_manual_never(self) -> None:
        assert {Entropy().draw(0, k, [0, 1, 1]) for k in range(60)} == {1, 2}
        with pytest.raises(ChanceNeeded):
            Position("lanternes").push_chances(Manual())


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
        assert sentence("iles", outcome, ["Ada", "Ben"]) == told


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
