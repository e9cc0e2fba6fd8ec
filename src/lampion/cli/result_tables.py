"""Print figures in the terminal: progress on standard error, tables on standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from lampion.engine.cache_folder import marker
from lampion.games import registry
from lampion.locale import say


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error while the block runs; yield a function to call with the number of games done."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def compiling(game: str) -> Iterator[None]:
    """Say on standard error that the block will compile a game, unless this command or a server has done so before."""
    mark = marker(f"{game}-{click.get_current_context().info_name}")
    if not mark.exists() and not marker(f"{game}-search").exists():
        note(say("cli.compiling", game=say(f"{registry.game(game).name}.name")))
    yield
    with suppress(OSError):
        mark.touch()


def note(text: str) -> None:
    """Print a line on standard error."""
    Console(stderr=True, highlight=False, markup=False).print(text)


def show_simulation(result: Any) -> None:
    """Print the figures of a simulation."""
    console = Console(highlight=False, markup=False)
    bots = getattr(result, "bots", [])
    named = {"game": say(f"{result.game}.name"), "games": result.games}
    if bots:
        title = say("simulate.title_bots", bots=", ".join(dict.fromkeys(bots)), **named)
    else:
        title = say("simulate.title", players=result.players, **named)
    table = Table(title=title, title_justify="left")
    table.add_column(say("simulate.seat"), justify="right")
    if bots:
        table.add_column(say("simulate.bot"))
    table.add_column(say("simulate.mean_score"), justify="right")
    table.add_column(say("simulate.wins"), justify="right")
    for seat in range(result.players):
        share = f"{result.wins_by_seat[seat]:.1f}  ({100 * result.win_share_by_seat[seat]:.2f} %)"
        table.add_row(str(seat), *bots[seat : seat + 1], f"{result.mean_scores[seat]:.2f}", share)
    console.print(table)
    for bot, reasons in zip(bots, getattr(result, "failures", []), strict=True):
        show_failures(console, bot, reasons)
    console.print(
        say("simulate.length", mean=f"{result.mean_length:.1f}", shortest=result.shortest, longest=result.longest)
    )
    console.print(
        say(
            "simulate.speed",
            games=f"{result.games_per_second:,.0f}",
            moves=f"{result.moves_per_second:,.0f}",
            decisions=f"{result.decisions_per_second:,.0f}",
            threads=result.threads,
        )
    )


def show_failures(console: Console, bot: str, reasons: dict[str, int]) -> None:
    """Print how often a bot failed, and why."""
    for reason, count in reasons.items():
        console.print(say("tournament.failed", bot=bot, count=count, reason=reason))


def show_tournament(result: Any) -> None:
    """Print the pairs of a tournament and its ladder."""
    console = Console(highlight=False, markup=False)
    title = say("tournament.title", game=say(f"{result.game}.name"), players=result.players, games=result.games)
    table = Table(title=title, title_justify="left")
    for column in ("pair", "games", "share", "interval", "score", "lead"):
        table.add_column(say(f"tournament.{column}"), justify="left" if column == "pair" else "right")
    for pair in result.pairs:
        scores = lead = "–"
        if pair.score_a is not None:
            scores = f"{pair.score_a:.1f} – {pair.score_b:.1f}"
            lead = f"{pair.score_lead_a:+.1f}"
            if pair.score_lead_low is not None:
                lead += f" ± {(pair.score_lead_high - pair.score_lead_low) / 2:.1f}"
        table.add_row(
            say("tournament.against", a=pair.a, b=pair.b),
            str(pair.games),
            f"{100 * pair.win_share_a:.1f} %",
            f"{100 * pair.low:.1f} – {100 * pair.high:.1f}",
            scores,
            lead,
        )
    console.print(table)
    if result.players > 2:
        console.print(say("tournament.scaled"))
    ladder = Table(title=say("tournament.ladder"), title_justify="left")
    for column in ("bot", "elo", "interval"):
        ladder.add_column(say(f"tournament.{column}"), justify="left" if column == "bot" else "right")
    for bot in sorted(result.bots, key=lambda bot: -result.elo[bot]):
        low, high = result.elo_intervals[bot]
        ladder.add_row(bot, f"{result.elo[bot]:.0f}", f"{low:.0f} – {high:.0f}" if low < high else "–")
    console.print(ladder)
    for failure in result.failures:
        show_failures(console, failure.bot, failure.reasons)


def show_bench(rows: Sequence[Any]) -> None:
    """Print the rows of a benchmark."""
    table = Table(title=say("bench.title"), title_justify="left")
    for column in ("what", "ours", "peer", "ratio", "bar", "ok"):
        table.add_column(say(f"bench.{column}"), justify="left" if column == "what" else "right")
    for row in rows:
        table.add_row(
            row.what,
            f"{row.ours:,.6g}",
            "–" if row.peer is None else f"{row.peer:,.6g}",
            "–" if row.ratio is None else f"{row.ratio:.2f}",
            "–" if row.bar is None else row.bar,
            "–" if row.ok is None else say("bench.yes" if row.ok else "bench.no"),
        )
    console = Console(highlight=False, markup=False)
    console.print(table)
    for row in rows:
        if row.note:
            console.print(f"{row.what}: {row.note}")
