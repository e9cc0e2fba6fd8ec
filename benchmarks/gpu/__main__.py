"""Random games on a graphics card and on one core: how many a second, and whether all end in the same bytes.

Needs an NVIDIA card, the CUDA toolkit and numba-cuda (`pip install "lampion[gpu]"`), and says which of them is missing.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from typing import Any

import click
import numba
import numpy as np

from benchmarks.gpu.played import Played, play_on_core
from lampion.arena.simulate_random import Runner
from lampion.games import registry
from lampion.games.editions import standard
from lampion.locale import Problem


class NoCard(Exception):
    """Why nothing can be played on a card here."""


@click.command(help=__doc__)
@click.option("--game", "name", default="lanternes", show_default=True, help="Any game that is installed.")
@click.option("--players", type=int, help="How many play; the most that can, if not given.")
@click.option("--games", type=click.IntRange(1), default=65_536, show_default=True, help="All in one launch.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def main(name: str, players: int | None, games: int, seed: int, as_json: bool) -> None:
    try:
        figures = compare(name, players, games, seed)
    except NoCard as reason:
        click.echo(json.dumps({"skipped": str(reason)}) if as_json else f"skipped: {reason}")
        return
    except Problem as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo(json.dumps(figures) if as_json else sentences(figures))
    sys.exit(1 if figures["different"] else 0)


def compare(name: str, players: int | None, games: int, seed: int) -> dict[str, Any]:
    """Play the same games on the card and on a core; the figures of both."""
    game = registry.game(name)
    players = game.players[-1] if players is None else players
    runner = Runner(standard(name), players, game.read_options(players), seed)
    card = find_card()
    from benchmarks.gpu.card import play_on_card

    there, here = play_on_card(runner, game, games), play_on_core(runner, game, games)
    same = (there.finals == here.finals).all(axis=1) & (there.counts == here.counts).all(axis=1)
    return {
        "game": name,
        "players": players,
        "games": games,
        "seed": seed,
        "card": card,
        "on_card": rates(there),
        "on_core": rates(here),
        "times": here.seconds / there.seconds,
        "bytes": here.finals.size,
        "different": int(np.count_nonzero(~same)),
    }


def find_card() -> str:
    """The name of the card, or `NoCard`."""
    simulated = bool(getattr(numba.config, "ENABLE_CUDASIM", False))
    if find_spec("numba_cuda") is None and not simulated:
        raise NoCard('numba-cuda is not installed: pip install "lampion[gpu]"')
    try:
        from numba import cuda
    except (ImportError, OSError, RuntimeError) as missing:
        raise NoCard(f"the CUDA toolkit is not found: {in_one_line(missing)}") from missing
    if simulated:
        return "Numba's simulator"
    if not cuda.is_available():
        raise NoCard(in_one_line(cuda.cuda_error() or "the CUDA toolkit's libNVVM is not found"))
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def in_one_line(reason: Any) -> str:
    """A reason as its words alone."""
    return " ".join(str(reason).split())


def rates(played: Played) -> dict[str, float]:
    """Games and moves a second."""
    return {
        "seconds": played.seconds,
        "games_per_second": len(played.finals) / played.seconds,
        "moves_per_second": played.moves / played.seconds,
    }


def sentences(figures: dict[str, Any]) -> str:
    """The figures for a reader."""
    names = {"on_card": figures["card"], "on_core": "one core"}
    wide = max(map(len, names.values()))
    lines = [
        f"{names[key]:{wide}}  {figures[key]['games_per_second']:>12,.0f} games/s"
        f"  {figures[key]['moves_per_second']:>15,.0f} moves/s"
        for key in names
    ]
    verdict = (
        f"{figures['different']:,} of the games end otherwise on the card"
        if figures["different"]
        else f"all {figures['bytes']:,} bytes of the final positions are equal"
    )
    return "\n".join(
        [
            f"{figures['game']}, {figures['players']} players, {figures['games']:,} games, seed {figures['seed']}",
            *lines,
            f"the card is {figures['times']:,.0f} times a core; {verdict}",
        ]
    )


if __name__ == "__main__":
    main()
