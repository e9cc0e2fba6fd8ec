"""Compiles games and their search, or takes them from the cache.

Compiling keeps Python busy for many seconds, so that a server has it done in another process, the stove: names of games
on its standard input, each said again on its standard output when the game is in the cache.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path

from lampion.bots import named
from lampion.engine import cache
from lampion.games import registry
from lampion.play import Position, Seeded, Sight, take_back
from lampion.play.undo import CannotUndo
from lampion.server import events as stored
from lampion.server.child_processes import environment_without_secrets
from lampion.server.table import Table


def load(name: str) -> None:
    """Go once through everything that a table needs."""
    game = registry.game(name)
    position = Position(game)
    chance = Seeded(1)
    position.push_chances(chance)
    table = Table("warm", position.edition)
    table.fold(
        stored.Made(0, version=1, game=name, rules=game.version, players=position.players, options=position.options,
                    edition=position.edition.hash, secret="00" * 32, host="")
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
    with suppress(OSError):
        sign(name).touch()


def sign(game: str) -> Path:
    """A file that says: the game was compiled here before, and loading it takes no time."""
    return cache.marker(game)


class Stove:
    """The other process; one in the background stands back behind everything else."""

    def __init__(self, in_background: bool = False) -> None:
        self.in_background = in_background
        self._process: asyncio.subprocess.Process | None = None

    async def cook(self, game: str) -> None:
        """Have a game compiled, unless it is in the cache."""
        if sign(game).exists():
            return
        if self._process is None:
            words = ["--in-background"] if self.in_background else []
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "lampion.server.warm", *words,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                env=environment_without_secrets(), start_new_session=True,
            )  # fmt: skip
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{game}\n".encode())
        try:
            if await process.stdout.readline() != f"{game}\n".encode():
                self.put_out()
                raise RuntimeError(f"{game} cannot be compiled")
        except asyncio.CancelledError:
            process.terminate()  # in a session of its own, it does not hear the terminal's own signal
            raise
        if not self.in_background:
            self.put_out()

    def put_out(self) -> None:
        """No more."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None


def main() -> None:
    """Cook what is named."""
    if "--in-background" in sys.argv and hasattr(os, "nice"):
        os.nice(5)
    for line in sys.stdin:
        load(line.strip())
        print(line.strip(), flush=True)


if __name__ == "__main__":
    main()
