"""The commands that play many games: simulate, tournament, report, bench."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from lampion.cli.localized import Command, Number, option
from lampion.cli.setup import (
    Setup,
    Workers,
    bots_option,
    file_option,
    game_argument,
    games_option,
    json_option,
    makers_of,
    must_be_writable,
    players_option,
    ray_option,
    seed_option,
    show_json,
    with_setup,
    with_workers,
)
from lampion.locale import Problem, say, why


@click.command("simulate", cls=Command, help="cli.simulate")
@game_argument
@players_option
@games_option(10_000)
@seed_option()
@option("--threads", type=Number(1, 1024), metavar="T", help="cli.help.threads")
@option("--check", is_flag=True, help="cli.help.check")
@bots_option(help="cli.help.simulate_bots")
@ray_option
@json_option
@with_setup
def simulate(
    setup: Setup, games: int, threads: int | None, check: bool, bots: tuple[str, ...], ray: str | None, as_json: bool
) -> None:
    """Play games at random, or by bots, and print how they ended."""
    import msgspec

    from lampion.arena.simulate_random import simulate as play_at_random
    from lampion.cli import result_tables
    from lampion.play.chance import Seeded

    edition = setup.edition
    makers = makers_of(bots)
    if check and (makers or ray):
        raise Problem("simulate.check_alone")
    players = max(edition.game.players[0], len(makers)) if setup.players is None else setup.players
    chosen = edition.game.read_options(players, setup.options)
    seed = setup.seed or 0
    Seeded(seed)
    title = say("cli.simulating", game=setup.title)
    if makers or ray:
        from lampion.arena.match import Conditions
        from lampion.arena.simulate_bots import seat_bots, simulate_bots
        from lampion.arena.workers import crew

        conditions, seats = Conditions.of(edition, players, chosen, seed=seed), makers or makers_of(("random",))
        seat_bots(seats, players)
        with (
            result_tables.compiling(setup.game),
            crew(threads, ray) as workers,
            result_tables.progress(title, games) as done,
        ):
            result: Any = simulate_bots(conditions, seats, games, workers, progress=done)
    else:
        with result_tables.compiling(setup.game), result_tables.progress(title, games) as done:
            result = play_at_random(
                edition, players, games, seed=seed, options=chosen, threads=threads, check=check, progress=done
            )
    if as_json:
        show_json(msgspec.to_builtins(result))
    else:
        result_tables.show_simulation(result)


@click.command("tournament", cls=Command, help="cli.tournament")
@game_argument
@bots_option(required=True, help="cli.help.bots")
@games_option(400, help="cli.help.pair_games")
@players_option
@seed_option()
@option("--ladder", is_flag=True, help="cli.help.ladder")
@option("--until", type=Number(0.5, 1.0), metavar="X", help="cli.help.until")
@file_option("--save", help="cli.help.save_results")
@json_option
@with_workers
@with_setup
def tournament(
    setup: Setup,
    workers: Workers,
    bots: tuple[str, ...],
    games: int,
    ladder: bool,
    until: float | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Let bots play each other on the same deals."""
    import msgspec

    from lampion.arena import tournament as meeting
    from lampion.cli import result_tables

    makers = makers_of(bots)
    meeting.check_bots(makers)
    conditions = setup.conditions(setup.edition, workers.patience)
    title = say("cli.meeting", game=setup.title)
    total = meeting.games_in_all(len(makers), conditions.players, games, ladder)
    with (
        result_tables.compiling(setup.game),
        workers.crew() as crew,
        result_tables.progress(title, total) as done,
    ):
        result = meeting.tournament(
            conditions, makers, games, crew, ladder=ladder, until=until, save=save, progress=done
        )
    if as_json:
        show_json(msgspec.to_builtins(result))
    else:
        result_tables.show_tournament(result)
    if meeting.useless(result):
        sys.exit(1)


@click.command("report", cls=Command, help="cli.report")
@game_argument
@bots_option(default=("learned",), help="cli.help.bots")
@games_option(400)
@players_option
@seed_option()
@file_option("--against", help="cli.help.against")
@file_option("--out", help="cli.help.out")
@json_option
@with_workers
@with_setup
def report(
    setup: Setup,
    workers: Workers,
    bots: tuple[str, ...],
    games: int,
    against: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write a page on what decides a game, for one edition or two."""
    import msgspec

    from lampion.arena.game_report import report as count
    from lampion.arena.report_page import page
    from lampion.cli import result_tables

    makers = makers_of(bots)
    files = [setup.components, against] if against else [setup.components]
    conditions = [setup.conditions(setup.edition_of(file), workers.patience) for file in files]
    path = out or Path(f"{setup.game}.html")
    must_be_writable(path)
    found = []
    with result_tables.compiling(setup.game), workers.crew() as crew:
        for one, file in zip(conditions, files, strict=True):
            label = file.stem if file else say("report.standard")
            title = say("report.playing", game=setup.title, label=label)
            with result_tables.progress(title, games) as done:
                found.append(count(one, makers, games, crew, label, progress=done))
    try:
        path.write_text(page(found, shlex.join(["lampion", *click.get_current_context().obj])), encoding="utf-8")
    except OSError as error:
        raise Problem("report.unwritable", file=str(path), detail=why(error)) from error
    if as_json:
        show_json([msgspec.to_builtins(one) for one in found])
    result_tables.note(say("report.written", file=str(path)))


@click.command("bench", cls=Command, help="cli.bench")
@json_option
@option("--rounds", type=Number(1, 99), default=5, metavar="R", help="cli.help.rounds")
@option("--no-peers", is_flag=True, help="cli.help.no_peers")
def bench(as_json: bool, rounds: int, no_peers: bool) -> None:
    """Measure how fast the games are, beside peers."""
    import msgspec

    from lampion.arena.bench import measure
    from lampion.cli import result_tables

    rows = measure(rounds, peers=not no_peers, tell=result_tables.note)
    if as_json:
        show_json([msgspec.to_builtins(row) for row in rows])
    else:
        result_tables.show_bench(rows)
