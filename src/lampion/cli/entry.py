"""The entry point of the `lampion` command. Its words come from the catalogue, and every refusal gives its reason."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn

import click

from lampion import __version__
from lampion.cli import (
    arena_commands,
    engine_commands,
    game_commands,
    insight_commands,
    learning_commands,
    server_commands,
    site_commands,
)
from lampion.cli.localized import Group, Option, option, refusal
from lampion.locale import LANGUAGES, Problem, say, short, speaking, why

UNWRITABLE = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF)


@click.group(cls=Group, help="cli.about", context_settings={"max_content_width": 110})
@option("--lang", metavar="|".join(LANGUAGES), help="cli.help.lang")
@click.version_option(__version__, message="Lampion %(version)s", help="cli.help.version", cls=Option)
def lampion(lang: str | None) -> None:
    """Run one of the commands. `--lang` was taken out of the words before."""


for command in (
    game_commands.list_games,
    game_commands.rules,
    game_commands.play,
    arena_commands.simulate,
    arena_commands.tournament,
    arena_commands.report,
    game_commands.replay,
    game_commands.export,
    game_commands.check_record,
    insight_commands.analyse,
    insight_commands.puzzles,
    game_commands.components,
    game_commands.new_game,
    arena_commands.bench,
    learning_commands.train,
    engine_commands.engine,
    game_commands.stdio,
    server_commands.serve,
    site_commands.site,
    server_commands.backup,
    server_commands.records,
):
    lampion.add_command(command)


def take_language(words: list[str]) -> str | None:
    """Take `--lang` out of the words, wherever it stands, and return its value."""
    for i, word in enumerate(words):
        if word == "--":
            return None
        name, equals, value = word.partition("=")
        if name == "--lang":
            chosen = value if equals else words[i + 1] if i + 1 < len(words) else ""
            del words[i : i + (1 if equals else 2)]
            if chosen not in LANGUAGES:
                raise Problem("cli.no_language", word=short(chosen), known=", ".join(LANGUAGES))
            return chosen
    return None


def fail(reason: str) -> NoReturn:
    """Write the reason to standard error and exit with 2."""
    click.echo(reason, err=True)
    sys.exit(2)


def forget_output() -> None:
    """Drop what is left in the buffer of standard output: nobody reads it any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_any_letter() -> None:
    """Let standard output and error replace letters that the terminal does not have."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def main(words: list[str] | None = None) -> None:
    """Run the command and exit with its status."""
    words = list(sys.argv[1:] if words is None else words)
    show_any_letter()
    try:
        language = take_language(words)
    except Problem as problem:
        fail(str(problem))
    with speaking(language):
        try:
            lampion.main(args=words or ["--help"], prog_name="lampion", standalone_mode=False, obj=list(words))
            if sys.stdout is not None:
                sys.stdout.flush()
        except Problem as problem:
            fail(str(problem))
        except click.exceptions.Exit as end:
            sys.exit(end.exit_code)
        except (click.Abort, KeyboardInterrupt):
            click.echo("", err=True)
            sys.exit(130)
        except click.ClickException as error:
            fail(refusal(error))
        except BrokenPipeError:
            forget_output()
            sys.exit(141)
        except OSError as error:
            if error.errno not in UNWRITABLE:
                raise
            forget_output()
            fail(say("cli.output", detail=why(error)))
