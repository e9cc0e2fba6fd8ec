"""Another client for the games room, as docs/protocol.md describes it: it plays one game against a bot at random.

    python examples/client.py http://localhost:8000/ lumens spark

It needs Python and the package `websockets`, and nothing of Lampion. When its line is cut it comes back and goes on
where it was.
"""

import asyncio
import hashlib
import json
import random
import secrets
import sys
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException


def ask(address, path, body=None):
    """What the server answers to plain HTTP."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address.rstrip("/") + path, data)) as answer:
        return json.load(answer)


class Player:
    """One seat of one table."""

    def __init__(self, address, made, nonce):
        self.socket_address = address.rstrip("/").replace("http", "ws", 1) + f"/api/tables/{made['table']}/socket"
        self.token, self.promise, self.nonce = made["tokens"]["0"], made["promise"], nonce
        self.seq, self.moves, self.result = 0, 0, None

    async def play(self):
        """Until the game is over, through as many sockets as it takes."""
        while self.result is None:
            try:
                async with connect(self.socket_address, max_size=None) as socket:
                    hello = {"do": "hello", "version": 2, "tokens": [self.token], "since": self.seq, "language": "en"}
                    await socket.send(json.dumps(hello))
                    await self.listen(socket)
            except (OSError, WebSocketException):
                await asyncio.sleep(0.5)

    async def listen(self, socket):
        """Keep the last update; move whenever it asks us to and no move of ours waits for its answer."""
        latest, waiting = None, False
        async for text in socket:
            word = json.loads(text)
            if word["say"] == "update":
                latest, self.seq = word, word["seq"]
                await self.reveal(socket, latest["table"])
            if word["say"] == "no" and word["code"] != "stale":
                raise SystemExit(word["reason"])
            if word.get("id") == self.moves:
                waiting = False  # done; or stale: others were faster, and their update is here already
            if latest is None or waiting:
                continue
            if latest["table"]["status"] == "over":
                self.result = latest["table"]["result"]
                return
            view = latest["view"]
            if view.get("moves"):
                move, self.moves, waiting = random.choice(view["moves"]), self.moves + 1, True
                wish = {"do": "move", "id": self.moves, "seat": view["seat"], "seq": self.seq, "move": move}
                await socket.send(json.dumps(wish))

    async def reveal(self, socket, table):
        """Add to the chance, if what was promised and committed to is sealed. We are the only person at the table."""
        options = json.dumps(table["options"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        lines = ["lampion seal 2", self.promise, table["game"], table.get("rules", 1), table["players"], options,
                 table["edition"], committed(self.nonce), *["bot"] * (table["players"] - 1)]  # fmt: skip
        seal = hashlib.sha256("\n".join(map(str, lines)).encode()).hexdigest()
        if table.get("seal") != seal:
            raise SystemExit("The server has not sealed what it promised and what I committed to.")
        if table["status"] == "open" and "nonce" not in table["seats"][0]:
            await socket.send(json.dumps({"do": "reveal", "seat": 0, "nonce": self.nonce}))


def committed(nonce):
    """What is shown of a nonce before the game."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def main(address, game, level):
    """Make a table with a bot, play, tell the result."""
    nonce = secrets.token_hex(32)
    me = {"kind": "screen", "name": "Visitor", "commit": committed(nonce)}
    bot = {"kind": "bot", "level": level}
    made = ask(address, "/api/tables", {"game": game, "seats": [me, bot], "start": True})
    player = Player(address, made, nonce)
    asyncio.run(player.play())
    scores = ", ".join(map(str, player.result["scores"]))
    print(f"{made['table']} {game}: {player.moves} moves, scores {scores}, winners {player.result['winners']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
