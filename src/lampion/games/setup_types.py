"""What a person can change of a position by hand: controls with words, made by each game from a view of EVERYTHING.

A game may bring a module `setup` with

controls(box, view, names) -> list    the controls of a position, with their values now, in the language in use
changed(box, view, name, value)       views with one control set to another value, the likeliest first; what depends on
                                      it follows (a card that a player gets comes from the supply). The first of them
                                      that is a position of the game is taken; where none is, the fact that the first
                                      breaks is shown. Raise BadPosition for what no control offers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from lampion.games.core import BadPosition
from lampion.games.move_types import Plain


class Control(Plain, frozen=True, kw_only=True, tag_field="kind"):
    """Something that can be changed: of a seat, or of the table. Controls of one group stand together."""

    name: str
    seat: int | None
    group: str
    label: str


class Stepper(Control, frozen=True, kw_only=True, tag="stepper"):
    """A number that goes up and down."""

    value: int
    least: int
    most: int


class Option(Plain, frozen=True):
    """One of the values of a choice."""

    value: str
    label: str


class Choice(Control, frozen=True, kw_only=True, tag="choice"):
    """One of several values."""

    value: str
    options: list[Option]


class Part(Plain, frozen=True, kw_only=True):
    """One of the choices that make a placing."""

    label: str
    value: str
    options: list[Option]


class Placing(Control, frozen=True, kw_only=True, tag="placing"):
    """Something that is put somewhere: several choices that are made together, such as what, where and how turned.

    It is set to the values of its parts with colons between them.
    """

    parts: list[Part]


Value = TypeVar("Value")


def whole(value: object, least: int, most: int) -> int:
    """Return a number that a stepper offers; raise BadPosition for any other value."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadPosition("explore.no_value")
    return value


def one_of(value: object, values: Sequence[Value], key: Callable[[Value], str] = str) -> Value:
    """Return the one of several values that a text stands for; raise BadPosition where it stands for none."""
    for one in values:
        if key(one) == value:
            return one
    raise BadPosition("explore.no_value")


def parts_of(name: str, most: int) -> list[str]:
    """Return the parts of a control's name, which are separated by colons; raise BadPosition for more than `most`."""
    parts = name.split(":")
    if len(parts) > most:
        raise BadPosition("explore.no_control")
    return parts + [""] * (most - len(parts))


def pieces(value: object, *choices: Sequence[Any]) -> list[Any]:
    """Return what the parts of a placing are set to, each one of its choices; raise BadPosition for anything else."""
    texts = value.split(":") if isinstance(value, str) else []
    if len(texts) != len(choices):
        raise BadPosition("explore.no_value")
    return [one_of(text, values) for text, values in zip(texts, choices, strict=True)]
