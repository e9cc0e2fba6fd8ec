"""How long a newcomer waits from the command to the first move, and on a later day.

    python -m benchmarks.first_move                        with what is installed here, nothing compiled yet
    python -m benchmarks.first_move --set-up               `run.py` of a fresh copy: set-up and download too
    python -m benchmarks.first_move --game dice --tree T   with the sources of another tree

Starts a server, makes a table of two with a bot, makes the first move as a person, hears the bot's answer; then starts
the server again. Prints the seconds since the command, and in brackets the processor's.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[1]
NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "node_modules", "__pycache__", "build")


def own_seconds(process: int) -> float:
    """Return the processor seconds of a process and its children, living or not; 0 where that is not counted."""
    found, left = 0.0, [process]
    while left:
        one = Path(f"/proc/{left.pop()}")
        try:
            numbers = (one / "stat").read_text().rpartition(")")[2].split()
            found += sum(map(int, numbers[11:15])) / os.sysconf("SC_CLK_TCK")
            left += [
                int(child) for task in (one / "task").iterdir() for child in (task / "children").read_text().split()
            ]
        except OSError:
            continue
    return found


class Start:
    """A server that was just started, and a watch that began with the command."""

    def __init__(self, command: list[str], tree: Path, cache: Path) -> None:
        env = os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(tree / "src")}
        self.began = time.monotonic()
        words = [*command, "serve", "--port", "0", "--db", str(cache / "lampion.db")]
        self.process = subprocess.Popen(words, cwd=tree, env=env, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = None
        while found is None:
            line = self.process.stdout.readline()
            assert line, "the server did not start"
            found = re.search(r"http://localhost:(\d+)/$", line.strip())
        self.address = f"localhost:{found[1]}"

    def tell(self, what: str) -> None:
        """Print a moment."""
        seconds = time.monotonic() - self.began
        print(f"{what:28} {seconds:6.1f} s  ({own_seconds(self.process.pid):.1f})", flush=True)

    def get(self, path: str, body: Any = None) -> Any:
        """Return what a request answers, as soon as somebody does."""
        data = None if body is None else json.dumps(body).encode()
        while True:
            try:
                with urllib.request.urlopen(f"http://{self.address}{path}", data, timeout=900) as answer:
                    return answer.read().decode()
            except urllib.error.HTTPError:
                raise
            except urllib.error.URLError:
                time.sleep(0.02)

    def first_moves(self, game: str) -> None:
        """Make a table, make the first move that a person may make, and hear a bot's."""
        seats = [{"kind": "screen", "name": "Ann"}, {"kind": "bot", "level": "candle"}]
        made = json.loads(self.get("/api/tables", {"game": game, "seats": seats, "start": True, "options": {}}))
        self.tell("the table")
        missing, view, seq = {"player": "the person's first move", "bot": "the bot's first move"}, dict[str, Any](), 0
        with connect(f"ws://{self.address}/api/tables/{made['table']}/socket", max_size=None) as socket:
            hello = {"do": "hello", "version": 2, "tokens": list(made["tokens"].values()), "since": 0, "language": "en"}
            socket.send(json.dumps(hello))
            while missing:
                word = json.loads(socket.recv(timeout=900))
                if word["say"] != "update":
                    continue
                view, seq = word["view"], word["seq"]
                for change in word["changes"]:
                    if change.get("by") in missing:
                        self.tell(missing.pop(change["by"]))
                if view.get("moves") and missing:
                    socket.send(json.dumps({"do": "move", "id": 1, "seat": 0, "seq": seq, "move": view["moves"][0]}))

    def stop(self) -> None:
        """Stop the server."""
        self.process.terminate()
        self.process.wait(30)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lanternes")
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--set-up", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree, command = asked.tree.resolve(), [sys.executable, "-m", "lampion", "--lang", "en"]
        if asked.set_up:
            tree = Path(shutil.copytree(tree, Path(folder) / "tree", ignore=NOT_COPIED))
            shutil.rmtree(tree / "src" / "lampion" / "server" / "pages", ignore_errors=True)
            command = [sys.executable, str(tree / "run.py"), "--lang", "en"]
        for day in ("the first start", "a later start"):
            print(day)
            start = Start(command, tree, Path(folder))
            try:
                start.get("/")
                start.tell("the page")
                start.first_moves(asked.game)
            finally:
                start.stop()


if __name__ == "__main__":
    main()
