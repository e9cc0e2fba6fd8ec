"""People can play as soon as possible: rules are loaded before bots, and what was asked for before the rest."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import pytest

from lampion.games import registry
from lampion.server.tables import game_loader
from lampion.server.tables.bot_pool import BotPool
from lampion.server.tables.bot_seats import BotSeats
from lampion.server.tables.game_loader import GameLoader
from lampion.server.tables.precompiler import PARTS

Step = tuple[str, str]


class Workshop:
    """Stands for the processes that compile: nothing is compiled until it is let through."""

    def __init__(self) -> None:
        self.begun: list[Step] = []
        self.stopped = 0
        self.broken: set[Step] = set()
        self._gates: dict[Step, asyncio.Event] = {}

    def gate(self, *step: str) -> asyncio.Event:
        game, part = step
        return self._gates.setdefault((game, part), asyncio.Event())

    def precompiler(self, in_background: bool = False) -> Workshop:
        return self

    async def compile(self, game: str, part: str) -> None:
        self.begun.append((game, part))
        await self.gate(game, part).wait()
        if (game, part) in self.broken:
            raise RuntimeError("broken")

    def stop(self) -> None:
        self.stopped += 1


def with_workshop(monkeypatch: pytest.MonkeyPatch, use: Callable[[GameLoader, Workshop], Awaitable[None]]) -> None:
    shop = Workshop()
    monkeypatch.setattr(game_loader, "Precompiler", shop.precompiler)
    monkeypatch.setattr(game_loader, "load", lambda game, part: None)

    async def run() -> None:
        loader = GameLoader()
        async with asyncio.timeout(60):
            await use(loader, shop)
        loader.close()

    asyncio.run(run())


async def settle() -> None:
    """Let everything go on that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_people_can_play_before_the_bots_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(loader: GameLoader, shop: Workshop) -> None:
        shop.gate("iles", "rules").set()
        await loader.load("iles")
        assert loader.is_loaded("iles")
        assert not loader.is_settled("iles", "bots")
        await settle()
        assert shop.begun == [("iles", "rules"), ("iles", "bots")]
        assert not shop.stopped
        shop.gate("iles", "bots").set()
        shop.gate("iles", "search").set()
        await loader.load("iles", "search")
        await settle()
        assert shop.begun[2:] == [("iles", "search")]
        assert shop.stopped

    with_workshop(monkeypatch, use)


def test_what_is_asked_for_comes_before_the_others_and_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(loader: GameLoader, shop: Workshop) -> None:
        first, *_, last = registry.games()
        everything = asyncio.create_task(loader.load_all())
        await settle()
        assert shop.begun == [(first, "rules")]
        asked = asyncio.create_task(loader.load(last))
        await settle()
        assert shop.begun[1:] == [(last, "rules")]
        for game in registry.games():
            for part in PARTS:
                shop.gate(game, part).set()
        await asked
        await everything
        assert sorted(shop.begun) == sorted((game, part) for game in registry.games() for part in PARTS)

    with_workshop(monkeypatch, use)


def test_a_game_that_cannot_be_compiled_is_refused_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(loader: GameLoader, shop: Workshop) -> None:
        for part in PARTS:
            shop.gate("iles", part).set()
        shop.broken.add(("iles", "rules"))
        with pytest.raises(RuntimeError):
            await loader.load("iles")
        await settle()
        assert not loader.is_loaded("iles")
        shop.broken.clear()
        await loader.load("iles", "bots")
        assert loader.is_loaded("iles")

    with_workshop(monkeypatch, use)


class Room:
    """A live table of which nothing is looked at but that it goes on."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.went_on = asyncio.Event()
        self.charged = "here"

    def __getattr__(self, name: str) -> Any:
        return self  # table, game, made, presence

    name, players, is_attended = "iles", 2, True
    levels: ClassVar[dict[str, Any]] = {}

    def broadcast(self, word: bytes) -> None:
        self.said.append(word)

    def go_on(self) -> None:
        self.went_on.set()


def test_a_bot_that_is_not_compiled_yet_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use() -> None:
        monkeypatch.setattr("lampion.server.tables.bot_seats.AGAIN", 0.01)
        room: Any = Room()
        bots = BotSeats(room, BotPool(1, lambda *_: False))
        bots.ask(1, "spark", "bot")
        assert bots.are_thinking
        assert json.loads(room.said[0]) == {"say": "thinking", "seat": 1, "preparing": True}
        await asyncio.wait_for(room.went_on.wait(), 60)
        assert not bots.are_thinking

    asyncio.run(use())
