"""Translate the errors of msgspec, which are in English, into the reader's language."""

from __future__ import annotations

import re

from lampion.locale import has, say, short, written

AT = r"(?: - at (?:`key` in )?`(?P<path>[^`]*)`)?"
FINDINGS = (
    ("shape.missing", re.compile(rf"Object missing required field `(?P<name>.*?)`{AT}", re.DOTALL)),
    ("shape.unknown", re.compile(rf"Object contains unknown field `(?P<name>.*?)`{AT}", re.DOTALL)),
    ("shape.type", re.compile(rf"Expected `(?P<wanted>[^`]*)`, got `(?P<found>[^`]*)`{AT}")),
    ("shape.length", re.compile(rf"Expected `array` of length (?P<length>\d+), got (?P<count>\d+){AT}")),
    ("shape.value", re.compile(rf"Invalid (?:enum )?value (?P<value>.*?){AT}", re.DOTALL)),
    ("shape.least", re.compile(rf"Expected `[^`]*` >= (?P<least>\S+){AT}")),
    ("shape.most", re.compile(rf"Expected `[^`]*` <= (?P<most>\S+){AT}")),
    ("shape.short", re.compile(rf"Expected `[^`]*` of length >= (?P<least>\d+){AT}")),
    ("shape.long", re.compile(rf"Expected `[^`]*` of length <= (?P<most>\d+){AT}")),
    ("shape.letters", re.compile(rf"Expected `str` matching regex .*?{AT}", re.DOTALL)),
    ("shape.wanted", re.compile(rf"Expected `(?P<wanted>[^`]*)`{AT}")),
    ("shape.number", re.compile(rf"(?:Integer value|Number) out of range{AT}")),
)


def wrong_form(error: Exception) -> str:
    """Return the finding of msgspec as a sentence; an unknown one unchanged, but short."""
    for key, pattern in FINDINGS:
        if found := pattern.fullmatch(str(error)):
            named = {name: short(value or "") for name, value in found.groupdict().items()}
            place = named.pop("path").removeprefix("$").removeprefix(".")
            if "name" in named:
                named["name"] = ".".join(part for part in (place, named["name"]) if part)
            if "value" in named:
                named["value"] = _as_json(found["value"])
            for name in named.keys() & {"wanted", "found"}:
                named[name] = say("list.or").join(map(_sort, named[name].split(" | ")))
            return say(key, place=place or "JSON", **named)
    said, _, place = str(error).partition(" - at `$")
    place = place.rstrip("`").removeprefix(".")
    return say("shape.found", place=short(place), said=short(said)) if place else short(said)


def _as_json(value: str) -> str:
    """Return a value that msgspec wrote, a text in single quotes, as JSON."""
    is_text = len(value) > 1 and value[0] == value[-1] == "'"
    return written(value[1:-1]) if is_text else short(value)


def _sort(name: str) -> str:
    """Return the name of a type of JSON value in words."""
    return say(f"shape.sort.{name}") if has(f"shape.sort.{name}") else name
