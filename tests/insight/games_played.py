"""Finished games for the tests of insight, and settings that cost little."""

from __future__ import annotations

import random
from functools import cache

from lampion.insight.settings import Settings
from lampion.play import Position, Record, SeatInfo, Seeded
from lampion.play.recorded_chance import ChanceInfo

TINY = Settings(simulations=16, wide=3, looks=2, worlds=1, samples=16, ways=40)
NAMES = ("Aline", "Paul", "Marie", "Hugo", "Zoé")
TABLES = [("lanternes", 2), ("lanternes", 4), ("dice", 2), ("dice", 3), ("lumens", 3), ("iles", 2), ("iles", 5)]


@cache
def random_game(game: str, players: int, seed: int = 1) -> Record:
    """Return a game whose moves were drawn, with those of a simultaneous step in any order."""
    dice = random.Random(seed)
    position = Position(game, players)
    chance = Seeded(seed)
    position.push_chances(chance)
    while not position.is_over:
        seat = dice.choice(position.pending)
        position.push(int(dice.choice(position.legal_ids(seat))), seat)
        position.push_chances(chance)
    seats = [SeatInfo(name) for name in NAMES[:players]]
    return Record.of(position, seats, chance=ChanceInfo("seeded", seed), date="2025-12-24T18:00:00+00:00")
