"""Compiles a game and its search, or takes them from the cache: `python -m lampion.server.warm GAME`."""

from __future__ import annotations

import sys
from contextlib import suppress

from lampion.bots import named
from lampion.games import core
from lampion.play import Position, Seeded, Sight, take_back
from lampion.play.undo import CannotUndo
from lampion.server import events as stored
from lampion.server.table import Table


def load(name: str) -> None:
    """Go once through everything that a table needs."""
    game = core.game(name)
    position = Position(game)
    chance = Seeded(1)
    position.push_chances(chance)
    table = Table("warm")
    table.fold(
        stored.Made(0, version=1, game=name, rules=game.version, players=position.players, options=position.options,
                    components=dict(position.edition.data), secret="00" * 32, host="")
    )  # fmt: skip
    for bot in ("greedy", "sun:sims=8"):
        seat = position.actor
        if seat < 0:
            break
        sight = Sight(position, seat)
        move = named(bot).sit(sight, 1).choose(sight)
        position.preview(move, seat, seat)
        position.view(seat)
        list(position.legal_moves)
        position.push(move, seat)
        with suppress(CannotUndo):
            take_back(position, seat)
        position.push_chances(chance)
    position.count()
    for seat in range(position.players):
        table.fold(stored.BotSat(0, seat=seat, level="spark"))
    for one in table.decide_start(0):
        table.fold(one)


if __name__ == "__main__":
    for game in sys.argv[1:]:
        load(game)
