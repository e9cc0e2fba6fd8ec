"""A recorded game as a moving picture and as a page: every frame has the parts of its picture, in their order."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from commands import lampion

from lampion.games.core import EVERYTHING
from lampion.play import Record
from lampion.play.film import Film, Pictures, animated, film, page
from lampion.play.record import Note

RECORDS = Path(__file__).with_name("fixtures") / "records"


def recorded(game: str, moves: int) -> Record:
    """The beginning of a stored game."""
    record = Record.load(RECORDS / f"{game}-rules-1-promised.json")
    return msgspec.structs.replace(record, moves=record.moves[:moves], milliseconds=None, result=None)


def seen(shown: Film, number: int) -> list[str]:
    """The parts that are seen in a frame, in the order in which they are drawn."""
    return [part.drawn for part in shown.parts if any(first <= number < end for first, end in part.spans)]


@pytest.mark.parametrize("game", ["lanternes", "dice", "lumens", "iles"])
def test_every_frame_is_the_picture_of_its_moment(game: str) -> None:
    record = recorded(game, 16)
    names = ["Ann", "Bea & <Co>"]
    shown = film(record, names, 0)
    final = record.replay()
    assert shown.frames[-1].ply == final.ply
    assert len(shown.frames) > 2
    for number, frame in enumerate(shown.frames):
        alone = Pictures(final.svg(0, names))
        alone.add(final.at(frame.ply).svg(0, names))
        assert seen(shown, number) == [part.drawn for part in alone.parts()]
    for written in (animated(shown), page(shown).partition("<svg")[2].partition("</svg>")[0]):
        assert "Bea &amp; &lt;Co&gt;" in written
    ElementTree.fromstring(animated(shown))


def test_a_seat_is_shown_what_it_saw() -> None:
    """Whoever looks through the eyes of a seat does not see what the others held."""
    record = recorded("lanternes", 10)
    names = ["Ann", "Bea"]
    own, all_seeing = film(record, names, 0), film(record, names, EVERYTHING)
    assert all(seen(own, number) != seen(all_seeing, number) for number in range(len(own.frames)))


def test_notes_are_shown_at_their_moment() -> None:
    record = recorded("lumens", 14)
    noted = msgspec.structs.replace(record, notes=(Note(0, 1, "Off we go"), Note(9, 0, "Here <it> turned")))
    shown = film(noted, ["Ann", "Bea"])
    told = {frame.ply: frame.notes for frame in shown.frames if frame.notes}
    assert list(told.values()) == [["Bea notes: Off we go"], ["Ann notes: Here <it> turned"]]
    assert shown.frames[0].notes == ["Bea notes: Off we go"]
    assert max(told) >= 9
    assert "Here &lt;it&gt; turned" in page(shown)
    assert "Here &lt;it&gt;" in animated(shown)


def test_the_command_writes_both(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    recorded("iles", 12).save(file)
    picture, out = tmp_path / "game.svg", tmp_path / "game.html"
    assert lampion("export", str(file), "--animated", str(picture), "--out", str(out), "--seat", "1").returncode == 0
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    text = out.read_text(encoding="utf-8")
    script = re.search(r"<script>(.*)</script>", text, re.DOTALL)
    assert script
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert "default-src 'none'; style-src 'unsafe-inline'" in text
    assert f"script-src 'sha256-{digest}'" in text
    assert lampion("export", str(file)).returncode == 2
    before = file.read_bytes()
    assert lampion("export", str(file), "--out", str(file)).returncode == 2
    assert lampion("export", str(file), "--out", str(out), "--animated", str(out)).returncode == 2
    assert file.read_bytes() == before
    assert lampion("export", str(file), "--out", str(out), "--seat", "7").returncode == 2
