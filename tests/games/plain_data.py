"""Positions and events as plain data, which tests compare and change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from lampion.games.core import EVERYTHING
from lampion.play import Position


def plain(position: Position, viewer: int = EVERYTHING) -> Any:
    """Return what a viewer sees of a position."""
    return msgspec.to_builtins(position.view(viewer))


def as_tuples(events: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the kind, seat, thing, number and reason of every event."""
    return [(event.kind, event.seat, event.thing, event.number, event.why) for event in events]
