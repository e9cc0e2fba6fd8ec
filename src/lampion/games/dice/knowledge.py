"""What a viewer of Lanternes Dice knows: everything."""

from __future__ import annotations

from typing import Any

from lampion.engine.compile import compiled


@compiled
def seen(box: Any, state: Any, mover: int, move: int, viewer: int) -> int:
    """Return what the viewer sees of a move: all of it."""
    return move


@compiled
def conceal(box: Any, state: Any, viewer: int, rng: Any) -> None:
    """Change nothing: no part of a position is hidden."""
