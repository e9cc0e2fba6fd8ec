"""Play many games of an edition between bots and report what decides them: points, events, advantage of seats.

Everything is counted from what every game has: the tally by category, the events, the final standing. A kind of event
is counted by its things where the game has a word for it, `GAME.counted.KIND`. `page` makes a page of these figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lampion.arena.figures import part_of
from lampion.arena.match import Conditions, Result, Rows, play, warm_up
from lampion.arena.simulate_bots import seat_bots
from lampion.arena.workers import Crew
from lampion.bots import Maker
from lampion.games.core import EVERYTHING, Game
from lampion.games.move_types import Event, EventKind, Plain, event
from lampion.locale import Problem, has

FIRST = "first"
"""The event that names the first player, in games that have one."""

BySeat = dict[str, dict[str, list[int]]]
"""By kind of event and by thing, a number a seat."""


class NothingPlayed(Problem):
    """Every game was ended by the failure of a bot."""


class Story(Plain, frozen=True):
    """One game as the report counts it."""

    result: Result
    keys: list[list[int]]
    winners: list[int]
    categories: list[dict[str, int]]
    first: int | None
    counted: BySeat
    """How often."""
    earned: BySeat
    """For how many points."""


class Spread(Plain, frozen=True):
    """A distribution by its tenths and quarters."""

    tenth: float
    quarter: float
    median: float
    three_quarters: float
    nine_tenths: float
    mean: float


class Source(Plain, frozen=True):
    """A source of points: how many it gives, and in what part of the games any seat, or a winner, has some of them, and
    in what part they decide: without them others would have won or shared the victory.
    """

    name: str
    winners: Spread
    others: Spread
    somebody: float
    winner: float
    decided: float


class Count(Plain, frozen=True):
    """A thing that happens: in what part of the games, and how often to a winner and to another player."""

    name: str
    games: float
    winners: float
    others: float


class Advantage(Plain, frozen=True):
    """The share of the victory of a place, with its interval."""

    share: float
    low: float
    high: float


class Report(Plain, frozen=True):
    """The figures of an edition."""

    game: str
    players: int
    games: int
    seed: int
    edition: str
    label: str
    bots: list[str]
    failures: int
    seats: list[Advantage]
    order: list[Advantage]
    """By order of play, where the game names a first player."""
    winning_scores: list[int]
    other_scores: list[int]
    moves: list[int]
    decisions: list[int]
    level: float
    """The part of the games in which a victory was shared."""
    tie_breaks: float
    """The part in which the winner was level in points with another player."""
    categories: list[Source]
    earned: dict[str, list[Source]]
    counted: dict[str, list[Count]]


class Watcher:
    """Counts the events of one game."""

    def __init__(self, game: Game, box: Any, players: int) -> None:
        self.game, self.box, self.players = game, box, players
        self.first: int | None = None
        self.counted: BySeat = defaultdict(lambda: defaultdict(self._nobody))
        self.earned: BySeat = defaultdict(lambda: defaultdict(self._nobody))
        kinds: Sequence[EventKind] = game.events.EVENTS
        self.wanted = {
            number
            for number, kind in enumerate(kinds)
            if kind.name == FIRST or kind.earns or has(f"{game.name}.counted.{kind.name}")
        }

    def _nobody(self) -> list[int]:
        return [0] * self.players

    def count_rows(self, rows: Rows) -> None:
        """Count the events of a move."""
        for row in rows:
            if int(row[0]) in self.wanted:
                kind: EventKind = self.game.events.EVENTS[int(row[0])]
                found = event(self.game, self.box, row, EVERYTHING)
                self.count_event(found, kind.earns[0](self.box, int(row[2])) if kind.earns else found.thing)
                if kind.earns and found.seat is not None:
                    self.earned[found.kind][kind.earns[0](self.box, int(row[2]))][found.seat] += found.number

    def count_event(self, found: Event, thing: str | None) -> None:
        """Count one event under the name `thing`."""
        if found.kind == FIRST and found.seat is not None:
            self.first = found.seat
        elif thing is not None and found.seat is not None:
            self.counted[found.kind][thing][found.seat] += 1


def play_story(conditions: Conditions, makers: Sequence[Maker], deal: int) -> Story:
    """Play one game and return its story; a job for another process."""
    edition = conditions.edition
    watcher = Watcher(edition.game, edition.box, conditions.players)
    result, position = play(conditions, makers, deal, note=watcher.count_rows)
    for found in position.opening(EVERYTHING):
        if found.kind == FIRST:
            watcher.count_event(found, None)
    count = position.count()
    return Story(
        result=result,
        keys=count.keys,
        winners=count.winners,
        categories=count.categories,
        first=watcher.first,
        counted={kind: dict(things) for kind, things in watcher.counted.items()},
        earned={kind: dict(things) for kind, things in watcher.earned.items()},
    )


def report(
    conditions: Conditions,
    makers: Sequence[Maker],
    games: int,
    crew: Crew,
    label: str,
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Play games and return the figures; bots move one seat on from game to game, so that seats are balanced."""
    seats = seat_bots(makers, conditions.players)
    warm_up(conditions, seats)
    by_deal: dict[int, Story] = {}
    turned = [seats[turn:] + seats[:turn] for turn in range(conditions.players)]
    work = ((deal, play_story, (conditions, turned[deal % conditions.players], deal)) for deal in range(games))
    for deal, story in crew.results(work):
        by_deal[deal] = story
        progress(1)
    stories = [by_deal[deal] for deal in range(games)]
    whole = [story for story in stories if story.result.failed is None]
    if not whole:
        raise NothingPlayed("report.nothing", reason=stories[0].result.reason)
    return count_up(conditions, makers, whole, len(stories) - len(whole), label)


def count_up(
    conditions: Conditions, makers: Sequence[Maker], stories: Sequence[Story], failures: int, label: str
) -> Report:
    """Return the figures of some games."""
    edition, players = conditions.edition, conditions.players
    ordered = [story for story in stories if story.first is not None]
    by_order = [[s.result.shares[(s.first + place) % players] for s in ordered if s.first is not None]
                for place in range(players)]  # fmt: skip
    sources = [
        (category, [[seat[category] for seat in story.categories] for story in stories])
        for category in edition.game.categories
    ]
    return Report(
        game=conditions.game,
        players=players,
        games=len(stories),
        seed=conditions.seed,
        edition=edition.hash,
        label=label,
        bots=[maker.name for maker in makers],
        failures=failures,
        seats=[advantage([story.result.shares[seat] for story in stories]) for seat in range(players)],
        order=[advantage(shares) for shares in by_order] if ordered else [],
        winning_scores=[score for story in stories for score, wins in by_seat(story, scores(story)) if wins],
        other_scores=[score for story in stories for score, wins in by_seat(story, scores(story)) if not wins],
        moves=[story.result.moves for story in stories],
        decisions=[story.result.decisions for story in stories],
        level=part(len(story.winners) > 1 for story in stories),
        tie_breaks=part(is_tie_break(story) for story in stories),
        categories=[source for name, points in sources if (source := source_of(name, stories, points))],
        earned={kind: list(earned_of(stories, kind)) for kind in seen(story.earned for story in stories)},
        counted={kind: list(counted_of(stories, kind)) for kind in seen(story.counted for story in stories)},
    )


def advantage(shares: Sequence[float]) -> Advantage:
    """Return the mean of shares between 0 and 1 with its interval."""
    return Advantage(*part_of(shares))


def part(truths: Iterator[bool]) -> float:
    """Return the part of the values that are true, from 0 to 1."""
    found = list(truths)
    return sum(found) / len(found)


def scores(story: Story) -> list[int]:
    """Return the points by seat."""
    return story.result.scores


def by_seat(story: Story, numbers: Sequence[int]) -> Iterator[tuple[int, bool]]:
    """Return, for every seat, a number and whether the seat won."""
    for seat, number in enumerate(numbers):
        yield number, seat in story.winners


def is_tie_break(story: Story) -> bool:
    """Return whether several seats have the most points."""
    best = max(story.result.scores)
    return len(story.winners) == 1 and story.result.scores.count(best) > 1


def seen(counts: Iterator[BySeat]) -> list[str]:
    """Return the kinds that occur, sorted."""
    return sorted({kind for kinds in counts for kind in kinds})


def things_of(counts: Iterator[BySeat], kind: str) -> list[str]:
    """Return the things that occur with a kind, sorted."""
    return sorted({thing for kinds in counts for thing in kinds.get(kind, {})})


def decided(story: Story, points: Sequence[int]) -> bool:
    """Return whether others would have won, or shared the victory, if no seat had these points."""
    left = [[key[0] - lost, *key[1:]] for key, lost in zip(story.keys, points, strict=True)]
    return [seat for seat, key in enumerate(left) if key == max(left)] != story.winners


def source_of(name: str, stories: Sequence[Story], points: Sequence[Sequence[int]]) -> Source | None:
    """Return the figures of a source of points, given by game and seat; None where no seat ever has any."""
    pairs = [pair for story, row in zip(stories, points, strict=True) for pair in by_seat(story, row)]
    if not any(number for number, _ in pairs):
        return None
    return Source(
        name=name,
        winners=spread([number for number, wins in pairs if wins]),
        others=spread([number for number, wins in pairs if not wins]),
        somebody=part(any(row) for row in points),
        winner=part(any(row[seat] for seat in story.winners) for story, row in zip(stories, points, strict=True)),
        decided=part(decided(story, row) for story, row in zip(stories, points, strict=True)),
    )


def earned_of(stories: Sequence[Story], kind: str) -> Iterator[Source]:
    """Return the points of a kind of event, by thing."""
    for thing in things_of((story.earned for story in stories), kind):
        nobody = [0] * len(stories[0].keys)
        points = [story.earned.get(kind, {}).get(thing, nobody) for story in stories]
        if source := source_of(thing, stories, points):
            yield source


def counted_of(stories: Sequence[Story], kind: str) -> Iterator[Count]:
    """Return how often a kind of event happens, by thing."""
    for thing in things_of((story.counted for story in stories), kind):
        nobody = [0] * len(stories[0].keys)
        times = [story.counted.get(kind, {}).get(thing, nobody) for story in stories]
        pairs = [pair for story, row in zip(stories, times, strict=True) for pair in by_seat(story, row)]
        winners = [number for number, wins in pairs if wins]
        others = [number for number, wins in pairs if not wins]
        yield Count(
            name=thing,
            games=part(any(row) for row in times),
            winners=sum(winners) / len(winners),
            others=sum(others) / max(1, len(others)),
        )


def spread(numbers: Sequence[int]) -> Spread:
    """Return the distribution of some numbers; all 0 where there are none."""
    ordered = sorted(numbers) or [0]

    def at(part: float) -> float:
        place = part * (len(ordered) - 1)
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (place - low) * (ordered[high] - ordered[low])

    return Spread(at(0.1), at(0.25), at(0.5), at(0.75), at(0.9), sum(ordered) / len(ordered))
