"""What a page of ours may load: its own files, and nothing from elsewhere."""

from __future__ import annotations

OWN = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "media-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
}


def policy(changes: dict[str, str]) -> str:
    """Return the content security policy of a page, with what differs for it."""
    return "; ".join(f"{what} {where}" for what, where in {**OWN, **changes}.items())
