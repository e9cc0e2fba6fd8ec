"""Checks of the words of a game: every text exists in every language."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, get_args, get_type_hints

import msgspec

from lampion.games.core import EVERYTHING, Game
from lampion.games.editions import Reader
from lampion.games.move_types import Event, event, event_type, sentence
from lampion.locale import LANGUAGES, has, speaking
from lampion.testing.playing import broken, movers, viewers, wander

EVENT_VALUES = {"who", "thing", "number", "count"}
"""What a sentence about an event may name."""


def check_catalogue(game: Game) -> None:
    """Check that all languages have the same keys and placeholders, and a text for every name that a game must have."""
    folder = game.folder
    languages = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in LANGUAGES}
    first, *others = languages.values()
    for other in others:
        missing = sorted(set(first) ^ set(other))
        assert not missing, f"{game.name}: not in every language: {', '.join(missing)}"
    for key in first:
        assert key.startswith(f"{game.name}."), f"{game.name}: the key {key} does not begin with the game's name"
        filled = [_filled(texts[key]) for texts in languages.values()]
        if key.endswith((".one", ".other")):
            twin = f"{key.rpartition('.')[0]}.{'other' if key.endswith('.one') else 'one'}"
            assert twin in first, f"{game.name}: {key} has no {twin}"
            filled = [names - {"number", "count"} for names in filled]
        assert all(names == filled[0] for names in filled), f"{game.name}: {key} is filled in differently: {filled}"
        for language, texts in languages.items():
            assert texts[key].strip(), f"{game.name}: {key} is empty in {language}"
    for key in needed(game):
        assert key in first, f"{game.name}: no word for {key}"
        assert not _filled(first[key]), f"{game.name}: {key} has nothing to be filled in with"
    for kind in game.events.EVENTS:
        stem = f"{game.name}.event.{kind.name}"
        keys = [key for key in first if key == stem or key.startswith(f"{stem}.")]
        assert keys, f"{game.name}: no words for the event {kind.name}"
        for key in keys:
            assert _filled(first[key]) <= EVENT_VALUES, (
                f"{game.name}: {key} may only name {', '.join(sorted(EVENT_VALUES))}"
            )
    for names in (tuple(kind.name for kind in game.events.EVENTS), game.events.WHYS):
        assert len(set(names)) == len(names), f"{game.name}: a name occurs twice in {names}"
    for path in sorted(folder.rglob("*.py")):
        for line, key in keys_in(game, path):
            found = (
                key in first
                or f"{key}.other" in first
                or has(key)
                or any(k.startswith(key) for k in first if key[-1] == ".")
            )
            assert found, f"{game.name}: {path.name}, line {line} speaks of {key}, which is in no catalogue"


def needed(game: Game) -> Iterator[str]:
    """Return the keys that every game must have."""
    for key in ("name", "about", "notation"):
        yield f"{game.name}.{key}"
    for noun, names in (("category", game.categories), ("key", game.keys), ("fact", game.invariants)):
        yield from (f"{game.name}.{noun}.{name}" for name in names)
    yield from (f"{game.name}.option.{option.name}" for option in game.options)
    step = get_type_hints(game.view.View).get("step")
    yield from (f"{game.name}.step.{name}" for name in get_args(step))


def _filled(text: str) -> set[str]:
    """Return the names of the placeholders of a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def keys_in(game: Game, path: Path) -> Iterator[tuple[int, str]]:
    """Return the keys that a source file names: whole, as a prefix that ends in a dot, or as a reason."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr="wrong"), args=[ast.Constant(value=str(reason)), *_]):
                prefix = "" if reason in Reader.SHARED else f"{game.name}."
                yield node.lineno, f"{prefix}components.{reason}"
            case ast.Constant(value=str(text)) if (
                text.startswith(f"{game.name}.") and text.replace(".", "").isidentifier()
            ):
                yield node.lineno, text


def check_sentences(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that every event and every question has a sentence for every viewer in every language."""
    said: set[Event | str] = set()
    previous = None
    for position in wander(game, players, options, seed):
        for seat in movers(position):
            key = game.view.asked(position.edition.box, position.state, seat)
            if key not in said:
                said.add(key)
                assert has(key), broken(position, f"seat {seat} is asked {key}, which has no words")
                assert position.asked(seat).strip(), broken(position, f"seat {seat} is asked nothing")
        if previous is None:
            seen = [(viewer, each) for viewer in (*viewers(position), EVERYTHING) for each in position.opening(viewer)]
        else:
            rows = previous.push_rows(position.played[-1].id, position.played[-1].seat)
            seen = [
                (viewer, event(game, position.edition.box, row, viewer))
                for row in rows
                for viewer in (*viewers(position), EVERYTHING)
            ]
            secret = [game.events.EVENTS[row[0]].name for row in rows if row[2] >= 0 and row[5] != -1]
            for kind in secret:
                key = f"{game.name}.event.{kind}.hidden"
                assert has(key), broken(position, f"{key} must say what those are told who may not know the thing")
        for viewer, each in seen:
            again = msgspec.json.decode(msgspec.json.encode(each), type=event_type(game))
            assert again == each, broken(position, f"the event {each} changes on its way through JSON")
            if each not in said:
                said.add(each)
                for language in LANGUAGES:
                    with speaking(language):
                        _check_sentence(position, each, viewer)
        previous = position.copy()


def _check_sentence(position: Any, each: Event, viewer: int) -> None:
    try:
        text = sentence(position.game, each, position.names(), box=position.edition.box)
    except KeyError as error:
        raise AssertionError(broken(position, f"no words for {each}: {error}")) from error
    whole = bool(text) and text.strip() == text and not any(hole in text for hole in ("  ", " .", "{"))
    assert whole, broken(position, f"viewer {viewer} is told {text!r} of {each}")
