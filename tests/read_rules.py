"""The rules that players read, as tests read them: section by section, as text and as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest

from lampion.games import registry
from lampion.games.rulebook import (
    Block,
    BoldRun,
    GlyphRun,
    HeadingBlock,
    ListBlock,
    ParagraphBlock,
    Rules,
    Run,
    TableBlock,
    parsed,
    rules_text,
)
from lampion.locale import LANGUAGES

GAMES = ("lanternes", "dice", "lumens", "iles")
EVERY = [(game, language) for game in GAMES for language in LANGUAGES]
each_game = pytest.mark.parametrize("game", GAMES)
each_language = pytest.mark.parametrize("language", LANGUAGES)
each_text = pytest.mark.parametrize(("game", "language"), EVERY)


def read(game: str, language: str = "en") -> Rules:
    """Return the rules of a game."""
    text = rules_text(registry.game(game), language)
    assert text is not None
    return parsed(text, game, language)


def section(game: str, id: str, language: str = "en") -> list[Block]:
    """Return the blocks of a section."""
    return next(each.blocks for each in read(game, language).sections if each.id == id)


def words(runs: Sequence[Run]) -> str:
    """Return runs as one text, glyphs by their letters."""
    return "".join(run.glyph if isinstance(run, GlyphRun) else run.text for run in runs)


def texts(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield all that can be read in blocks, piece by piece."""
    for block in blocks:
        match block:
            case ParagraphBlock(runs):
                yield words(runs)
            case HeadingBlock(text):
                yield text
            case ListBlock(_, items):
                yield from map(words, items)
            case TableBlock(head, rows):
                yield from (words(cell) for row in [head, *rows] for cell in row)


def whole(rules: Rules) -> Iterator[str]:
    """Yield all that can be read in the rules, piece by piece."""
    yield rules.name
    yield from texts(rules.introduction)
    for each in rules.sections:
        yield each.title
        yield from texts(each.blocks)


def numbers(text: str) -> list[int]:
    """Return the numbers in a text."""
    return [int(number) for number in re.findall(r"\d+", text)]


def table(game: str, id: str, language: str, index: int = 0) -> list[list[str]]:
    """Return the rows of a table in a section."""
    tables = [block for block in section(game, id, language) if isinstance(block, TableBlock)]
    return [[words(cell) for cell in row] for row in tables[index].rows]


def example(game: str, id: str, language: str) -> str:
    """Return the paragraph of a section that is its example."""
    found = [
        words(block.runs)
        for block in section(game, id, language)
        if isinstance(block, ParagraphBlock) and block.runs[0] in (BoldRun("Example."), BoldRun("Exemple."))
    ]
    assert len(found) == 1
    return found[0]
