"""The games for programs in any language: one JSON object a line in, one a line out. docs/stdio.md is its manual."""

from __future__ import annotations

import io
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET

from lampion import bounds
from lampion.adapters import stdio_requests as ask
from lampion.bots import BadBot, Maker, named
from lampion.bots.names import known
from lampion.bots.player import seat_seed
from lampion.games import core, registry
from lampion.games.core import CHANCE, EVERYTHING, OVER, SPECTATOR
from lampion.games.editions import standard
from lampion.games.move_types import Event, event, notation
from lampion.locale import Problem, short, speaking, written
from lampion.locale.decode_errors import wrong_form
from lampion.play import BadRecord, Chance, Entropy, Position, Record, SeatInfo, Seeded, Sight
from lampion.play.chance import BadSeed
from lampion.play.record import ChanceInfo

LONGEST = 1 << 20
"""Most bytes of a request."""

Answer = dict[str, Any]


class BadJson(Problem):
    """A line that is not JSON."""


class BadRequest(Problem):
    """JSON, but not a request."""


class NoGame(Problem):
    """A request about a game where none is started."""


class NothingToUndo(Problem):
    """A game without a move to take back."""


class Fault(Problem):
    """An internal error."""


CODES: dict[type[Problem], str] = {
    BadJson: "bad_json",
    BadRequest: "bad_request",
    NoGame: "no_game",
    core.BadSetup: "bad_setup",
    BadSeed: "bad_setup",
    core.BadComponents: "bad_components",
    core.BadPosition: "bad_position",
    BadRecord: "bad_record",
    core.UnreadableMove: "unreadable_move",
    core.IllegalMove: "illegal_move",
    core.OutOfTurn: "out_of_turn",
    core.BadMove: "illegal_move",
    BadBot: "bad_bot",
    NothingToUndo: "nothing_to_undo",
    Fault: "fault",
}
"""The `error` of a refusal, by the kind of problem; a move after the end has OVER_CODE."""
OVER_CODE = "over"
ACCEPTED: Answer = {"ok": True}


@dataclass(frozen=True)
class StdioGame:
    """A game being played here: where chance comes from (None: from the caller), and what its record will say."""

    position: Position
    stream: Chance | None
    chance: ChanceInfo
    seats: list[SeatInfo] | None = None
    date: str | None = None


class StdioSession:
    """One caller's game, and the answers about it. A refused request leaves it as it was."""

    def __init__(self) -> None:
        self._game: StdioGame | None = None

    def answer(self, line: str | bytes) -> str:
        """Return the answer to one line, as a line without its end."""
        id: Any = None
        ply = self._game.position.ply if self._game else 0
        try:
            try:
                data = read_line(line)
                id = data.get("id")
                answer = ACCEPTED | self._do(read_request(data))
            except Problem as problem:
                answer = refusal(problem)
            except RecursionError:
                answer = refusal(BadJson("stdio.too_deep"))
        except Exception as error:
            answer = refusal(Fault("stdio.fault", detail=f"{type(error).__name__}: {error}"[:200]))
        while not answer["ok"] and self._game is not None and self._game.position.ply > ply:
            self._game.position.pop()
        if isinstance(id, int | str) and not isinstance(id, bool):
            answer["id"] = id
        return msgspec.json.encode(answer).decode()

    def _do(self, request: ask.Request) -> Answer:
        match request:
            case ask.Games():
                return {"games": [traits(name) for name in registry.games()]}
            case ask.New() | ask.Set():
                return self._start(request)
            case ask.Load():
                return self._load(request)
        current = self._game
        if current is None:
            raise NoGame("stdio.no_game")
        position = current.position
        match request:
            case ask.Legal():
                seat = position.actor if request.seat is None else seat_of(position, request.seat)
                listed = {"ids": position.legal_ids(seat).tolist()} if request.ids else {"moves": moves(position, seat)}
                drawn_from = {"source": position.source} if seat == CHANCE == position.actor else {}
                return turn(position) | drawn_from | listed
            case ask.Play():
                seat, viewer = mover(position, request.seat), viewer_of(position, request.viewer)
                return make(current, position.id_of(request.move), seat, viewer)
            case ask.Bot():
                seat, viewer = mover(position, request.seat), viewer_of(position, request.viewer)
                id, chosen = choose(current, seat, request)
                return chosen | (make(current, id, seat, viewer) if request.play else turn(position))
            case ask.Preview():
                seat, viewer = mover(position, request.seat), viewer_of(position, request.viewer)
                return {"previews": [position.preview(move, seat, viewer) for move in request.moves]}
            case ask.Undo():
                return self._undo(current)
            case ask.View():
                return {"view": position.view(watcher(position, request))}
            case ask.Picture():
                return {"picture": position.text(watcher(position, request))}
            case ask.Result():
                return {"result": position.outcome()}
            case ask.Record():
                seats = current.seats if request.seats is None else request.seats
                if seats is not None and len(seats) != position.players:
                    raise BadRecord("record.seats", seats=len(seats), players=position.players)
                return {"record": Record.of(position, seats, chance=current.chance, date=current.date)}

    def _start(self, request: ask.New | ask.Set) -> Answer:
        """Start a game at its set-up or at a given position."""
        stream, chance = chance_of(request)
        setting = (request.game, request.players, request.options)
        if isinstance(request, ask.Set):
            position = Position.from_view(*setting, request.position, components=request.components)
        else:
            position = Position(*setting, components=request.components)
        return self._begin(StdioGame(position, stream, chance), request)

    def _load(self, request: ask.Load) -> Answer:
        """Load a recorded game, which goes on with the chance it was played with."""
        try:
            record = Record.from_data(request.record)
            position = record.check()
            stream = stream_of(record.chance)
        except BadRecord:
            raise
        except Problem as problem:
            raise BadRecord("record.wrong", detail=str(problem)) from problem
        return self._begin(StdioGame(position, stream, record.chance, record.seats, record.date), request)

    def _begin(self, current: StdioGame, request: ask.New | ask.Set | ask.Load) -> Answer:
        position = current.position
        viewer = viewer_of(position, request.viewer)
        opening = position.opening(viewer) if position.ply == 0 else []
        summary = {"game": position.game.name, "players": position.players, "options": position.options}
        answer = summary | {"events": opening + deal(current, viewer)} | turn(position)
        self._game = current
        return answer

    def _undo(self, current: StdioGame) -> Answer:
        """Go back to before the last move; where chance moves by itself, to before the last decision."""
        position = current.position
        back = position.ply - 1
        while current.stream is not None and back >= 0 and position.played[back].seat == CHANCE:
            back -= 1
        if back < 0:
            raise NothingToUndo("stdio.nothing_to_undo")
        before = position.at(back)
        answer = {"undone": [[actor_name(seat), move] for seat, move in position.moves[back:]]} | turn(before)
        self._game = replace(current, position=before)
        return answer


def read_line(line: str | bytes) -> dict[str, Any]:
    """Return the object on a line; raise BadJson or BadRequest where there is no object or a key is repeated."""
    encoded = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    if len(encoded) > LONGEST:
        raise BadJson("stdio.too_long", most=LONGEST)
    try:
        text = encoded.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadJson("stdio.utf8") from None
    try:
        data = bounds.read_json(text)
        bounds.check_data(data, bounds.REQUEST)
    except json.JSONDecodeError as error:
        raise BadJson("stdio.bad_json_at", byte=len(text[: error.pos].encode())) from None
    except bounds.OutOfBounds as found:
        kind = BadRequest if isinstance(found, bounds.DuplicateName) else BadJson
        raise kind(found.key, **found.values) from None
    if not isinstance(data, dict):
        raise BadRequest("stdio.not_object")
    return data


def read_request(data: dict[str, Any]) -> ask.Request:
    """Return the typed request in an object; raise BadRequest where it is not a request."""
    known = [request.__struct_config__.tag for request in ask.REQUESTS]
    if data.get("do") not in known:
        raise BadRequest("stdio.do", do=written(data.get("do", "")), known=", ".join(map(str, known)))
    try:
        request: ask.Request = msgspec.convert(data, ask.Request)
    except msgspec.ValidationError as error:
        raise BadRequest("stdio.form", do=data["do"], detail=wrong_form(error)) from None
    return request


def refusal(problem: Problem) -> Answer:
    """Return the answer for a problem: a code for programs and a sentence for people."""
    code = next(code for kind, code in CODES.items() if isinstance(problem, kind))
    if problem.key == "error.over":
        code = OVER_CODE
    return {"ok": False, "error": code, "reason": str(problem)}


def chance_of(request: ask.New | ask.Set) -> tuple[Chance | None, ChanceInfo]:
    """Return the source of chance of a request, by default the operating system."""
    if request.seed is not None and request.chance is not None:
        raise BadRequest("stdio.two_chances")
    if request.seed is not None:
        info = ChanceInfo("seeded", request.seed)
    else:
        info = ChanceInfo(request.chance or "entropy")
    return stream_of(info), info


def stream_of(info: ChanceInfo) -> Chance | None:
    """Return the stream of chance that a record names; None for chance typed in."""
    if info.kind == "manual":
        return None
    return Seeded(info.seed) if info.seed is not None else Entropy()


def deal(current: StdioGame, viewer: int) -> list[Event]:
    """Make moves of chance until a seat decides; return their events, as the viewer may know them."""
    position, events = current.position, []
    while current.stream is not None and position.actor == CHANCE:
        seen = position.push_chance(current.stream)
        if viewer != EVERYTHING:
            id = position.played[-1].id
            position.pop()
            rows = position.push_rows(id, CHANCE)
            seen = [event(position.game, position.edition.box, row, viewer) for row in rows]
        events += seen
    return events


def make(current: StdioGame, id: int, seat: int, viewer: int) -> Answer:
    """Make a move and the chance moves after it; return the events and the next actor."""
    position = current.position
    rows = position.push_rows(id, seat)
    events = [event(position.game, position.edition.box, row, viewer) for row in rows]
    return {"events": events + deal(current, viewer)} | turn(position)


def choose(current: StdioGame, seat: int, request: ask.Bot) -> tuple[int, Answer]:
    """Return the id of the move that a bot chooses for a seat, and the answer that describes it.

    A new bot makes this one choice: it follows from the position, the effort and the game's seed, not from earlier
    requests.
    """
    position = current.position
    if position.actor == CHANCE:
        raise core.OutOfTurn("stdio.bot_chance")
    if seat not in position.pending:
        raise core.OutOfTurn("error.out_of_turn", seat=seat, expected=", ".join(map(str, position.pending)))
    sight = Sight(position, seat)
    drawn = secrets.randbits(64) if current.chance.seed is None else current.chance.seed
    bot = bot_of(request).sit(sight, seat_seed(drawn, seat))
    id = bot.choose(sight)
    move = position.move(id)
    answer = {"seat": seat, "move": move, "notation": notation(move)}
    return id, answer | {"simulations": getattr(bot, "simulations", 0)}


def bot_of(request: ask.Bot) -> Maker:
    """Return the built-in bot of a request; raise BadBot for a program."""
    if request.ms is not None and request.sims is not None:
        raise BadBot("error.bot_both_efforts")
    if request.level not in known():
        raise BadBot("error.bot", bot=short(request.level), known=", ".join(known()))
    efforts = [
        f":{name}={effort}" for name, effort in (("ms", request.ms), ("sims", request.sims)) if effort is not None
    ]
    return named(request.level + "".join(efforts))


def actor_name(seat: int) -> ask.Seat | None:
    """Return a seat, "chance", or None after the end."""
    return "chance" if seat == CHANCE else None if seat == OVER else seat


def turn(position: Position) -> Answer:
    """Return the actor and all seats that owe a decision."""
    return {"actor": actor_name(position.actor), "pending": position.pending}


def seat_of(position: Position, seat: ask.Seat) -> int:
    """Return a seat of this game, or CHANCE; raise BadRequest for any other."""
    if seat == "chance":
        return CHANCE
    if not 0 <= seat < position.players:
        raise BadRequest("stdio.seat", seat=seat, last=position.players - 1)
    return seat


def mover(position: Position, seat: ask.Seat | None) -> int:
    """Return the mover of a request: the seat that it names, or the actor."""
    if position.is_over:
        raise core.OutOfTurn("error.over")
    return position.actor if seat is None else seat_of(position, seat)


def viewer_of(position: Position, viewer: ask.Viewer) -> int:
    """Return the viewer of an answer."""
    if viewer is UNSET:
        return EVERYTHING
    return SPECTATOR if viewer is None else seat_of(position, viewer)


def watcher(position: Position, request: ask.View | ask.Picture) -> int:
    """Return the viewer of a request for a view."""
    if request.everything and request.seat is not None:
        raise BadRequest("stdio.two_viewers")
    return viewer_of(position, UNSET if request.everything else request.seat)


def moves(position: Position, seat: int) -> list[Answer]:
    """Return the moves of a seat, each in every way to write it."""
    moves, box, state = position.game.notation, position.edition.box, position.state
    found = []
    for id in position.legal_ids(seat).tolist():
        move = moves.move(box, state, id)
        found.append({"id": id, "notation": notation(move), "move": move})
    if seat == CHANCE:
        for listed, (_, weight) in zip(found, position.chances(), strict=True):
            listed["weight"] = weight
    return found


@cache
def traits(name: str) -> Answer:
    """Return the traits of a game that a caller may need before playing it."""
    game = registry.game(name)
    return {
        "name": game.name,
        "rules": game.version,
        "edition": standard(game.name).hash,
        "players": list(game.players),
        "hidden": game.hidden,
        "simultaneous": game.simultaneous,
        "ids": game.ids,
        "longest": game.longest,
        "options": [
            {
                "name": option.name,
                "default": {str(players): option.default_for(players) for players in game.players},
                "choices": {str(players): list(option.choices(players)) for players in game.players},
            }
            for option in game.options
        ],
    }


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; a line that is too long is cut just above the limit."""
    while line := stream.readline(LONGEST + 1):
        rest = line
        while len(rest) > LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST + 1)
        yield line


def serve(
    source: Iterable[str] | Iterable[bytes] | None = None,
    write: Callable[[str], None] | None = None,
    language: str | None = None,
) -> None:
    """Answer every line until the end of the input; without `source` and `write`, on the standard streams.

    `write` gets an answer without the end of its line and must not buffer it. A closed pipe ends the loop.
    """
    source = sys.stdin if source is None else source
    session = StdioSession()
    try:
        with speaking(language):
            for line in lines(source.buffer) if isinstance(source, io.TextIOWrapper) else source:
                (write or write_out)(session.answer(line))
    except BrokenPipeError:
        # What is left in Python's buffer has nowhere to go: without this it would complain at exit.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_out(line: str) -> None:
    """Write a line to standard output, in UTF-8 whatever the encoding of the terminal."""
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()
