"""Tell games in every way that people and programs see, to compare what different engines make of them.

Runs natively, as plain Python, and in a page: it needs nothing but Lampion.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import msgspec

from lampion.bots import named
from lampion.engine.rng import new_rng
from lampion.games import registry
from lampion.games.core import EVERYTHING, SPECTATOR
from lampion.games.move_types import sentence
from lampion.insight.analysis import analyse
from lampion.insight.settings import Settings
from lampion.insight.worth import worth_to_seat
from lampion.play import Position, Record, SeatInfo, Seeded, Sight
from lampion.play.recorded_chance import ChanceInfo

SMALL = Settings(simulations=24, wide=3, looks=2, worlds=1, samples=16, ways=32)
BOTS = ("random", "greedy", "spark", "lantern", "learned:sims=30", "sun:sims=200")


def wandering(game: str, players: int, moves: int) -> Iterator[Position]:
    """Yield a game at every decision; the moves follow from their numbers alone."""
    position = Position(game, players)
    chance = Seeded(players)
    position.push_chances(chance)
    while not position.is_over and position.ply < moves:
        yield position
        seat = position.pending[-1]
        ids = position.legal_ids(seat).tolist()
        position.push(ids[7 * position.ply % len(ids)], seat)
        position.push_chances(chance)
    yield position


def data(value: Any) -> str:
    """Return typed data as JSON."""
    return msgspec.json.encode(value).decode()


def told(position: Position) -> dict[str, Any]:
    """Return a position as people see it."""
    names = position.names()
    found: dict[str, Any] = {
        "state": hashlib.sha256(position.bytes()).hexdigest(),
        "views": [data(position.view(viewer)) for viewer in (EVERYTHING, SPECTATOR, 0, position.players - 1)],
        "text": position.text(0, names),
        "svg": position.svg(EVERYTHING, names),
        "boards": position.boards(0),
        "count": data(position.count()),
        "concealed": hashlib.sha256(position.concealed(0, new_rng(position.ply)).bytes()).hexdigest(),
    }
    for seat in position.pending:
        moves = position.legal_moves_of(seat)
        events = position.preview(moves[0], seat)
        found[f"seat {seat}"] = {
            "asked": position.asked(seat),
            "moves": data(list(moves)),
            "written": [position.notation(id) for id in moves.ids.tolist()],
            "events": data(events),
            "sentences": [sentence(position.game, event, names, box=position.edition.box) for event in events],
            "tellers": position.tellers(seat, int(moves.ids[0])),
        }
    again = Position.from_view(position.game, position.players, position.options, position.view(EVERYTHING))
    found["again"] = again.bytes() == position.bytes()
    return found


def record_of(position: Position) -> Record:
    """Return the record of a game."""
    seats = [SeatInfo(name) for name in position.names()]
    chance = ChanceInfo("seeded", position.players)
    return Record.of(position, seats, chance=chance, date="2025-12-24T18:00:00+00:00")


def tables(game: str) -> list[int]:
    """Return the fewest and the most players of a game."""
    players = registry.game(game).players
    return [players[0], players[-1]]


def tell(game: str, moves: int) -> dict[str, Any]:
    """Return games of the fewest and the most players, told at every decision up to so many moves."""
    found = {}
    for players in tables(game):
        positions = [told(position) for position in wandering(game, players, moves)]
        *_, last = wandering(game, players, moves)
        found[f"{players} players"] = {"positions": positions, "record": record_of(last).to_json()}
    return found


def judge(game: str, moves: int) -> dict[str, Any]:
    """Return what bots choose and what positions are worth, after so many moves and more."""
    found: dict[str, Any] = {}
    for players in tables(game):
        position = next(p for p in wandering(game, players, 10_000) if p.ply >= moves and len(p.legal_ids()) > 1)
        sight = Sight(position, position.actor)
        chosen = {name: named(name).sit(sight, 7).choose(sight) for name in BOTS}
        worth = data(worth_to_seat(sight, SMALL))
        features = [position.features(sight.seat).tobytes().hex(), position.net_inputs(sight.seat).tobytes().hex()]
        found[f"{players} players"] = {"chosen": chosen, "worth": worth, "features": features}
    *_, last = wandering(game, 2, 10_000)
    found["analysis"] = data(analyse(record_of(last), SMALL, threads=1))
    return found


def everything(game: str, moves: int) -> str:
    """Return all of it as JSON."""
    return json.dumps({"told": tell(game, moves), "judged": judge(game, moves)})
