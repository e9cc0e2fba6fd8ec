"""Are the chances right? Of the positions given 60 to 70 %, about 65 % should be won.

    python -m benchmarks.calibration GAME [--games 2000] [--processes N] [--seconds S] --out FILE

Plays games between strong bots on deals that no net was trained on, the numbers of players in turn. In every game some
decisions are drawn, and for each of them everybody's chances are asked for in both ways in which analyses show them:
`standing`, one step ahead, and `judged`, after the move that was played, as it was followed at full effort. FILE is
JSON: by number of players, way and tenth of the chance given, what was given and what was won, with half of the 95 %
interval (positions of a game are not independent: it is that of means by game). `--table FILE ...` prints such files as
tables for docs/analysis.md.

A correction is fitted beside it: all shares to a power, scaled to add up to 1. It is fitted to every other deal and
tried on the rest; FILE holds the power and the mean squared errors before and after.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from benchmarks.insight import FIRST_DEAL, OURS, TINY, by_bots
from lampion.bots.chance_calibration import Calibration
from lampion.games.editions import standard
from lampion.games.registry import games
from lampion.insight.analysis import analyse
from lampion.insight.decision_positions import judged_positions
from lampion.insight.evaluator import SURE, Evaluator
from lampion.insight.settings import STANDARD, VERSION, Settings
from lampion.play import Record

WAYS = ("standing", "judged")
TENTHS = 10
POWERS = np.linspace(0.4, 2.0, 81)
LEAST = 1e-6
"""No chance is smaller where its logarithm is taken."""


class Asked(NamedTuple):
    """Everybody's chances at one decision."""

    players: int
    deal: int
    way: str
    given: tuple[float, ...]
    won: tuple[float, ...]


def ask(game: str, bot: str, positions: int, settings: Settings, deal: int) -> list[Asked]:
    """Play one deal and ask at some decisions of it."""
    counts = games()[game].players
    players = counts[deal % len(counts)]
    final = by_bots(game, players, bot, deal)
    won = tuple(final.count().shares)
    decisions = judged_positions(final)
    evaluator = Evaluator(final.edition, players, settings)
    found = []
    for ply in random.Random(deal).sample(sorted(decisions), min(positions, len(decisions))):
        seen, _ = decisions[ply]
        move = final.played[ply]
        judged = evaluator.judge(seen.state, move.seat, move.id)
        shares = evaluator.standing(seen.state).shares, judged.shares[judged.ids.index(move.id)]
        found += [Asked(players, deal, way, tuple(given), won) for way, given in zip(WAYS, shares, strict=True)]
    return found


def all_asked(task: partial[list[Asked]], deals: Sequence[int], processes: int, seconds: float) -> Iterator[Asked]:
    """Yield what was asked in all deals, or in those that are done when the time is up."""
    until = time.monotonic() + seconds
    with ProcessPoolExecutor(processes) as pool:
        for number, found in enumerate(pool.map(task, deals), start=1):
            yield from found
            if time.monotonic() > until:
                print(f"the time is up after {number} games", flush=True)
                pool.shutdown(cancel_futures=True)
                return


def powered(given: Any, power: float) -> Any:
    """Return shares, by position and seat, to a power, scaled to add up to 1."""
    raised = np.maximum(given, LEAST) ** power
    return raised / raised.sum(axis=1, keepdims=True)


def fitted(rows: Sequence[Asked]) -> float:
    """Return the power with which the shares tell best who won."""
    given, won = np.array([row.given for row in rows]), np.array([row.won for row in rows])
    losses = [-(won * np.log(np.maximum(powered(given, power), LEAST))).sum() for power in POWERS]
    return float(POWERS[int(np.argmin(losses))])


def squared_error(rows: Sequence[Asked], power: float) -> float:
    """Return the mean squared error of a seat's share."""
    given, won = np.array([row.given for row in rows]), np.array([row.won for row in rows])
    return float(((powered(given, power) - won) ** 2).mean())


def tenths(rows: Sequence[Asked]) -> Iterator[dict[str, float]]:
    """Yield by tenths of the chance given how often it was won."""
    given = np.array([share for row in rows for share in row.given])
    won = np.array([share for row in rows for share in row.won])
    deals = np.array([row.deal for row in rows for _ in row.given])
    place = (given * TENTHS).clip(0, TENTHS - 1).astype(int)
    for tenth in range(TENTHS):
        within = place == tenth
        if not within.any():
            continue
        mean = won[within].mean()
        _, game = np.unique(deals[within], return_inverse=True)
        by_game = np.bincount(game, won[within] - mean)
        yield {
            "from": tenth / TENTHS,
            "given": round(float(given[within].mean()), 4),
            "won": round(float(mean), 4),
            "sure": round(float(SURE * np.sqrt((by_game**2).sum()) / within.sum()), 4),
            "positions": int(within.sum()),
        }


def measured(rows: Sequence[Asked]) -> dict[str, Any]:
    """Return the figures of some positions, all of one way and number of players."""
    fit, test = [row for row in rows if row.deal % 8 < 4], [row for row in rows if row.deal % 8 >= 4]
    power = fitted(fit)
    return {
        "tenths": list(tenths(rows)),
        "squared_error": round(squared_error(rows, 1.0), 4),
        "power": round(power, 2),
        "squared_error_of_the_rest": [round(squared_error(test, one), 4) for one in (1.0, power)],
    }


def calibration(game: str, bot: str, rows: Sequence[Asked], positions: int, settings: Settings) -> dict[str, Any]:
    """Return what FILE holds."""
    counts = games()[game].players
    by_players = {
        str(players): {
            way: measured([row for row in rows if row.way == way and row.players == players]) for way in WAYS
        }
        for players in counts
        if any(row.players == players for row in rows)
    }
    return {
        "version": VERSION,
        "game": game,
        "edition": standard(game).hash,
        "bot": bot,
        "games": len({row.deal for row in rows}),
        "first_deal": min(row.deal for row in rows),
        "positions_a_game": positions,
        "simulations": settings.simulations,
        "players": by_players,
    }


def table(path: Path) -> Iterator[str]:
    """Yield the figures of a file as a table: the chances given and won, by tenths, all numbers of players together."""
    found = msgspec.json.decode(path.read_bytes(), type=Calibration)
    yield f"{path}, {found.games} games of {found.bot}"
    yield "| chance given | given | won | positions |"
    yield "|---|---|---|---|"
    for row in found.all_tenths():
        low, given = 10 * int(10 * row.given), f"{100 * row.given:.1f} %"
        yield f"| {low} to {low + 10} % | {given} | {100 * row.won:.1f} ± {100 * row.sure:.1f} % | {row.positions} |"


def powers(found: dict[str, Any]) -> Iterator[str]:
    """Yield the corrections that were fitted, and what they bring on the other deals."""
    for players, ways in found["players"].items():
        for way, figures in ways.items():
            before, after = figures["squared_error_of_the_rest"]
            fit = f"squared error {before}; shares to the power of {figures['power']}: {after}"
            yield f"{players} players, {way}: {fit}"


def main() -> None:
    """Measure a game, or print what was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration")
    parser.add_argument("game", nargs="?", choices=OURS)
    parser.add_argument("--table", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--bot", default="learned")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="how many deals to leave out")
    parser.add_argument("--positions", type=int, default=2, help="decisions of a game that are asked about")
    parser.add_argument("--simulations", type=int, default=STANDARD.simulations)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long, with the games that are done")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.table:
        for path in given.table:
            print(*table(path), sep="\n", end="\n\n")
        return
    if given.game is None or given.out is None:
        parser.error("a game and --out FILE, or --table FILE")
    analyse(Record.of(by_bots(given.game, 2, given.bot, 1)), TINY)  # compiled once, before all processes need it
    settings = Settings(simulations=given.simulations)
    task = partial(ask, given.game, given.bot, given.positions, settings)
    first = FIRST_DEAL + given.first
    rows = list(all_asked(task, range(first, first + given.games), given.processes, given.seconds))
    found = calibration(given.game, given.bot, rows, given.positions, settings)
    given.out.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
    print(*table(given.out), *powers(found), sep="\n")


if __name__ == "__main__":
    main()
