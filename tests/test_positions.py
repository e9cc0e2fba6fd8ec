"""The positions that tests begin from can be played to, and are what their names say."""

from __future__ import annotations

import pytest
from server.people import POSITIONS
from write_positions import TABLE, is_met, record


@pytest.mark.parametrize("name", TABLE)
def test_a_position_is_what_its_name_says(name: str) -> None:
    assert (POSITIONS / f"{name}.json").exists(), "it is not written: python tests/write_positions.py"
    kept = record(name)
    assert name.startswith(f"{kept.game}-")
    assert is_met(name, kept.check()), f"it is another one: python tests/write_positions.py {name}"


def test_no_position_is_without_a_name() -> None:
    assert {file.stem for file in POSITIONS.glob("*.json")} == set(TABLE)
