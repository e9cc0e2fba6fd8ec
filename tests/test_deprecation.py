"""A name that goes still works, warns, and names what takes its place."""

from __future__ import annotations

import types

import pytest

from lampion.deprecation import renamed
from lampion.play.position import Position


@pytest.fixture
def old() -> types.ModuleType:
    module = types.ModuleType("lampion_old")
    module.__getattr__ = renamed("lampion_old", {"Board": "lampion.play.position.Position"})  # type: ignore[method-assign]
    return module


def test_an_old_name_leads_to_the_new_one_and_says_so(old: types.ModuleType) -> None:
    with pytest.warns(DeprecationWarning, match=r"lampion_old\.Board is .*; use lampion\.play\.position\.Position"):
        assert old.Board is Position


def test_other_names_are_not_there(old: types.ModuleType) -> None:
    with pytest.raises(AttributeError, match="no attribute 'Bored'"):
        old.Bored  # noqa: B018
