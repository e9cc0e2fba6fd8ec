"""The commands about playing better: analyse, puzzles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from lampion.cli.localized import FILE, Command, Number, argument, option
from lampion.cli.setup import file_option, game_argument, json_option, must_be_writable, seed_option
from lampion.locale import Problem, say, why

MOST_SIMULATIONS = 1_000_000
MOST_PUZZLES = 10_000


@click.command("analyse", cls=Command, help="cli.analyse")
@argument("file", type=FILE, metavar="cli.file")
@json_option
@file_option("--out", help="cli.help.out_analysis")
@option("--simulations", type=Number(1, MOST_SIMULATIONS), metavar="K", help="cli.help.simulations")
def analyse(file: Path, as_json: bool, out: Path | None, simulations: int | None) -> None:
    """Say what decided a recorded game: in sentences, as JSON, or as a page."""
    from lampion.insight.settings import STANDARD, Settings
    from lampion.play.record import Record

    if as_json and out is not None:
        raise Problem("analysis.json_or_page")
    record = Record.load(file)
    if out is not None:
        must_be_writable(out)
    settings = STANDARD if simulations is None else Settings(simulations=simulations)
    found = _analysed(record, settings)
    if as_json:
        click.echo(found.to_json().decode(), nl=False)
    elif out is None:
        from lampion.cli.analysis_report import show

        show(record, found)
    else:
        from lampion.insight.page import page

        try:
            out.write_text(page(record, found), encoding="utf-8")
        except OSError as error:
            raise Problem("report.unwritable", file=str(out), detail=why(error)) from error
        click.echo(say("analysis.written", file=str(out)))


def _analysed(record: Any, settings: Any) -> Any:
    """Return the analysis, with a progress bar where somebody looks."""
    from lampion.cli.result_tables import compiling
    from lampion.insight.analysis import analyse as analyse_record

    if not sys.stderr.isatty():
        with compiling(record.game):
            return analyse_record(record, settings)
    with compiling(record.game), Progress(transient=True, console=Console(stderr=True)) as bar:
        task = bar.add_task(say("analysis.working"), total=None)
        return analyse_record(
            record, settings, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )


@click.command("puzzles", cls=Command, help="cli.puzzles")
@game_argument
@option("--count", type=Number(1, MOST_PUZZLES), default=60, metavar="N", help="cli.help.count")
@seed_option(1)
@file_option("--out", help="cli.help.out_puzzles")
@option("--check", "confirms", is_flag=True, help="cli.help.check_puzzles")
def puzzles(game: str, count: int, seed: int, out: Path | None, confirms: bool) -> None:
    """Find puzzles in games of strong bots, or confirm those of a file."""
    from lampion.games import registry
    from lampion.play.chance import Seeded

    found = registry.game(game)
    Seeded(seed)
    if confirms:
        _confirm(found, out)
        return
    target = out or Path(f"{found.name}-puzzles.json")
    must_be_writable(target)
    _make(found, count, seed, target)


def _make(game: Any, count: int, seed: int, target: Path) -> None:
    """Make a file of puzzles, with a progress bar."""
    from lampion.cli import result_tables
    from lampion.insight import puzzle_making

    with result_tables.compiling(game.name), result_tables.progress(say("puzzles.working"), count) as advance:
        shown = 0

        def tell(file: Any) -> None:
            nonlocal shown
            advance(len(file.puzzles) - shown)
            shown = len(file.puzzles)

        made = puzzle_making.make(game, count, seed, target, tell=tell)
    click.echo(say("puzzles.written", count=len(made.puzzles), games=made.games, file=str(target)))


def _confirm(game: Any, source: Path | None) -> None:
    """Confirm all puzzles of a file, or those that come with a game; exit with 1 where one fails."""
    from lampion.cli import result_tables
    from lampion.insight import puzzle_making
    from lampion.insight.puzzles import BadPuzzle, read, shipped

    file = shipped(game.name) if source is None else read(source)
    if file is None:
        raise BadPuzzle("puzzles.none", game=say(f"{game.name}.name"))
    if file.game != game.name:
        raise BadPuzzle("puzzles.other_game", file=str(source), game=file.game)
    wrong = 0
    with result_tables.progress(say("puzzles.checking"), len(file.puzzles)) as advance:
        for _, problem in puzzle_making.check(file):
            advance(1)
            if problem is not None:
                wrong += 1
                result_tables.note(str(problem))
    click.echo(say("puzzles.checked", count=len(file.puzzles) - wrong, total=len(file.puzzles)))
    if wrong:
        sys.exit(1)
