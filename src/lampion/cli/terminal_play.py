"""Play a game in the terminal, people and bots at one keyboard, and print replays of recorded games."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lampion import __version__, bounds
from lampion.bots import Bot, BotFailed, named, split_names
from lampion.bots.learned import Learned
from lampion.bots.levels import Level
from lampion.bots.names import is_bot, is_program, nearest_bot, numbered, title
from lampion.bots.net_files import net_for
from lampion.bots.player import seat_seed
from lampion.bots.program import ending_together, shown
from lampion.games.core import CHANCE, EVERYTHING, SPECTATOR, BadMove
from lampion.games.editions import Edition
from lampion.games.move_types import event, no_paint, sentence
from lampion.locale import Problem, has, say, why
from lampion.play.chance import Chance, Entropy, Manual, Seeded
from lampion.play.outcome import Outcome
from lampion.play.outcome import sentence as outcome_sentence
from lampion.play.position import Position
from lampion.play.record import ChanceInfo, Record, SeatInfo
from lampion.play.sight import Sight
from lampion.play.undo import CannotUndo, take_back

OPPONENT = "lantern"
"""The level of the bots that fill the table where only one person is named."""
SHOWN_MOVES = 24


class BadSeats(Problem):
    """The seats that were asked for cannot be taken."""


def ansi(text: str, colour: str) -> str:
    """Return text in a 24-bit colour; dark colours stand on a light ground, to be readable on a black screen."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    ground = "\x1b[48;2;225;225;225m" if red + green + blue < 220 else ""
    return f"\x1b[1;38;2;{red};{green};{blue}m{ground}{text}\x1b[0m"


def stream(info: ChanceInfo) -> Chance:
    """Return the source of chance that a record names."""
    if info.kind == "manual":
        return Manual()
    return Entropy() if info.seed is None else Seeded(info.seed)


def painter() -> Any:
    """Return the function that colours text, or one that does not where the terminal or NO_COLOR says so."""
    return ansi if sys.stdout.isatty() and "NO_COLOR" not in os.environ else no_paint


def read_seats(seats: str, players: int | None) -> list[str]:
    """Split the names of the seats, and refuse those that cannot be used."""
    texts = split_names(seats)
    if players not in (None, len(texts)):
        raise BadSeats("play.seats", seats=len(texts), players=players)
    if "" in texts:
        raise BadSeats("play.nameless")
    for text in texts:
        if not bounds.is_name(text, bounds.MOST_LEVEL if is_bot(text) else bounds.MOST_NAME):
            raise BadSeats("play.name", name=bounds.shown(text), most=bounds.MOST_NAME)
        if not is_bot(text) and (bot := nearest_bot(text)):
            print(say("play.near_bot", name=text, bot=bot), file=sys.stderr)
    return texts


def seat_infos(texts: Sequence[str]) -> list[SeatInfo]:
    """Return the seats of people and bots; bots are named in the user's language, and numbered where two are alike."""
    names = numbered([title(text) if is_bot(text) else text for text in texts], [is_bot(text) for text in texts])
    return [
        SeatInfo(name, "bot", text, __version__) if is_bot(text) else SeatInfo(name)
        for text, name in zip(texts, names, strict=True)
    ]


class TerminalGame:
    """A game that is played in the terminal."""

    def __init__(self, position: Position, seats: Sequence[SeatInfo], chance: ChanceInfo) -> None:
        self.position = position
        self.seats = list(seats)
        self.chance_info = chance
        self.chance = stream(chance)
        self.names = [seat.name for seat in self.seats]
        self.paint = painter()
        self.save_to: Path | None = None
        self._makers = {seat: named(info.level or "") for seat, info in enumerate(seats) if info.kind == "bot"}
        for seat, maker in self._makers.items():
            if isinstance(maker, Learned | Level) and maker.net:
                net_for(Sight(position, seat), maker.net)  # refused now, not in the middle of the game
        self._bots: dict[int, tuple[Bot, Sight]] = {}
        self._seed = int.from_bytes(os.urandom(8)) if chance.seed is None else chance.seed
        self._behind_curtain: int | None = None
        self._is_explained = False

    @classmethod
    def new(
        cls,
        edition: Edition,
        seats: str | None,
        players: int | None,
        options: dict[str, Any],
        seed: int | None,
        manual: bool,
    ) -> TerminalGame:
        """Start a new game. `seats` lists the names of people and bots, with commas."""
        if seats is None:
            count = edition.game.players[0] if players is None else players
            texts = [say("seat.name", number=1), *[OPPONENT] * (count - 1)]
        else:
            texts = read_seats(seats, players)
        position = Position(edition.game, len(texts), options, components=edition)
        info = ChanceInfo("manual" if manual else "entropy" if seed is None else "seeded", seed)
        return cls(position, seat_infos(texts), info)

    @classmethod
    def resume(cls, path: Path, game: str, seats: str | None = None) -> TerminalGame:
        """Go on with a saved game; `seats` may name others than those who began it."""
        record = Record.load(path)
        if record.game != game:
            raise BadSeats("play.other_game", file=str(path), found=record.game, game=game)
        if seats is not None:
            return cls(record.replay(), seat_infos(read_seats(seats, record.players)), record.chance)
        for info in record.seats:
            if info.kind == "bot" and is_program(info.level or ""):
                raise BadSeats("play.program_in_file", file=str(path), program=shown(info.level or ""))
        return cls(record.replay(), record.seats, record.chance)

    def play(self) -> None:
        """Play to the end, or until somebody leaves; then save, and print the result."""
        try:
            with ending_together():
                self.go_on()
        except (EOFError, KeyboardInterrupt):
            print()
        except BotFailed as failure:
            print(say("play.bot_failed", who=self.names[self.position.actor], reason=str(failure)))
        is_saved = self.save()
        outcome = self.position.outcome()
        self.dismiss_bots(outcome)
        if outcome is not None:
            print(self.position.text(EVERYTHING, self.names, self.paint))
            print(outcome_sentence(self.position.game.name, outcome, self.names))
        if is_saved:
            key = "play.kept.unfinished" if outcome is None else "play.kept"
            print(say(key, file=str(self.save_to), game=self.position.game.name))

    def think(self, seat: int) -> int:
        """Return the move that the bot at a seat chooses."""
        if seat not in self._bots:
            sight = Sight(self.position, seat)
            self._bots[seat] = self._makers[seat].sit(sight, seat_seed(self._seed, seat)), sight
        bot, sight = self._bots[seat]
        if not sys.stdout.isatty():
            return bot.choose(sight)
        print(say("play.thinking", who=self.names[seat]), end="", flush=True)
        try:
            return bot.choose(sight)
        finally:
            print("\r\x1b[2K", end="", flush=True)

    def go_on(self) -> None:
        """Make moves until the game is over or somebody leaves."""
        while not self.position.is_over:
            actor = self.position.actor
            if actor == CHANCE and not isinstance(self.chance, Manual):
                self.position.push_chance(self.chance)
                self.print_last_move()
            elif actor in self._makers:
                self.make(self.think(actor), actor)
            elif not self.ask(actor):
                break

    def dismiss_bots(self, outcome: Outcome | None = None) -> None:
        """End the bots, because the game is over or moves were taken back."""
        for bot, _ in self._bots.values():
            bot.end(outcome)
        self._bots.clear()

    def make(self, move: Any, seat: int) -> None:
        """Make a move, print what it did and save."""
        self.position.push(move, seat)
        self.print_last_move()
        self.save()

    def viewer(self) -> int:
        """Return from whose point of view events are printed: the only person's, or a spectator's."""
        people = [seat for seat, info in enumerate(self.seats) if info.kind == "human"]
        if not self.position.game.hidden:
            return EVERYTHING
        return people[0] if len(people) == 1 else SPECTATOR

    def print_last_move(self) -> None:
        """Print what the last move did."""
        position = self.position
        seat, id = position.played[-1]
        before = position.at(position.ply - 1)
        for row in before.push_rows(id, seat):
            shown = event(position.game, position.edition.box, row, self.viewer())
            print("  " + sentence(position.game, shown, self.names, box=position.edition.box))

    def curtain(self, seat: int) -> None:
        """Wipe the screen between people who must not see each other's hands."""
        people = [k for k, info in enumerate(self.seats) if info.kind == "human"]
        if self.position.game.hidden and len(people) > 1 and seat != CHANCE and self._behind_curtain != seat:
            input(say("play.curtain", who=self.names[seat]))
            print("\n" * 60 if not sys.stdout.isatty() else "\x1b[2J\x1b[H", end="")
        self._behind_curtain = seat

    def ask(self, actor: int) -> bool:
        """Ask a person for a move (or for an outcome of chance, typed in) and make it; return False when they leave."""
        position = self.position
        self.curtain(actor)
        viewer = actor if actor != CHANCE else self.viewer()
        who = self.names[actor] if actor != CHANCE else say("play.chance")
        print()
        if not self._is_explained:
            self._is_explained = True
            self.explain()
        print(position.text(viewer, self.names, self.paint))
        moves = position.legal_moves
        self.list_moves(moves, SHOWN_MOVES)
        while True:
            said = input(say("play.prompt", who=who, asked=position.asked(actor))).strip()
            if said in ("q", "quit"):
                return False
            if said in ("", "?", "h", "help"):
                self.explain()
                self.list_moves(moves, len(moves) if said == "?" else SHOWN_MOVES)
            elif said in ("u", "undo"):
                if self.undo(actor):
                    return True
            elif said.partition(" ")[0] in ("s", "save"):
                self.save_as(said.partition(" ")[2].strip())
            else:
                try:
                    self.make(self.read(said, moves), actor)
                    return True
                except BadMove as problem:
                    print(str(problem))

    def explain(self) -> None:
        """Print what can be typed, and how moves and positions are written."""
        name = self.position.game.name
        print(say("play.help", notation=say(f"{name}.notation")))
        if has(f"{name}.legend"):
            print(say(f"{name}.legend"))

    def read(self, said: str, moves: Any) -> Any:
        """Return a move by its number in the list, or its notation as it was typed."""
        if said.isdecimal() and len(said) < 10 and 1 <= int(said) <= len(moves):
            return moves[int(said) - 1]
        return said

    def list_moves(self, moves: Any, most: int) -> None:
        """Print the first moves, numbered."""
        position = self.position
        shown = [f"{i}. {position.notation(id)}" for i, id in enumerate(moves.ids[:most], start=1)]
        width = max((len(text) for text in shown), default=0) + 2
        columns = max(1, 100 // width)
        for i in range(0, len(shown), columns):
            print("  " + "".join(text.ljust(width) for text in shown[i : i + columns]).rstrip())
        if len(moves) > most:
            print("  " + say("play.more", count=len(moves) - most))

    def undo(self, seat: int) -> bool:
        """Take the last own move back, unless something hidden was shown since; return whether it was."""
        try:
            if isinstance(self.chance, Manual) and self.position.played:
                self.position.pop()
            else:
                self.position = take_back(self.position, seat)
        except CannotUndo as problem:
            print(str(problem))
            return False
        self.dismiss_bots()
        print(say("play.undone"))
        return True

    def save_as(self, name: str) -> None:
        """Save to a file, now and after every move."""
        if not name:
            print(say("play.save_where"))
            return
        self.save_to = Path(name)
        if self.save():
            print(say("play.saved", file=name))

    def save(self) -> bool:
        """Write the record to its file; return whether that worked. The game goes on where it did not."""
        if self.save_to is None:
            return False
        half = None
        try:
            half = self.save_to.with_name(self.save_to.name + ".part")
            Record.of(self.position, self.seats, chance=self.chance_info).save(half)
            half.replace(self.save_to)
        except (OSError, ValueError) as error:  # no name at all, or letters that no name has
            with suppress(OSError, ValueError):
                if half is not None:
                    half.unlink()
            print(say("play.not_saved", file=str(self.save_to), detail=why(error)))
            return False
        return True


def show_replay(record: Record, ply: int | None, seat: int | None) -> None:
    """Print a recorded game move by move, and the position at its end or at a ply."""
    names = [info.name for info in record.seats]
    if seat is not None and not 0 <= seat < record.players:
        raise BadSeats("play.no_seat", seat=seat, last=record.players - 1)
    viewer = EVERYTHING if seat is None else seat
    final = record.replay(ply)
    position = record.opening()
    paint = painter()
    for first in position.opening(viewer):
        print("     " + sentence(position.game, first, names, box=position.edition.box))
    for number, (mover, id) in enumerate(final.played, start=1):
        shown = entry_shown(position, mover, id, viewer)
        who = say("play.chance") if mover == CHANCE else names[mover]
        print(f"{number:>4} {who}: {shown}")
        for row in position.push_rows(id, mover):
            seen = event(position.game, position.edition.box, row, viewer)
            print("       " + sentence(position.game, seen, names, box=position.edition.box))
    print()
    print(position.text(viewer, names, paint))
    if (outcome := position.outcome()) is not None:
        print(outcome_sentence(record.game, outcome, names))


def entry_shown(position: Position, mover: int, id: int, viewer: int) -> str:
    """Return a move in notation, or an ellipsis where the viewer may not know it."""
    return position.notation(id) if viewer == EVERYTHING or position.can_tell(mover, id, viewer) else "…"
