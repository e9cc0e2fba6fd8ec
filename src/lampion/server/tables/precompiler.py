"""Compiles games and their bots, or takes them from the cache.

Compiling keeps Python busy for many seconds, so a server has it done in another process. It reads lines such as `lumens
rules` and `lumens bots`, or `lumens` for all parts, and writes each back when that is in the cache.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

from lampion.bots import named
from lampion.bots.greedy import Greedy
from lampion.bots.player import Maker
from lampion.bots.searcher import Search
from lampion.engine.cache_folder import marker
from lampion.engine.rng import new_rng
from lampion.games import registry
from lampion.games.core import EVERYTHING, BadPosition
from lampion.insight.explorer import draw
from lampion.insight.setting_up import given
from lampion.play import Position, Seeded, Sight, take_back
from lampion.play.chance import Entropy
from lampion.play.undo import CannotUndo
from lampion.server.protocol import stored_events as stored
from lampion.server.tables.child_environment import environment_without_secrets
from lampion.server.tables.table import Table

Part = Literal["rules", "bots", "search"]
"""What of a game is compiled at once: what people need at a table; what bots need that answer at once, and people who
explore positions; and what bots need that search."""
PARTS: tuple[Part, ...] = get_args(Part)
MOVES = 4


def load(name: str, part: Part) -> None:
    """Call everything that a part of a game needs, so that it is compiled or loaded from the cache."""
    if part == "rules":
        load_rules(name)
    elif part == "bots":  # on the net, and without one
        load_bots(name, named("candle"), Greedy())
        load_exploring(name)
    else:
        load_bots(name, named("sun:sims=8"), Search(sims=8))
    with suppress(OSError):
        compiled_mark(name, part).touch()


def load_rules(name: str) -> None:
    """Call what a table of a game needs."""
    game = registry.game(name)
    position = Position(game)
    chance = Seeded(1)
    position.push_chances(chance)
    table = Table("warm", position.edition)
    table.fold(
        stored.Made(0, version=1, game=name, rules=game.version, players=position.players, options=position.options,
                    edition=position.edition.hash, secret="00" * 32, host="")
    )  # fmt: skip
    for _ in range(MOVES):
        seat = position.actor
        if seat < 0:
            break
        Sight(position, seat).imagined(new_rng())
        move = next(iter(position.legal_moves))
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


def load_bots(name: str, *makers: Maker) -> None:
    """Call what bots of these kinds need."""
    position = Position(registry.game(name))
    chance = Seeded(1)
    position.push_chances(chance)
    for maker in makers:
        seat = position.actor
        if seat < 0:
            break
        sight = Sight(position, seat)
        position.push(maker.sit(sight, 1).choose(sight), seat)
        position.push_chances(chance)


def load_exploring(name: str) -> None:
    """Call what positions need that are explored, set up or played on, in the middle and at the end of a game."""
    position = Position(name)
    draw(position, Entropy(), every=False)
    chance, decisions = Seeded(1), []
    position.push_chances(chance)
    while not position.is_over:
        decisions.append(position.ply)
        moves = position.legal_moves
        id = position.id_of(moves[len(moves) // 2])
        position.tellers(position.actor, id)
        position.push(id)
        position.push_chances(chance)
        position.view(EVERYTHING)
    for ply in (decisions[len(decisions) // 2], position.ply):
        then = position.at(ply)
        with suppress(BadPosition):  # of a game of another package that is not right
            given(then, then.view(EVERYTHING))


def compiled_mark(game: str, part: Part) -> Path:
    """Return the path of the file that marks a part of a game as compiled, so that loading it takes no time."""
    return marker(f"{game}-{part}")


class Precompiler:
    """A process that compiles games; one in the background has a lower priority."""

    def __init__(self, in_background: bool = False) -> None:
        self.in_background = in_background
        self._process: asyncio.subprocess.Process | None = None

    async def compile(self, game: str, part: Part) -> None:
        """Compile a part of a game, unless it is in the cache; RuntimeError where that fails."""
        if compiled_mark(game, part).exists():
            return
        if self._process is None:
            options = ["--in-background"] if self.in_background else []
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "lampion.server.tables.precompiler", *options,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                env=environment_without_secrets(), start_new_session=True,
            )  # fmt: skip
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        wanted = f"{game} {part}\n".encode()
        process.stdin.write(wanted)
        try:
            if await process.stdout.readline() != wanted:
                self.stop()
                raise RuntimeError(f"{game} cannot be compiled")
        except asyncio.CancelledError:
            process.terminate()  # in a session of its own, it does not hear the terminal's own signal
            raise

    def stop(self) -> None:
        """Stop the process when it has done its work."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None


def main() -> None:
    """Compile what is named on the standard input."""
    if "--in-background" in sys.argv and hasattr(os, "nice"):
        os.nice(5)
    for line in sys.stdin:
        name, *parts = line.split()
        for part in PARTS:
            if not parts or part in parts:
                load(name, part)
        print(line.strip(), flush=True)


if __name__ == "__main__":
    main()
