"""A position that somebody sets up by hand: what can be changed of it, and the position with a change.

A change that is impossible is refused with the invariant that it would break, and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games.core import EVERYTHING, BadPosition
from lampion.games.move_types import Plain
from lampion.games.setup_types import Choice, Placing, Stepper
from lampion.play.position import Position


class Change(Plain, frozen=True):
    """A control that is set to another value."""

    name: str
    value: int | str


def controls(position: Position, names: Sequence[str]) -> list[Stepper | Choice | Placing]:
    """Return what can be changed of a position; nothing where its game brings no controls."""
    setup = position.game.setup
    if setup is None or position.is_over:
        return []
    return list(setup.controls(position.edition.box, position.view(EVERYTHING), names))


def changed(position: Position, change: Change) -> Position:
    """Return the position with a change, without history; raise BadPosition where it cannot be."""
    setup = position.game.setup
    if setup is None:
        raise BadPosition("explore.no_control")
    view = position.view(EVERYTHING)
    refused: BadPosition | None = None
    for wanted in setup.changed(position.edition.box, view, change.name, change.value):
        try:
            return given(position, wanted)
        except BadPosition as problem:
            refused = refused or problem
    raise refused or BadPosition("explore.no_control")


def given(position: Position, view: Any) -> Position:
    """Return the position that a view of EVERYTHING describes, of the same game, players and edition.

    Options that a view shows are taken from it. Raise BadPosition with the fact that is broken.
    """
    game = position.game
    shown = game.view.options_of(position.view(EVERYTHING))
    options = {name: value for name, value in position.options.items() if name not in shown}
    return Position.from_view(game, position.players, options, view, components=position.edition)
