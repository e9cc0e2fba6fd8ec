"""The command that builds the engine for another place than this machine."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path

import click

from lampion import extras
from lampion.cli.localized import FILE, Group, argument, option
from lampion.cli.setup import must_be_writable
from lampion.locale import Problem, say, why

TARGETS = ("wasm32",)


@click.group("engine", cls=Group, help="cli.engine")
def engine() -> None:
    """Build the compiled rules and the search."""


@engine.command("build", help="cli.engine_build")
@argument("games", nargs=-1, metavar="cli.game")
@option("--target", default=TARGETS[0], metavar="|".join(TARGETS), help="cli.help.target")
@option("--out", type=FILE, required=True, metavar="cli.folder", help="cli.help.out_modules")
def build(games: tuple[str, ...], target: str, out: Path) -> None:
    """Write one module for each game, of all of ours where none is named."""
    from lampion.games import registry

    if target not in TARGETS:
        raise Problem("engine.target", word=target[:40], known=", ".join(TARGETS))
    chosen = [registry.game(name) for name in games or registry.games()]
    if find_spec("ziglang") is None:
        raise Problem("engine.no_linker", command=extras.command("page"))
    from lampion.page import wasm_exports

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem("report.unwritable", file=str(out), detail=why(error)) from error
    for game in chosen:
        must_be_writable(out / f"{game.name}.wasm")
        began = time.perf_counter()
        file = wasm_exports.write(game, out)
        seconds = round(time.perf_counter() - began)
        click.echo(say("engine.built", file=str(file), kilobytes=file.stat().st_size // 1000, seconds=seconds))
