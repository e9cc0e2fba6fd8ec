"""The messages as other programs know them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import FIFTH

from lampion.games import registry
from lampion.server.protocol import typescript


@pytest.mark.parametrize("installed", [(), tuple(map(Path, FIFTH))], ids=["alone", "beside-another-game"])
def test_the_types_in_typescript_are_those_of_the_messages_now(
    installed: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in installed:
        monkeypatch.syspath_prepend(folder)
        assert "fireflies" in registry.games()
    written = Path(typescript.TARGET).read_text(encoding="utf-8")
    assert written == typescript.text(), "python -m lampion.server.protocol.typescript"
