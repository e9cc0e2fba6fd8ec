"""Commands for click in the user's language: help, arguments, options, numbers and refusals. click has English alone.

Help texts and metavars are given as keys of the catalogue and looked up when they are shown: the language is known only
after the command line was read.
"""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import click

from lampion.locale import Problem, say, short


class _Text:
    """An attribute that holds a key of the catalogue and reads as its text; what is no key is itself."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}_key"

    def __get__(self, instance: Any, owner: type) -> str | None:
        key = instance.__dict__.get(self._name)
        return say(key) if key and key.startswith("cli.") else key

    def __set__(self, instance: Any, key: str | None) -> None:
        instance.__dict__[self._name] = key


class Option(click.Option):
    """An option whose help and metavar come from the catalogue."""

    help = _Text()
    metavar = _Text()


class Argument(click.Argument):
    """An argument whose metavar comes from the catalogue."""

    metavar = _Text()


option = functools.partial(click.option, cls=Option)
"""Declare an option."""
argument = functools.partial(click.argument, cls=Argument)
"""Declare an argument."""
FILE = click.Path(path_type=Path)


class _Localized:
    """Write help with headings from the catalogue."""

    help = _Text()

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=say("cli.usage") + " ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [row for param in self.get_params(ctx) if (row := param.get_help_record(ctx))]  # type: ignore[attr-defined]
        with formatter.section(say("cli.options")):
            formatter.write_dl(rows)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        found: click.Option | None = super().get_help_option(ctx)  # type: ignore[misc]
        if found is not None:
            found.help = say("cli.help.help")
        return found


class Command(_Localized, click.Command):
    """A command that refuses words it does not take."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        try:
            super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = error.ctx or ctx  # click leaves it out here, and `refusal` reads it
            raise
        if ctx.args:
            known = ", ".join(one.opts[0] for one in self.get_params(ctx) if isinstance(one, click.Option))
            raise Problem("cli.extra", words=short(" ".join(ctx.args)), known=known)
        return ctx.args


class Group(_Localized, click.Group):
    """A group of commands that names them all when it does not know one."""

    command_class = Command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        with formatter.section(say("cli.commands")):
            formatter.write_dl([(name, command.get_short_help_str(90)) for name, command in self.commands.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            raise Problem("cli.no_command", word=short(args[0]), known=", ".join(self.commands))
        return super().resolve_command(ctx, args)


class Number(click.ParamType):  # type: ignore[type-arg]
    """A number within bounds: a whole one, unless `least` is a float."""

    name = "number"

    def __init__(self, least: float | None = None, most: float | None = None) -> None:
        self.least, self.most = least, most
        self.kind = float if isinstance(least, float) else int

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that was written, or refuse it with its bounds."""
        try:
            number = self.kind(value)
            if not math.isfinite(number):
                raise ValueError(value)
        except (ValueError, OverflowError):
            number = None
        low, high = self.least, self.most
        if number is not None and (low is None or low <= number) and (high is None or number <= high):
            return number
        key = "cli.whole" if self.kind is int else "cli.number"
        bounds = "" if low is None else ".from" if high is None else ".between"
        word = param.opts[0] if param else ""
        raise Problem(key + bounds, word=word, value=short(str(value)), least=low, most=high)


def refusal(error: click.ClickException) -> str:
    """Return what click found wrong, in the user's language."""
    match error:
        case click.NoSuchOption():
            return no_option(error)
        case click.MissingParameter(param=click.Argument(name="game")):
            from lampion.games import registry

            return say("cli.no_game", known=", ".join(registry.games()))
        case click.MissingParameter():
            return say("cli.missing", word=error.param.make_metavar(error.ctx) if error.param and error.ctx else "")
        case click.BadParameter(param=click.Option(type=click.Choice(choices=known)) as found):
            return say("cli.choice", word=found.opts[0], known=", ".join(known))
        case click.BadParameter():
            return say("cli.bad_value", word=error.param.opts[0] if error.param else "", detail=error.message)
        case click.BadOptionUsage():
            options = [one for one in (error.ctx.command.params if error.ctx else []) if error.option_name in one.opts]
            takes_none = any(isinstance(one, click.Option) and one.is_flag for one in options)
            return say("cli.takes_no_value" if takes_none else "cli.no_value", word=error.option_name)
    return say("cli.wrong", detail=error.format_message())


def no_option(error: click.NoSuchOption) -> str:
    """Return that there is no such option, or which commands have it where it stands before a command."""
    group = error.ctx.command if error.ctx else None
    commands = group.commands if isinstance(group, Group) else {}
    known = [name for name, one in commands.items() if any(error.option_name in param.opts for param in one.params)]
    return say("cli.option_of" if known else "cli.no_option", word=error.option_name, known=", ".join(known))
