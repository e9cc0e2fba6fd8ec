"""Messages that must be refused, thrown at a real server: garbage, spoilt wishes, other people's seats, old numbers."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from mutations import NONSENSE, spoiled

from .people import ConnectionClosed, Person, Server

FRESH = 100
"""Messages after which a socket is left for one from another address, so that its rate is not what refuses them."""
MOST_BYTES = 256 * 1024
"""A longer message ends the socket."""
ENGLISH = ("Expected `", "Object missing", "Object contains", "Invalid value", "Invalid enum", "Traceback", 'File "')
"""What a reason in French never has in it."""

CODE = "A" * 32
WISHES: list[dict[str, Any]] = [
    {"do": "hello", "version": 2, "tokens": [CODE], "since": 0, "language": "fr"},
    {"do": "sit", "seat": 0, "name": "Eve", "commit": "ab" * 32}, {"do": "stand", "seat": 0, "level": "spark"},
    {"do": "put_bot", "seat": 0, "level": "spark"}, {"do": "kick", "seat": 1}, {"do": "start"}, {"do": "close"},
    {"do": "move", "seat": 0, "seq": 3, "move": {"kind": "place", "tile": 1, "x": 0, "y": 1, "turn": 0}},
    {"do": "move", "seat": 1, "seq": 3, "move": {"kind": "shade", "zone": 7}}, {"do": "undo", "seat": 0, "seq": 3},
    {"do": "answer", "seat": 0, "agrees": True}, {"do": "preview", "seat": 0, "moves": [{"kind": "pass"}]},
    {"do": "pause", "seat": 0, "on": False}, {"do": "replace", "seat": 0, "level": "sun"}, {"do": "return", "seat": 0},
    {"do": "handover", "seat": 0}, {"do": "claim", "code": CODE}, {"do": "rematch"},
    {"do": "greet", "seat": 0, "emoji": "👏"}, {"do": "hint", "seat": 0},
]  # fmt: skip


@dataclass(frozen=True)
class Attack:
    """One message: to which table, with whose token, as text or as bytes."""

    table: str
    seated: bool
    body: str | bytes
    as_text: bool = False
    """Bytes that say they are text."""


def written(wish: Any) -> str:
    """As JSON, with what JSON has no words for: NaN, and halves of letters."""
    return json.dumps(wish)


def texts(wishes: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    """Wishes as text, whole or broken off."""
    whole = wishes.map(written)
    return st.one_of(whole, whole, whole, st.tuples(whole, st.integers(1, 60)).map(lambda one: one[0][: -one[1]]))


NESTED = st.recursive(
    NONSENSE, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner), max_leaves=12
)
GARBAGE: st.SearchStrategy[str] = st.one_of(
    st.text(max_size=60),
    NONSENSE.map(written),
    NESTED.map(written),
    st.sampled_from([100, 1_000, 9_000, 30_000]).map(lambda depth: "[" * depth + "]" * depth),
    st.sampled_from([100, 1_000, 9_000]).map(lambda depth: '{"do":' * depth + "1" + "}" * depth),
    st.sampled_from([10, 400, 5_000]).map(lambda digits: '{"do": "undo", "seat": 0, "seq": ' + "9" * digits + "}"),
    st.sampled_from([65_000, 65_537, 200_000, MOST_BYTES + 1]).map(lambda size: "x" * size),
    st.sampled_from([1_000, 60_000]).map(lambda size: written({"do": "start", "x" * size: "é" * (size // 8)})),
    st.sampled_from(['{"do":"start"} {"do":"start"}', '{"do":"start","do":"x"}', '"\\ud800"', "\ufeff{}", "{}", ""]),
)  # fmt: skip


@st.composite
def wrong_moves(draw: st.DrawFn, move: dict[str, Any]) -> Any:
    """A move with something in it that no move has."""
    never = st.sampled_from([2**31, -(2**63), 10**30, 0.5, "✗", [[]], {"a": 1}, [None], "x" * 3000, "\ud800"])
    name = draw(st.sampled_from(sorted(move)))
    match draw(st.integers(0, 2)):
        case 0:
            return {key: value for key, value in move.items() if key != name}
        case 1:
            return move | {name: draw(never)}
        case _:
            return move | {draw(st.text(min_size=6, max_size=9)): draw(NONSENSE)}


class Siege:
    """Tables in all states, people at them, and whoever wants to break in."""

    def __init__(self, server: Server) -> None:
        self.server = server
        made = {
            "open": server.make("iles", ("Ann",), ("Bob",)),
            "playing": server.make("lanternes", ("Ann",), ("Bob",), options={"first": 0}, start=True),
            "together": server.make("dice", ("Ann",), ("Bob",), start=True),
            "paused": server.make("lumens", ("Ann",), ("Bob",), options={"first": 0}, start=True),
            "over": server.make("iles", "spark", "spark", start=True),
            "closed": server.make("lumens", ("Ann",), ("Bob",), start=True),
        }
        self.made = made
        with Person(server, made["over"]["table"]) as watcher:  # bots rest where nobody is connected
            watcher.until(lambda word: watcher.latest["table"]["status"] == "over")
        for name, do, more in (("paused", "pause", {"seat": 0, "on": True}), ("closed", "close", {})):
            with Person(server, made[name]["table"], made[name]["host"], made[name]["tokens"]["0"]) as ann:
                assert ann.ask(do, **more)["say"] == "done"
        self.moves = {}
        for name in ("playing", "together"):
            with Person(server, made[name]["table"], made[name]["tokens"]["0"]) as ann:
                self.moves[name] = ann.view["moves"], ann.seq
        self.sockets: dict[tuple[str, bool], tuple[Person, list[None]]] = {}
        self.opened = 0
        self.before = self.stored()
        self.codes: dict[str, int] = {}

    def attacks(self) -> st.SearchStrategy[Attack]:
        """Any of it."""
        tables = st.sampled_from(sorted(self.made))
        foreign = texts(st.one_of(st.sampled_from(WISHES), st.sampled_from(WISHES).flatmap(spoiled)))
        return st.one_of(
            st.builds(Attack, tables, st.booleans(), GARBAGE),
            st.builds(Attack, tables, st.booleans(), st.binary(max_size=40), st.booleans()),
            st.builds(Attack, tables, st.just(False), foreign),
            st.sampled_from(sorted(self.moves)).flatmap(self.of_a_player),
            st.sampled_from(sorted(self.moves)).flatmap(self.of_a_player),
        )

    def of_a_player(self, table: str) -> st.SearchStrategy[Attack]:
        """What somebody who is to move may try."""
        moves, seq = self.moves[table]
        move = st.sampled_from(moves)
        wrong = move.flatmap(wrong_moves)
        wishes = st.one_of(
            st.builds(lambda move: {"do": "move", "seat": 0, "seq": seq, "move": move}, wrong),
            st.builds(
                lambda moves: {"do": "preview", "seat": 0, "moves": moves}, st.lists(wrong, min_size=1, max_size=5)
            ),
            st.builds(
                lambda move, old: {"do": "move", "seat": 0, "seq": old, "move": move}, move, st.integers(0, seq - 1)
            ),
            st.builds(lambda move: {"do": "move", "seat": 0, "seq": seq + 1, "move": move}, move),
            st.builds(lambda move: {"do": "move", "seat": 1, "seq": seq, "move": move}, move),
            st.builds(lambda old: {"do": "undo", "seat": 0, "seq": old}, st.integers(0, seq)),
            st.sampled_from([wish | {"seat": 1} for wish in WISHES if "seat" in wish]),
        )
        return st.builds(Attack, st.just(table), st.just(True), texts(wishes))

    def person(self, table: str, seated: bool) -> tuple[Person, list[None]]:
        """A socket that is not worn out."""
        found = self.sockets.get((table, seated))
        if found is not None and len(found[1]) < FRESH:
            return found
        if found is not None:
            found[0].close()
        made = self.made[table]
        tokens = [made["tokens"]["0"]] if seated and made["tokens"] else []
        self.opened += 1
        source = f"127.6.{self.opened // 250 % 250}.{self.opened % 250 + 1}"
        fresh = Person(self.server, made["table"], *tokens, language="fr", source=source), list[None]()
        fresh[0].until(lambda word: word["say"] == "done")
        self.sockets[table, seated] = fresh
        return fresh

    def throw(self, attack: Attack) -> None:
        """Send it and see it refused."""
        person, worn = self.person(attack.table, attack.seated)
        worn.append(None)
        try:
            if isinstance(attack.body, bytes):
                person.socket.send(attack.body, text=attack.as_text)
            else:
                person.socket.send(attack.body.encode("utf-8", "surrogatepass"), text=True)
            word = person.until(lambda word: word["say"] not in ("update", "presence", "thinking"))
        except ConnectionClosed:
            assert too_long(attack) or not is_text(attack), attack
            del self.sockets[attack.table, attack.seated]
            code = "closed"
        else:
            code = self.judge(attack, word)
        self.codes[code] = self.codes.get(code, 0) + 1

    @staticmethod
    def judge(attack: Attack, word: dict[str, Any]) -> str:
        """A no with a reason in the language of the page, or outlooks none of which is good."""
        if word["say"] == "previews":
            assert all(outlook["reason"] for outlook in word["outlooks"]), (attack, word)
            return "previews"
        assert word["say"] == "no", (attack, word)
        assert word["code"] != "fault", (attack, word)
        assert word["reason"], (attack, word)
        assert len(word["reason"]) < 600, (attack, word)
        assert not any(one in word["reason"] for one in ENGLISH), (attack, word)
        return str(word["code"])

    def stored(self) -> list[tuple[Any, ...]]:
        """All that the database has."""
        with sqlite3.connect(f"file:{self.server.db}?mode=ro", uri=True) as database:
            return list(database.execute("select * from events order by game, seq"))

    def resident(self) -> int:
        """Kilobytes of memory that the server has."""
        for line in Path(f"/proc/{self.server.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise AssertionError("no such line")

    def over(self) -> None:
        """Nothing was changed, the server is alive, and people play on."""
        assert self.stored() == self.before
        assert self.server.process.poll() is None
        for person, _ in self.sockets.values():
            person.close()
        self.sockets.clear()
        for name in self.moves:
            made = self.made[name]
            with Person(self.server, made["table"], made["tokens"]["0"]) as ann:
                assert ann.move()["say"] == "done"


def too_long(attack: Attack) -> bool:
    """Whether it ends the socket by its length."""
    body = attack.body if isinstance(attack.body, bytes) else attack.body.encode("utf-8", "surrogatepass")
    return len(body) > MOST_BYTES


def is_text(attack: Attack) -> bool:
    """Whether what says it is text is text; what is not ends the socket."""
    if isinstance(attack.body, bytes) and not attack.as_text:
        return True
    try:
        body = attack.body if isinstance(attack.body, bytes) else attack.body.encode()
        body.decode()
    except UnicodeError:
        return False
    return True
