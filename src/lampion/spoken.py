"""A command line in the user's language: its help, its numbers, and what it refuses. click has English alone."""

from __future__ import annotations

import math
from typing import Any

import click

from lampion.locale import Problem, say, short


class Spoken:
    """Help with our own headings."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=say("cli.usage") + " ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [row for param in self.get_params(ctx) if (row := param.get_help_record(ctx))]  # type: ignore[attr-defined]
        with formatter.section(say("cli.options")):
            formatter.write_dl(rows)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option: click.Option | None = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = say("cli.help.help")
        return option


class Command(Spoken, click.Command):
    """A command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        try:
            super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = error.ctx or ctx  # which click leaves out, and `refusal` looks into
            raise
        if ctx.args:
            raise Problem("cli.extra", words=short(" ".join(ctx.args)))
        return ctx.args


class Commands(Spoken, click.Group):
    """The command with its words."""

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
    """A number within bounds, whole unless they are not."""

    name = "number"

    def __init__(self, least: float | None = None, most: float | None = None) -> None:
        self.least, self.most = least, most
        self.kind = float if isinstance(least, float) else int

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number that was written."""
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
    """What click found wrong, in the user's language."""
    match error:
        case click.NoSuchOption():
            return say("cli.no_option", word=error.option_name)
        case click.MissingParameter():
            return say("cli.missing", word=error.param.make_metavar(error.ctx) if error.param and error.ctx else "")
        case click.BadParameter(param=click.Option(type=click.Choice(choices=known)) as option):
            return say("cli.choice", word=option.opts[0], known=", ".join(known))
        case click.BadParameter():
            return say("cli.bad_value", word=error.param.opts[0] if error.param else "", detail=error.message)
        case click.BadOptionUsage():
            options = [one for one in (error.ctx.command.params if error.ctx else []) if error.option_name in one.opts]
            takes_none = any(isinstance(one, click.Option) and one.is_flag for one in options)
            return say("cli.takes_no_value" if takes_none else "cli.no_value", word=error.option_name)
    return say("cli.wrong", detail=error.format_message())
