"""Positions to search from."""

from __future__ import annotations

import itertools

from tiers import IS_DEEP

from lampion.games.core import Game
from lampion.play import Position, Seeded, Sight

TREES = 12 if IS_DEEP else 4


def positions(game: Game) -> list[Sight]:
    """Sights of seats that have a choice, at different moments of games with different numbers of players."""
    found: list[Sight] = []
    for number in itertools.takewhile(lambda number: len(found) < TREES, itertools.count()):
        position = Position(game, players=game.players[number % len(game.players)])
        chance = Seeded(100 + number)
        position.push_chances(chance)
        moves = 3 + 5 * (number % TREES)
        while not position.is_over and (moves > 0 or len(position.legal_ids()) < 2):
            ids = position.legal_ids()
            position.push_rows(int(ids[(7 * moves + number) % len(ids)]))
            position.push_chances(chance)
            moves -= 1
        if not position.is_over:
            found.append(Sight(position, position.actor))
    return found
