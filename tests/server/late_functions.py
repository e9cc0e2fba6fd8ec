"""Prints, as JSON, the compiled functions that jobs about a game need beyond those that were loaded for them.

Run in a process of its own, where nothing else has loaded any.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from lampion.engine.linking import ENTRY_POINTS
from lampion.games import registry
from lampion.games.core import EVERYTHING
from lampion.games.setup_types import Stepper
from lampion.insight.setting_up import controls
from lampion.play import Position, Record, Seeded
from lampion.server.tables import sandbox_worker as worker

FULL: tuple[tuple[Any, Any], ...] = (
    ("story", "json"), ("scene", "json"), ("picture", "svg"), ("picture", "txt"), ("boards", "json"),
)  # fmt: skip


def played(name: str, players: int) -> Position:
    """A game of arbitrary moves to its end."""
    position = Position(name, players)
    chance, arbitrary = Seeded(3), random.Random(players)
    position.push_chances(chance)
    while not position.is_over:
        position.push(arbitrary.choice(list(position.legal_moves)))
        position.push_chances(chance)
    return position


def explored(position: Position) -> Iterator[worker.Jobs]:
    """All questions about a position that is explored and set up."""

    def asked(what: Any, **rest: Any) -> worker.Jobs:
        body = {"record": json.loads(Record.of(position).to_json()), **msgspec.to_builtins(rest)}
        return worker.ExploreRecord(what=what, body=json.dumps(body).encode())

    yield asked("line", since=0)
    yield asked("line", since=0, seat=0)
    yield asked("line", draw="one")
    yield asked("line", draw="all")
    if position.actor >= 0:
        yield asked("preview", seat=position.actor, moves=list(position.legal_moves)[:3], views=True)
    yield asked("setup")
    yield asked("setup", view=position.view(EVERYTHING))
    for control in controls(position.alone(), position.names()):
        if isinstance(control, Stepper):
            yield asked("setup", name=control.name, value=control.value + 1)
            break


def jobs(position: Position) -> Iterator[worker.Jobs]:
    """Jobs of every kind that has limits, about a game that is over and its first half."""
    full, half = Record.of(position).to_json().encode(), position.at(position.ply // 2)
    edition = json.dumps(position.edition.data).encode()
    yield worker.ReadEdition(game=position.game.name, text=edition, form="json")
    for what, kind in FULL:
        for seat in (None, "0"):
            yield worker.ShowRecord(record=full, what=what, ply=5, kind=kind, seat=seat)
    yield worker.ImportRecord(record=full, at=1, host="host")
    tokens = ["a" * 20] * position.players
    unfinished = Record.of(half).to_json().encode()
    yield worker.ContinueRecord(record=unfinished, at=1, secret="00" * 32, host="host", tokens=tokens)
    begun = Record.of(half.alone()).to_json()
    yield worker.ExploreRecord(what="saved", body=f'{{"record":{begun},"nodes":[],"at":-1}}'.encode())
    for ply in (0, 1, position.ply // 2):
        yield from explored(position.at(ply))


def loaded() -> set[tuple[str, str, Any]]:
    """The functions that Python has called, with the types of their arguments."""
    return {(*name, kinds) for name, one in ENTRY_POINTS.items() for kinds in one.signatures}


def late_functions(name: str) -> list[str]:
    """What jobs about a game needed that was not loaded before, with the kind of the job."""
    process, late = worker.Worker(is_limited=False), []
    assert process.answer(worker.LoadGame(game=name)) == worker.Ready()
    positions = [played(name, players) for players in (2, max(registry.game(name).players))]
    before = loaded()
    for position in positions:
        for job in jobs(position):
            answer = process.answer(job)
            assert isinstance(answer, worker.Finished | worker.Refusal), answer
            late += [f"{type(job).__name__}: {module}.{function}" for module, function, _ in loaded() - before]
            before = loaded()
    return late


if __name__ == "__main__":
    print(json.dumps([late for name in sys.argv[1:] for late in late_functions(name)]))
