"""The doors that are functions: records, editions, positions, the lines of stdio, and the reading of wishes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from benchmarks.fuzz import corpus
from benchmarks.fuzz.mutate import Mutator
from lampion.adapters.stdio import StdioSession
from lampion.games.editions import edition, parsed
from lampion.games.registry import game
from lampion.locale import LANGUAGES, Problem, speaking
from lampion.play import Position, Record
from lampion.server.routes.dialogue import read
from lampion.server.tables.participant import Participant
from lampion.server.tables.rate_limits import TokenBucket

LONGEST_REASON = 2_000


class Wrong(Exception):
    """Something that was accepted, or refused, in a way that it should not be."""


def refusable(work: Callable[[], Any]) -> Any:
    """Do something that may be refused with a reason in every language; return its result, or None."""
    try:
        return work()
    except Problem as problem:
        for language in LANGUAGES:
            with speaking(language):
                if not (reason := str(problem)):
                    raise Wrong("a refusal without a reason") from problem
                if len(reason) > LONGEST_REASON:
                    raise Wrong(f"a reason of {len(reason) // 1000} thousand letters") from problem
                reason.encode()  # it must be possible to send it
    return None


class Parsers:
    """Feeds the functions, each with what it is for; `last` is the input that was fed."""

    def __init__(self, mutator: Mutator) -> None:
        self.mutator = mutator
        self.session = StdioSession()
        self.last: Any = b""
        self._fed = 0

    def warm_up(self) -> None:
        """Compile all that will be needed, so that it is not taken for slowness."""
        for record in corpus.records():
            Record.from_json(record.decode()).check()
        for name, players, options, view in corpus.positions():
            Position.from_view(name, players, options, msgspec.json.decode(view))
        for request in corpus.requests_of_stdio():
            self.session.answer(request)
        self.session = StdioSession()

    def record(self) -> None:
        """A record, read and replayed."""
        text = self.last = self.mutator.message(self.mutator.pick(corpus.records()), self.mutator.pick(corpus.wishes()))
        decoded = text.decode("utf-8", "surrogateescape" if self.mutator.chance(0.1) else "replace")
        position = refusable(lambda: Record.from_json(decoded).check())
        if position is not None and position.broken_fact() is not None:
            raise Wrong("an impossible position was accepted")

    def edition(self) -> None:
        """An edition, as TOML or as data."""
        name, toml, components = self.mutator.pick(corpus.editions())
        if self.mutator.chance(0.5):
            text = self.last = self.mutator.text(toml, self.mutator.pick(corpus.editions())[1])
            decoded = text.decode("utf-8", "surrogateescape" if self.mutator.chance(0.1) else "replace")
            refusable(lambda: parsed(game(name), decoded, "edition"))
            return
        written = self.last = self.mutator.written(self.mutator.data(components, msgspec.json.decode(components)))
        try:
            data = msgspec.json.decode(written)
        except msgspec.DecodeError:
            return
        if isinstance(data, dict):
            refusable(lambda: edition(game(name), data))

    def position(self) -> None:
        """A position, as `set` takes it."""
        name, players, options, view = self.mutator.pick(corpus.positions())
        written = self.last = self.mutator.written(self.mutator.data(view, msgspec.json.decode(view)))
        try:
            data = msgspec.json.decode(written)
        except msgspec.DecodeError:
            return
        if not isinstance(data, dict):
            return
        position = refusable(lambda: Position.from_view(name, players, options, data))
        if position is not None and position.broken_fact() is not None:
            raise Wrong("an impossible position was accepted")

    def stdio(self) -> None:
        """A line of stdio, in whatever game is under way; one that is refused changes nothing."""
        self._fed += 1
        mutator = self.mutator
        if mutator.chance(0.25):
            line = corpus.encode({"do": "play", "move": 0})
            table = self.session._game
            if table is not None and not table.position.is_over and (legal := table.position.legal_ids().tolist()):
                line = corpus.encode({"do": "play", "move": mutator.pick(legal)})
            line = mutator.message(line) if mutator.chance(0.6) else line
        else:
            known = corpus.requests_of_stdio()
            line = mutator.message(mutator.pick(known), mutator.pick(known))
        if re.search(rb'"(ms|sims)"\s*:\s*[0-9.eE+]{3,}', line) or re.search(
            rb'"(sun|lighthouse|lantern|strong)', line
        ):
            return  # as much thinking as the caller asks for is meant
        self.last = line
        before = self.state()
        answer = msgspec.json.decode(self.session.answer(line))
        if answer.get("error") == "fault":
            raise Wrong(f"fault: {answer['reason']}")
        if not answer["ok"]:
            if len(answer["reason"]) > LONGEST_REASON or not answer["reason"]:
                raise Wrong(f"a reason of {len(answer['reason'])} letters")
            if self.state() != before:
                raise Wrong("a refused line changed the game")
        if self._fed % 400 == 0:
            self.session = StdioSession()

    def state(self) -> Any:
        """Return what a refused line must not change."""
        table = self.session._game
        return None if table is None else (table.position.ply, table.position.bytes(), id(table.position.game))

    def wish(self) -> None:
        """A message to the server, read but not done."""
        mutator, known = self.mutator, corpus.wishes()
        data = self.last = mutator.message(mutator.pick(known), mutator.pick(known))
        participant = Participant(lambda data: None, lambda: None)
        participant.greeted = mutator.chance(0.8)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return
        refusable(lambda: read(text, participant, TokenBucket(1e9, 1e9)))
