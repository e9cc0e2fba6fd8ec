"""The types of fields that several messages have, with the bounds of their values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from lampion import bounds
from lampion.server.protocol.player_names import UNSEEN

SeatNumber = Annotated[int, Meta(ge=0, le=7)]
Seq = Annotated[int, Meta(ge=0, le=1 << 40)]
Name = Annotated[str, Meta(min_length=1, max_length=24, pattern=rf"^\s*[^\s\u200c\u200d{UNSEEN}][^{UNSEEN}]*\Z")]
Token = Annotated[str, Meta(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
NewToken = Annotated[str, Meta(min_length=32, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
Digest = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]+\Z")]
"""32 bytes in hexadecimal: a nonce, or the SHA-256 of one."""
Level = Annotated[str, Meta(min_length=1, max_length=40)]
Fields = Annotated[dict[str, Any], Meta(max_length=bounds.MOST_FIELDS)]
Emoji = Literal["👏", "😀", "😮", "🤔", "😢", "🎉", "❤️", "👋"]
Language = Literal["en", "fr"]
