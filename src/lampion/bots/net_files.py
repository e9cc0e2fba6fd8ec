"""Nets as files: what they were trained for, how, how strong they are, and their weights.

The first line is JSON, the rest are the weights, layer by layer, as half-precision numbers (little-endian).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from lampion import bounds
from lampion.engine.arrays import from_halves, np
from lampion.engine.network import ANSWERS, Net
from lampion.games.core import Game
from lampion.games.editions import Edition, standard
from lampion.games.registry import game as game_named
from lampion.locale import Problem, why
from lampion.play.chance import Seeded
from lampion.play.position import Position
from lampion.play.sight import Sight

FORMAT = 1
MOST_BYTES = 1 << 22
SAMPLES = 20
"""The games whose positions name the inputs of a net."""


class BadNet(Problem):
    """A file that is not a net for this game."""


class About(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the first line of a file says."""

    format: int
    game: str
    rules: int
    inputs: str
    """A hash of the inputs in some positions: it changes when their meaning does."""
    edition: str
    players: list[int]
    """The numbers of players that it was trained for."""
    items: list[int]
    shapes: list[list[int]]
    command: str = ""
    strength: dict[str, str] = msgspec.field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class NetFile:
    """A net with what is known about it."""

    about: About
    net: Net = field(repr=False)


def layers_of(net: Net) -> tuple[Any, ...]:
    """Return the weights and biases of a net, in the order of a file."""
    return net[2:]


def about(
    edition: Edition, players: list[int], net: Net, command: str = "", strength: Mapping[str, str] | None = None
) -> About:
    """Return the first line of the file of a net."""
    game = edition.game
    return About(
        format=FORMAT,
        game=game.name,
        rules=game.version,
        inputs=inputs_hash(game),
        edition=edition.hash,
        players=players,
        items=[net.items, net.width],
        shapes=[list(layer.shape) for layer in layers_of(net)],
        command=command,
        strength=dict(strength or {}),
    )


@cache
def inputs_hash(game: Game) -> str:
    """Return a hash of the inputs of nets in positions of random games of the standard edition."""
    found = hashlib.sha256()
    for seed in range(SAMPLES):
        players = game.players[seed % len(game.players)]
        position = Position(game, players, components=standard(game.name))
        chance, draw = Seeded(seed), np.random.default_rng(seed)
        position.push_chances(chance)
        while not position.is_over:
            seat = position.pending[0]
            found.update(np.round(position.net_inputs(seat).astype(np.float64), 3).tobytes())
            position.push_rows(int(draw.choice(position.legal_ids(seat))), seat)
            position.push_chances(chance)
    return found.hexdigest()[:16]


def write(path: Path, about: About, net: Net) -> None:
    """Write a net to a file, at once or not at all."""
    head = json.dumps(msgspec.to_builtins(about), ensure_ascii=False, separators=(",", ":"))
    weights = b"".join(np.ascontiguousarray(layer, dtype="<f2").tobytes() for layer in layers_of(net))
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(head.encode() + b"\n" + weights)
    beside.replace(path)


def read(path: Path) -> NetFile:
    """Return the net of a file; raise BadNet where it is not a net or does not fit this version of its game."""
    try:
        data = bounds.read_bytes(path, MOST_BYTES)
    except (OSError, ValueError) as error:  # ValueError: letters that no file's name has
        raise BadNet("net.unreadable", file=str(path), detail=why(error)) from error
    if data is None:
        raise BadNet("net.size", file=str(path), most=MOST_BYTES)
    head, _, weights = data.partition(b"\n")
    try:
        about = msgspec.json.decode(head, type=About)
        game = game_named(about.game)
        net = _net(about, weights)
    except (msgspec.DecodeError, ValueError, Problem) as error:
        raise BadNet("net.broken", file=str(path)) from error
    inputs = net.items * net.width + len(net.first) - net.encoder.shape[1]
    if about.rules != game.version or (net.items, net.width) != game.items or inputs != game.inputs:
        raise BadNet("net.other_version", file=str(path), game=game.name)
    return NetFile(about, net)


def _net(about: About, weights: bytes) -> Net:
    """Return the net of the weights; raise ValueError where they are not of these shapes."""
    if about.format != FORMAT or len(about.shapes) != len(Net._fields) - 2 or len(about.items) != 2:
        raise ValueError("another format")
    numbers = from_halves(weights)
    if not all(map(math.isfinite, numbers.tolist())):
        raise ValueError("weights that are no numbers")
    layers, at = [], 0
    for shape in about.shapes:
        rows, columns = shape
        layers.append(numbers[at : at + rows * columns].reshape(rows, columns).copy())
        at += rows * columns
    net = Net(about.items[0], about.items[1], *layers)
    joined = [(net.encoder, net.encoder_bias), (net.first, net.first_bias), (net.second, net.second_bias)]
    joined += [(net.last, net.last_bias)]
    fits = all(bias.shape == (1, layer.shape[1]) for layer, bias in joined)
    fits = fits and (net.items == 0 or len(net.encoder) == net.width)
    fits = fits and net.first.shape[1] == len(net.second) and net.second.shape[1] == len(net.last)
    if at != len(numbers) or not fits or net.last.shape[1] != ANSWERS:
        raise ValueError("shapes that do not fit")
    return net


@cache
def shipped(game: str, players: int) -> NetFile | None:
    """Return the net that comes with a game for this number of players, if there is one."""
    for path in sorted((game_named(game).folder / "nets").glob("*.net")):
        found = read(path)
        if players in found.about.players:
            return found
    return None


def net_for(sight: Sight, path: str = "") -> Net | None:
    """Return the net of a file, or the one that comes with the game; None where there is none for this table."""
    if path:
        given = read(Path(path))
        if given.about.game != sight.game.name:
            raise BadNet("net.other_game", file=path, game=given.about.game)
        if sight.players not in given.about.players:
            raise BadNet("net.other_players", file=path, players=", ".join(map(str, given.about.players)))
        return given.net
    found = shipped(sight.game.name, sight.players)
    return found.net if found and found.about.edition == sight.edition.hash else None
