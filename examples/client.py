"""Another client for the games room, as docs/protocol.md describes it: it plays one game against a bot at random.

    python examples/client.py http://localhost:8000/ lumens spark

It needs Python and the package `websockets`, and nothing of Lampion. When its line is cut it comes back and goes on
where it was.
"""

import asyncio
import json
import random
import secrets
import sys
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


def ask(address, path, body=None):
    """What the server answers to plain HTTP."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address.rstrip("/") + path, data)) as answer:
        return json.load(answer)


class Player:
    """One seat of one table."""

    def __init__(self, address, table, token):
        self.socket_address = address.rstrip("/").replace("http", "ws", 1) + f"/api/tables/{table}/socket"
        self.token, self.seq, self.moves, self.result = token, 0, 0, None

    async def play(self):
        """Until the game is over, through as many sockets as it takes."""
        while self.result is None:
            try:
                async with connect(self.socket_address, max_size=None) as socket:
                    hello = {"do": "hello", "version": 1, "tokens": [self.token], "since": self.seq, "language": "en"}
                    await socket.send(json.dumps(hello))
                    await self.listen(socket)
            except (OSError, ConnectionClosed):
                await asyncio.sleep(0.5)

    async def listen(self, socket):
        """Keep the last update; move whenever it asks us to and no move of ours waits for its answer."""
        latest, waiting = None, False
        async for text in socket:
            word = json.loads(text)
            if word["say"] == "update":
                latest, self.seq = word, word["seq"]
            if word["say"] in ("done", "no"):
                waiting = False  # `no` with the code `stale`: others were faster, and their update is here already
                if word["say"] == "no" and word["code"] != "stale":
                    raise SystemExit(word["reason"])
            if latest is None or waiting:
                continue
            if latest["table"]["status"] == "over":
                self.result = latest["table"]["result"]
                return
            view = latest["view"]
            if view.get("moves"):
                move = random.choice(view["moves"])
                wish = {"do": "move", "id": self.moves, "seat": view["seat"], "seq": self.seq, "move": move}
                await socket.send(json.dumps(wish))
                self.moves, waiting = self.moves + 1, True


def main(address, game, level):
    """Make a table with a bot, play, tell the result."""
    me = {"kind": "screen", "name": "Visitor", "nonce": secrets.token_hex(16)}
    bot = {"kind": "bot", "level": level}
    made = ask(address, "/api/tables", {"game": game, "seats": [me, bot], "start": True})
    player = Player(address, made["table"], made["tokens"]["0"])
    asyncio.run(player.play())
    scores = ", ".join(map(str, player.result["scores"]))
    print(f"{made['table']} {game}: {player.moves} moves, scores {scores}, winners {player.result['winners']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
