"""A caller of the JSON-lines protocol for the tests: it asks, reads the answer, and knows a refusal from a result."""

from __future__ import annotations

import json
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
