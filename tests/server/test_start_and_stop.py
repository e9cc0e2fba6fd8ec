"""A server starts while people wait, and goes without leaving them in doubt."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from .people import ConnectionClosed, Person, Server

BAR = 3.0
"""Seconds from the command to the page, with games that were compiled before."""


@pytest.mark.parametrize("signal_sent", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_goes_says_goodbye_to_all_and_takes_up_where_it_was(tmp_path: Path, signal_sent: int) -> None:
    server = Server(tmp_path / "lampion.db")
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    tokens = made["tokens"]
    ann, bob = (Person(server, made["table"], tokens[seat]) for seat in "01")
    watcher = Person(server, made["table"])
    mover = ann if ann.view["moves"] else bob
    seq = mover.move()["seq"]
    server.process.send_signal(signal_sent)
    for person in (ann, bob, watcher):
        assert person.until(lambda word: word["say"] == "bye") == {"say": "bye", "reason": "restart"}
        with pytest.raises(ConnectionClosed):
            person.hear()
        assert person.seq == seq
    assert server.process.wait(15) == (0 if signal_sent == signal.SIGTERM else 130)
    server.start(server.port)
    with Person(server, made["table"], made["tokens"]["0"], since=seq) as again:
        assert again.latest["changes"] == []
        assert again.seq == seq
    server.stop()
