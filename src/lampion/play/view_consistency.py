"""Checks of a position that is given as a view: its options, and every field that follows from the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import msgspec

from lampion.games.core import BadPosition, Game
from lampion.games.move_types import UNORDERED
from lampion.locale import written
from lampion.locale.decode_errors import wrong_form

LEFT_TO_CHANCE = ("drawn", "random")
"""The values of options that let chance decide."""


class Difference(NamedTuple):
    """A field with two values."""

    field: str
    given: Any
    found: Any


def read_view(game: Game, players: int, view: Any) -> Any:
    """Return a view, typed or JSON data, as the game's type; raise BadPosition where it has another form."""
    kind = game.view.View
    try:
        given = view if isinstance(view, kind) else msgspec.convert(view, kind)
    except msgspec.ValidationError as error:
        raise BadPosition("error.position", detail=wrong_form(error)) from None
    if given.players != players:
        raise BadPosition("error.position_players", players=players, found=given.players)
    return given


def agreed_options(
    game: Game, options: Mapping[str, Any], chosen: Mapping[str, Any] | None, setup: Any, view: Any
) -> dict[str, Any]:
    """Return the options of a game that begins at `view`; raise BadPosition where one that was chosen does not fit.

    `options` are all options as `chosen` and the defaults give them, `setup` is the view of the set-up they lead to.
    An option that was not chosen is taken from the position.
    """
    known, expected = game.view.options_of(view), game.view.options_of(setup)
    agreed = dict(options)
    for option in game.options:
        name = option.name
        found, value = known.get(name), expected.get(name)
        choices = option.choices(view.players)
        if found == value:
            continue
        if name not in (chosen or {}):
            undrawn = next((choice for choice in LEFT_TO_CHANCE if choice in choices), options[name])
            agreed[name] = undrawn if found is None else found if found in choices else options[name]
        elif value is not None:
            raise BadPosition("error.position_option", option=name, value=written(options[name]), found=written(found))
    return agreed


def check_fields(given: Any, found: Any) -> None:
    """Raise BadPosition with the first field of a view that is not as in the view of the position read from it."""
    if difference := first_difference(given, found):
        shown = {name: written(msgspec.to_builtins(value)) for name, value in difference._asdict().items()}
        raise BadPosition("error.position_field", **shown | {"field": difference.field})


def first_difference(given: Any, found: Any, path: str = "", unordered: bool = False) -> Difference | None:
    """Return the first field in which `given` differs from `found`, None if it does not.

    Fields and keys that are left out of `given` are not compared.
    """
    different = Difference(path, given, found)
    if type(given) is not type(found):
        return different
    if isinstance(given, msgspec.Struct):
        return _of_structs(given, found, path)
    if isinstance(given, dict):
        for key in given:
            if key not in found:
                return Difference(f"{path}.{key}", given[key], None)
            if difference := first_difference(given[key], found[key], f"{path}.{key}"):
                return difference
        return None
    if unordered and given is not None:
        return None if len(given) == len(found) and _same_items(given, found) else different
    if not isinstance(given, (list, tuple)):
        return None if given == found else different
    if len(given) != len(found):
        return different
    for i, (one, other) in enumerate(zip(given, found, strict=True)):
        if difference := first_difference(one, other, f"{path}[{i}]"):
            return difference
    return None


def _of_structs(given: msgspec.Struct, found: msgspec.Struct, path: str) -> Difference | None:
    for field in _fields(type(given)):
        value = getattr(given, field.name)
        if _is_left_out(field, value):
            continue
        name = f"{path}.{field.name}" if path else field.name
        unordered = field.name in _unordered_fields(type(given))
        if difference := first_difference(value, getattr(found, field.name), name, unordered):
            return difference
    return None


def _is_left_out(field: Any, value: Any) -> bool:
    """Return whether a field has its default, as it has where it was not given."""
    if field.default_factory is not msgspec.NODEFAULT:
        return bool(value == field.default_factory())
    return field.default is not msgspec.NODEFAULT and bool(value == field.default)


def _same_items(given: Any, found: Any) -> bool:
    """Return whether two sequences of equal length hold the same items, in whatever order."""
    left = list(found)
    for item in given:
        same = next((i for i, other in enumerate(left) if first_difference(item, other) is None), None)
        if same is None:
            return False
        del left[same]
    return True


@cache
def _fields(struct: type[msgspec.Struct]) -> tuple[Any, ...]:
    return msgspec.structs.fields(struct)


@cache
def _unordered_fields(struct: type[msgspec.Struct]) -> frozenset[str]:
    hints = get_type_hints(struct, include_extras=True)
    return frozenset(name for name, hint in hints.items() if UNORDERED in getattr(hint, "__metadata__", ()))
