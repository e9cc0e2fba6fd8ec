"""Print the rules of a game in the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from lampion.games import art, registry
from lampion.games.rulebook import (
    Block,
    BoldRun,
    GlyphRun,
    HeadingBlock,
    ListBlock,
    ParagraphBlock,
    Run,
    nearest_rules,
    parsed,
)
from lampion.locale import Problem, language, short

WIDTH = 100


class NoRules(Problem):
    """The game has no rules, or not this section."""


def show_rules(game: str, wanted: str | None = None) -> None:
    """Print the rules of a game, or one section of them."""
    found = nearest_rules(registry.game(game), language())
    if found is None:
        raise NoRules("rules.none", game=game)
    written_in, text = found
    rules = parsed(text, game, written_in)
    sections = [section for section in rules.sections if wanted in (None, section.id)]
    if not sections:
        raise NoRules(
            "rules.no_section", section=short(wanted or ""), known=", ".join(each.id for each in rules.sections)
        )
    parts: list[tuple[Text, Sequence[Block]]] = [
        (Text.assemble((section.title, "bold underline"), (f"  ({section.id})", "dim")), section.blocks)
        for section in sections
    ]
    if wanted is None:
        parts.insert(0, (Text(rules.name, style="bold reverse"), rules.introduction))
    console = Console(highlight=False)
    width = min(WIDTH, console.width)
    for title, blocks in parts:
        console.print(title)
        for block in blocks:
            console.print()
            console.print(drawn(block, width), width=width)
        console.print()


def drawn(block: Block, width: int) -> RenderableType:
    """Return a block of text that is no wider than `width`."""
    match block:
        case ParagraphBlock(found):
            return line(found, width)
        case HeadingBlock(text):
            return Text(text, style="bold")
        case ListBlock(ordered, items):
            grid = Table.grid(padding=(0, 1))
            for number, item in enumerate(items, start=1):
                grid.add_row(f"{number}." if ordered else "•", line(item, width - 4))
            return grid
    table = Table()
    for cell in block.head:
        table.add_column(line(cell))
    for row in block.rows:
        table.add_row(*map(line, row))
    return table


def line(found: Sequence[Run], width: int | None = None) -> Text:
    """Return runs as one text; a glyph is the letter of its colour in brackets."""
    text = Text()
    for run in found:
        match run:
            case GlyphRun(letter):
                ink = art.ON_LIGHT if letter in "WOG" else art.ON_DARK
                text.append(f"[{letter}]", style=f"{ink} on {art.LANTERNS[letter]}")
            case BoldRun(words):
                text.append(words, style="bold")
            case _:
                text.append(run.text)
    if width:  # rich alone would also break a line at a space that must not break
        text.plain = textwrap.fill(text.plain, width, break_long_words=False, break_on_hyphens=False)
    return text
