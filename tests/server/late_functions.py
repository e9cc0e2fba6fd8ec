"""Prints, as JSON, the compiled functions that jobs about a game need beyond those that were loaded for them.

The jobs are made in this process and done in another for each game, where nothing else has loaded any.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import msgspec

from lampion.engine.linking import ENTRY_POINTS
from lampion.games import registry
from lampion.games.core import CHANCE, EVERYTHING
from lampion.games.setup_types import Choice, Placing, Stepper
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


def question(position: Position, what: Any, **rest: Any) -> worker.Jobs:
    """A question about a position that is explored."""
    body = {"record": json.loads(Record.of(position).to_json()), **msgspec.to_builtins(rest)}
    return worker.ExploreRecord(what=what, body=json.dumps(body).encode())


def explored(position: Position) -> Iterator[worker.Jobs]:
    """All questions about a position that is explored and set up, but for changes by hand."""
    yield question(position, "line", since=0)
    yield question(position, "line", since=0, seat=0)
    yield question(position, "line", draw="one")
    yield question(position, "line", draw="all")
    if position.actor >= 0:
        yield question(position, "preview", seat=position.actor, moves=list(position.legal_moves)[:3], views=True)
    yield question(position, "setup")
    yield question(position, "setup", view=position.view(EVERYTHING))


def changes(position: Position) -> list[worker.Jobs]:
    """A change by hand with the first control of each kind, which the position may not allow."""
    wanted: dict[type, worker.Jobs] = {}
    for control in controls(position.alone(), position.names()):
        value: int | str
        match control:
            case Stepper():
                value = control.value + 1
            case Choice():
                value = control.options[-1].value
            case Placing():
                value = ":".join(part.options[-1].value for part in control.parts)
        wanted.setdefault(type(control), question(position, "setup", name=control.name, value=value))
    return list(wanted.values())


def at_decision(position: Position, ply: int) -> Position:
    """The game where a seat decides first after so many moves."""
    then = position.at(ply)
    while then.actor == CHANCE:
        then = position.at(then.ply + 1)
    return then


def jobs(position: Position) -> Iterator[worker.Jobs]:
    """Jobs of every kind that has limits, about a game that is over and its first half."""
    full, half = Record.of(position).to_json().encode(), at_decision(position, position.ply // 2)
    edition = json.dumps(position.edition.data).encode()
    yield worker.ReadEdition(game=position.game.name, text=edition, form="json")
    for what, kind in FULL:
        for seat in (None, "0"):
            yield worker.ShowRecord(record=full, what=what, ply=5, kind=kind, seat=seat)
    yield worker.ImportRecord(record=full, at=1, host="host")
    tokens = [str(seat) * 20 for seat in range(position.players)]
    unfinished = Record.of(half).to_json().encode()
    yield worker.ContinueRecord(record=unfinished, at=1, secret="00" * 32, host="host", tokens=tokens)
    begun = Record.of(half.alone()).to_json()
    yield worker.ExploreRecord(what="saved", body=f'{{"record":{begun},"nodes":[],"at":-1}}'.encode())
    for one in explorable(position):
        yield from explored(one)


def explorable(position: Position) -> Iterator[Position]:
    """The game at its beginning and in its middle, there and where a seat decides."""
    for ply in (0, position.ply // 2):
        yield position.at(ply)
        yield at_decision(position, ply + 1)


def loaded() -> set[tuple[str, str, Any]]:
    """The functions that Python has called, with the types of their arguments."""
    return {(*name, kinds) for name, one in ENTRY_POINTS.items() for kinds in one.signatures}


class Sandbox:
    """What does jobs in this process, and what they needed that was not loaded before their limits began."""

    def __init__(self) -> None:
        worker.CPU_SECONDS, worker.MOST_MEMORY = 900, 8 << 30  # a late function is named, and nothing is killed for it
        self.process = worker.Worker()
        self.late: list[str] = []

    def answer(self, job: worker.Jobs) -> worker.Answers:
        """Do a job as a server has it done, with all that it asks for loaded before."""
        answer = self._asked(job)
        while isinstance(answer, worker.NeedsGame):
            load = worker.LoadGame(game=answer.game, to_explore=answer.to_explore)
            assert self.process.answer(load) == worker.Ready()
            answer = self._asked(job)
        return answer

    def _asked(self, job: worker.Jobs) -> worker.Answers:
        before = loaded()
        answer = self.process.answer(job)
        self.late += [f"{type(job).__name__}: {module}.{function}" for module, function, _ in loaded() - before]
        return answer


def late_functions(full: list[worker.Jobs], changed: list[worker.Jobs]) -> list[str]:
    """What jobs needed that was not loaded before, with the kind of the job; changes by hand may be refused."""
    sandbox = Sandbox()
    for job in full:
        answer = sandbox.answer(job)
        assert isinstance(answer, worker.Finished), (job, answer)
    answers = [sandbox.answer(job) for job in changed]
    assert all(isinstance(answer, worker.Finished | worker.Refusal) for answer in answers), answers
    assert not answers or any(isinstance(answer, worker.Finished) for answer in answers), answers
    return sandbox.late


def in_another_process(name: str) -> list[str]:
    """What jobs about a game needed, in a new process, that was not loaded before."""
    positions = [played(name, players) for players in (2, max(registry.game(name).players))]
    full = [job for position in positions for job in jobs(position)]
    changed = [job for position in positions for one in explorable(position) for job in changes(one)]
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        return other.submit(late_functions, full, changed).result()


if __name__ == "__main__":
    print(json.dumps([late for name in sys.argv[1:] for late in in_another_process(name)]))
