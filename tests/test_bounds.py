"""Files from outside are bounded: whatever is in them is refused at once, with a reason that names the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.dom.minidom import parseString

import pytest
from known_work import at_most

from lampion import bounds
from lampion.cli import main
from lampion.games import art
from lampion.games.core import BadComponents
from lampion.games.editions import parsed, standard
from lampion.locale import LANGUAGES, speaking
from lampion.play import BadRecord, Position, Record

AT_ONCE = 30
"""Units of work: several times what the costliest of these inputs costs, and a tenth of what a dotted key costs that
is not refused before it is parsed."""

EDITIONS: dict[str, tuple[str, str]] = {
    "a long key": ("bounds.line", "a." * 30_000 + "a = 1"),
    "many parts": ("bounds.parts", "a." * 20 + "a = 1"),
    "parts in quotes": ("bounds.parts", '"a".' * 20 + '"a" = 1'),
    "parts of a table": ("bounds.parts", "[" + "a . " * 20 + "a]"),
    "many tables": ("bounds.keys", "\n".join(f"[a.b.c.d.e.f.g.a{i}]" for i in range(2500))),
    "many keys": ("bounds.keys", "\n".join(f"a{i}.b.c.d.e.f.g = 1" for i in range(2500))),
    "lists in lists": ("bounds.brackets", "a = " + "[\n" * 5000 + "]\n" * 5000),
    "tables in tables": ("bounds.brackets", "a = " + "{a = " * 20 + "1" + "}" * 20),
    "a long list": ("bounds.items", "a = [" + "1,\n" * 10_000 + "]"),
    "a long text": ("bounds.text", 'a = """' + "\n".join(["x" * 90] * 100) + '"""'),
    "a long number": ("bounds.word", "a = " + "9" * 900),
    "a longer number": ("bounds.line", "a = " + "9" * 6000),
    "a number without end": ("bounds.number", "a = inf"),
    "a date": ("bounds.kind", "a = 2020-01-01"),
    "a control character": ("bounds.letters", 'a = "\\u001b[2J"'),
    "half a letter": ("bounds.letters", 'a = "\ud800"'),
    "half a letter, escaped": ("components.toml", 'a = "\\ud800"'),
    "quotes that never end": ("components.toml", "\n".join(['a = """\\"""'] + ['\\"""' * 100] * 150)),
    "too many bytes": ("components.size", "# é" * 40_000),
}


@pytest.mark.parametrize("what", EDITIONS)
def test_an_edition_that_is_too_much_is_refused_at_once(what: str) -> None:
    key, text = EDITIONS[what]
    its = standard("iles").game  # ours is read before the clock runs
    with at_most(AT_ONCE), pytest.raises(BadComponents) as caught:
        parsed(its, text, "edition")
    assert caught.value.key.startswith(key)  # what is no TOML has more than one reason
    for language in LANGUAGES:
        with speaking(language):
            assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["lanternes", "dice", "lumens", "iles"])
def test_our_own_editions_keep_the_bounds(name: str) -> None:
    bounds.check_data(standard(name).data, bounds.EDITION)


RECORDS: dict[str, tuple[str, Any]] = {
    "a long name": ("record.wrong", {"seats": [{"name": "x" * 81}, {"name": "b"}]}),
    "a very long name": ("bounds.text", {"seats": [{"name": "x" * 100_000}, {"name": "b"}]}),
    "a name that controls a terminal": ("bounds.letters", {"seats": [{"name": "\x1b[2J"}, {"name": "b"}]}),
    "a name that turns the text around": ("bounds.letters", {"seats": [{"name": "a\u202eb"}, {"name": "b"}]}),
    "half a letter": ("bounds.letters", {"date": "\ud800"}),
    "many seats": ("record.wrong", {"seats": [{"name": "a"}] * 9}),
    "a long level": ("bounds.text", {"seats": [{"name": "a", "kind": "bot", "level": "x" * 1001}, {"name": "b"}]}),
    "a long version": ("record.wrong", {"seats": [{"name": "a", "version": "x" * 41}, {"name": "b"}]}),
    "a long date": ("record.wrong", {"date": "2" * 41}),
    "a long hash": ("record.wrong", {"edition": {"hash": "0" * 65, "components": {}}}),
    "long nonces": ("record.wrong", {"chance": {"kind": "promised", "nonces": ["0" * 65]}}),
    "many nonces": ("record.wrong", {"chance": {"kind": "promised", "nonces": [""] * 9}}),
    "many epochs": ("bounds.items", {"chance": {"kind": "promised", "epochs": [[0, 0]] * 20_001}}),
    "a large epoch": ("record.wrong", {"chance": {"kind": "promised", "epochs": [[0, 2**60]]}}),
    "a large seed": ("error.seed", {"chance": {"kind": "entropy", "seed": 2**64}}),
    "many options": ("record.wrong", {"options": {str(i): 1 for i in range(17)}}),
    "many moves": ("bounds.items", {"moves": [["chance", {}]] * 20_001}),
    "a move of many fields": ("record.wrong", {"moves": [[0, {str(i): 1 for i in range(17)}]]}),
    "large milliseconds": ("record.wrong", {"milliseconds": [2**41]}),
    "a large version of the rules": ("record.wrong", {"rules": -(10**30)}),
    "a number of many digits": ("bounds.number", {"rules": 10**300}),
    "a deep start": ("bounds.depth", {"start": {"a": [[[[[[[[[[[[[1]]]]]]]]]]]]]}}),
    "many components": ("bounds.keys", {"edition": {"hash": "", "components": {str(i): 1 for i in range(200)}}}),
    "too many values": ("bounds.values", {"options": {str(i): [[0] * 2500] * 9 for i in range(15)}}),
}  # fmt: skip


NOT_TRUE: dict[str, tuple[str, Any]] = {
    "a name that nobody sees": ("record.wrong", {"seats": [{"name": "\u200b\u3164"}, {"name": "b"}]}),
    "a note that nobody sees": ("record.wrong", {"notes": [{"ply": 0, "seat": 0, "text": "\u2060 \u0301"}]}),
    "more hints than allowed": ("record.hints_used", {"hints": {"allowed": 3, "used": [3, 4]}}),
    "a moment that was not": ("record.continues", {"continues": {"table": "abc", "ply": 1}}),
}


@pytest.mark.parametrize("what", NOT_TRUE)
def test_a_record_that_cannot_be_true_is_refused(what: str) -> None:
    key, changes = NOT_TRUE[what]
    data = json.loads(Record.of(Position("lumens", 2)).to_json()) | changes
    with pytest.raises(BadRecord) as caught:
        Record.from_data(data).opening()
    assert caught.value.key == key


@pytest.mark.parametrize("what", RECORDS)
def test_a_record_that_is_too_much_is_refused_and_the_field_is_named(what: str) -> None:
    key, changes = RECORDS[what]
    data = json.loads(Record.of(Position("lumens", 2)).to_json()) | changes
    with pytest.raises(BadRecord) as caught:
        Record.from_data(data).opening()
    assert caught.value.key == key
    if key != "bounds.values":
        assert next(iter(changes)) in str(caught.value) or key == "error.seed"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("record.size", " " * 600_000),
        ("bounds.depth", "[" * 400_000),
        ("bounds.number", '{"a": ' + "9" * 6000 + "}"),
        ("bounds.number", '{"a": NaN}'),
        ("bounds.number", '{"a": -1e999}'),
        ("bounds.twice", '{"a": 1, "a": 2}'),
        ("record.foreign", b"\xff\xfe"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_text_that_is_no_bounded_json_is_no_record(key: str, text: str | bytes) -> None:
    with at_most(AT_ONCE), pytest.raises(BadRecord) as caught:
        Record.from_json(text)
    assert caught.value.key == key


def test_a_picture_is_well_formed_whatever_somebody_is_called() -> None:
    name = "".join(map(chr, range(0x100))) + "\ud800\udfff\ufffe\uffff<&\"'"
    for each in ("lanternes", "dice", "lumens", "iles"):
        position = Position(each)
        drawn = position.svg(names=[name] * position.players)
        parseString(drawn.encode())
    assert art.escape("a\x00b\ud800") == "a\ufffdb\ufffd"


@pytest.mark.parametrize("text", ['"' + '\\"' * 200_000, '"[' * 200_000, "[" * 400_000, "[{" * 200_000 + "\\"])
def test_nesting_is_measured_in_one_pass(text: str) -> None:
    with at_most(AT_ONCE), pytest.raises((bounds.OutOfBounds, json.JSONDecodeError)):
        bounds.read_json(text)


@pytest.mark.parametrize("text", ['"' + "[" * 1000 + '"', "[" + "[],[]," * 1000 + "0]", '{"a": "\\"[[", "b": []}'])
def test_brackets_in_texts_and_beside_each_other_are_no_nesting(text: str) -> None:
    bounds.read_json(text)


FILES: dict[str, bytes] = {
    "deep": b"[" * 400_000,
    "long": b" " * 2_000_000,
    "digits": b'{"a": ' + b"9" * 6000 + b"}",
    "no text": b"\xff\xfe\x00",
    "dotted": b"a." * 30_000 + b"a = 1",
    "nested": b"a = " + b"[\n" * 5000,
    "empty": b"",
}


@pytest.mark.parametrize("what", FILES)
@pytest.mark.parametrize(
    "words", [["check"], ["replay"], ["components", "iles", "--check"], ["records", "import"]], ids=" ".join
)
def test_the_command_refuses_such_a_file_in_one_line(
    words: list[str], what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_bytes(FILES[what])
    more = ["--db", str(tmp_path / "new.db")] if words[0] == "records" else []
    with pytest.raises(SystemExit) as end:
        main(["--lang", "en", *words, str(file), *more])
    told = capsys.readouterr()
    assert (end.value.code, told.out, len(told.err.splitlines())) == (1 if words == ["check"] else 2, "", 1)
    assert len(told.err) < 400
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("name", ["x" * 81, "a\x1b[2J"])
def test_a_seat_is_not_called_what_no_record_could_say(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--lang", "en", "play", "lumens", "--seats", f"{name},Bob"])
    assert (end.value.code, capsys.readouterr().err.count("80")) == (2, 1)


def test_a_file_that_never_ends_is_not_read_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    endless = Path("/dev/zero")
    if not endless.exists():
        pytest.skip("this system has no endless file")
    for words in (["check"], ["components", "iles", "--check"]):
        with pytest.raises(SystemExit):
            main(["--lang", "en", *words, str(endless)])
    assert "at most" in capsys.readouterr().err
