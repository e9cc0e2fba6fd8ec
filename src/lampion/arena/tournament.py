"""Bots against each other: every pair, or neighbours on a ladder, on the same deals from every seat.

A tournament written to a file goes on from it: each game is a line, and the first line says of which tournament. Its
figures depend on its settings alone, not on who played which game, nor on how often it was interrupted.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from typing import IO, Any

import msgspec

from lampion.arena.figures import Mean, Share, mean_of, share_of
from lampion.arena.match import Conditions, Result, lineups, play_one, warm_up
from lampion.arena.ratings import ratings
from lampion.arena.workers import Crew, Job
from lampion.bots import Maker
from lampion.games.move_types import Plain
from lampion.locale import Problem, why

LOOK_EVERY = 40
"""Games of a pair between two checks of whether it is decided."""
FORMAT = "lampion tournament 1"


class BadTournament(Problem):
    """A tournament that cannot be played with these bots."""


class BadResults(Problem):
    """A file of results that this tournament cannot go on from."""


class Settings(Plain, frozen=True):
    """What the games of a tournament depend on: the first line of its file."""

    format: str
    game: str
    rules: int
    edition: str
    players: int
    options: dict[str, Any]
    seed: int
    bots: list[str]


class Line(Plain, frozen=True):
    """A game in the file: its pair by the numbers of the bots, its deal, and which of the deal's games it is."""

    a: int
    b: int
    deal: int
    lineup: int
    result: Result


class Failure(Plain, frozen=True):
    """A bot that failed: in how many games, and why."""

    bot: str
    games: int
    reasons: dict[str, int]


class PairFigures(Plain, frozen=True):
    """Two bots: A's share, scaled so that even is 50 %, with its 95 % interval; scores of games without a failure."""

    a: str
    b: str
    games: int
    deals: int
    win_share_a: float
    low: float
    high: float
    one_a: float
    """The share of a single A among B, as it is: even is 1 / players."""
    one_b: float
    score_a: float | None
    score_b: float | None
    score_lead_a: float | None
    """By how much A's mean score exceeds B's, by deal."""
    score_lead_low: float | None
    score_lead_high: float | None


class Tournament(Plain, frozen=True):
    """The figures of a tournament."""

    game: str
    players: int
    seed: int
    options: dict[str, Any]
    edition: str
    bots: list[str]
    games: int
    seconds: float
    pairs: list[PairFigures]
    elo: dict[str, float]
    elo_intervals: dict[str, tuple[float, float]]
    failures: list[Failure]


@dataclass
class Pair:
    """Two bots and their games so far."""

    a: int
    b: int
    players: int
    most: int
    """The number of deals."""
    games: dict[tuple[int, int], Result] = field(default_factory=dict)
    deals: int = 0
    """The number of deals without a gap from the first that are complete: only these count."""
    decided: bool = False

    def add(self, deal: int, lineup: int, result: Result) -> None:
        """Add the result of a game."""
        self.games[deal, lineup] = result

    def settle(self, until: float | None) -> None:
        """Count the complete deals; stop at the first check that settles the pair, whatever was played after it."""
        each = len(lineups(self.players))
        step = max(1, LOOK_EVERY // each)
        while not self.is_done and all((self.deals, lineup) in self.games for lineup in range(each)):
            self.deals += 1
            if until is not None and self.deals % step == 0:
                self.decided = decides(self.share(), until)

    @property
    def is_done(self) -> bool:
        """Whether the pair needs no more deals."""
        return self.decided or self.deals >= self.most

    def counted(self) -> Iterator[tuple[int, tuple[int, ...], Result]]:
        """Return the games that count: deal, the bots by seat (0: A, 1: B), and result."""
        for deal in range(self.deals):
            for lineup, seats in enumerate(lineups(self.players)):
                yield deal, seats, self.games[deal, lineup]

    def single_shares(self) -> tuple[list[float], list[float]]:
        """Return, by deal, the share of a single A and that of a single B."""
        shares: tuple[list[float], list[float]] = [0.0] * self.deals, [0.0] * self.deals
        for deal, seats, result in self.counted():
            for one in (0, 1):
                if seats.count(one) == 1:
                    shares[one][deal] += result.shares[seats.index(one)] / self.players
        return shares

    def share(self) -> Share:
        """Return A's share of the victory."""
        return share_of(*self.single_shares(), self.players)

    def scores(self) -> tuple[float | None, float | None, Mean | None]:
        """Return the mean scores of both over games without a failure, and A's lead by deal."""
        by_deal: dict[int, tuple[list[int], list[int]]] = {}
        for deal, seats, result in self.counted():
            if result.failed is None:
                kept = by_deal.setdefault(deal, ([], []))
                for seat, score in zip(seats, result.scores, strict=True):
                    kept[seat].append(score)
        if not by_deal:
            return None, None, None
        means = [sum(sum(kept[one]) for kept in by_deal.values()) / sum(len(kept[one]) for kept in by_deal.values())
                 for one in (0, 1)]  # fmt: skip
        leads = [sum(a) / len(a) - sum(b) / len(b) for a, b in by_deal.values()]
        return means[0], means[1], mean_of(leads)


def decides(share: Share, until: float) -> bool:
    """Return whether the interval contains neither `until` nor 1 - `until`: then the pair is settled."""
    return all(not share.low < bar < share.high for bar in (until, 1 - until))


def settings_of(conditions: Conditions, makers: Sequence[Maker]) -> Settings:
    """Return the settings of a tournament."""
    edition = conditions.edition
    return Settings(
        FORMAT, conditions.game, edition.game.version, edition.hash, conditions.players, dict(conditions.options),
        conditions.seed, [maker.name for maker in makers],
    )  # fmt: skip


def lock_file(file: IO[bytes], path: Path) -> None:
    """Lock a file against other processes, where the system can; raise BadResults where another has it."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadResults("arena.in_use", file=str(path)) from None
    except OSError:
        return  # a file system that has no locks


class ResultsFile:
    """The file of results. A last line that was cut off in the middle is dropped; that game is played again."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.lines: list[Line] = []
        self.path, self.players, self.bots = path, settings.players, len(settings.bots)
        try:
            if path.exists() and not path.is_dir() and not path.is_file():
                raise BadResults("arena.no_file", file=str(path))
            self.file: IO[bytes] = path.open("a+b")
        except (OSError, ValueError) as error:
            if isinstance(error, BadResults):
                raise
            raise BadResults("arena.unreadable", file=str(path), detail=why(error)) from error
        try:
            lock_file(self.file, path)
            self.file.seek(0)
            kept = self._read(self.file.read(), path, settings)
            self.file.truncate(kept)
        except BaseException:
            self.file.close()
            raise
        if not kept:
            self._write(settings)

    def _read(self, text: bytes, path: Path, settings: Settings) -> int:
        """Add the games in the file; return the number of bytes in whole lines."""
        kept = 0
        for number, line in enumerate(text.splitlines(keepends=True)):
            if not line.endswith(b"\n"):
                if number == 0:
                    raise BadResults("arena.foreign", file=str(path))
                break
            try:
                if number == 0:
                    self._same(msgspec.json.decode(line, type=Settings), settings, path)
                else:
                    self.lines.append(self._checked(msgspec.json.decode(line, type=Line)))
            except (msgspec.DecodeError, UnicodeDecodeError):
                key = "arena.damaged" if number else "arena.foreign"
                raise BadResults(key, file=str(path), line=number + 1) from None
            kept += len(line)
        return kept

    def _checked(self, line: Line) -> Line:
        """Return a game of the file; raise ValidationError where this tournament can have no such game."""
        result, seats = line.result, range(self.players)
        if not (
            0 <= line.a < line.b < self.bots
            and line.deal >= 0
            and 0 <= line.lineup < len(lineups(self.players))
            and len(result.scores) == len(result.shares) == self.players
            and all(0 <= share <= 1 for share in result.shares)
            and abs(sum(result.shares) - 1) < 1e-6
            and (result.failed is None or result.failed in seats)
        ):
            raise msgspec.ValidationError("no game of this tournament")
        return line

    def _same(self, found: Settings, settings: Settings, path: Path) -> None:
        for name in Settings.__struct_fields__:
            there, here = getattr(found, name), getattr(settings, name)
            if there != here:
                raise BadResults(
                    "arena.other_settings",
                    file=str(path),
                    name=name,
                    found=setting_text(there),
                    given=setting_text(here),
                )

    def _write(self, data: Any) -> None:
        try:
            self.file.write(msgspec.json.encode(data) + b"\n")
            self.file.flush()
        except OSError as error:
            raise BadResults("arena.unwritable", file=str(self.path), detail=why(error)) from error

    def add(self, line: Line) -> None:
        """Write one game to the file at once."""
        self._write(line)

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            self.file.close()


def setting_text(value: Any) -> str:
    """Return a setting as text for a message."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def check_bots(makers: Sequence[Maker]) -> None:
    """Raise BadTournament unless there are at least two bots, all different."""
    names = [maker.name for maker in makers]
    if len(names) < 2:
        raise BadTournament("arena.two_bots")
    for name in names:
        if names.count(name) > 1:
            raise BadTournament("arena.bot_twice", bot=name)


def meetings(bots: int, ladder: bool) -> list[tuple[int, int]]:
    """Return the pairs that meet: all, or only neighbours on a ladder."""
    return list(pairwise(range(bots)) if ladder else combinations(range(bots), 2))


def games_in_all(bots: int, players: int, games: int, ladder: bool) -> int:
    """Return the most games of a tournament, in whole deals."""
    each = len(lineups(players))
    return len(meetings(bots, ladder)) * -(-games // each) * each


def jobs(
    conditions: Conditions, makers: Sequence[Maker], pairs: Sequence[Pair]
) -> Iterator[Job[tuple[Pair, int, int]]]:
    """Yield the games still to be played, deal by deal for all pairs that are not done."""
    seats = lineups(conditions.players)
    for deal in range(max(pair.most for pair in pairs)):
        for pair in pairs:
            both = (makers[pair.a], makers[pair.b])
            for lineup, sitting in enumerate(seats):
                if not pair.is_done and deal < pair.most and (deal, lineup) not in pair.games:
                    yield (pair, deal, lineup), play_one, (conditions, [both[one] for one in sitting], deal, lineup)


def tournament(
    conditions: Conditions,
    makers: Sequence[Maker],
    games: int,
    crew: Crew,
    *,
    ladder: bool = False,
    until: float | None = None,
    save: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Tournament:
    """Play a tournament of at least `games` games for each pair, in whole deals, and return its figures.

    On a ladder only neighbours meet. With `until` a pair stops as soon as its interval settles whether one of the two
    has that share or more. `progress` is called with the number of games that were done or became unnecessary since.
    """
    check_bots(makers)
    began = time.perf_counter()
    each = len(lineups(conditions.players))
    most = -(-games // each)
    pairs = {(a, b): Pair(a, b, conditions.players, most) for a, b in meetings(len(makers), ladder)}
    book = ResultsFile(save, settings_of(conditions, makers)) if save else None
    try:
        for line in book.lines if book else []:
            if (line.a, line.b) in pairs:
                pairs[line.a, line.b].add(line.deal, line.lineup, line.result)
        reported: Counter[tuple[int, int]] = Counter()

        def tell(pair: Pair) -> None:
            pair.settle(until)
            done = most * each if pair.is_done else min(len(pair.games), most * each)
            progress(done - reported[pair.a, pair.b])
            reported[pair.a, pair.b] = done

        for pair in pairs.values():
            tell(pair)
        if not all(pair.is_done for pair in pairs.values()):
            warm_up(conditions, makers)
        for (pair, deal, lineup), result in crew.results(jobs(conditions, makers, list(pairs.values()))):
            pair.add(deal, lineup, result)
            if book:
                book.add(Line(pair.a, pair.b, deal, lineup, result))
            tell(pair)
    finally:
        if book:
            book.close()
    return figures(conditions, makers, list(pairs.values()), time.perf_counter() - began)


def figures(conditions: Conditions, makers: Sequence[Maker], pairs: Sequence[Pair], seconds: float) -> Tournament:
    """Return the figures of all pairs."""
    names = [maker.name for maker in makers]
    shares = [pair.share() for pair in pairs]
    rated = ratings(
        len(names), [(pair.a, pair.b, share.smooth, share.weight) for pair, share in zip(pairs, shares, strict=True)]
    )
    rows = [pair_figures(names, pair, share) for pair, share in zip(pairs, shares, strict=True)]
    return Tournament(
        game=conditions.game,
        players=conditions.players,
        seed=conditions.seed,
        options=dict(conditions.options),
        edition=conditions.edition.hash,
        bots=names,
        games=sum(pair.games for pair in rows),
        seconds=seconds,
        pairs=rows,
        elo={name: rating.elo for name, rating in zip(names, rated, strict=True)},
        elo_intervals={name: (rating.low, rating.high) for name, rating in zip(names, rated, strict=True)},
        failures=failures(names, pairs),
    )


def pair_figures(names: Sequence[str], pair: Pair, share: Share) -> PairFigures:
    """Return the figures of a pair."""
    one_a, one_b = pair.single_shares()
    score_a, score_b, lead = pair.scores()
    return PairFigures(
        a=names[pair.a],
        b=names[pair.b],
        games=pair.deals * len(lineups(pair.players)),
        deals=pair.deals,
        win_share_a=share.value,
        low=share.low,
        high=share.high,
        one_a=sum(one_a) / pair.deals,
        one_b=sum(one_b) / pair.deals,
        score_a=score_a,
        score_b=score_b,
        score_lead_a=lead.value if lead else None,
        score_lead_low=lead.low if lead else None,
        score_lead_high=lead.high if lead else None,
    )


def useless(result: Tournament) -> list[str]:
    """Return the bots that failed, and of whose games none came to its end."""
    ended = {bot for pair in result.pairs if pair.score_a is not None for bot in (pair.a, pair.b)}
    return [failure.bot for failure in result.failures if failure.bot not in ended]


def failures(names: Sequence[str], pairs: Sequence[Pair]) -> list[Failure]:
    """Return, by bot, the number of games that it failed in and the reasons."""
    reasons: dict[str, Counter[str]] = {}
    for pair in pairs:
        for _, seats, result in pair.counted():
            if result.failed is not None:
                bot = names[(pair.a, pair.b)[seats[result.failed]]]
                reasons.setdefault(bot, Counter())[result.reason] += 1
    return [Failure(name, reasons[name].total(), dict(reasons[name])) for name in names if name in reasons]
