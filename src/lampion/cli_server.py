"""The commands about the server and its database."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from lampion.locale import Problem, say
from lampion.spoken import Number


class NoServer(Problem):
    """The parts of the server are not installed."""


def server() -> Any:
    """The server's module; its parts are an extra."""
    try:
        from lampion.server import serve
    except ImportError as error:
        raise NoServer("serve.extra", detail=str(error)) from error
    return serve


def db_option() -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Which database."""
    return click.option("--db", metavar=say("cli.db"), help=say("cli.help.db"))


def add_server_commands(lampion: click.Group) -> None:
    """Add them to the command, in the language in use now."""

    @lampion.command("serve", help=say("cli.serve"))
    @click.option("--host", default="localhost", metavar=say("cli.host"), help=say("cli.help.host"))
    @click.option("--port", type=Number(0, 65535), default=8000, metavar="N", help=say("cli.help.port"))
    @db_option()
    @click.option("--open", "open_page", is_flag=True, help=say("cli.help.open"))
    @click.option("--lan", is_flag=True, help=say("cli.help.lan"))
    @click.option("--keep", type=Number(1, 36500), default=180, metavar="N", help=say("cli.help.keep"))
    @click.option("--name", "hosts", multiple=True, metavar=say("cli.host"), help=say("cli.help.name"))
    @click.option("--base-path", default="", metavar="/PATH", help=say("cli.help.base_path"))
    @click.option("--trust-proxy", is_flag=True, help=say("cli.help.trust_proxy"))
    @click.option("--log", type=click.Choice(["text", "json"]), default="text", help=say("cli.help.log"))
    @click.option("--check", "only_check", is_flag=True, help=say("cli.help.check_tables"))
    def serve(
        host: str,
        port: int,
        db: str | None,
        open_page: bool,
        lan: bool,
        keep: int,
        hosts: tuple[str, ...],
        base_path: str,
        trust_proxy: bool,
        log: str,
        only_check: bool,
    ) -> None:
        module = server()
        if only_check:
            found = module.run(module.check(db))
            for line in found.damage:
                click.echo(say("serve.damage", detail=line))
            for table, reason in found.broken.items():
                click.echo(say("serve.broken", table=table, reason=reason))
            click.echo(say("serve.checked", count=found.tables, broken=len(found.broken)))
            if found.broken or found.damage:
                sys.exit(1)
            return
        module.serve(
            module.Settings(
                host=host,
                port=port,
                db=db,
                open=open_page,
                lan=lan,
                keep=keep,
                hosts=hosts,
                base_path=base_path,
                trust_proxy=trust_proxy,
                log=log,
            )
        )

    @lampion.command("backup", help=say("cli.backup"))
    @click.argument("file", type=click.Path(path_type=Path), metavar=say("cli.file"))
    @db_option()
    def backup(file: Path, db: str | None) -> None:
        server().backup(db, file)
        click.echo(say("serve.backed_up", file=str(file)))

    @lampion.group("records", cls=type(lampion), help=say("cli.records"))
    def records() -> None:
        """Finished games in the database."""

    @records.command("list", help=say("cli.records_list"))
    @db_option()
    def list_records(db: str | None) -> None:
        module = server()
        from lampion.server.tables.table_state import moment

        listed = module.run(module.list_records(db))
        for one in listed:
            scores = one.result.scores if one.result else [""] * len(one.seats)
            names = ", ".join(f"{seat.name} {score}" for seat, score in zip(one.seats, scores, strict=True))
            click.echo(f"{one.id}  {moment(one.changed)[:16]}  {one.game:<10} {one.broken or names}")
        if any(one.broken for one in listed):
            sys.exit(1)

    @records.command("export", help=say("cli.records_export"))
    @click.argument("folder", type=click.Path(path_type=Path), metavar=say("cli.folder"))
    @click.argument("tables", nargs=-1, metavar=say("cli.tables"))
    @db_option()
    def export(folder: Path, tables: tuple[str, ...], db: str | None) -> None:
        module = server()
        done = module.run(module.export_records(db, folder, tables))
        for table, reason in done.broken.items():
            click.echo(say("serve.not_exported", table=table, reason=reason), err=True)
        click.echo(say("serve.exported", count=len(done.files), folder=str(folder)))
        if done.broken:
            sys.exit(1)

    @records.command("import", help=say("cli.records_import"))
    @click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar=say("cli.file"))
    @db_option()
    def import_files(files: tuple[Path, ...], db: str | None) -> None:
        module = server()
        for table in module.run(module.import_records(db, files)):
            click.echo(table)

    @records.command("delete", help=say("cli.records_delete"))
    @click.argument("tables", nargs=-1, required=True, metavar=say("cli.tables"))
    @db_option()
    def delete(tables: tuple[str, ...], db: str | None) -> None:
        module = server()
        click.echo(say("serve.deleted", count=module.run(module.delete_tables(db, tables))))
