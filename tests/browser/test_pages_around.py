"""Nothing is cut, covered, too small, in notation or against axe's rules, in any state around the boards."""

from __future__ import annotations

import pytest
from tiers import daily

from .journeys import AROUND, House, Journey, faults_of, nowhere, room, rules, waiting


@pytest.mark.parametrize("journey", daily(AROUND, room, waiting, rules, nowhere), ids=lambda journey: journey.__name__)
def test_nothing_is_wrong(house: House, journey: Journey) -> None:
    found = faults_of(house, journey)
    assert not found, "\n".join(found)
