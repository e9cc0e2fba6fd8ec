"""The messages as other programs know them."""

from __future__ import annotations

from pathlib import Path

from lampion.server import typescript


def test_the_types_in_typescript_are_those_of_the_messages_now() -> None:
    written = Path(typescript.TARGET).read_text(encoding="utf-8")
    assert written == typescript.text(), "python -m lampion.server.typescript"
