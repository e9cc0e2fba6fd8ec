"""The room that a page has inside: the tables and routes of the server, without one. Here in ordinary Python."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from lampion.page.shelf_store import ShelfStore
from lampion.play import Record
from lampion.server.storage.store import Conflict, Heading
from lampion.server.tables import bot_seats

from .rooms import MemoryShelf, OwnRoom, Visitor


@pytest.fixture(autouse=True)
def bots_answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_seats, "TIME_TO_UNDO", 0.0)


def in_a_room(use: Callable[[OwnRoom], Awaitable[None]], shelf: MemoryShelf | None = None) -> None:
    """Use a room, and close it."""

    async def run() -> None:
        async with OwnRoom(shelf or MemoryShelf()) as own:
            await use(own)

    asyncio.run(run())


async def made(own: OwnRoom, game: str, *seats: dict[str, Any]) -> dict[str, Any]:
    status, found = await own.ask("tables", {"game": game, "seats": list(seats), "start": True})
    assert status == 201, found
    return dict(found)


async def play_to_the_end(visitor: Visitor) -> None:
    """Play the first move whenever it is my turn."""
    asked = 0
    while visitor.update.get("table", {}).get("status") != "over":
        update = visitor.update
        if update and update["view"].get("moves") and asked != update["seq"]:
            asked = update["seq"]
            move = {"seat": update["view"]["seat"], "seq": asked, "move": update["view"]["moves"][0]}
            visitor.say({"do": "move", "id": asked, **move})
        word = await visitor.hear()
        assert word is not None
        assert word["say"] != "no", word


PERSON, BOT = {"kind": "screen", "name": "Ann"}, {"kind": "bot", "level": "spark"}


def test_a_game_against_a_bot_is_played_to_its_end_and_stays_when_the_page_is_closed() -> None:
    shelf = MemoryShelf()
    found: dict[str, Any] = {}

    async def play(own: OwnRoom) -> None:
        table = await made(own, "lumens", PERSON, BOT)
        visitor = own.visit(table["table"], *table["tokens"].values())
        await play_to_the_end(visitor)
        found.update(table)
        assert (await own.ask(f"tables/{table['table']}"))[1]["status"] == "over"

    async def come_back(own: OwnRoom) -> None:
        table = found["table"]
        visitor = own.visit(table, *found["tokens"].values())
        await visitor.until(lambda word: word["say"] == "update")
        assert visitor.update["table"]["status"] == "over"
        status, record = await own.ask(f"tables/{table}/record")
        assert status == 200
        assert Record.from_json(json.dumps(record)).check().is_over
        status, story = await own.ask(f"tables/{table}/replay")
        assert (status, story["game"]) == (200, "lumens")
        # An exported game comes back as a table of its own, and a table can be removed for good.
        status, again = await own.ask("records", json.dumps(record).encode())
        assert status == 201
        assert (await own.ask(f"tables/{again['table']}"))[1]["status"] == "over"
        assert (await own.ask(f"tables/{table}", method="DELETE"))[0] == 204
        assert (await own.ask(f"tables/{table}"))[0] == 404
        assert (await own.ask(f"tables/{again['table']}"))[0] == 200

    in_a_room(play, shelf)
    in_a_room(come_back, shelf)


async def play_first_moves(visitor: Visitor, count: int) -> None:
    """Play the first of all moves some times, for each seat in its turn."""
    for number in range(count):
        seat = visitor.update["table"]["pending"][0]
        visitor.say({"do": "curtain", "id": 2 * number, "seat": seat})
        await visitor.until(lambda word: word["say"] == "update" and bool(word["view"].get("moves")))
        seq = visitor.update["seq"]
        move = visitor.update["view"]["moves"][0]
        visitor.say({"do": "move", "id": 2 * number + 1, "seat": seat, "seq": seq, "move": move})
        while visitor.update["seq"] <= seq:
            assert await visitor.hear() is not None


@pytest.mark.parametrize("game", ["lanternes", "lumens"])
def test_an_unfinished_game_is_taken_to_another_room_and_back(game: str) -> None:
    people = PERSON, {"kind": "screen", "name": "Ben"}
    files: list[dict[str, Any]] = []

    async def begin(own: OwnRoom) -> None:
        table = await made(own, game, *people)
        visitor = own.visit(table["table"], *table["tokens"].values())
        await visitor.until(lambda word: word["say"] == "update")
        await play_first_moves(visitor, 2)
        tokens = list(table["tokens"].values())
        status, told = await own.ask(f"tables/{table['table']}/unfinished", {"tokens": tokens[:1]})
        assert (status, told["code"]) == (403, "others_play")
        files.append((await own.ask(f"tables/{table['table']}/unfinished", {"tokens": tokens}))[1])
        assert files[0]["continues"] == {"table": table["table"], "ply": len(files[0]["moves"])}
        assert "secret" not in files[0]["chance"]

    async def go_on(own: OwnRoom) -> None:
        begun = files[-1]["moves"]
        status, table = await own.ask("tables/unfinished", json.dumps(files[-1]).encode())
        assert (status, sorted(table["tokens"])) == (201, ["0", "1"])
        visitor = own.visit(table["table"], *table["tokens"].values())
        await visitor.until(lambda word: word["say"] == "update")
        assert [seat["name"] for seat in visitor.update["table"]["seats"]] == ["Ann", "Ben"]
        await play_first_moves(visitor, 1)
        tokens = list(table["tokens"].values())
        files.append((await own.ask(f"tables/{table['table']}/unfinished", {"tokens": tokens}))[1])
        assert files[-1]["moves"][: len(begun)] == begun
        assert len(files[-1]["moves"]) > len(begun)
        assert files[-1]["continues"]["table"] == table["table"]

    in_a_room(begin)
    in_a_room(go_on)
    in_a_room(go_on)


def test_a_game_that_is_over_or_has_unknown_bots_is_not_played_on() -> None:
    async def use(own: OwnRoom) -> None:
        table = await made(own, "lumens", PERSON, BOT)
        tokens = list(table["tokens"].values())
        status, record = await own.ask(f"tables/{table['table']}/unfinished", {"tokens": tokens})
        assert status == 200
        record["seats"][1]["level"] = "supernova"
        status, told = await own.ask("tables/unfinished", json.dumps(record).encode())
        assert (status, told["code"]) == (400, "no_level")
        await play_to_the_end(own.visit(table["table"], *tokens))
        status, told = await own.ask(f"tables/{table['table']}/unfinished", {"tokens": tokens})
        assert (status, told["code"]) == (400, "is_over")
        over = (await own.ask(f"tables/{table['table']}/record"))[1]
        status, told = await own.ask("tables/unfinished", json.dumps(over).encode())
        assert (status, told["code"]) == (400, "is_over")

    in_a_room(use)


def test_two_tabs_of_a_browser_share_a_table() -> None:
    async def run() -> None:
        shelf = MemoryShelf()
        async with OwnRoom(shelf) as one, OwnRoom(shelf) as other:
            table = await made(one, "lumens", PERSON, {"kind": "screen", "name": "Ben"})
            tokens = table["tokens"]
            here = one.visit(table["table"], *tokens.values())
            there = other.visit(table["table"], *tokens.values())
            for visitor in (here, there):
                await visitor.until(lambda word: word["say"] == "update")
            seat = here.update["table"]["pending"][0]
            here.say({"do": "curtain", "id": 1, "seat": seat})
            await here.until(lambda word: word["say"] == "update" and bool(word["view"].get("moves")))
            seq = here.update["seq"]
            here.say({"do": "move", "id": 2, "seat": seat, "seq": seq, "move": here.update["view"]["moves"][0]})
            await there.until(lambda word: word["say"] == "update" and word["seq"] > seq)

    asyncio.run(run())


def test_what_is_not_here_is_refused_with_a_reason_in_the_askers_language() -> None:
    async def use(own: OwnRoom) -> None:
        assert (await own.ask("admin/tables"))[0] == 404
        assert (await own.ask("games", method="DELETE"))[0] == 405
        status, told = await own.ask("tables/none?lang=fr")
        assert (status, told["code"], "table" in told["reason"]) == (404, "no_table", True)
        visitor = own.visit("none")
        assert (await visitor.hear() or {})["code"] == "no_table"
        assert await visitor.hear() is None

    in_a_room(use)


def test_puzzles_lessons_and_the_list_of_games_are_answered() -> None:
    async def use(own: OwnRoom) -> None:
        status, games = await own.ask("games")
        assert (status, [one["game"] for one in games if one["ready"]]) == (200, [one["game"] for one in games])
        status, packed = await own.ask("puzzles")
        assert (status, packed[0]["game"] in [one["game"] for one in games]) == (200, True)
        status, lesson = await own.ask("tutorials/lumens", {"name": "Ann"})
        assert status == 201
        visitor = own.visit(lesson["table"], *lesson["tokens"].values())
        word = await visitor.until(lambda word: word["say"] == "update")
        assert word["table"]["status"] == "playing"

    in_a_room(use)


def test_of_two_tabs_that_store_the_same_number_one_is_refused_and_nothing_is_lost() -> None:
    async def store() -> None:
        shelf = MemoryShelf()
        one, other = ShelfStore(shelf), ShelfStore(shelf)
        heading = Heading("abc", "lumens", 2, "playing", 1, 1, 2)
        await one.append("abc", 0, [b"made", b"first"], heading)
        for seq in (0, 1, 5):
            with pytest.raises(Conflict):
                await other.append("abc", seq, [b"later"], heading)
        assert await other.read("abc") == [b"made", b"first"]
        await other.append("abc", 2, [b"second"], heading)
        assert await one.read("abc", 1) == [b"first", b"second"]

    asyncio.run(store())
