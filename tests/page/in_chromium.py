"""Calls the functions of a WebAssembly module in Chromium."""

from __future__ import annotations

import functools
import gzip
import http.server
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from browser.conftest import launch
from browser.own_room import Files
from playwright.sync_api import sync_playwright

PROGRAM = Path(__file__).with_name("calls.mjs")
RUN = """async calls => {
  const { makeCalls } = await import("./calls.mjs");
  const through = async (body, turn) => new Uint8Array(await new Response(body.pipeThrough(turn)).arrayBuffer());
  const memory = await through((await fetch("memory.packed")).body, new DecompressionStream("gzip"));
  const { answers, image } = await makeCalls(await (await fetch("module.wasm")).arrayBuffer(), memory, calls);
  const body = await through(new Response(image).body, new CompressionStream("gzip"));
  await fetch("memory.packed", { method: "PUT", body });
  return answers;
}"""


class Exchanged(Files):
    """A static host that also takes a file."""

    def do_PUT(self) -> None:
        """Write a file."""
        body = self.rfile.read(int(self.headers["content-length"]))
        Path(self.translate_path(self.path)).write_bytes(body)
        self.send_response(204)
        self.end_headers()


def run_calls(module: Path, image: Path, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Make calls in a memory that lies in a file and is written back."""
    folder = image.parent
    shutil.copy(PROGRAM, folder)
    shutil.copy(module, folder / "module.wasm")
    packed = folder / "memory.packed"  # most of it is empty, and browsers are slow to send much
    packed.write_bytes(gzip.compress(image.read_bytes(), 1))
    (folder / "index.html").write_text("<!doctype html><title>Calls</title>")
    server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Exchanged, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def ask() -> list[dict[str, Any]]:
        with sync_playwright() as tools:
            browser = launch(tools)
            page = browser.new_page()
            page.goto(f"http://localhost:{server.server_address[1]}/")
            answers = list(page.evaluate(RUN, calls))
            browser.close()
            return answers

    try:
        with ThreadPoolExecutor(1) as pool:  # beside the event loop of whoever else drives a browser
            answers = pool.submit(ask).result()
        image.write_bytes(gzip.decompress(packed.read_bytes()))
        return answers
    finally:
        server.shutdown()
        server.server_close()
