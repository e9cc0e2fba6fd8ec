"""Nothing is cut, covered, too small, in notation or against axe's rules, in any state of the boards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from .journeys import BOARDS, House, Journey, faults_of, opened_house


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One for all journeys."""
    with opened_house(browser, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.mark.parametrize("journey", BOARDS, ids=lambda journey: journey.__name__)
def test_nothing_is_wrong(house: House, journey: Journey) -> None:
    found = faults_of(house, journey)
    assert not found, "\n".join(found)
