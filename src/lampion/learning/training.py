"""Training: rounds of self-play on all cores, and beside each the lessons of the round before it.

A round is a fixed number of games, played by the net as it was two rounds ago, so that playing and learning overlap and
the same seed gives the same net whatever the speed of the machine. In the first rounds the game's own estimate plays:
so the net does not begin with random play.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from lampion.bots import net_files
from lampion.engine.network import ANSWERS, Net, new_net
from lampion.games.core import Game
from lampion.games.editions import Edition
from lampion.learning import checkpoints, selfplay
from lampion.learning.curve import Point
from lampion.learning.gradient import Arrays, Learner
from lampion.learning.play_threads import CHUNK, SelfPlay

REPORTS = 12
"""How often in a run the strength is measured."""
DEALS = 64
"""Deals, each played from every seat, when the strength is measured."""
MAIN_MEMORY = 2 << 30
"""Bytes of positions that are remembered where no graphics card holds them."""
BYTES = 2
"""Bytes of one input of a position that is remembered."""


@dataclass(frozen=True)
class Course:
    """The settings of a training run."""

    players: tuple[int, ...]
    rounds: int
    seed: int = 1
    pieces: int = 32
    """Pieces of self-play in a round."""
    encoded: int = 32
    hidden: tuple[int, int] = (64, 32)
    rate: float = 2e-3
    batch: int = 8192
    reuse: float = 4.0
    """About how often each position is learned from."""
    memory: int = 3_000_000
    """Positions that are remembered, on a graphics card; elsewhere at most what fits into MAIN_MEMORY."""
    explore: float = 0.03
    noise: float = 0.005
    trace: float = 0.85
    keep: float = 0.5
    start: float = 0.04
    """Part of the rounds that the game's own estimate plays."""
    device: str = "cpu"

    def memory_for(self, inputs: int) -> int:
        """Return how many positions of `inputs` numbers each are remembered."""
        return min(self.memory, MAIN_MEMORY // (BYTES * inputs)) if self.device == "cpu" else self.memory

    def rate_at(self, part: float) -> float:
        """Return the learning rate after a part of the rounds: level, then down to almost nothing."""
        return self.rate * max(0.02, min(1.0, (1.0 - part) / 0.7))

    def plan_at(self, part: float, *, from_scratch: bool) -> np.ndarray[Any, Any]:
        """Return how games are played after a part of the rounds."""
        begins = from_scratch and part < self.start
        trace = 1.0 if from_scratch and part < 2 * self.start else self.trace
        explore = self.explore if part < 0.7 else 0.3 * self.explore
        return np.array([(begins, explore, self.noise, trace, self.keep)], dtype=selfplay.PLAN)


@dataclass
class Progress:
    """How far a run is."""

    round: int = 0
    games: int = 0
    seconds: float = 0.0
    share_error: float = 0.0
    margin_error: float = 0.0
    strength: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Against fixed opponents: the share of the victories, and half of its interval."""
    history: list[Point] = field(default_factory=list)
    """All strengths that were measured so far."""


class Memory:
    """The positions that were played last, on the device that learns."""

    def __init__(self, arrays: Arrays, size: int, inputs: int) -> None:
        self.arrays = arrays
        self.inputs = arrays.zeros((size, inputs), "float16")
        self.targets = arrays.zeros((size, ANSWERS), "float32")
        self.at, self.filled = 0, 0

    def add(self, inputs: Any, targets: Any) -> None:
        """Add positions in place of the oldest."""
        room = len(self.inputs)
        while len(inputs):
            count = min(len(inputs), room - self.at)
            self.inputs[self.at : self.at + count] = self.arrays.put(inputs[:count])
            self.targets[self.at : self.at + count] = self.arrays.put(targets[:count])
            self.at = (self.at + count) % room
            self.filled = min(room, self.filled + count)
            inputs, targets = inputs[count:], targets[count:]

    def draw(self, random: np.random.Generator, count: int) -> tuple[Any, Any]:
        """Return some of the positions at random, in single precision."""
        chosen = self.arrays.put(random.integers(0, self.filled, count))
        return self.arrays.single(self.inputs[chosen]), self.targets[chosen]


def train(
    edition: Edition,
    course: Course,
    out: Path,
    *,
    start: Net | None,
    tell: Callable[[Progress], None],
    command: str = "",
) -> Net:
    """Train a net and write it to `out`, at the end and whenever the strength was measured; return it.

    A run of the same command that was stopped goes on from its last checkpoint.
    """
    game = edition.game
    arrays = Arrays(course.device)
    net = start or new_net(game.items, game.inputs, course.encoded, course.hidden, course.seed)
    learner, memory = Learner(net, arrays), Memory(arrays, course.memory_for(game.inputs), game.inputs)
    random = np.random.default_rng(course.seed)
    progress, began, owed = Progress(), time.perf_counter(), 0.0
    losses: tuple[Any, Any] = (0.0, 0.0)
    numbers = list(course.players)
    done, progress.history = checkpoints.load(out, command, learner) if command else (0, [])
    progress.games = done * course.pieces * CHUNK
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        school = SelfPlay(edition, course.seed, pool)

        def begin(number: int) -> Any:
            plan = course.plan_at(number / course.rounds, from_scratch=start is None)
            first = number * course.pieces * CHUNK
            return school.begin(learner.net(), numbers, first, course.pieces, plan)

        playing = begin(done)
        for number in range(done, course.rounds):
            coming = begin(number + 1) if number + 1 < course.rounds else []
            for piece in playing:
                lesson = piece.result()
                memory.add(lesson.inputs, lesson.targets)
                progress.games += lesson.games
                owed += len(lesson.targets) * course.reuse
            while owed >= course.batch:
                owed -= course.batch
                losses = learner.step(*memory.draw(random, course.batch), course.rate_at(number / course.rounds))
            playing = coming
            progress.round, progress.seconds = number + 1, time.perf_counter() - began
            progress.strength = {}
            if is_due(number + 1, course.rounds):
                progress.share_error, progress.margin_error = float(losses[0]), float(losses[1])
                net = learner.net()
                progress.strength = {
                    f"{players}": school.share(net, players, DEALS, selfish=False) for players in dict.fromkeys(numbers)
                }
                progress.history.append(Point(progress.games, progress.strength))
                about = net_files.about(edition, sorted(set(numbers)), net, command, in_words(progress.strength))
                net_files.write(out, about, net)
                if command and number + 1 < course.rounds:
                    checkpoints.save(out, command, learner, number + 1, progress.history)
            tell(progress)
    checkpoints.forget(out)
    return learner.net()


def in_words(strength: Mapping[str, tuple[float, float]]) -> dict[str, str]:
    """Return a measured strength as the file of a net has it."""
    return {
        f"one step ahead against greedy that weighs the others, {players} players": (
            f"{100 * share:.1f} ± {100 * sure:.1f} % of {DEALS * int(players)} games"
        )
        for players, (share, sure) in strength.items()
    }


def must_have(device: str) -> None:
    """Refuse a device that is not here, before anything is played."""
    Arrays(device)


def usual_numbers(game: Game) -> tuple[int, ...]:
    """Return the numbers of players that a net for all is trained with in turn: two, the most played, comes twice."""
    return (game.players[0], *game.players)


def timed(edition: Edition, course: Course, start: Net | None, minutes: float) -> Course:
    """Return the course with as many rounds as take about `minutes` minutes on this machine."""
    game = edition.game
    net = start or new_net(game.items, game.inputs, course.encoded, course.hidden, course.seed)
    plan = course.plan_at(1.0, from_scratch=False)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        school = SelfPlay(edition, course.seed, pool)
        school.play(net, course.players[0], 0, plan)  # compiles
        began = time.perf_counter()
        for piece in school.begin(net, list(course.players), 0, course.pieces, plan):
            piece.result()
        seconds = time.perf_counter() - began
    return replace(course, rounds=max(REPORTS, int(60 * minutes / seconds)))


def is_due(round: int, rounds: int) -> bool:
    """Return whether the strength is measured after a round."""
    return round == rounds or round * REPORTS // rounds > (round - 1) * REPORTS // rounds
