"""Scripted players in a process of their own: `python -m benchmarks.server.players`, which read their orders as JSON.

They play random moves over real WebSockets and note every move that was acknowledged, so that somebody can look for it
in the database afterwards. They are written to cost little, because they share the machine with the server: frames are
put together by hand, and of what the server says only the few fields that a player needs are read.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import deque
from typing import Any

import msgspec

from benchmarks.server.lines import Line, Word, address, encode, post, read_word
from benchmarks.server.processes import processor_time

STEP = 0.05
"""Seconds between tries to reach a server that is away."""
NOT_NOW = ("store_away", "disk_full", "not_writable")
"""Refusals of what may be asked again."""


class Orders(msgspec.Struct, kw_only=True):
    """What the players shall do."""

    ports: list[int]
    """Of the servers; the seats of a table are spread over them."""
    game: str = "lumens"
    seats: tuple[str, ...] = ("open", "open")
    """Of each table: `open` for a scripted player, or the level of a bot."""
    tables: int = 10
    every: float | None = None
    """Seconds between the moves of a table, answered or not (an open loop); without it, the next follows the answer."""
    seconds: float | None = 10.0
    """None: until standard input is closed."""
    warm: float = 0.0
    """Seconds at the beginning that are not measured."""
    seed: int = 1
    network: str = "127.1"
    """The first two numbers of the loopback addresses that the tables come from, an address each: the server's limits
    are per address."""
    pid: int | None = None
    """Measure waits in the processor time of this process: a clock that stands still whenever the server has to wait
    for what else a machine does."""


class Acknowledged(msgspec.Struct, array_like=True):
    """A move that the server said it had stored, as number `seq` of its table."""

    table: str
    seq: int
    seat: int
    move: msgspec.Raw


class Report(msgspec.Struct, kw_only=True):
    """What the players saw."""

    seconds: float
    moves: int
    """Acknowledged while measured."""
    latencies: list[float]
    """Seconds, of each of these: from the moment it was due (without a pace, sent) to its answer."""
    refused: dict[str, int]
    lost_lines: int
    games: int
    """Played to the end."""
    acknowledged: list[Acknowledged]
    processor: float
    """Seconds of processor time since all sat."""
    faults: list[str]
    """What must not be: a number that fell behind an acknowledged one, or a gap between two updates."""


class Player:
    """One seat of a table and its line to a server."""

    def __init__(self, crowd: Crowd, match: Match, seat: int, port: int, tokens: list[str]) -> None:
        self.crowd, self.match, self.seat, self.port, self.tokens = crowd, match, seat, port, tokens
        self.seq = 0
        self.moves: list[msgspec.Raw] = []
        self.line: Line | None = None
        self.closed = False

    async def connect(self) -> None:
        """Until the server is there; then say hello with what was seen."""
        path = f"/api/tables/{self.match.table}/socket"
        while not self.closed:
            line = Line(self.port, path, self.hear, self.lost)
            try:
                await asyncio.get_running_loop().create_connection(
                    lambda line=line: line,  # type: ignore[misc]
                    "127.0.0.1",
                    self.port,
                    local_addr=(self.match.address, 0),
                )
            except OSError:
                await asyncio.sleep(STEP)
                continue
            while not line.is_open and not line.transport.is_closing():
                await asyncio.sleep(0.002)
            if line.is_open:
                self.line = line
                self.send({"do": "hello", "version": 2, "tokens": self.tokens, "since": self.seq})
                return
            await asyncio.sleep(STEP)

    def send(self, wish: dict[str, Any]) -> None:
        """Say something."""
        if self.line is not None:
            self.line.send(encode(wish))

    def hear(self, body: bytes) -> None:
        """Take in what the server says."""
        word = read_word(body)
        if word.say == "update" and word.view is not None and word.table is not None:
            if word.since > self.seq or (self.seq and [one.seq for one in word.changes][:1] > [word.since + 1]):
                self.crowd.fault(f"{self.match.table}: told from {word.since} to {word.seq}, knew {self.seq}")
            self.seq = max(self.seq, word.seq)
            if word.seq == self.seq:
                self.moves = word.view.moves
                self.match.updated(self, word)
        elif word.id is not None:
            self.match.answered(word)

    def lost(self) -> None:
        """Come back, unless it was meant."""
        if self.line is not None and not self.closed:
            self.crowd.lost_lines += 1
            self.line, self.moves = None, []
            self.match.forget()
            self.crowd.start(self.connect())

    def close(self) -> None:
        """Leave."""
        self.closed = True
        if self.line is not None:
            self.line.transport.close()


class Match:
    """One table and those at it."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self.crowd, self.number = crowd, number
        self.address = address(crowd.orders.network, number)
        self.table = ""
        self.players: list[Player] = []
        self.asked: tuple[int, float, Player, int, msgspec.Raw] | None = None
        """The move that waits for its answer: id, when it was due, who, in answer to which number, what."""
        self.owed: deque[float] = deque()
        """When the moves were due that were not made yet."""
        self.over = False
        self.acknowledged = 0

    async def begin(self) -> None:
        """A table of one's own, and everybody sits down."""
        await self.make()
        await asyncio.gather(*(player.connect() for player in self.players))

    async def make(self) -> None:
        """Make a table, without a socket yet."""
        crowd = self.crowd
        seats = [{"kind": "bot", "level": level} if level != "open" else {"kind": "screen", "name": f"script {seat}"}
                 for seat, level in enumerate(crowd.orders.seats)]  # fmt: skip
        wanted = {"game": crowd.orders.game, "seats": seats, "start": True}
        while True:
            port = crowd.orders.ports[self.number % len(crowd.orders.ports)]
            made = await post(port, "/api/tables", wanted, self.address)
            if "table" in made:
                break
            if made.get("code", "busy") != "busy":
                raise RuntimeError(f"no table could be made: {made}")
            await asyncio.sleep(0.2)
        self.table, self.over = made["table"], False
        self.acknowledged = 0
        ports = crowd.orders.ports
        self.players = [
            Player(crowd, self, int(seat), ports[(self.number + int(seat)) % len(ports)], [token])
            for seat, token in made["tokens"].items()
        ]

    async def begin_again(self) -> None:
        """The next table."""
        for player in self.players:
            player.close()
        self.asked = None
        await self.begin()
        self.owed.clear()

    def tick(self) -> None:
        """A move is due."""
        self.owed.append(self.crowd.clock())
        self.move()

    def move(self) -> None:
        """Whoever may, moves, if it is time."""
        crowd = self.crowd
        if self.asked is not None or self.over or not crowd.playing:
            return
        if crowd.orders.every is not None and not self.owed:
            return
        for player in self.players:
            if player.moves and player.line is not None and player.seq >= self.acknowledged:
                number = crowd.next_id()
                chosen = crowd.random.choice(player.moves)
                due = self.owed.popleft() if self.owed else crowd.clock()
                self.asked = number, due, player, player.seq, chosen
                player.moves = []
                player.send({"do": "move", "id": number, "seat": player.seat, "seq": player.seq, "move": chosen})
                return

    def updated(self, player: Player, word: Word) -> None:
        """Something is new."""
        assert word.table is not None
        if word.seq < self.acknowledged and player is self.players[0] and word.since == 0:
            self.crowd.fault(f"{self.table}: at {word.seq}, but {self.acknowledged} was acknowledged")
        if word.table.status == "over":
            if not self.over:
                self.over = True
                self.crowd.games += 1
                self.crowd.start(self.begin_again())
            return
        self.move()

    def answered(self, word: Word) -> None:
        """The server says done, or no."""
        if self.asked is None or self.asked[0] != word.id:
            return
        _, due, player, seq, chosen = self.asked
        self.asked = None
        if word.say == "done":
            self.acknowledged = max(self.acknowledged, word.seq)
            self.crowd.acknowledge(Acknowledged(self.table, seq + 1, player.seat, chosen), due)
        else:
            self.crowd.refused[word.code] = self.crowd.refused.get(word.code, 0) + 1
            if word.code in NOT_NOW:
                asyncio.get_running_loop().call_later(4 * STEP, self.again, player, seq, chosen)
        self.move()

    def again(self, player: Player, seq: int, chosen: msgspec.Raw) -> None:
        """Make a move that could not be stored then, unless the table has gone on."""
        if player.seq == seq and not player.moves:
            player.moves = [chosen]
            self.move()

    def forget(self) -> None:
        """A line broke: whether the last move arrived is not known."""
        self.asked = None


class Crowd:
    """All of them."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.random = random.Random(orders.seed)
        self.acknowledged: list[Acknowledged] = []
        self.latencies: list[float] = []
        self.refused: dict[str, int] = {}
        self.faults: list[str] = []
        self.games = self.lost_lines = 0
        self.playing = False
        self.measured_from = 0.0
        self._ids = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def clock(self) -> float:
        """Return the seconds by which waits are measured; 0 of a server that is gone."""
        if self.orders.pid is None:
            return time.perf_counter()
        try:
            return processor_time(self.orders.pid)
        except OSError:
            return 0.0

    def next_id(self) -> int:
        """A number that was not used."""
        self._ids += 1
        return self._ids

    def start(self, work: Any) -> None:
        """Do something meanwhile."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def fault(self, message: str) -> None:
        """Note what must not be."""
        self.faults.append(message)

    def acknowledge(self, done: Acknowledged, due: float) -> None:
        """A move is stored, says the server."""
        self.acknowledged.append(done)
        if due >= self.measured_from:
            self.latencies.append(self.clock() - due)

    async def pace(self, match: Match, first: float) -> None:
        """A move every so often, whatever the answers do."""
        every = self.orders.every
        assert every is not None
        at = first
        while True:
            await asyncio.sleep(at - time.perf_counter())
            match.tick()
            at += every

    async def run(self) -> Report:
        """Sit down, play, report."""
        matches = [Match(self, number) for number in range(self.orders.tables)]
        for some in range(0, len(matches), 20):
            await asyncio.gather(*(match.begin() for match in matches[some : some + 20]))
        print("ready", flush=True)
        began, used = time.perf_counter(), time.process_time()
        self.measured_from = self.clock() + self.orders.warm
        self.playing = True
        for number, match in enumerate(matches):
            if self.orders.every is None:
                match.move()
            else:
                self.start(self.pace(match, began + self.orders.every * number / len(matches)))
        if self.orders.seconds is None:
            await asyncio.to_thread(sys.stdin.buffer.read)
        else:
            await asyncio.sleep(self.orders.warm + self.orders.seconds)
        self.playing = False
        ended, processor = time.perf_counter(), time.process_time() - used
        while any(match.asked is not None for match in matches) and time.perf_counter() < ended + 10:
            await asyncio.sleep(0.02)
        return Report(
            seconds=ended - began - self.orders.warm,
            moves=len(self.latencies),
            latencies=self.latencies,
            refused=self.refused,
            lost_lines=self.lost_lines,
            games=self.games,
            acknowledged=self.acknowledged,
            processor=processor,
            faults=self.faults,
        )


def main() -> None:
    """Orders on standard input, `ready` and then the report on standard output."""
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    try:
        from uvloop import run
    except ImportError:
        run = asyncio.run  # type: ignore[assignment]
    report = run(Crowd(orders).run())
    sys.stdout.buffer.write(encode(report) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
