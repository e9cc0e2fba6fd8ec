"""The rules that players read as a text: parsed, written again, looked for in a language, and printed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources

import msgspec
import pytest
from read_rules import each_game, each_text, read

from lampion.cli import main
from lampion.cli.rules_text import NoRules, show_rules
from lampion.games import art, core, registry
from lampion.games.rulebook import (
    Block,
    HeadingBlock,
    ListBlock,
    ParagraphBlock,
    Rules,
    Run,
    TableBlock,
    nearest_rules,
    parsed,
    rules_text,
)
from lampion.locale import LANGUAGES, speaking

# The text as data


def marked(runs: Sequence[Run]) -> str:
    """Runs as Markdown."""
    forms = {"text": "{text}", "bold": "**{text}**", "glyph": "{{glyph:{glyph}}}"}
    return "".join(forms[run["kind"]].format(**run) for run in msgspec.to_builtins(runs))


def wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def written(block: Block) -> str:
    """A block as Markdown."""
    match block:
        case ParagraphBlock(runs):
            return wrapped(marked(runs))
        case HeadingBlock(text):
            return f"### {text}"
        case ListBlock(ordered, items):
            bullets = [f"{number}. " if ordered else "- " for number in range(1, len(items) + 1)]
            return "\n".join(wrapped(mark + marked(item), "  ") for mark, item in zip(bullets, items, strict=True))
        case TableBlock(head, rows):
            lines = [[marked(cell) for cell in row] for row in [head, *rows]]
            shown = ["| " + " | ".join(line) + " |" for line in lines]
            return "\n".join([shown[0], "|" + "---|" * len(head), *shown[1:]])
    raise AssertionError(block)


@each_text
def test_what_was_parsed_writes_the_same_file_again(game: str, language: str) -> None:
    rules = read(game, language)
    parts = [f"# {rules.name}", *map(written, rules.introduction)]
    for each in rules.sections:
        steps = f' steps="{" ".join(each.steps)}"' if each.steps else ""
        parts += [f"## {each.title} {{#{each.id}{steps}}}", *map(written, each.blocks)]
    assert "\n\n".join(parts) + "\n" == rules_text(registry.game(game), language)


@each_text
def test_rules_keep_their_sense_on_their_way_through_json(game: str, language: str) -> None:
    rules = read(game, language)
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


@pytest.mark.parametrize(
    "slip",
    [
        "no name\n",
        "# Name\n\n## Title without an id\n",
        "# Name\n\n## Title {#UPPER}\n",
        "# Name\n\nA *slanted* word.\n",
        "# Name\n\nAn **open mark.\n",
        "# Name\n\nA {glyph:X} that is none.\n",
        "# Name\n\nA [link](elsewhere).\n",
        "# Name\n\n### Heading\nwithout a line between\n",
        "# Name\n\n| a | b |\n|---|---|\n| 1 |\n",
    ],
)
def test_a_slip_in_the_markdown_is_found(slip: str) -> None:
    with pytest.raises(ValueError, match=r".{10}"):
        parsed(slip, "game", "en")


@pytest.fixture
def without_rules() -> core.Game:
    """A game beside whose components no rules lie."""
    return replace(registry.game("dice"), components=art)


def test_a_game_without_rules_has_none(without_rules: core.Game) -> None:
    assert all(rules_text(without_rules, language) is None for language in LANGUAGES)
    assert nearest_rules(without_rules, "en") is None


def test_a_language_without_rules_has_none() -> None:
    assert rules_text(registry.game("dice"), "de") is None
    assert rules_text(registry.game("dice"), "../dice/rules.en") is None


def test_rules_are_found_in_another_language_where_ones_own_has_none() -> None:
    assert nearest_rules(registry.game("dice"), "de") == ("en", rules_text(registry.game("dice"), "en"))


@each_game
def test_the_texts_lie_in_the_package_of_their_game(game: str) -> None:
    found = {each.name for each in resources.files(f"lampion.games.{game}").iterdir() if each.name.endswith(".md")}
    assert found == {f"rules.{language}.md" for language in LANGUAGES}


# The command


@each_text
def test_the_command_prints_every_section(game: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", game, "--lang", language])
    out = capsys.readouterr().out
    for each in read(game, language).sections:
        assert f"{each.title}  ({each.id})" in out
    assert max(map(len, out.splitlines())) <= 100
    assert not re.search(r"^\s*[:;!?»]", out, flags=re.MULTILINE)


def test_the_command_prints_one_section(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "lanternes", "--section", "ties", "--lang", "fr"])
    out = capsys.readouterr().out
    assert out.startswith("Égalités  (ties)\n")
    assert "bateaux" in out
    assert "(goal)" not in out


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["lanternes", "--section", "nothing"], "goal, setup, turn"),
        (["../dice"], "dice, "),
    ],
)
def test_the_command_says_why_there_is_nothing_to_read(
    asked: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["rules", *asked, "--lang", "en"])
    out, err = capsys.readouterr()
    assert (end.value.code, out) == (2, "")
    assert reason in err


def test_the_command_prints_the_rules_of_a_game_of_another_package(capsys: pytest.CaptureFixture[str]) -> None:
    for language, name, title in (("en", "Fireflies", "Your turn"), ("fr", "Lucioles", "Votre tour")):
        main(["rules", "fireflies", "--lang", language])
        out = capsys.readouterr().out
        assert out.startswith(name)
        assert f"{title}  (turn)" in out


def test_the_command_refuses_a_game_without_rules(without_rules: core.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "game", lambda name: without_rules)
    with speaking("en"), pytest.raises(NoRules, match="dice"):
        show_rules("dice")
