"""The yardstick plays as it always did."""

from __future__ import annotations

import hashlib

import pytest

from benchmarks.yardstick import Yardstick
from lampion.bots.searcher import Search
from lampion.play import Position, Seeded
from lampion.play.sight import sights

MOVES = {
    ("lanternes", 2): "1df816e964c6",
    ("lanternes", 4): "78b05a7774d1",
    ("dice", 2): "543c9b1f4d5f",
    ("dice", 4): "9315ffb6d871",
    ("lumens", 2): "843bd6c058dc",
    ("lumens", 4): "f87f0ba036d2",
    ("iles", 2): "bca7b425efe1",
    ("iles", 5): "b869c630b887",
}


def moves_of(game: str, players: int) -> str:
    """Return a digest of the moves of a game that the yardstick plays against itself with little effort."""
    position, chance = Position(game, players), Seeded(11)
    seen = sights(position)
    bots = [Yardstick(effort=Search(sims=60)).sit(sight, 5 + sight.seat) for sight in seen]
    position.push_chances(chance)
    made = []
    while not position.is_over:
        for seat in position.pending:
            made.append(bots[seat].choose(seen[seat]))
            position.push_rows(made[-1], seat)
        position.push_chances(chance)
    return hashlib.sha256(str(made).encode()).hexdigest()[:12]


@pytest.mark.parametrize(("game", "players"), list(MOVES))
def test_the_yardstick_plays_as_it_always_did(game: str, players: int) -> None:
    assert moves_of(game, players) == MOVES[game, players]
