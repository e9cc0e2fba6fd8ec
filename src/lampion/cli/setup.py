"""What commands that play games share: the game and how it is set up, the bots, the processes, the output."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from lampion.cli.localized import FILE, Number, argument, option
from lampion.locale import Problem, say, short, why

LONGEST_PATIENCE = 86_400.0

Function = Callable[..., None]

game_argument = argument("game", metavar="cli.game")
json_option = option("--json", "as_json", is_flag=True, help="cli.help.json")
players_option = option("--players", type=Number(), metavar="N", help="cli.help.players")
bots_option = functools.partial(option, "--bots", multiple=True, metavar="cli.bots")
ray_option = option("--ray", metavar="cli.address", help="cli.help.ray")


def seed_option(default: int | None = 0) -> Callable[[Function], Function]:
    """Declare `--seed`."""
    return option("--seed", type=Number(), default=default, metavar="S", help="cli.help.seed")


def games_option(default: int, help: str = "cli.help.games") -> Callable[[Function], Function]:
    """Declare `--games`."""
    return option("--games", type=Number(1), default=default, metavar="K", help=help)


def file_option(*names: str, help: str) -> Callable[[Function], Function]:
    """Declare an option that takes the name of a file."""
    return option(*names, type=FILE, metavar="cli.file", help=help)


@dataclass(frozen=True)
class Setup:
    """The game that a command plays, as it was asked for."""

    game: str
    players: int | None
    seed: int | None
    components: Path | None
    pairs: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name of the game, for people."""
        return say(f"{self.game}.name")

    @property
    def edition(self) -> Any:
        """The edition to play with: the game's own, or an owner's file."""
        return self.edition_of(self.components)

    def edition_of(self, file: Path | None) -> Any:
        """Return the edition in a file, or the game's own where there is none."""
        from lampion.games import editions, registry

        found = registry.game(self.game)
        return editions.load(found, file) if file else editions.standard(self.game)

    @property
    def options(self) -> dict[str, Any]:
        """The NAME=VALUE pairs; a value is JSON where it can be read so, else text."""
        options: dict[str, Any] = {}
        for pair in self.pairs:
            name, equals, value = pair.partition("=")
            if not equals:
                raise Problem("error.option_form", option=short(pair))
            try:
                options[name] = json.loads(value)
            except (ValueError, RecursionError):
                options[name] = value.split(",") if "," in value else value
        return options

    def conditions(self, edition: Any, patience: float) -> Any:
        """Return what the games of a run have in common."""
        from lampion.arena.match import Conditions

        count = edition.game.players[0] if self.players is None else self.players
        return Conditions.of(edition, count, self.options, seed=self.seed or 0, patience=patience)


def with_setup(function: Function) -> Function:
    """Declare `--components` and `--option`, and give the command a Setup in place of its single parts."""

    @functools.wraps(function)
    def command(
        game: str,
        players: int | None,
        seed: int | None,
        components: Path | None,
        options: tuple[str, ...],
        **rest: Any,
    ) -> None:
        function(Setup(game, players, seed, components, options), **rest)

    pairs = option("--option", "options", multiple=True, metavar="cli.pair", help="cli.help.option")
    return pairs(file_option("--components", help="cli.help.components")(command))


@dataclass(frozen=True)
class Workers:
    """Where the games of a run are played, and how long a bot may think."""

    ray: str | None
    processes: int | None
    patience: float

    def crew(self) -> Any:
        """Return the processes, as a context manager."""
        from lampion.arena.workers import crew

        return crew(self.processes, self.ray)


def with_workers(function: Function) -> Function:
    """Declare `--patience`, `--processes` and `--ray`, and give the command Workers in place of them."""

    @functools.wraps(function)
    def command(*words: Any, ray: str | None, processes: int | None, patience: float, **rest: Any) -> None:
        function(*words, workers=Workers(ray, processes, patience), **rest)

    for declare in (
        ray_option,
        option("--processes", type=Number(1, 1024), metavar="P", help="cli.help.processes"),
        option(
            "--patience",
            type=Number(0.01, LONGEST_PATIENCE),
            default=120.0,
            metavar="S",
            help="cli.help.patience",
        ),
    ):
        command = declare(command)
    return command


def makers_of(bots: tuple[str, ...]) -> list[Any]:
    """Return the bots named in lists separated by commas or by repeated options."""
    from lampion.bots.names import named, split_names

    return [named(text) for texts in bots for text in split_names(texts)]


def must_be_writable(path: Path) -> None:
    """Refuse a file that cannot be written, now and not when all games are played."""
    try:
        was_there = path.exists()
        path.open("ab").close()
        if not was_there:
            path.unlink()
    except (OSError, ValueError) as error:
        raise Problem("report.unwritable", file=str(path), detail=why(error)) from error


def show_json(data: Any) -> None:
    """Write one JSON object to standard output."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))
