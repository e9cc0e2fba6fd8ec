"""What a page that is exported as one file may do: show its text, style and pictures, and run its own script."""

from __future__ import annotations

import base64
import hashlib

NOTHING_ELSE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def policy(script: str = "") -> str:
    """Return the element for the head of a page whose only script, if it has one, is this."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"; script-src 'sha256-{digest}'" if script else ""
    return f'<meta http-equiv="Content-Security-Policy" content="{NOTHING_ELSE}{allowed}">'
