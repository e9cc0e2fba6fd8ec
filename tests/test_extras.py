"""The command that adds an extra fits how the package was installed."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from typing import Any

import pytest

from lampion import extras

CASES = [
    (None, 'pip install "lampion[server]"'),
    ({"url": "file:///a%20clone", "dir_info": {"editable": True}}, 'pip install -e "/a clone[server]"'),
    ({"url": "file:///a%20clone", "dir_info": {}}, 'pip install "/a clone[server]"'),
    ({"url": "file:///a/lampion.whl", "archive_info": {}}, 'pip install "/a/lampion.whl[server]"'),
    (
        {"url": "https://example.org/lampion", "vcs_info": {"vcs": "git", "commit_id": "0"}},
        'pip install "lampion[server] @ git+https://example.org/lampion"',
    ),
    (
        {"url": "https://example.org/lampion.whl", "archive_info": {}},
        'pip install "lampion[server] @ https://example.org/lampion.whl"',
    ),
]


@pytest.mark.parametrize(("origin", "command"), CASES)
def test_an_extra_comes_from_where_the_package_came_from(
    origin: dict[str, Any] | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "METADATA").write_text("Name: lampion\n", encoding="utf-8")
    if origin is not None:
        (tmp_path / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")

    def found(name: str) -> Distribution:
        return PathDistribution(tmp_path)

    monkeypatch.setattr(extras, "distribution", found)
    assert extras.command("server") == command
