"""Records of games that are played: written, read, replayed, and refused where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lanternes_games import finished, opened

from lampion.games.core import EVERYTHING
from lampion.games.editions import standard
from lampion.locale import Problem, speaking
from lampion.play import BadRecord, Position, Record, SeatInfo
from lampion.play.record import ChanceInfo


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
