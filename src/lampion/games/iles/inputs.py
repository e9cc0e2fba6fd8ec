"""What a net is given of a position."""

from __future__ import annotations

from lampion.games.iles.features import FEATURES

INPUTS = FEATURES
ITEMS = (0, 0)
