"""A caller of the JSON-lines protocol for the tests: it asks, reads the answer, and knows a refusal from a result."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from lampion.adapters.stdio import StdioSession


class Caller:
    """Talks to one session in text alone, as another program would."""

    def __init__(self) -> None:
        self.session = StdioSession()

    def send(self, line: str | bytes) -> dict[str, Any]:
        """The answer to a line, whatever it is."""
        answer = self.session.answer(line)
        assert "\n" not in answer
        return dict(json.loads(answer))

    def __call__(self, do: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request that is in order."""
        answer = self.send(json.dumps({"do": do, **fields}))
        assert answer["ok"] is True, answer
        return answer

    def refused(self, do: str, **fields: Any) -> str:
        """The error of a request that is not."""
        answer = self.send(json.dumps({"do": do, **fields}))
        assert answer["ok"] is False, answer
        assert answer["reason"]
        return str(answer["error"])

    def everything(self) -> dict[str, Any]:
        """The position with nothing hidden."""
        return dict(self("view", everything=True)["view"])

    def legal(self, **fields: Any) -> list[dict[str, Any]]:
        """What may be done."""
        return list(self("legal", **fields)["moves"])


WAYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "id": lambda listed: listed["id"],
    "notation": lambda listed: listed["notation"],
    "object": lambda listed: listed["move"],
}
"""The ways to write a move, each from a move as it is listed."""


def two_players() -> Caller:
    """Return a game of Lanternes in which the second of two players is to move."""
    caller = Caller()
    caller("new", game="lanternes", players=2, options={"first": 0}, seed=7)
    caller("play", move=caller.legal()[5]["id"])
    return caller


def play_on(ask: Caller, picks: random.Random, way: str = "id", most: int = 10_000) -> list[dict[str, Any]]:
    """Play at random to the end, or that many moves, and return what happened."""
    events = []
    for _ in range(most):
        listed = ask("legal")
        if listed["actor"] is None:
            break
        seat = picks.choice(listed["pending"]) if listed["pending"] else "chance"
        moves = listed["moves"] if seat == listed["actor"] else ask.legal(seat=seat)
        events += ask("play", move=WAYS[way](picks.choice(moves)), seat=seat)["events"]
    return events
