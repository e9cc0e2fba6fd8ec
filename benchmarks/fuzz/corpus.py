"""Valid inputs to begin with: from the documents, from the boxes of the games, and from games that were played."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from typing import Any

import msgspec

from benchmarks.server.ground import ROOT
from lampion.games.core import EVERYTHING
from lampion.games.editions import components_file, standard
from lampion.games.registry import game, games
from lampion.play import Position, Record, Seeded
from lampion.testing import wander

GAMES = ("dice", "iles", "lanternes", "lumens")
encode = msgspec.json.encode


@cache
def documented(document: str) -> list[dict[str, Any]]:
    """Return the JSON objects on lines of a document; what it leaves out is taken out."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    found: list[Any] = []
    for line in re.findall(r"^(?:> )?(\{.*\})$", text, re.MULTILINE):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def wishes() -> list[bytes]:
    """Return the wishes that docs/protocol.md shows."""
    return [encode(one) for one in documented("protocol.md") if "do" in one]


def new_tables() -> list[bytes]:
    """Return bodies of requests for a table: of each game, with options, editions, clocks."""
    found = [encode(one) for one in documented("protocol.md") if "seats" in one and "game" in one]
    for name in GAMES:
        components = dict(standard(name).data)
        bot, screen = {"kind": "bot", "level": "spark"}, {"kind": "screen", "name": "Ann", "commit": "75" * 32}
        for extra in (
            {"seats": [screen, screen], "start": True, "options": dict(Position(name, 2).options)},
            {"seats": [{}, bot], "clock": {"kind": "game", "seconds": 600, "level": "spark"}},
            {"seats": [{}, {}], "components": components},
            {"seats": [screen, {}], "edition": components_file(game(name)).read_text(encoding="utf-8")},
        ):
            found.append(encode({"game": name, **extra}))
    return found


@cache
def positions() -> list[tuple[str, int, dict[str, Any], bytes]]:
    """Return moments of games: the game, its players, its options, and the view that sees everything as JSON."""
    found = []
    for name in GAMES:
        for players in (game(name).players[0], game(name).players[-1]):
            for position in wander(game(name), players, None, players):
                if position.ply % 17 == 3 or position.is_over:
                    view = encode(position.view(EVERYTHING))
                    found.append((name, players, dict(position.options), view))
    return found


@cache
def records() -> list[bytes]:
    """Return records of games: whole ones, and shorter ones that are quicker to replay."""
    found: list[Any] = []
    for name in GAMES:
        players = game(name).players[0]
        for short in (True, True, False):
            last = None
            for position in wander(game(name), players, None, len(found)):
                last = position
                if short and position.ply >= 12:
                    break
            assert last is not None
            found.append(Record.of(last, date="2001-01-01").to_json().encode())
    return found


@cache
def editions() -> list[tuple[str, bytes, bytes]]:
    """Return the boxes of the games: the game, its TOML, and the same as JSON."""
    return [
        (name, components_file(game(name)).read_bytes(), encode(standard(name).data))
        for name in GAMES
        if name in games()
    ]


@cache
def requests_of_stdio() -> list[bytes]:
    """Return requests of `lampion stdio`: those of its document, positions to set and records to load."""
    found = [encode(one) for one in documented("stdio.md") if "do" in one and one["do"] != "bot"]
    found += [encode({"do": "bot", "level": level}) for level in ("spark", "random", "greedy")]
    for name, players, options, view in positions()[::3]:
        asked = {"do": "set", "game": name, "players": players, "options": options, "seed": 1}
        found.append(encode({**asked, "position": msgspec.json.decode(view)}))
    found += [encode({"do": "load", "record": msgspec.json.decode(record)}) for record in records()[::2]]
    for name, _, components in editions():
        asked = {"do": "new", "game": name, "players": 2, "seed": 3, "components": msgspec.json.decode(components)}
        found.append(encode(asked))
    return found


@cache
def moves(name: str) -> list[bytes]:
    """Return moves of a game as JSON, a few of every kind."""
    position = Position(name, 2)
    chance, chosen = Seeded(1), random.Random(1)
    kinds: dict[str, list[bytes]] = {}
    while not position.is_over:
        position.push_chances(chance)
        if position.is_over:
            break
        legal = list(position.legal_moves)
        for move in legal[:5]:
            kinds.setdefault(move.kind, []).append(encode(move))
        position.push(chosen.choice(legal))
    return [move for found in kinds.values() for move in found[:12]]
