"""Promised chance at a table: commitments, the seal, what is revealed, and a server that keeps its word."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import in_a_process

from lampion.games import registry
from lampion.games.editions import standard
from lampion.play import Position, Record
from lampion.play.undo import CannotUndo
from lampion.server.protocol import http_types
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.storage.store import Unavailable
from lampion.server.tables import seal_timer
from lampion.server.tables.hub import Hub
from lampion.server.tables.seat import hashed
from lampion.server.tables.table import Table

from .people import Person, Server

CHECKER = Path(__file__).parents[2] / "examples" / "check_chance.py"
NONCES = ("a1" * 32, "b2" * 32)


def commitment(nonce: str) -> str:
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def seal_of(promise: str, game: str, *seats: str) -> str:
    """The seal of a game of the usual kind; a seat is a commitment, "-" or "bot"."""
    its = registry.game(game)
    options = json.dumps(its.read_options(len(seats)), sort_keys=True, separators=(",", ":"))
    lines = ["lampion seal 2", promise, game, str(its.version), str(len(seats)), options, standard(game).hash, *seats]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120)


def play_together(*people: Person) -> None:
    """To the end, each in turn; the people sit in this order."""
    while people[0].latest["table"]["status"] == "playing":
        answer = people[people[0].latest["table"]["pending"][0]].move()
        assert answer["say"] == "done", answer
        for one in people:
            one.hear_until(answer["seq"])


def sat_down(server: Server, game: str = "lumens") -> tuple[dict[str, Any], Person, Person]:
    """A table at which two people sit and have committed; the first is its host."""
    made = server.make(game, "open", "open")
    ann, ben = Person(server, made["table"], made["host"]), Person(server, made["table"])
    for seat, one in enumerate((ann, ben)):
        told = one.ask("sit", seat=seat, name=f"Nº {seat}", commit=commitment(NONCES[seat]))
        assert told["say"] == "yours", told
    return made, ann, ben


def begun(one: Person) -> None:
    """Hear until the game has begun."""
    while one.latest["table"]["status"] == "open":
        one.hear()


@pytest.fixture(scope="module")
def played(server: Server) -> tuple[str, dict[str, Any]]:
    """The seal of a table of two people, one of whom went back over a draw; and its record."""
    made, ann, ben = sat_down(server, "lanternes")
    with ann, ben:
        assert ann.latest["table"].get("seal") is None
        assert ann.ask("start")["say"] == "done"
        seal = seal_of(made["promise"], "lanternes", *map(commitment, NONCES))
        assert ann.latest["table"]["seal"] == seal
        assert ann.latest["table"]["status"] == "open"
        assert "nonce" not in ann.latest["table"]["seats"][0]
        assert ann.ask("reveal", seat=0, nonce=NONCES[0])["say"] == "done"
        assert ann.latest["table"]["status"] == "open"
        started = ben.ask("reveal", seat=1, nonce=NONCES[1])
        for one in (ann, ben):
            one.hear_until(started["seq"])
            assert one.latest["table"]["status"] == "playing"
        mover, other = (ann, ben) if ann.view.get("moves") else (ben, ann)
        for _ in range(2):  # up to a move after which a tile is drawn
            asked = mover.move()
            other.hear_until(asked["seq"])
            if not mover.view.get("moves"):
                break
        asked = mover.ask("undo", seat=mover.view["seat"], seq=mover.seq)
        other.hear_until(asked["seq"])
        agreed = other.ask("answer", seat=other.view["seat"], agrees=True)
        assert agreed["say"] == "done"
        mover.hear_until(agreed["seq"])
        assert "secret" not in mover.latest["table"]
        assert mover.latest["table"]["seats"][mover.view["seat"]]["undos"] == 1
        play_together(ann, ben)
        told = ann.latest["table"]
    record = server.get(f"/api/tables/{made['table']}/record")
    assert record["chance"]["secret"] == told["secret"]
    assert record["chance"]["nonces"] == [seat["nonce"] for seat in told["seats"]] == list(NONCES)
    assert record["chance"]["commits"] == [seat["commit"] for seat in told["seats"]] == list(map(commitment, NONCES))
    assert [undo["seat"] for undo in record["chance"]["undos"]] == [mover.view["seat"]]
    return seal, record


def test_a_suspicious_player_finds_every_draw_as_promised(played: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    seal, record = played
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    done = run(str(CHECKER), str(file), seal)
    assert (done.returncode, "Draws were taken back 1 times" in done.stdout) == (0, True), done.stdout + done.stderr
    ours = in_a_process("check", str(file), "--seal", seal)
    assert (ours.returncode, "It is the one you gave" in ours.stdout) == (0, True), ours.stdout + ours.stderr


def test_once_sealed_nobody_sits_stands_is_sent_away_commits_again_or_changes_a_bot(server: Server) -> None:
    made = server.make("lumens", "open", "open", "spark")
    with Person(server, made["table"], made["host"]) as ann, Person(server, made["table"]) as ben:
        for seat, one in enumerate((ann, ben)):
            assert one.ask("sit", seat=seat, name=f"Nº {seat}", commit=commitment(NONCES[seat]))["say"] == "yours"
        assert ann.ask("reveal", seat=0, nonce=NONCES[0])["code"] == "not_sealed"
        assert ann.ask("commit", seat=1, commit="00" * 32)["code"] == "not_yours"
        assert ann.ask("start")["say"] == "done"
        ben.hear_until(ann.seq)
        for one, do, more in (
            (ben, "sit", {"seat": 2, "name": "Eve"}), (ben, "stand", {"seat": 1}), (ann, "kick", {"seat": 1}),
            (ann, "put_bot", {"seat": 2, "level": "candle"}), (ann, "start", {}),
            (ben, "commit", {"seat": 1, "commit": "00" * 32}),
        ):  # fmt: skip
            answer = one.ask(do, **more)
            assert answer["code"] == "is_sealed", (do, answer)
        assert ann.ask("reveal", seat=0, nonce=NONCES[1])["code"] == "bad_nonce"
        assert ann.ask("reveal", seat=1, nonce=NONCES[1])["code"] == "not_yours"
        assert ann.ask("reveal", seat=0, nonce=NONCES[0])["say"] == "done"
        assert ann.ask("reveal", seat=0, nonce=NONCES[0])["code"] == "bad_nonce"
        assert ben.ask("reveal", seat=1, nonce=NONCES[1])["say"] == "done"
        assert ben.ask("reveal", seat=1, nonce=NONCES[1])["code"] == "is_playing"
        assert ben.ask("commit", seat=1, commit="00" * 32)["code"] == "is_playing"


def test_nonces_and_commitments_of_the_wrong_form_are_refused(server: Server) -> None:
    made = server.make("lumens", "open", "open")
    with Person(server, made["table"], made["host"]) as ann:
        for wrong in ("", "ab", "AB" * 32, "ab" * 32 + "\n", "g" * 64, "ab" * 33, 5):
            assert ann.ask("sit", seat=0, name="Ann", commit=wrong)["code"] == "bad_message"
            assert ann.ask("reveal", seat=0, nonce=wrong)["code"] == "bad_message"
        assert ann.ask("sit", seat=0, name="Ann", nonce="ab")["code"] == "bad_message"
    seat = {"kind": "screen", "name": "Ann", "commit": "ab"}
    assert server.request("/api/tables", {"game": "lumens", "seats": [seat, {}]})[0] == 400


def test_a_game_begins_without_what_is_not_revealed_in_time_and_says_whose_it_is(tmp_path: Path) -> None:
    """A killed server forgets nothing of a sealed table; the time runs anew when it starts again."""
    server = Server(tmp_path / "lampion.db", time_to_reveal=3600)
    try:
        made, ann, ben = sat_down(server)
        assert ann.ask("start")["say"] == "done"
        assert ann.ask("reveal", seat=0, nonce=NONCES[0])["say"] == "done"
        seal = ann.latest["table"]["seal"]
        assert seal == seal_of(made["promise"], "lumens", *map(commitment, NONCES))
        server.kill()
        server.start()
        with Person(server, made["table"]) as eve:
            table = eve.latest["table"]
            assert (table["status"], table["seal"], table["seats"][0]["nonce"]) == ("open", seal, NONCES[0])
        server.kill()
        server.seconds["time_to_reveal"] = 0.1
        server.start()
        with Person(server, made["table"], made["host"], *ben.tokens) as again:
            begun(again)
            assert again.latest["table"]["seal"]
            seats = again.latest["table"]["seats"]
            assert seats[0]["nonce"] == NONCES[0]
            assert ("commit" in seats[1], "nonce" in seats[1]) == (True, False)
            assert again.ask("close")["say"] == "done"
        record = Record.from_data(server.get(f"/api/tables/{made['table']}/record"))
        record.check()
        assert record.chance.nonces == (NONCES[0], "")
        assert record.seal == seal_of(made["promise"], "lumens", *map(commitment, NONCES))
    finally:
        server.stop()


def test_while_nothing_can_be_stored_the_start_is_tried_again_without_noise(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(seal_timer, "SEAL_SECONDS", 0.01)

    async def run() -> None:
        store = SqliteStore(tmp_path / "lampion.db")
        hub = Hub(store)
        await hub.open()
        append, tries = store.append, 0

        async def away_for_a_while(table: str, *given: Any) -> None:
            nonlocal tries
            tries += 1
            if tries <= 3:
                raise Unavailable("server.disk_full")
            await append(table, *given)

        seats = [http_types.SeatPlan("screen", name, commit=commitment(NONCES[0])) for name in ("Ann", "Bob")]
        made = await hub.make(http_types.NewTable(game="lumens", seats=seats, start=True))
        live = hub.live_tables[made.table]
        monkeypatch.setattr(store, "append", away_for_a_while)
        live.go_on()
        async with asyncio.timeout(60):
            while live.table.status != "playing":
                await asyncio.sleep(0.01)
        assert tries == 4
        await hub.close()

    asyncio.run(run())
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_table_closed_between_seal_and_start_says_so(server: Server) -> None:
    made, ann, ben = sat_down(server)
    with ann, ben:
        assert ann.ask("start")["say"] == "done"
        assert ann.ask("close")["say"] == "done"
        assert ann.latest["table"]["secret"]
    record = Record.from_data(server.get(f"/api/tables/{made['table']}/record"))
    record.check()
    assert record.chance.aborted
    [told] = server.request("/api/tables/look", {"tables": [made["table"]]})[1]
    assert (told["status"], told["aborted"]) == ("closed", True)


def test_a_table_made_with_commitments_begins_when_its_maker_has_revealed_them(server: Server) -> None:
    seats = [{"kind": "screen", "name": name, "commit": commitment(nonce)}
             for name, nonce in zip(("Ann", "Ben"), NONCES, strict=True)]  # fmt: skip
    status, made = server.request("/api/tables", {"game": "lumens", "seats": seats, "start": True})
    assert status == 201
    with Person(server, made["table"], *made["tokens"].values()) as screen:
        table = screen.latest["table"]
        seal = seal_of(made["promise"], "lumens", *map(commitment, NONCES))
        assert (table["status"], table["seal"]) == ("open", seal)
        for seat, nonce in enumerate(NONCES):
            assert screen.ask("reveal", seat=seat, nonce=nonce)["say"] == "done"
        assert screen.latest["table"]["status"] == "playing"


def test_without_commitments_a_game_starts_at_once(server: Server) -> None:
    made = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, made["table"], made["tokens"]["0"]) as ann:
        assert ann.latest["table"]["status"] == "playing"
        assert "seal" not in ann.latest["table"]


def test_after_a_rematch_people_commit_anew_and_the_record_names_the_table_before(server: Server) -> None:
    made, ann, ben = sat_down(server)
    with ann, ben:
        assert ann.ask("start")["say"] == "done"
        assert ann.ask("reveal", seat=0, nonce=NONCES[0])["say"] == "done"
        assert ben.ask("reveal", seat=1, nonce=NONCES[1])["say"] == "done"
        begun(ann)
        play_together(ann, ben)
        assert ann.ask("rematch")["say"] == "done"
        following = ann.latest["table"]["next"]
    with Person(server, following, made["host"], ann.tokens[-1]) as ann:
        [seat] = ann.said[0]["seats"]
        assert "commit" not in ann.latest["table"]["seats"][seat]
        assert ann.ask("commit", seat=seat, commit=commitment(NONCES[0]))["say"] == "done"
        assert ann.ask("commit", seat=seat, commit=commitment(NONCES[1]))["say"] == "done"  # in place of the first
        assert ann.ask("start")["say"] == "done"
        assert ann.ask("reveal", seat=seat, nonce=NONCES[1])["say"] == "done"
        assert ann.latest["table"]["status"] == "playing"
        assert ann.ask("close")["say"] == "done"
    record = Record.from_data(server.get(f"/api/tables/{following}/record"))
    record.check()
    assert record.after == made["table"]
    assert [bool(nonce) for nonce in record.chance.nonces] == [number == seat for number in range(2)]


def test_closing_a_table_tells_its_secret_and_gives_the_record_of_what_was_played(server: Server) -> None:
    made = server.make("iles", ("Ann",), ("Ben",), start=True)
    with Person(server, made["table"], made["host"], made["tokens"]["0"]) as ann:
        assert server.request(f"/api/tables/{made['table']}/record")[0] == 409
        assert ann.ask("close")["say"] == "done"
        secret = ann.latest["table"]["secret"]
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == made["promise"]
    status, record = server.request(f"/api/tables/{made['table']}/record")
    assert (status, record["chance"]["secret"], "result" in record) == (200, secret, False)


def test_chance_that_was_typed_in_says_so(tmp_path: Path) -> None:
    position = Position(registry.game("lumens"))
    position.push(next(iter(position.legal_moves)))
    Record.of(position).save(tmp_path / "typed.json")
    ours = in_a_process("check", str(tmp_path / "typed.json"))
    assert (ours.returncode, "typed in by hand" in ours.stdout) == (0, True)
    done = run(str(CHECKER), str(tmp_path / "typed.json"))
    assert (done.returncode, "Nothing to check: chance was manual" in done.stdout) == (1, True)


# Tables of the time before commitments


def older_table(game: str = "lumens") -> Table:
    """Two people at a table; events of an older database."""
    table = Table("older")
    options = registry.game(game).read_options(2, None)
    table.fold(stored.Made(0, version=1, game=game, rules=1, players=2, options=options,
                           components=dict(standard(game).data), secret="5e" * 32, host=""))  # fmt: skip
    for body in (
        b'{"type":"sat","at":0,"seat":0,"name":"Ann","token":"' + hashed("a").encode() + b'","nonce":"0a"}',
        b'{"type":"sat","at":0,"seat":1,"name":"Ben","token":"' + hashed("b").encode() + b'"}',
        b'{"type":"nonce_added","at":0,"seat":1,"nonce":"0b"}',
    ):
        table.fold(stored.decode(body))
    return table


def fold(table: Table, events: list[Any]) -> None:
    for one in events:
        table.fold(one)


def test_a_table_of_an_older_database_is_played_on_and_its_record_checks() -> None:
    table = older_table()
    fold(table, table.decide_start(0))
    assert (table.status, table.nonces) == ("playing", ["0a", "0b"])
    fold(table, table.decide_close(0))
    record = table.record()
    record.check()
    assert (record.chance.nonces, record.chance.commits) == (("0a", "0b"), ())


def test_a_nonce_that_was_known_before_does_not_count_beside_commitments() -> None:
    table = older_table()
    for decide in (
        lambda: table.decide_commit(0, 0, commitment(NONCES[0])),
        lambda: table.decide_start(0),
        lambda: table.decide_reveal(0, 0, NONCES[0]),
    ):
        fold(table, decide())
    assert (table.status, table.nonces) == ("playing", [NONCES[0], ""])
    table.record().check()


@pytest.mark.parametrize("game", ["dice", "lumens", "iles", "lanternes"])
def test_the_epochs_follow_from_the_undos_however_people_go_back(game: str) -> None:
    """Also where moves before the undone one are taken back as well, so that later draws have lower numbers."""
    for seed in range(20 if game == "dice" else 4):
        rng, table = random.Random(seed), older_table(game)
        fold(table, table.decide_start(0))
        for _ in range(150):
            if table.status != "playing":
                break
            if rng.random() < 0.3:
                go_back(table, rng.randrange(2))
            else:
                seat = rng.choice(table.position.pending)
                fold(table, table.decide_move(0, seat, int(rng.choice(table.position.legal_ids(seat))), 0))
        if table.status == "playing":
            fold(table, table.decide_close(0))
        assert table.undos
        table.record().check()


def go_back(table: Table, seat: int) -> None:
    """Take a seat's last move back, with the other's consent where it is needed."""
    with suppress(CannotUndo, Refused):
        fold(table, table.decide_undo(0, seat))
        fold(table, table.decide_answer(0, 1 - seat, True))
