"""The rules of the games for players: Markdown in the package of each game, `rules.LANGUAGE.md`, parsed into data.

The browser and the terminal draw the data and need no Markdown. A file is the name of the game, an introduction, then
sections `## Title {#id steps="..."}`; `steps` are the steps of the game for which the section is shown, each the last
word of the key that `asked` returns. Of Markdown there are paragraphs, headings of level 3, lists, tables, **bold** and
`{glyph:R}`, the sign of a lantern's colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Literal

import msgspec

from lampion.games.core import Game
from lampion.locale import LANGUAGES

SECTION = re.compile(r'## (?P<title>[^{}]+) \{#(?P<id>[a-z]+)(?: steps="(?P<steps>[a-z_ ]+)")?\}')
INLINE = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|\{glyph:(?P<glyph>[WORPBGK])\}")
MARKS = re.compile(r"[*{}\[\]<>`#|\\]")
"""Markdown signs that are not supported: left in a text, they are a mistake."""


class TextRun(msgspec.Struct, frozen=True, tag_field="kind", tag="text"):
    """Text."""

    text: str


class BoldRun(msgspec.Struct, frozen=True, tag_field="kind", tag="bold"):
    """Text in bold."""

    text: str


class GlyphRun(msgspec.Struct, frozen=True, tag_field="kind", tag="glyph"):
    """The sign of a lantern's colour; the words beside it name the colour too, except in a table."""

    glyph: Literal["W", "O", "R", "P", "B", "G", "K"]


Run = TextRun | BoldRun | GlyphRun


class ParagraphBlock(msgspec.Struct, frozen=True, tag_field="kind", tag="paragraph"):
    """A paragraph."""

    runs: list[Run]


class HeadingBlock(msgspec.Struct, frozen=True, tag_field="kind", tag="heading"):
    """A heading inside a section."""

    text: str


class ListBlock(msgspec.Struct, frozen=True, tag_field="kind", tag="list"):
    """A list, numbered from 1 where it is ordered."""

    ordered: bool
    items: list[list[Run]]


class TableBlock(msgspec.Struct, frozen=True, tag_field="kind", tag="table"):
    """A table: the cells of its head, then of each row."""

    head: list[list[Run]]
    rows: list[list[list[Run]]]


Block = ParagraphBlock | HeadingBlock | ListBlock | TableBlock


class RulesSection(msgspec.Struct, frozen=True):
    """A section, and the steps of the game for which it is shown."""

    id: str
    title: str
    steps: list[str]
    blocks: list[Block]


class Rules(msgspec.Struct, frozen=True):
    """The rules of a game in one language."""

    game: str
    language: str
    name: str
    introduction: list[Block]
    sections: list[RulesSection]


def rules_text(game: Game, language: str) -> str | None:
    """Return the rules of a game as Markdown, from the file in its package; None if it has none in this language."""
    if language not in LANGUAGES:
        return None
    file = Path(str(game.components.__file__)).with_name(f"rules.{language}.md")
    return file.read_text(encoding="utf-8") if file.is_file() else None


def nearest_rules(game: Game, language: str) -> tuple[str, str] | None:
    """Return the language nearest to this one that a game has rules in, and the rules as Markdown; None if none."""
    for each in (language, *LANGUAGES):
        text = rules_text(game, each)
        if text is not None:
            return each, text
    return None


def parsed(text: str, game: str, language: str) -> Rules:
    """Return rules from their Markdown; raise ValueError if it is malformed."""
    opening, *rest = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    name, _, introduction = opening.partition("\n")
    if not name.startswith("# "):
        raise ValueError(f"{game}, {language}: the first line is the name of the game, not {name!r}")
    return Rules(game, language, name[2:], list(blocks(introduction)), [section(part) for part in rest])


def section(text: str) -> RulesSection:
    """Return a section from its Markdown."""
    line, _, body = text.partition("\n")
    head = SECTION.fullmatch(line)
    if head is None:
        raise ValueError(f"not the head of a section: {line!r}")
    return RulesSection(head["id"], head["title"], (head["steps"] or "").split(), list(blocks(body)))


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text, which are separated by empty lines and recognised by how they begin."""
    for filled, group in groupby(text.splitlines(), key=bool):
        if not filled:
            continue
        lines = list(group)
        if lines[0].startswith("### "):
            if lines[1:]:
                raise ValueError(f"an empty line is missing after {lines[0]!r}")
            yield HeadingBlock(plain(lines[0][4:]))
        elif lines[0].startswith("| "):
            head, _, *rows = [[runs(cell.strip()) for cell in line.strip("|").split("|")] for line in lines]
            if any(len(row) != len(head) for row in rows):
                raise ValueError(f"a row is not as long as its head: {lines[0]!r}")
            yield TableBlock(head, rows)
        elif found := re.match(r"- |1\. ", lines[0]):
            items = re.split(r"\n(?:- |\d\. )", "\n" + "\n".join(lines))[1:]
            yield ListBlock(found[0] != "- ", [runs(" ".join(item.split("\n  "))) for item in items])
        else:
            yield ParagraphBlock(runs(" ".join(lines)))


def runs(text: str) -> list[Run]:
    """Return the runs of a line: text, bold text and glyphs."""
    found: list[Run] = []
    end = 0
    for mark in INLINE.finditer(text):
        if mark.start() > end:
            found.append(TextRun(plain(text[end : mark.start()])))
        found.append(BoldRun(plain(mark["bold"])) if mark["bold"] else GlyphRun(mark["glyph"]))  # type: ignore[arg-type]
        end = mark.end()
    if end < len(text):
        found.append(TextRun(plain(text[end:])))
    return found


def plain(text: str) -> str:
    """Return a text without marks; raise ValueError if it has any."""
    if MARKS.search(text):
        raise ValueError(f"a mark that means nothing here: {text!r}")
    return text
