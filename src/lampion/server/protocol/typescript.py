"""Generates web/src/messages.ts from the message types: `python -m lampion.server.protocol.typescript`."""

from __future__ import annotations

import sys
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import NODEFAULT
from msgspec import inspect as look

from lampion.games import registry
from lampion.games.move_types import event_type
from lampion.server.protocol import analysis_types, explore_types, http_types, messages, puzzle_types

TARGET = Path(__file__).resolve().parents[4] / "web" / "src" / "messages.ts"
SIMPLE = {
    look.AnyType: "unknown",
    look.RawType: "unknown",
    look.NoneType: "null",
    look.BoolType: "boolean",
    look.IntType: "number",
    look.FloatType: "number",
    look.StrType: "string",
}


class Writer:
    """Writes an interface for each struct that the types mention, once."""

    def __init__(self) -> None:
        self.done: dict[str, str] = {}
        self.names: dict[type, str] = {}

    def struct(self, cls: type, prefix: str = "") -> str:
        """Return the name of a struct's interface, which is written unless it was before."""
        if cls in self.names:
            return self.names[cls]
        name = self.names[cls] = prefix + cls.__name__
        info = look.type_info(cls)
        assert isinstance(info, look.StructType)
        lines = []
        if info.tag_field is not None and info.tag is not None:
            lines.append(f'  {info.tag_field}: "{info.tag}";')
        for field in info.fields:
            is_unset = (field.default, field.default_factory) == (NODEFAULT, NODEFAULT)
            optional = "?" if not field.required and (is_unset or omits_defaults(cls)) else ""
            lines.append(f"  {field.encode_name}{optional}: {self.type(field.type, prefix)};")
        doc = " ".join((cls.__doc__ or "").split("\n\n")[0].split())
        self.done[name] = f"/** {doc} */\nexport interface {name} {{\n" + "\n".join(lines) + "\n}\n"
        return name

    def type(self, kind: look.Type, prefix: str = "") -> str:
        """Return a type in TypeScript."""
        for known, name in SIMPLE.items():
            if isinstance(kind, known):
                return name
        match kind:
            case look.Metadata():
                return self.type(kind.type, prefix)
            case look.LiteralType():
                return " | ".join(repr(value).replace("'", '"') for value in kind.values)
            case look.UnionType():
                return " | ".join(self.type(each, prefix) for each in kind.types)
            case look.ListType() | look.VarTupleType() | look.SetType() | look.FrozenSetType():
                inner = self.type(kind.item_type, prefix)
                return f"({inner})[]" if " | " in inner else f"{inner}[]"
            case look.TupleType():
                return "[" + ", ".join(self.type(each, prefix) for each in kind.item_types) + "]"
            case look.DictType():
                key = self.type(kind.key_type, prefix)
                return f"Record<{'number' if key == 'number' else 'string'}, {self.type(kind.value_type, prefix)}>"
            case look.StructType():
                return self.struct(kind.cls, prefix)
        raise TypeError(kind)

    def union(self, name: str, types: Any, doc: str, prefix: str = "") -> None:
        """Write a union under a name."""
        shown = self.type(look.type_info(types), prefix)
        self.done[name] = f"/** {doc} */\nexport type {name} =\n  | " + "\n  | ".join(shown.split(" | ")) + ";\n"


def omits_defaults(cls: type) -> bool:
    """Return whether a struct omits fields with default values."""
    config: Any = getattr(cls, "__struct_config__")  # noqa: B009
    return bool(config.omit_defaults)


def text() -> str:
    """Return the whole file."""
    writer = Writer()
    writer.union("Wish", messages.WISHES, "What the browser may say.")
    writer.union("Word", messages.WORDS, "What the server may say.")
    parts = http_types.HTTP_TYPES, analysis_types.ANALYSIS_TYPES, explore_types.EXPLORE_TYPES, puzzle_types.PUZZLE_TYPES
    for body in chain.from_iterable(parts):
        writer.struct(body)
    for name in sorted(distribution("lampion").entry_points.select(group="lampion.games").names):
        game, prefix = registry.game(name), name.capitalize()
        writer.union(f"{prefix}AnyMove", game.notation.Move, f"The moves of {name}.", prefix)
        writer.struct(game.view.View, prefix)
        writer.struct(event_type(game), prefix)
    head = "// Made from messages.py and the *_types.py in src/lampion/server/protocol; do not edit.\n"
    head += f"export const VERSION = {messages.VERSION};\n"
    return head + "\n" + "\n".join(writer.done.values())


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text(), encoding="utf-8")
