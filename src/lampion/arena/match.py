"""One game between bots, and the same deal from every seat.

A deal is a seed of chance. A seeded stream answers each draw by seed, source and count alone, so the games of a deal
see the same tiles and dice at every seat though they diverge; a bot that wins a deal from all seats was not just lucky.

A bot that crashes, stalls, gives up (`BotFailed`) or answers what is no legal move ends the game at once: its seat has
no share of the victory, the others share it equally, and the reason is kept.
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from lampion.bots import Bot, BotFailed, Maker
from lampion.bots.greedy import Greedy
from lampion.bots.learned import Learned
from lampion.bots.levels import Level
from lampion.bots.program import Program
from lampion.bots.random import Random
from lampion.bots.searcher import Search
from lampion.engine.rng import game_seed
from lampion.games import registry
from lampion.games.core import CHANCE, MOST_SEATS, BadMove
from lampion.games.editions import Edition, edition, standard
from lampion.games.move_types import Plain
from lampion.locale import language, say, speaking
from lampion.play.chance import Seeded
from lampion.play.outcome import Outcome
from lampion.play.position import Position
from lampion.play.sight import sights

PATIENCE = 120.0
"""Seconds that a user's bot may think about one move, by default."""
HOUSE = (Random, Greedy, Learned, Level, Search)
"""Bots that keep to their effort, so that they need no time limit."""

Rows = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class Conditions:
    """What all games of a run have in common. It can be sent to another process."""

    game: str
    players: int
    options: Mapping[str, Any]
    seed: int = 0
    components: str | None = None
    """The edition as JSON; None is the standard one."""
    patience: float = PATIENCE
    language: str | None = None

    @classmethod
    def of(
        cls,
        edition: Edition,
        players: int,
        options: Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        patience: float = PATIENCE,
    ) -> Conditions:
        """Return the conditions of games with an edition; read the options and check the seed."""
        Seeded(seed)
        chosen = edition.game.read_options(players, options)
        components = None if edition.is_standard else json.dumps(edition.data, ensure_ascii=False)
        return cls(edition.game.name, players, chosen, seed, components, patience, language())

    @property
    def edition(self) -> Edition:
        """The edition of the games."""
        return read_edition(self.game, self.components)


@cache
def read_edition(game: str, components: str | None) -> Edition:
    """Return the edition in a text; each is read once in a process."""
    return standard(game) if components is None else edition(registry.game(game), json.loads(components))


class Result(Plain, frozen=True, omit_defaults=True):
    """How one game went. Of a game that a bot broke off, the scores are those at that moment."""

    scores: list[int]
    shares: list[float]
    """Of the victory, by seat: 1 in all."""
    moves: int
    decisions: int
    failed: int | None = None
    """The seat whose bot failed."""
    reason: str = ""


class Failed(Exception):
    """A failure of a bot, with the reason."""


class Stalled(BaseException):
    """The exception that interrupts a bot after its time; a bot's own `except Exception` does not catch it."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise Stalled in the block after `seconds` seconds; only in the main thread, and not on Windows."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise Stalled

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def guarded(conditions: Conditions, maker: Maker, act: Callable[..., Any], *args: Any) -> Any:
    """Return the result of a call of a bot; raise Failed for any error inside it."""
    seconds = max(conditions.patience, maker.seconds) if isinstance(maker, Program) else conditions.patience
    try:
        if isinstance(maker, HOUSE):
            return act(*args)
        with within(seconds):
            return act(*args)
    except BotFailed as failed:
        raise Failed(str(failed)) from failed
    except Stalled:
        raise Failed(say("arena.failed.stalled", seconds=f"{seconds:g}")) from None
    except (Exception, SystemExit) as error:
        raise Failed(say("arena.failed.crashed", detail=f"{type(error).__name__}: {error}"[:200])) from error


def make(position: Position, seat: int, answer: Any) -> Rows:
    """Make the move that a bot chose; raise Failed where it is not legal."""
    whole = isinstance(answer, (int, np.integer)) and not isinstance(answer, bool)
    try:
        if whole and 0 <= answer < position.game.ids:
            return position.push_rows(int(answer), seat)
    except BadMove:
        pass
    raise Failed(say("arena.failed.illegal", answer=repr(answer)[:60]))


def play(
    conditions: Conditions,
    makers: Sequence[Maker],
    deal: int,
    lineup: int = 0,
    note: Callable[[Rows], None] | None = None,
) -> tuple[Result, Position]:
    """Play game number `lineup` of a deal, with a maker for each seat; `note` is called with the rows of every move.

    Chance follows from the seed and the deal alone, what a bot draws also from the lineup and the seat.
    """
    with speaking(conditions.language):
        seed = np.uint64(conditions.seed)
        position = Position(
            registry.game(conditions.game), conditions.players, conditions.options, components=conditions.edition
        )
        chance, seen = Seeded(int(game_seed(seed, deal, 0))), sights(position)
        bots: list[Bot] = []
        decisions, seat = 0, 0
        tell = note or (lambda rows: None)
        outcome: Outcome | None = None
        failure: str | None = None
        try:
            for seat, maker in enumerate(makers):
                own = int(game_seed(seed, deal, 1 + lineup * MOST_SEATS + seat))
                bots.append(guarded(conditions, maker, maker.sit, seen[seat], own))
            while not position.is_over:
                if position.actor == CHANCE:
                    tell(position.push_chance_rows(chance))
                    continue
                answers: dict[int, Any] = {}
                for seat in position.pending:  # all decide before anybody sees another's answer
                    answers[seat] = guarded(conditions, makers[seat], bots[seat].choose, seen[seat])
                for seat, answer in answers.items():
                    tell(make(position, seat, answer))
                    decisions += 1
            outcome = position.outcome()
        except Failed as failed:
            failure = str(failed)
        finally:
            for bot, maker in zip(bots, makers, strict=False):
                with suppress(Failed):
                    guarded(conditions, maker, bot.end, outcome)
        count = outcome or position.count()
        if failure is None:
            return Result(count.scores, count.shares, position.ply, decisions), position
        return Result(count.scores, shares_without(makers, seat), position.ply, decisions, seat, failure), position


def shares_without(makers: Sequence[Maker], failed: int) -> list[float]:
    """Return the shares of a game in which a seat's bot failed: none for bots of that kind, equal ones for others."""
    seats = range(len(makers))
    others = [seat for seat in seats if makers[seat].name != makers[failed].name]
    winners = others or [seat for seat in seats if seat != failed]
    return [1 / len(winners) if seat in winners else 0.0 for seat in seats]


def play_one(conditions: Conditions, makers: Sequence[Maker], deal: int, lineup: int = 0) -> Result:
    """Play one game; a job for another process."""
    return play(conditions, makers, deal, lineup)[0]


def lineups(players: int) -> list[tuple[int, ...]]:
    """Return the seats of A (0) and B (1) in each game of a deal: balanced, and both play from every seat.

    Two players sit both ways. With more, one A plays against the rest B from each seat, then one B against the rest A.
    """
    if players == 2:
        return [(0, 1), (1, 0)]
    return [
        tuple(one if other == seat else 1 - one for other in range(players))
        for one in (0, 1)
        for seat in range(players)
    ]


def warm_up(conditions: Conditions, makers: Sequence[Maker]) -> None:
    """Compile what these bots need, so that other processes find it on disk."""
    position = Position(
        registry.game(conditions.game), conditions.players, conditions.options, components=conditions.edition
    )
    position.push_chances(Seeded(0))
    sight = sights(position)[position.actor]
    for maker in makers:
        if isinstance(maker, Level):
            maker = maker.maker(position.game, position.players)
        if isinstance(maker, Search):
            maker = replace(maker, sims=1, sims_on_net=0, ms=0, threads=1)
        if isinstance(maker, HOUSE):
            maker.sit(sight, 0).choose(sight)
