"""JSON Schemas of all that programs exchange with Lampion, shipped beside this file.

    stdio.request.json, stdio.answer.json            the lines of `lampion stdio`
    bot.ask.json, bot.answer.json                    the lines of a bot of your own, whatever the game
    GAME.ask.json, GAME.view.json, GAME.move.json, GAME.event.json    by game, with all that is in a question

`python -m lampion.adapters.schemas` writes them anew from the types.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from msgspec.json import schema_components

from lampion.adapters import stdio_answers, stdio_requests
from lampion.bots import program_messages
from lampion.games import registry
from lampion.games.core import Game
from lampion.games.move_types import event_type

FOLDER = Path(__file__).resolve().parent
DIALECT = "https://json-schema.org/draft/2020-12/schema"
OURS = tuple(name for name, entry in registry.installed().items() if entry.value.startswith("lampion.games."))
"""The games of this package; the schemas of others are theirs to ship."""

Schema = dict[str, Any]


def whole(title: str, kinds: tuple[Any, ...]) -> Schema:
    """The schema of a text that is one of these types."""
    found, parts = schema_components(kinds, ref_template="#/$defs/{name}")
    root = {"anyOf": list(found)} if len(found) > 1 else found[0]
    return {"$schema": DIALECT, "title": title, **root, "$defs": parts}


def ask_of(game: Game) -> Schema:
    """Return what a bot is asked in a game: the question of any game, with this one's view, moves and events in it."""
    kinds = (
        program_messages.Ask,
        program_messages.AskMove,
        program_messages.Listed,
        game.view.View,
        game.notation.Move,
        event_type(game),
    )
    (ask, question, listed, view, move, event), parts = schema_components(kinds, ref_template="#/$defs/{name}")
    name = len("#/$defs/")
    properties = parts[question["$ref"][name:]]["properties"]
    properties["view"] = view
    general, properties["events"]["items"] = properties["events"]["items"], event
    if general != event:
        del parts[general["$ref"][name:]]
    parts[listed["$ref"][name:]]["properties"]["move"] = move
    return {"$schema": DIALECT, "title": f"Lampion: what a bot is asked in {game.name}", **ask, "$defs": parts}


def schemas_of(game: Game) -> dict[str, Schema]:
    """The schemas of one game, by the names of their files."""
    return {
        f"{game.name}.ask.json": ask_of(game),
        f"{game.name}.view.json": whole(f"Lampion: what a viewer sees in {game.name}", (game.view.View,)),
        f"{game.name}.move.json": whole(f"Lampion: a move of {game.name}", (game.notation.Move,)),
        f"{game.name}.event.json": whole(f"Lampion: an event of {game.name}", (event_type(game),)),
    }


def schemas() -> dict[str, Schema]:
    """All that are shipped, by the names of their files."""
    found = {
        "stdio.request.json": whole("Lampion: a request to stdio", (stdio_requests.Request,)),
        "stdio.answer.json": whole("Lampion: an answer of stdio", stdio_answers.ANSWERS),
        "bot.ask.json": whole("Lampion: what a bot is asked", (program_messages.Ask,)),
        "bot.answer.json": whole("Lampion: what a bot answers", (program_messages.Answered,)),
    }
    for name in OURS:
        found |= schemas_of(registry.game(name))
    return found


def text(schema: Schema) -> str:
    """Return the text of a schema. The events of a game keep the name that they were published by."""
    written = json.dumps(schema, ensure_ascii=False, indent=1) + "\n"
    return re.sub(r"lampion\.games\.(\w+)\.events\.Event", r"lampion.games.\1.words.Event", written)


def write(folder: Path = FOLDER) -> None:
    """Write them all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        (folder / name).write_text(text(schema), encoding="utf-8")
