"""The `lampion` command: every word of it comes from the catalogue, every refusal gives its reason."""

from __future__ import annotations

import errno
import io
import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from lampion import __version__
from lampion.locale import LANGUAGES, Problem, say, short, speaking, why
from lampion.spoken import Commands, Number, refusal

LONGEST_PATIENCE = 86_400.0
UNWRITABLE = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF)


def edition_of(game: str, components: Path | None) -> Any:
    """The edition to play with: the game's own, or an owner's file."""
    from lampion.games import editions, registry

    found = registry.game(game)
    return editions.load(found, components) if components else editions.standard(game)


def read_options(pairs: tuple[str, ...]) -> dict[str, Any]:
    """NAME=VALUE pairs; a value is JSON where it can be read so, else text."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Problem("error.option_form", option=short(pair))
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value.split(",") if "," in value else value
    return options


def makers_of(bots: tuple[str, ...]) -> list[Any]:
    """The bots named with commas, or by an option each."""
    from lampion.bots.names import named, split_names

    return [named(text) for texts in bots for text in split_names(texts)]


def table_of(edition: Any, players: int | None, options: tuple[str, ...], seed: int, work: dict[str, Any]) -> Any:
    """What the games of a run have in common."""
    from lampion.arena.match import Table

    count = edition.game.players[0] if players is None else players
    return Table.of(edition, count, read_options(options), seed=seed, patience=work["patience"])


def show_json(data: Any) -> None:
    """One JSON object on standard output."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def build() -> click.Group:
    """The command in the language in use now."""

    def game_argument() -> Callable[[Callable[..., None]], Callable[..., None]]:
        return click.argument("game", metavar=say("cli.game"))

    def setup_options(function: Callable[..., None]) -> Callable[..., None]:
        for option in (
            click.option("--components", type=click.Path(path_type=Path), metavar=say("cli.file"),
                         help=say("cli.help.components")),
            click.option("--option", "options", multiple=True, metavar=say("cli.pair"), help=say("cli.help.option")),
        ):  # fmt: skip
            function = option(function)
        return function

    @click.group(cls=Commands, help=say("cli.about"), context_settings={"max_content_width": 110})
    @click.option("--lang", metavar="|".join(LANGUAGES), help=say("cli.help.lang"))
    @click.version_option(__version__, message="Lampion %(version)s", help=say("cli.help.version"))
    def lampion(lang: str | None) -> None:
        """The language was read before the words were built."""

    @lampion.command("games", help=say("cli.games"))
    @click.option("--json", "as_json", is_flag=True, help=say("cli.help.json"))
    def list_games(as_json: bool) -> None:
        from lampion.games import registry

        if as_json:
            show_json([{"game": g.name, "players": list(g.players)} for g in registry.games().values()])
            return
        for game in registry.games().values():
            players = say("cli.players_range", least=game.players[0], most=game.players[-1])
            click.echo(f"{game.name:<11}{say(game.name + '.name')} ({players}). {say(game.name + '.about')}")

    @lampion.command("rules", help=say("cli.rules"))
    @game_argument()
    @click.option("--section", metavar=say("cli.section"), help=say("cli.help.section"))
    def rules(game: str, section: str | None) -> None:
        from lampion.reading import show_rules

        show_rules(game, section)

    @lampion.command("play", help=say("cli.play"))
    @game_argument()
    @click.option("--seats", metavar=say("cli.names"), help=say("cli.help.seats"))
    @click.option("--players", type=Number(), metavar="N", help=say("cli.help.players"))
    @click.option("--seed", type=Number(), metavar="S", help=say("cli.help.seed"))
    @click.option("--dice", "manual", is_flag=True, help=say("cli.help.dice"))
    @click.option("--save", type=click.Path(path_type=Path), metavar=say("cli.file"), help=say("cli.help.save"))
    @click.option("--resume", type=click.Path(path_type=Path), metavar=say("cli.file"), help=say("cli.help.resume"))
    @setup_options
    def play(
        game: str,
        seats: str | None,
        players: int | None,
        seed: int | None,
        manual: bool,
        save: Path | None,
        resume: Path | None,
        components: Path | None,
        options: tuple[str, ...],
    ) -> None:
        from lampion.terminal import Table

        table = (
            Table.resume(resume, game, seats)
            if resume
            else Table.new(edition_of(game, components), seats, players, read_options(options), seed, manual)
        )
        table.save_to = save or resume
        table.play()

    @lampion.command("simulate", help=say("cli.simulate"))
    @game_argument()
    @click.option("--players", type=Number(), metavar="N", help=say("cli.help.players"))
    @click.option("--games", type=Number(1), default=10_000, metavar="K", help=say("cli.help.games"))
    @click.option("--seed", type=Number(), default=0, metavar="S", help=say("cli.help.seed"))
    @click.option("--threads", type=Number(1, 1024), metavar="T", help=say("cli.help.threads"))
    @click.option("--check", is_flag=True, help=say("cli.help.check"))
    @click.option("--bots", multiple=True, metavar=say("cli.bots"), help=say("cli.help.simulate_bots"))
    @click.option("--ray", metavar=say("cli.address"), help=say("cli.help.ray"))
    @click.option("--json", "as_json", is_flag=True, help=say("cli.help.json"))
    @setup_options
    def simulate(
        game: str,
        players: int | None,
        games: int,
        seed: int,
        threads: int | None,
        check: bool,
        bots: tuple[str, ...],
        ray: str | None,
        as_json: bool,
        components: Path | None,
        options: tuple[str, ...],
    ) -> None:
        import msgspec

        from lampion import reporting
        from lampion.arena.simulate import simulate as run
        from lampion.play.chance import Seeded

        edition = edition_of(game, components)
        makers = makers_of(bots)
        if check and (makers or ray):
            raise Problem("simulate.check_alone")
        if players is None:
            players = max(edition.game.players[0], len(makers))
        chosen = edition.game.read_options(players, read_options(options))
        Seeded(seed)
        title = say("cli.simulating", game=say(f"{game}.name"))
        if makers or ray:
            from lampion.arena.crew import crew
            from lampion.arena.match import Table
            from lampion.arena.seated import seat_bots, simulate_bots

            table, seats = Table.of(edition, players, chosen, seed=seed), makers or makers_of(("random",))
            seat_bots(seats, players)
            with crew(threads, ray) as workers, reporting.progress(title, games) as done:
                result: Any = simulate_bots(table, seats, games, workers, progress=done)
        else:
            with reporting.progress(title, games) as done:
                result = run(
                    edition, players, games, seed=seed, options=chosen, threads=threads, check=check, progress=done
                )
        if as_json:
            show_json(msgspec.to_builtins(result))
        else:
            reporting.show_simulation(result)

    def crew_options(function: Callable[..., None]) -> Callable[..., None]:
        for option in (
            click.option("--ray", metavar=say("cli.address"), help=say("cli.help.ray")),
            click.option("--processes", type=Number(1, 1024), metavar="P", help=say("cli.help.processes")),
            click.option("--patience", type=Number(0.01, LONGEST_PATIENCE), default=120.0, metavar="S",
                         help=say("cli.help.patience")),
        ):  # fmt: skip
            function = option(function)
        return function

    @lampion.command("tournament", help=say("cli.tournament"))
    @game_argument()
    @click.option("--bots", multiple=True, required=True, metavar=say("cli.bots"), help=say("cli.help.bots"))
    @click.option("--games", type=Number(1), default=400, metavar="K", help=say("cli.help.pair_games"))
    @click.option("--players", type=Number(), metavar="N", help=say("cli.help.players"))
    @click.option("--seed", type=Number(), default=0, metavar="S", help=say("cli.help.seed"))
    @click.option("--ladder", is_flag=True, help=say("cli.help.ladder"))
    @click.option("--until", type=Number(0.5, 1.0), metavar="X", help=say("cli.help.until"))
    @click.option("--save", type=click.Path(path_type=Path), metavar=say("cli.file"), help=say("cli.help.save_results"))
    @click.option("--json", "as_json", is_flag=True, help=say("cli.help.json"))
    @crew_options
    @setup_options
    def tournament(
        game: str,
        bots: tuple[str, ...],
        games: int,
        players: int | None,
        seed: int,
        ladder: bool,
        until: float | None,
        save: Path | None,
        as_json: bool,
        components: Path | None,
        options: tuple[str, ...],
        **work: Any,
    ) -> None:
        import msgspec

        from lampion import reporting
        from lampion.arena import tournament as meeting
        from lampion.arena.crew import crew

        makers = makers_of(bots)
        meeting.check_bots(makers)
        table = table_of(edition_of(game, components), players, options, seed, work)
        title = say("cli.meeting", game=say(f"{game}.name"))
        total = meeting.games_in_all(len(makers), table.players, games, ladder)
        with crew(work["processes"], work["ray"]) as workers, reporting.progress(title, total) as done:
            result = meeting.tournament(
                table, makers, games, workers, ladder=ladder, until=until, save=save, progress=done
            )
        if as_json:
            show_json(msgspec.to_builtins(result))
        else:
            reporting.show_tournament(result)

    @lampion.command("report", help=say("cli.report"))
    @game_argument()
    @click.option("--bots", multiple=True, default=("lantern:sims=100",), metavar=say("cli.bots"),
                  help=say("cli.help.bots"))  # fmt: skip
    @click.option("--games", type=Number(1), default=400, metavar="K", help=say("cli.help.games"))
    @click.option("--players", type=Number(), metavar="N", help=say("cli.help.players"))
    @click.option("--seed", type=Number(), default=0, metavar="S", help=say("cli.help.seed"))
    @click.option("--against", type=click.Path(path_type=Path), metavar=say("cli.file"), help=say("cli.help.against"))
    @click.option("--out", type=click.Path(path_type=Path), metavar=say("cli.file"), help=say("cli.help.out"))
    @click.option("--json", "as_json", is_flag=True, help=say("cli.help.json"))
    @crew_options
    @setup_options
    def report(
        game: str,
        bots: tuple[str, ...],
        games: int,
        players: int | None,
        seed: int,
        against: Path | None,
        out: Path | None,
        as_json: bool,
        components: Path | None,
        options: tuple[str, ...],
        **work: Any,
    ) -> None:
        import msgspec

        from lampion import reporting
        from lampion.arena.crew import crew
        from lampion.arena.page import page
        from lampion.arena.report import report as count

        makers = makers_of(bots)
        files = [components, against] if against else [components]
        tables = [table_of(edition_of(game, file), players, options, seed, work) for file in files]
        path = out or Path(f"{game}.html")
        try:
            was_there = path.exists()
            path.open("ab").close()  # now, not when all games are played
            if not was_there:
                path.unlink()
        except (OSError, ValueError) as error:
            raise Problem("report.unwritable", file=str(path), detail=why(error)) from error
        found = []
        with crew(work["processes"], work["ray"]) as workers:
            for table, file in zip(tables, files, strict=True):
                label = file.stem if file else say("report.standard")
                title = say("report.playing", game=say(f"{game}.name"), label=label)
                with reporting.progress(title, games) as done:
                    found.append(count(table, makers, games, workers, label, progress=done))
        try:
            path.write_text(page(found, shlex.join(["lampion", *click.get_current_context().obj])), encoding="utf-8")
        except OSError as error:
            raise Problem("report.unwritable", file=str(path), detail=why(error)) from error
        if as_json:
            show_json([msgspec.to_builtins(one) for one in found])
        reporting.note(say("report.written", file=str(path)))

    @lampion.command("replay", help=say("cli.replay"))
    @click.argument("file", type=click.Path(path_type=Path), metavar=say("cli.file"))
    @click.option("--at", "ply", type=Number(), metavar=say("cli.ply"), help=say("cli.help.at"))
    @click.option("--seat", type=Number(), metavar="N", help=say("cli.help.seat"))
    def replay(file: Path, ply: int | None, seat: int | None) -> None:
        from lampion.play.record import Record
        from lampion.terminal import show_replay

        show_replay(Record.load(file), ply, seat)

    @lampion.command("check", help=say("cli.check"))
    @click.argument("file", type=click.Path(path_type=Path), metavar=say("cli.file"))
    @click.option("--seal", metavar=say("cli.seal"), help=say("cli.help.seal"))
    def check_record(file: Path, seal: str | None) -> None:
        from lampion.checking import check
        from lampion.play.record import BadRecord, Record

        try:
            lines, is_proven = check(Record.load(file), seal)
        except BadRecord as problem:
            click.echo(str(problem), err=True)
            sys.exit(1)
        click.echo("\n".join(lines))
        if not is_proven:
            sys.exit(1)

    @lampion.command("components", help=say("cli.components"))
    @game_argument()
    @click.option("--check", "file", type=click.Path(path_type=Path), metavar=say("cli.file"),
                  help=say("cli.help.check_components"))  # fmt: skip
    @click.option("--json", "as_json", is_flag=True, help=say("cli.help.json"))
    def components(game: str, file: Path | None, as_json: bool) -> None:
        from lampion.games import editions, registry

        if file is not None:
            found = editions.load(registry.game(game), file)
            known = say("components.standard") if found.is_standard else ""
            click.echo(say("components.good", game=say(f"{game}.name"), hash=found.hash[:12]) + known)
        elif as_json:
            show_json(editions.standard(game).data)
        else:
            click.echo(editions.components_file(registry.game(game)).read_text(encoding="utf-8"), nl=False)

    @lampion.command("bench", help=say("cli.bench"))
    @click.option("--json", "as_json", is_flag=True, help=say("cli.help.json"))
    @click.option("--rounds", type=Number(1, 99), default=5, metavar="R", help=say("cli.help.rounds"))
    @click.option("--no-peers", is_flag=True, help=say("cli.help.no_peers"))
    def bench(as_json: bool, rounds: int, no_peers: bool) -> None:
        import msgspec

        from lampion import reporting
        from lampion.arena.bench import measure

        rows = measure(rounds, peers=not no_peers, tell=reporting.note)
        if as_json:
            show_json([msgspec.to_builtins(row) for row in rows])
        else:
            reporting.show_bench(rows)

    @lampion.command("stdio", help=say("cli.stdio"))
    def stdio() -> None:
        from lampion.adapters.stdio import serve

        serve()

    from lampion.cli_server import add_server_commands

    add_server_commands(lampion)
    return lampion


def take_language(words: list[str]) -> str | None:
    """Take `--lang` out of the words, wherever it stands."""
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
    """Say why on standard error, and stop."""
    click.echo(reason, err=True)
    sys.exit(2)


def forget_output() -> None:
    """Nobody reads on: what is left in the buffer goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_any_letter() -> None:
    """Print what the terminal has no letters for as well as it can."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def main(words: list[str] | None = None) -> None:
    """Run the command."""
    words = list(sys.argv[1:] if words is None else words)
    show_any_letter()
    try:
        language = take_language(words)
    except Problem as problem:
        fail(str(problem))
    with speaking(language):
        try:
            build().main(args=words or ["--help"], prog_name="lampion", standalone_mode=False, obj=list(words))
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
