"""The commands about playing better: analyse."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from lampion.cli.localized import FILE, Command, Number, argument, option
from lampion.cli.setup import file_option, json_option, must_be_writable
from lampion.locale import Problem, say, why

MOST_SIMULATIONS = 1_000_000


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
    from lampion.insight.analysis import analyse as analyse_record

    if not sys.stderr.isatty():
        return analyse_record(record, settings)
    with Progress(transient=True, console=Console(stderr=True)) as bar:
        task = bar.add_task(say("analysis.working"), total=None)
        return analyse_record(
            record, settings, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
