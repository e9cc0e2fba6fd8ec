"""Numbers that rules and the engine agree on. Other modules import them from `lampion.games.core`, the contract."""

from __future__ import annotations

CHANCE = -1
"""The actor while dice or piles move; the mover of a chance move."""
OVER = -2
"""The actor of a game that has ended."""
SPECTATOR = -1
"""The viewer who has no seat."""
EVERYTHING = -2
"""The viewer from whom nothing is hidden: records, replays after the end, tests. Never a seat's."""
EVERYONE = -1
"""Viewers of a row that hides nothing: all bits."""

ROW = 6
"""Numbers in a row of the event log."""
MOST_KEYS = 8
"""Most numbers in the key that orders the places."""
MOST_SEATS = 8
"""Most players of any game."""
NOTES = 128
"""Numbers that a function of a game may note while it computes the inputs of a net."""
