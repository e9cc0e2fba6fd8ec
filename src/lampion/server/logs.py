"""The server's log: its formats, and a filter against what strangers could fill it with."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object on a line."""

    KNOWN = frozenset(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {
        "message",
        "taskName",
        "color_message",
    }

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        fields |= {key: value for key, value in record.__dict__.items() if key not in self.KNOWN}
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """Formats a record as one line for people."""

    def format(self, record: logging.LogRecord) -> str:
        extra = {key: value for key, value in record.__dict__.items() if key not in JsonLines.KNOWN}
        fields = " ".join(f"{key}={value}" for key, value in extra.items())
        text = f"{time.strftime('%H:%M:%S', time.localtime(record.created))} {record.getMessage()} {fields}".rstrip()
        return text + ("\n" + self.formatException(record.exc_info) if record.exc_info else "")


def set_logs(kind: str) -> None:
    """Send the log to standard error, as text or as JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if kind == "json" else TextLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(RepeatedWarningFilter())


class RepeatedWarningFilter(logging.Filter):
    """Keeps strangers from filling the log: a warning passes once a minute, an interrupted request never."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, (UnicodeDecodeError, asyncio.CancelledError)):
            return False
        if isinstance(error, RuntimeError) and "the handler is closed" in str(error):
            return False  # what uvloop says of a connection that was cut a moment ago
        if error is not None or record.levelno > logging.WARNING:
            return True
        recently = self._logged.get(str(record.msg), 0.0) > record.created - 60
        if not recently:
            self._logged = {**self._logged, str(record.msg): record.created} if len(self._logged) < 100 else {}
        return not recently
