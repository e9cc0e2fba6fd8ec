"""A played game as a file: JSON that is complete without a seed, described in docs/record.md."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion import bounds
from lampion.games import core, registry
from lampion.games.core import CHANCE, BadMove, BadSetup
from lampion.games.editions import edition
from lampion.games.move_types import Plain
from lampion.locale import why
from lampion.locale.decode_errors import wrong_form
from lampion.play.chance import MOST_SEED
from lampion.play.fair import Terms, seal_of
from lampion.play.outcome import Outcome
from lampion.play.position import Position
from lampion.play.recorded_chance import BadRecord, ChanceInfo, epoch_at

FORMAT = "lampion"
VERSION = 1

Word = Annotated[str, Meta(max_length=bounds.MOST_WORD, pattern=bounds.VISIBLE)]
Name = Annotated[str, Meta(max_length=bounds.MOST_NAME, pattern=bounds.VISIBLE)]
Level = Annotated[str, Meta(max_length=bounds.MOST_LEVEL, pattern=bounds.VISIBLE)]
Hex = Annotated[str, Meta(max_length=bounds.MOST_HEX)]
Fields = Annotated[dict[str, Any], Meta(max_length=bounds.MOST_FIELDS)]
Count = Annotated[int, Meta(ge=0, le=bounds.MOST_NUMBER)]
Mover = Annotated[int, Meta(ge=0)] | Literal["chance"]


class SeatInfo(Plain, frozen=True, omit_defaults=True):
    """Who sat at a seat."""

    name: Name
    kind: Literal["human", "bot"] = "human"
    level: Level | None = None
    version: Word | None = None

    def __post_init__(self) -> None:
        """Raise BadRecord for a seat without a name."""
        if bounds.is_blank(self.name):
            raise BadRecord("record.nameless")


class HintsInfo(Plain, frozen=True):
    """The hints of a game: how many each seat could ask for, and by seat how many it did."""

    allowed: Count
    used: Annotated[list[Count], Meta(max_length=core.MOST_SEATS)]


class Note(Plain, frozen=True):
    """What somebody wrote about a moment of a game: after `ply` moves."""

    ply: Count
    seat: Count
    text: Annotated[str, Meta(min_length=1, max_length=bounds.MOST_NOTE, pattern=bounds.VISIBLE)]

    def __post_init__(self) -> None:
        """Raise BadRecord for a note in which nothing can be read."""
        if bounds.is_blank(self.text):
            raise BadRecord("record.blank_note", ply=self.ply)


class Continues(Plain, frozen=True):
    """The game whose first `ply` moves begin this one, by the id of its table."""

    table: Annotated[str, Meta(max_length=64, pattern=bounds.VISIBLE)]
    ply: Count


class EditionInfo(Plain, frozen=True):
    """The components the game was played with, whole, and their hash."""

    hash: Hex
    components: dict[str, Any]


def _as_read(move: Any) -> Any:
    """Return a move as it would be read from a file, where a tuple is a list."""
    return msgspec.json.decode(msgspec.json.encode(move))


class Record(Plain, frozen=True, kw_only=True, omit_defaults=True):
    """A game from its set-up (or from `start`) on: every move, chance included."""

    format: Word
    version: Count
    game: Word
    rules: Count
    players: Count
    options: Fields
    edition: EditionInfo
    seats: Annotated[list[SeatInfo], Meta(max_length=core.MOST_SEATS)]
    date: Word
    after: Annotated[str, Meta(max_length=64, pattern=bounds.VISIBLE)] | None = None
    """The table whose rematch this game was."""
    continues: Continues | None = None
    """Only of a game that was played on from a moment of another."""
    chance: ChanceInfo
    start: dict[str, Any] | None = None
    moves: Annotated[list[tuple[Mover, Fields]], Meta(max_length=bounds.MOST_MOVES)]
    milliseconds: Annotated[list[Count], Meta(max_length=bounds.MOST_MOVES)] | None = None
    hints: HintsInfo | None = None
    """Only of a game that was played with hints."""
    notes: Annotated[tuple[Note, ...], Meta(max_length=bounds.MOST_NOTES)] = ()
    """In the order of the moments."""
    result: Outcome | None = None

    @classmethod
    def of(
        cls,
        position: Position,
        seats: Sequence[SeatInfo] | None = None,
        *,
        chance: ChanceInfo | None = None,
        date: str | None = None,
        milliseconds: Sequence[int] | None = None,
    ) -> Record:
        """Return the record of a game as it stands."""
        return cls(
            format=FORMAT,
            version=VERSION,
            game=position.game.name,
            rules=position.game.version,
            players=position.players,
            options=dict(position.options),
            edition=EditionInfo(position.edition.hash, dict(position.edition.data)),
            seats=list(seats) if seats is not None else [SeatInfo(name) for name in position.names()],
            date=date or datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            chance=chance or ChanceInfo("manual"),
            start=msgspec.to_builtins(position.start) if position.start is not None else None,
            moves=[("chance" if seat == CHANCE else seat, _as_read(move)) for seat, move in position.moves],
            milliseconds=list(milliseconds) if milliseconds is not None else None,
            result=position.outcome(),
        )

    @property
    def terms(self) -> Terms:
        """Return all that was agreed on before the game except the seats."""
        return Terms(self.game, self.rules, self.players, self.options, self.edition.hash)

    @property
    def seal(self) -> str | None:
        """Return the hash of the promise, the terms and the seats with their commitments; None without commitments."""
        if self.chance.promise is None or not any(self.chance.commits):
            return None
        commits = iter(self.chance.commits)
        seats = [None if seat.kind == "bot" else next(commits, "") for seat in self.seats]
        return seal_of(self.chance.promise, self.terms, seats)

    def to_json(self) -> str:
        """Return the text of the file: one line for each move, readable for people and in a diff."""
        data = msgspec.to_builtins(self)
        moves = ",\n  ".join(json.dumps(move, ensure_ascii=False) for move in data.pop("moves"))
        result = data.pop("result", None)
        head = ",\n ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items())
        tail = f',\n "result": {json.dumps(result, ensure_ascii=False)}' if result is not None else ""
        return f'{{{head},\n "moves": [\n  {moves}\n ]{tail}}}\n' if moves else f'{{{head},\n "moves": []{tail}}}\n'

    def save(self, path: Path) -> None:
        """Write the file."""
        path.write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Record:
        """Return the record in a file; raise BadRecord with what is wrong with it."""
        try:
            found = bounds.read_bytes(path, bounds.MOST_RECORD)
        except (OSError, ValueError) as error:  # ValueError: letters that no file's name has
            raise BadRecord("record.unreadable", file=str(path), detail=why(error)) from error
        if found is None:
            raise BadRecord("record.size", most=bounds.MOST_RECORD)
        return cls.from_json(found)

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """Return the record in the text of a file; raise BadRecord where it is not a valid one."""
        if len(text) > bounds.MOST_RECORD:
            raise BadRecord("record.size", most=bounds.MOST_RECORD)
        try:
            text = text if isinstance(text, str) else text.decode()
            data = bounds.read_json(text)
        except UnicodeDecodeError:
            raise BadRecord("record.foreign") from None
        except json.JSONDecodeError as error:
            whole = str(text).strip()
            if whole and not whole.startswith("{"):
                raise BadRecord("record.foreign") from None
            cut = not whole.endswith("}") or error.pos >= len(whole) - 1
            raise BadRecord("record.truncated" if cut else "record.damaged", line=error.lineno) from None
        except bounds.OutOfBounds as found:
            raise BadRecord(found.key, **found.values) from None
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: Any) -> Record:
        """Return the record in decoded JSON; raise BadRecord where it is not a valid one."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise BadRecord("record.foreign")
        version = data.get("version")
        if isinstance(version, int) and VERSION < version < bounds.MOST_NUMBER:
            raise BadRecord("record.too_new", version=version, known=VERSION)
        try:
            bounds.check_data(data, bounds.RECORD)
            record = msgspec.convert(data, cls)
        except bounds.OutOfBounds as found:
            raise BadRecord(found.key, **found.values) from None
        except msgspec.ValidationError as error:
            raise BadRecord("record.wrong", detail=wrong_form(error)) from None
        if record.chance.seed is not None and not 0 <= record.chance.seed <= MOST_SEED:
            raise BadRecord("error.seed", seed=str(record.chance.seed)[:40])
        return record

    def opening(self) -> Position:
        """Return the position in which the game began."""
        game = registry.game(self.game)
        if self.rules > game.version:
            raise BadRecord("record.rules_too_new", rules=self.rules, known=game.version, game=self.game)
        if len(self.seats) != self.players:
            raise BadRecord("record.seats", seats=len(self.seats), players=self.players)
        if self.milliseconds is not None and len(self.milliseconds) != len(self.moves):
            raise BadRecord("record.milliseconds", count=len(self.milliseconds), moves=len(self.moves))
        if self.hints is not None and len(self.hints.used) != self.players:
            raise BadRecord("record.hints", count=len(self.hints.used), players=self.players)
        if self.hints is not None and any(used > self.hints.allowed for used in self.hints.used):
            raise BadRecord("record.hints_used", used=max(self.hints.used), allowed=self.hints.allowed)
        if self.continues is not None and self.continues.ply > len(self.moves):
            raise BadRecord("record.continues", ply=self.continues.ply, last=len(self.moves))
        for note in self.notes:
            if note.ply > len(self.moves) or note.seat >= self.players:
                raise BadRecord("record.note", ply=note.ply, last=len(self.moves))
        played_with = edition(game, self.edition.components)
        if played_with.hash != self.edition.hash:
            raise BadRecord("record.edition", hash=self.edition.hash[:12], found=played_with.hash[:12])
        if self.start is None:
            return Position(game, self.players, self.options, components=played_with)
        return Position.from_view(game, self.players, self.options, self.start, components=played_with)

    def replay(self, ply: int | None = None) -> Position:
        """Return the position after `ply` moves, or all; raise BadRecord with the move that cannot be made."""
        position = self.opening()
        if ply is not None and not 0 <= ply <= len(self.moves):
            raise BadRecord("record.ply", ply=ply, last=len(self.moves))
        for number, (seat, move) in enumerate(self.moves if ply is None else self.moves[:ply], start=1):
            try:
                position.push(move, CHANCE if seat == "chance" else seat)
            except BadMove as error:
                raise BadRecord("record.move", number=number, reason=str(error)) from error
        return position

    def check(self) -> Position:
        """Return the final position of the game; raise BadRecord where its result or its chance is not as recorded."""
        chance = self.chance
        if chance.kind == "promised" and self.start is not None:
            raise BadRecord("record.start")
        position = self.replay()
        people = [number for number, seat in enumerate(self.seats) if seat.kind == "human"]
        actors = [*(seat for seat, _ in position.played), position.actor]
        chance.check(people, actors, position.game)
        starts = chance.epoch_starts()
        again = self.opening()
        for number, (seat, id) in enumerate(position.played, start=1):
            if seat == CHANCE and (stream := chance.stream(epoch_at(starts, number - 1))) is not None:
                again.push_chance_rows(stream)
                if again.played[-1].id != id:
                    raise BadRecord("record.chance", number=number)
            else:
                again.push_rows(id, seat)
        if self.result is not None and self.result != position.outcome():
            raise BadRecord("record.result")
        return position


__all__ = ["BadRecord", "BadSetup", "ChanceInfo", "EditionInfo", "HintsInfo", "Note", "Record", "SeatInfo"]
