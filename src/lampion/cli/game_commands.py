"""The commands about one game: games, rules, play, replay, export, check, components, stdio."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lampion.cli.localized import FILE, Command, Number, argument, option
from lampion.cli.setup import (
    Setup,
    file_option,
    game_argument,
    json_option,
    must_be_writable,
    players_option,
    seed_option,
    show_json,
    with_setup,
)
from lampion.locale import Problem, say, why


@click.command("games", cls=Command, help="cli.games")
@json_option
def list_games(as_json: bool) -> None:
    """List the games that are installed."""
    from lampion.games import registry

    if as_json:
        show_json([{"game": g.name, "players": list(g.players)} for g in registry.games().values()])
        return
    for game in registry.games().values():
        players = say("cli.players_range", least=game.players[0], most=game.players[-1])
        click.echo(f"{game.name:<11}{say(game.name + '.name')} ({players}). {say(game.name + '.about')}")


@click.command("rules", cls=Command, help="cli.rules")
@game_argument
@option("--section", metavar="cli.section", help="cli.help.section")
def rules(game: str, section: str | None) -> None:
    """Print the rules of a game, or one section of them."""
    from lampion.cli.rules_text import show_rules

    show_rules(game, section)


@click.command("play", cls=Command, help="cli.play")
@game_argument
@option("--seats", metavar="cli.names", help="cli.help.seats")
@players_option
@seed_option(None)
@option("--dice", "manual", is_flag=True, help="cli.help.dice")
@file_option("--save", help="cli.help.save")
@file_option("--resume", help="cli.help.resume")
@with_setup
def play(setup: Setup, seats: str | None, manual: bool, save: Path | None, resume: Path | None) -> None:
    """Play a game in the terminal."""
    from lampion.cli import result_tables
    from lampion.cli.terminal_play import TerminalGame

    edition = setup.edition
    with result_tables.compiling(setup.game):
        if resume:
            game = TerminalGame.resume(resume, setup.game, seats)
        else:
            game = TerminalGame.new(edition, seats, setup.players, setup.options, setup.seed, manual)
        game.save_to = save or resume
        game.play()


@click.command("replay", cls=Command, help="cli.replay")
@argument("file", type=FILE, metavar="cli.file")
@option("--at", "ply", type=Number(), metavar="cli.ply", help="cli.help.at")
@option("--seat", type=Number(), metavar="N", help="cli.help.seat")
def replay(file: Path, ply: int | None, seat: int | None) -> None:
    """Print a recorded game move by move."""
    from lampion.cli.terminal_play import show_replay
    from lampion.play.record import Record

    show_replay(Record.load(file), ply, seat)


@click.command("export", cls=Command, help="cli.export")
@argument("file", type=FILE, metavar="cli.file")
@file_option("--animated", help="cli.help.animated")
@file_option("--out", help="cli.help.out_film")
@option("--seat", type=Number(), metavar="N", help="cli.help.seat")
def export(file: Path, animated: Path | None, out: Path | None, seat: int | None) -> None:
    """Write a recorded game as a moving picture, as a page with a slider, or both."""
    from lampion.games.core import EVERYTHING
    from lampion.play import film
    from lampion.play.record import Record

    if animated is None and out is None:
        raise Problem("film.nothing")
    files = [one.resolve() for one in (animated, out) if one is not None]
    if len({file.resolve(), *files}) <= len(files):
        raise Problem("film.same_file")
    for one in files:
        must_be_writable(one)
    record = Record.load(file)
    record.check()
    viewer = EVERYTHING if seat is None else seat
    if seat is not None and seat >= record.players:
        raise Problem("play.no_seat", seat=seat, last=record.players - 1)
    shown = film.film(record, [one.name for one in record.seats], viewer)
    for target, write in ((animated, film.animated), (out, film.page)):
        if target is not None:
            try:
                target.write_text(write(shown), encoding="utf-8")
            except OSError as error:
                raise Problem("report.unwritable", file=str(target), detail=why(error)) from error
            click.echo(say("film.written", file=str(target)))


@click.command("check", cls=Command, help="cli.check")
@argument("file", type=FILE, metavar="cli.file")
@option("--seal", metavar="cli.seal", help="cli.help.seal")
def check_record(file: Path, seal: str | None) -> None:
    """Replay a record and print what it proves; exit with 1 where it is forged or not accounted for."""
    from lampion.cli.proof_report import check
    from lampion.play.record import BadRecord, Record

    try:
        lines, is_proven = check(Record.load(file), seal)
    except BadRecord as problem:
        click.echo(str(problem), err=True)
        sys.exit(1)
    click.echo("\n".join(lines))
    if not is_proven:
        sys.exit(1)


@click.command("components", cls=Command, help="cli.components")
@game_argument
@file_option("--check", "file", help="cli.help.check_components")
@json_option
def components(game: str, file: Path | None, as_json: bool) -> None:
    """Print what is in the box of a game, or check a file that says so."""
    from lampion.games import editions, registry

    if file is not None:
        found = editions.load(registry.game(game), file)
        known = say("components.standard") if found.is_standard else ""
        click.echo(say("components.good", game=say(f"{game}.name"), hash=found.hash[:12]) + known)
    elif as_json:
        show_json(editions.standard(game).data)
    else:
        click.echo(editions.components_file(registry.game(game)).read_text(encoding="utf-8"), nl=False)


@click.command("new-game", cls=Command, help="cli.new_game")
@argument("name", metavar="cli.name")
@file_option("--out", "folder", help="cli.help.out_game")
def new_game(name: str, folder: Path | None) -> None:
    """Write a complete small game into a folder of its own, to be changed into another."""
    from lampion.new_game import write_game

    place = folder or Path(name)
    write_game(name, place)
    click.echo(say("new_game.written", folder=str(place), name=name))


@click.command("stdio", cls=Command, help="cli.stdio")
def stdio() -> None:
    """Serve the games to another program, in JSON lines."""
    from lampion.adapters.stdio import serve

    serve()
