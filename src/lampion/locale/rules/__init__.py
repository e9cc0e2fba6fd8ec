"""The rules of the games as players read them: a Markdown file a game and language beside this one, parsed into data.

The browser and the terminal draw the data and need no Markdown. A file is the name of the game, an introduction, then
sections `## Title {#id steps="..."}`; the steps are those of the game, as the last word of the key of what is asked, at
which the section is the one to read. Of Markdown there are paragraphs, headings of level 3, lists, tables, **bold** and
`{glyph:R}`, the sign of a lantern's colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Literal

import msgspec

from lampion.locale import LANGUAGES

FOLDER = Path(__file__).resolve().parent
SECTION = re.compile(r'## (?P<title>[^{}]+) \{#(?P<id>[a-z]+)(?: steps="(?P<steps>[a-z_ ]+)")?\}')
INLINE = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|\{glyph:(?P<glyph>[WORPBGK])\}")
MARKS = re.compile(r"[*{}\[\]<>`#|\\]")
"""Signs of a Markdown that we do not speak: left in a text, they are a slip."""


class TextRun(msgspec.Struct, frozen=True, tag_field="kind", tag="text"):
    """Words."""

    text: str


class BoldRun(msgspec.Struct, frozen=True, tag_field="kind", tag="bold"):
    """Words that stand out."""

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
    """A section, and the steps of the game at which it is the one to read."""

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


def has_rules(game: str) -> bool:
    """Whether there are rules to read for this game."""
    return game in _told()


def rules_text(game: str, language: str) -> str | None:
    """The rules as Markdown, None for a game or language without any."""
    if not has_rules(game) or language not in LANGUAGES:
        return None
    return (FOLDER / f"{game}.{language}.md").read_text(encoding="utf-8")


@cache
def rules_of(game: str, language: str) -> Rules | None:
    """The rules as data, None for a game or language without any."""
    text = rules_text(game, language)
    return None if text is None else parsed(text, game, language)


@cache
def _told() -> frozenset[str]:
    """The games that have their rules here: a name from outside never becomes a path."""
    return frozenset(path.name.partition(".")[0] for path in FOLDER.glob("*.md"))


def parsed(text: str, game: str, language: str) -> Rules:
    """Rules from their Markdown."""
    opening, *rest = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    name, _, introduction = opening.partition("\n")
    if not name.startswith("# "):
        raise ValueError(f"{game}, {language}: the first line is the name of the game, not {name!r}")
    return Rules(game, language, name[2:], list(blocks(introduction)), [section(part) for part in rest])


def section(text: str) -> RulesSection:
    """A section from its Markdown."""
    line, _, body = text.partition("\n")
    head = SECTION.fullmatch(line)
    if head is None:
        raise ValueError(f"not the head of a section: {line!r}")
    return RulesSection(head["id"], head["title"], (head["steps"] or "").split(), list(blocks(body)))


def blocks(text: str) -> Iterator[Block]:
    """Blocks are apart by empty lines; what a line begins with says what it is."""
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
    """Words, bold words and glyphs."""
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
    """Words without any mark in them."""
    if MARKS.search(text):
        raise ValueError(f"a mark that means nothing here: {text!r}")
    return text
