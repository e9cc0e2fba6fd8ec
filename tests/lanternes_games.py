"""Games that are played, of Lanternes unless another is asked for: one at its first move, one at its end."""

from __future__ import annotations

from lampion.games.registry import game
from lampion.play import Position, Seeded
from lampion.testing import wander


def opened(players: int = 2, seed: int = 1) -> Position:
    """Return Lanternes with its tiles dealt; seat 0 begins."""
    position = Position("lanternes", players, {"first": 0})
    position.push_chances(Seeded(seed))
    return position


def finished(seed: int = 1, name: str = "lanternes", players: int = 2) -> Position:
    """Return a whole game."""
    *_, position = wander(game(name), players, None, seed)
    return position
