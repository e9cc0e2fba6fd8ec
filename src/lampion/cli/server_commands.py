"""The commands about the server and its database: serve, backup, records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from lampion import extras
from lampion.cli.localized import FILE, Command, Group, Number, argument, option
from lampion.locale import Problem, say

db_option = option("--db", metavar="cli.db", help="cli.help.db")
tables_argument = argument("tables", nargs=-1, metavar="cli.tables")


class NoServer(Problem):
    """The parts of the server are not installed."""


def server() -> Any:
    """Return the server's module, whose parts are an extra; raise NoServer where they are missing."""
    try:
        from lampion.server import serve
    except ImportError as error:
        raise NoServer("serve.extra", command=extras.command("server"), detail=str(error)) from error
    return serve


@click.command("serve", cls=Command, help="cli.serve")
@option("--host", default="localhost", metavar="cli.host", help="cli.help.host")
@option("--port", type=Number(0, 65535), default=8000, metavar="N", help="cli.help.port")
@db_option
@option("--open", is_flag=True, help="cli.help.open")
@option("--lan", is_flag=True, help="cli.help.lan")
@option("--keep", type=Number(1, 36500), default=180, metavar="N", help="cli.help.keep")
@option("--name", "hosts", multiple=True, metavar="cli.host", help="cli.help.name")
@option("--base-path", envvar="LAMPION_BASE_PATH", default="", metavar="/PATH", help="cli.help.base_path")
@option("--trust-proxy", is_flag=True, help="cli.help.trust_proxy")
@option("--log", type=click.Choice(["text", "json"]), default="text", help="cli.help.log")
@option("--check", "only_check", is_flag=True, help="cli.help.check_tables")
def serve(only_check: bool, db: str | None, **settings: Any) -> None:
    """Serve the games room, or check its database."""
    if only_check:
        check_database(db)
    else:
        module = server()
        module.serve(module.Settings(db=db, **settings))


def check_database(db: str | None) -> None:
    """Replay every table and print which are damaged; exit with 1 where there are any."""
    module = server()
    found = module.run(module.check(db))
    for line in found.damage:
        click.echo(say("serve.damage", detail=line))
    for table, reason in found.broken.items():
        click.echo(say("serve.broken", table=table, reason=reason))
    click.echo(say("serve.checked", count=found.tables, broken=len(found.broken)))
    if found.broken or found.damage:
        sys.exit(1)


@click.command("backup", cls=Command, help="cli.backup")
@argument("file", type=FILE, metavar="cli.file")
@db_option
def backup(file: Path, db: str | None) -> None:
    """Copy a database that is in use."""
    server().backup(db, file)
    click.echo(say("serve.backed_up", file=str(file)))


@click.group("records", cls=Group, help="cli.records")
def records() -> None:
    """Take finished games out of the database, and in."""


@records.command("list", help="cli.records_list")
@db_option
def list_records(db: str | None) -> None:
    """List the finished games; exit with 1 where some cannot be read."""
    module = server()
    from lampion.server.tables.table_record import moment

    listed = module.run(module.list_records(db))
    if not listed:
        click.echo(say("serve.no_records"), err=True)
    for one in listed:
        scores = one.result.scores if one.result else [""] * len(one.seats)
        names = ", ".join(f"{seat.name} {score}" for seat, score in zip(one.seats, scores, strict=True))
        click.echo(f"{one.id}  {moment(one.changed)[:16]}  {one.game:<10} {one.broken or names}")
    if any(one.broken for one in listed):
        sys.exit(1)


@records.command("export", help="cli.records_export")
@argument("folder", type=FILE, metavar="cli.folder")
@tables_argument
@db_option
def export(folder: Path, tables: tuple[str, ...], db: str | None) -> None:
    """Write finished games into a folder, one file each; exit with 1 where some cannot be read."""
    module = server()
    done = module.run(module.export_records(db, folder, tables))
    for table, reason in done.broken.items():
        click.echo(say("serve.not_exported", table=table, reason=reason), err=True)
    click.echo(say("serve.exported", count=len(done.files), folder=str(folder)))
    if done.broken:
        sys.exit(1)


@records.command("import", help="cli.records_import")
@argument("files", nargs=-1, required=True, type=FILE, metavar="cli.file")
@db_option
def import_files(files: tuple[Path, ...], db: str | None) -> None:
    """Store finished games from files, all of them or none, and print their tables."""
    module = server()
    for table in module.run(module.import_records(db, files)):
        click.echo(table)


@records.command("delete", help="cli.records_delete")
@argument("tables", nargs=-1, required=True, metavar="cli.tables")
@db_option
def delete(tables: tuple[str, ...], db: str | None) -> None:
    """Delete tables from the database."""
    module = server()
    click.echo(say("serve.deleted", count=module.run(module.delete_tables(db, tables))))
