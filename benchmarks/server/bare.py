"""Nothing but sockets, on the parts that our server stands on: `python -m benchmarks.server.bare`.

It has no rules, no seats to protect and no disk. For every move it sends what a table sends, one word to each of the
two players and an answer, in as few bytes as the scripted players can do with. What this takes, ours takes too.
"""

from __future__ import annotations

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

encode = msgspec.json.encode


class Wish(msgspec.Struct):
    """What a player says."""

    do: str
    id: int | None = None
    tokens: list[str] = []


read = msgspec.json.Decoder(Wish).decode


class Table:
    """Two players and a number."""

    def __init__(self) -> None:
        self.seq = 1
        self.sockets: dict[int, WebSocket] = {}

    def word(self, seat: int) -> str:
        """What a seat is told now: it may move every second time."""
        moves = [0] if self.seq % 2 == seat else []
        told = {"say": "update", "since": self.seq - 1, "seq": self.seq, "table": {"status": "playing"},
                "changes": [{"seq": self.seq}], "view": {"seat": seat, "moves": moves}}  # fmt: skip
        return encode(told).decode()


TABLES: dict[str, Table] = {}


async def make(request: Request) -> JSONResponse:
    """A new table."""
    name = f"table{len(TABLES)}"
    TABLES[name] = Table()
    return JSONResponse({"table": name, "tokens": {"0": "0", "1": "1"}}, status_code=201)


async def sit(websocket: WebSocket) -> None:
    """One player, until they go."""
    await websocket.accept()
    table = TABLES[websocket.path_params["table"]]
    try:
        while True:
            wish = read(await websocket.receive_text())
            if wish.do == "hello":
                seat = int(wish.tokens[0])
                table.sockets[seat] = websocket
                await websocket.send_text(table.word(seat))
            else:
                table.seq += 1
                for other, socket in table.sockets.items():
                    await socket.send_text(table.word(other))
                await websocket.send_text(encode({"say": "done", "id": wish.id, "seq": table.seq}).decode())
    except WebSocketDisconnect:
        pass


def main() -> None:
    """On a free port, which is printed."""
    routes = [Route("/api/tables", make, methods=["POST"]), WebSocketRoute("/api/tables/{table}/socket", sit)]
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_config=None, ws_per_message_deflate=False)
    with config.bind_socket() as listener:
        print(f"http://localhost:{listener.getsockname()[1]}/", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
