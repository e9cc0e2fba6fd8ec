"""Nothing is cut, covered, too small, in notation or against axe's rules, in any state of the boards."""

from __future__ import annotations

import pytest
from tiers import daily

from . import board_journeys
from .board_journeys import BOARDS
from .journeys import House, Journey, faults_of


@pytest.mark.parametrize("journey", daily(BOARDS, board_journeys.iles), ids=lambda journey: journey.__name__)
def test_nothing_is_wrong(house: House, journey: Journey) -> None:
    found = faults_of(house, journey)
    assert not found, "\n".join(found)
