"""The command that writes the games room as files for a static host."""

from __future__ import annotations

import gzip
import re
from importlib.util import find_spec
from pathlib import Path

import click

from lampion import extras
from lampion.cli.localized import FILE, Command, argument, option
from lampion.locale import Problem, say, why


@click.command("site", cls=Command, help="cli.site")
@argument("folder", type=FILE, metavar="cli.folder")
@option("--base", default="/", metavar="/PATH", help="cli.help.site_base")
def site(folder: Path, base: str) -> None:
    """Write the room as static files."""
    bare = base.strip("/")
    if bare and not re.fullmatch(r"[\w~-][\w.~-]*(/[\w~-][\w.~-]*)*", bare, re.ASCII):
        raise Problem("serve.base_path", path=base)
    if find_spec("ziglang") is None:
        raise Problem("engine.no_linker", command=extras.command("page"))
    from lampion.page import site as page_site

    def say_module(game: str) -> None:
        click.echo(say("site.module", game=say(f"{game}.name")), err=True)

    try:
        written = page_site.write(folder, f"/{bare}/" if bare else "/", on_module=say_module)
    except OSError as error:
        raise Problem("report.unwritable", file=str(folder), detail=why(error)) from error
    files = [*written.small.values(), *written.large.values()]
    packed = sum(len(gzip.compress(content)) for content in files) / 1e6
    click.echo(say("site.written", folder=str(folder), count=len(files), megabytes=f"{packed:.1f}"))
