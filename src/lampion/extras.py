"""How to add an extra to this installation: from a registry, a clone, a file or a repository, as it was installed."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from urllib.parse import urlsplit
from urllib.request import url2pathname


def command(extra: str) -> str:
    """Return the command line that adds an extra of the package to this installation."""
    try:
        return _command(distribution("lampion"), extra)
    except PackageNotFoundError:
        return f'pip install "lampion[{extra}]"'


def _command(installed: Distribution, extra: str) -> str:
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    address = origin.get("url", "")
    if address.startswith("file:"):
        switch = "-e " if origin.get("dir_info", {}).get("editable") else ""
        return f'pip install {switch}"{url2pathname(urlsplit(address).path)}[{extra}]"'
    if system := origin.get("vcs_info", {}).get("vcs"):
        address = f"{system}+{address}"
    return f'pip install "lampion[{extra}]{address and f" @ {address}"}"'
