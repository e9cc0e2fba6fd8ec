"""The command that trains a net by self-play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from lampion.cli.localized import Command, Number, option
from lampion.cli.setup import (
    Setup,
    file_option,
    game_argument,
    must_be_writable,
    players_option,
    seed_option,
    with_setup,
)
from lampion.locale import Problem, say

DEVICES = ("cpu", "cuda")


@click.command("train", cls=Command, help="cli.train")
@game_argument
@players_option
@option("--minutes", type=Number(0.1, 10_000.0), default=10.0, metavar="M", help="cli.help.minutes")
@option("--rounds", type=Number(1, 1_000_000), metavar="R", help="cli.help.training_rounds")
@file_option("--out", help="cli.help.out_net")
@file_option("--from", "start", help="cli.help.from_net")
@option("--width", type=Number(16, 256), metavar="N", help="cli.help.width")
@option("--device", default="cpu", metavar="|".join(DEVICES), help="cli.help.device")
@seed_option(1)
@with_setup
def train(
    setup: Setup,
    minutes: float,
    rounds: int | None,
    out: Path | None,
    start: Path | None,
    width: int | None,
    device: str,
) -> None:
    """Train a net and write it to a file."""
    from lampion.bots import net_files
    from lampion.cli import result_tables
    from lampion.learning import curve, training
    from lampion.learning.widening import encoded_by, widened
    from lampion.play.chance import Seeded

    if device not in DEVICES:
        raise Problem("train.device", word=device[:40], known=", ".join(DEVICES))
    if setup.pairs:
        raise Problem("train.options")
    edition, seed = setup.edition, setup.seed or 0
    Seeded(seed)
    edition.game.read_options(edition.game.players[0] if setup.players is None else setup.players)
    numbers = training.usual_numbers(edition.game) if setup.players is None else (setup.players,)
    found = net_files.read(start) if start else None
    if found and found.about.game != edition.game.name:
        raise Problem("net.other_game", file=str(start), game=found.about.game)
    net = found.net if found else None
    if net and width:
        net = widened(net, edition.game.inputs, width, seed)
    target = out or Path(f"{edition.game.name}.net")
    plot = target.with_name(f"{target.name}.svg")
    for file in (target, plot):
        must_be_writable(file)
    training.must_have(device)
    course = training.Course(players=numbers, rounds=rounds or 0, seed=seed, device=device)
    if width:
        course = replace(course, encoded=encoded_by(width), hidden=(width, course.hidden[1]))
    course = course if rounds else training.timed(edition, course, net, minutes)
    with result_tables.progress(say("train.title", game=setup.title), course.rounds) as done:
        shown, title = 0, say("train.curve", game=setup.title)

        def tell(progress: training.Progress) -> None:
            nonlocal shown
            done(progress.round - shown)  # more than one round where a stopped run is resumed
            shown = progress.round
            if progress.strength:
                result_tables.note(line(progress))
                plot.write_text(curve.drawn(progress.history, title), encoding="utf-8")

        training.train(edition, course, target, start=net, tell=tell, command=command(setup, course, start, width))
    result_tables.note(say("train.written", file=str(target), plot=str(plot)))


def line(progress: Any) -> str:
    """Return how far the training is and how strong the net, in a line."""
    strength = ", ".join(
        say("train.strength", players=players, share=f"{100 * share:.0f}", margin=f"{100 * margin:.0f}")
        for players, (share, margin) in progress.strength.items()
    )
    return say("train.line", games=progress.games, seconds=f"{progress.seconds:.0f}", strength=strength)


def command(setup: Setup, course: Any, start: Path | None, width: int | None) -> str:
    """Return the command that trains the same net again on the same machine."""
    words = ["lampion train", setup.game]
    words += [f"--players {setup.players}"] if setup.players else []
    words += [f"--rounds {course.rounds}", f"--seed {course.seed}", f"--device {course.device}"]
    words += [f"--from {start.name}"] if start else []
    words += [f"--width {width}"] if width else []
    words += [f"--components {setup.components.name}"] if setup.components else []
    return " ".join(words)
