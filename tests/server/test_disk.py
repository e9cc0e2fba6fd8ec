"""What a server and its commands do when the disk is full, when it is damaged, and with files of every name."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from commands import Done, in_a_process, lampion
from waiting import until
from write_records import FOLDER

from lampion.play import Record
from lampion.server.database_admin import try_store
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.storage.store import BadStore
from lampion.server.tables.record_import import events_of_record, store_finished

from .people import ConnectionClosed, Person, Server

PAGE = 4096
UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def start(db: Path) -> Done:
    """Start a server that is refused."""
    return in_a_process("serve", "--port", "0", "--db", str(db))


# A disk that is full


@contextmanager
def small_disk(folder: Path, *options: str) -> Iterator[None]:
    """A file system of four megabytes at a folder; only root may make one."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", ",".join(["size=4m", *options]), "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def filled(server: Server) -> Iterator[None]:
    """No room on the server's disk for a while."""
    filler = Path(server.db).with_name("filler")
    with filler.open("wb", buffering=0) as file:
        for size in (65536, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                pass
    yield
    filler.unlink()


@contextmanager
def limited(server: Server) -> Iterator[None]:
    """The server may write to no file for a while, as the system sees to."""
    if not hasattr(resource, "prlimit"):
        pytest.skip("what a process may write cannot be limited here")
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    yield
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, UNLIMITED)


def wait_for_health(server: Server, status: int) -> Any:
    """What /healthz says once its status is the one."""
    answers: list[tuple[int, Any]] = []

    def has_changed() -> bool:
        answers.append(server.request("/healthz"))
        return answers[-1][0] == status

    until(has_changed, f"/healthz answers {status}")
    return answers[-1][1]


def play_while(server: Server, old: str, code: str, without_room: Callable[[Server], Any]) -> None:
    """While nothing can be stored, moves are refused and nothing else is; then the game goes on."""
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    with (
        Person(server, made["table"], made["tokens"]["0"]) as ann,
        Person(server, made["table"], made["tokens"]["1"]) as bob,
    ):

        def move() -> Any:
            for person in (ann, bob):
                person.hear_until(max(ann.seq, bob.seq))
            return (ann if ann.view.get("moves") else bob).move()

        assert move()["say"] == "done"
        with without_room(server):
            answers = [move()]
            while answers[-1]["say"] == "done":  # what room there was in the last page
                answers.append(move())
                assert len(answers) < 10
            assert (answers[-1]["say"], answers[-1]["code"]) == ("no", code)
            assert "nothing was lost" in answers[-1]["reason"]
            assert wait_for_health(server, 503) == {"ok": False, "reason": code}
            assert server.get(f"/api/tables/{made['table']}")["status"] == "playing"
            with Person(server, old) as watcher:  # which comes from the disk
                assert watcher.latest["table"]["status"] == "over"
            seats = [{"kind": "screen", "name": "Cid"}, {"kind": "bot"}]
            status, told = server.request("/api/tables", {"game": "lumens", "seats": seats})
            assert (status, told["code"]) == (503, code)
            before = max(ann.seq, bob.seq)
        wait_for_health(server, 200)
        assert move()["say"] == "done"
        assert max(ann.seq, bob.seq) > before


def test_a_full_disk_stops_moves_alone_until_there_is_room(tmp_path: Path, games: tuple[Path, list[str]]) -> None:
    with small_disk(tmp_path / "small"):
        shutil.copy(games[0], tmp_path / "small")
        server = Server(tmp_path / "small" / "lampion.db", errors=tmp_path / "errors")
        try:
            play_while(server, games[1][0], "disk_full", filled)
        finally:
            server.stop()
        lines = (tmp_path / "errors").read_text().splitlines()
        assert sum("the database does not work why=disk_full" in line for line in lines) == 1
        assert sum("the database works again" in line for line in lines) == 1
        assert not [line for line in lines if "fault" in line or "Traceback" in line]


def test_a_disk_that_takes_nothing_stops_moves_alone_until_it_does(database: tuple[Path, list[str]]) -> None:
    server = Server(database[0])
    try:
        play_while(server, database[1][0], "not_writable", limited)
    finally:
        server.stop()


# Damage


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A database of finished games, and their tables."""
    path = tmp_path_factory.mktemp("games") / "lampion.db"
    record = Record.load(sorted(FOLDER.glob("lumens*seeded*.json"))[-1])

    async def run() -> list[str]:
        one = SqliteStore(path)
        await one.open()
        tables = [await store_finished(one, events_of_record(record, 5, "host")) for _ in range(12)]
        await one.close()
        return tables

    return path, asyncio.run(run())


@pytest.fixture
def database(games: tuple[Path, list[str]], tmp_path: Path) -> tuple[Path, list[str]]:
    """A copy of it."""
    return Path(shutil.copy(games[0], tmp_path / "lampion.db")), games[1]


def damage(path: Path, page: int, start: int = 0) -> None:
    """Overwrite a page from a byte on, as a failing disk does; pages are counted from 1."""
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE + start)
        file.write(b"\xa5" * (PAGE - start))


def page_of(path: Path, table: str) -> int:
    """A page that holds events of a table alone."""
    data = path.read_bytes()
    pages = [data[i : i + PAGE] for i in range(0, len(data), PAGE)]
    return max(range(len(pages)), key=lambda number: pages[number].count(table.encode())) + 1


def test_of_a_damaged_database_all_that_is_whole_is_used_and_the_rest_is_named(
    database: tuple[Path, list[str]], tmp_path: Path
) -> None:
    path, tables = database
    server = Server(path, errors=tmp_path / "errors")
    made = server.make("lumens", ("Ann",), ("Bob",), start=True)
    server.stop()
    order = sorted([*tables, made["table"]])  # as they lie in the file
    broken = order[(order.index(made["table"]) + 6) % len(order)]
    whole = {*tables} - {broken}
    damage(path, page_of(path, broken))

    checked = lampion("serve", "--check", "--db", str(path))
    assert checked.returncode == 1, checked.stderr
    assert f"{broken}: This table cannot be read" in checked.stdout
    assert "The database is damaged: " in checked.stdout
    assert "13 tables looked at, 1 of them" in checked.stdout
    assert not any(table in checked.stdout for table in whole)

    listed = lampion("records", "list", "--db", str(path))
    assert (listed.returncode, "Traceback" in listed.stderr) == (1, False)
    lines = {line.split()[0]: line for line in listed.stdout.splitlines()}
    assert set(lines) == {*tables}
    assert [table for table in tables if "cannot be read" in lines[table]] == [broken]

    done = lampion("records", "export", str(tmp_path / "out"), "--db", str(path))
    assert (done.returncode, f"{broken} was not written" in done.stderr) == (1, True)
    assert {file.stem.partition("-")[2] for file in (tmp_path / "out").iterdir()} == whole
    assert lampion("records", "delete", broken, "none", "--db", str(path)).returncode == 2, "there is one, but no other"

    server.start()
    try:
        status, told = server.request(f"/api/tables/{broken}")
        assert (status, told["code"]) == (503, "table_damaged")
        with Person(server, broken, hello=False) as ann:
            assert ann.hear()["code"] == "table_damaged"
            with pytest.raises(ConnectionClosed):
                ann.hear()
        asked = {"tables": [broken, *whole]}
        told = server.request("/api/tables/look", asked)[1]
        assert [one["id"] for one in told if one.get("broken")] == [broken]
        assert server.request(f"/api/tables/{min(whole)}/record")[0] == 200
        with Person(server, made["table"], *made["tokens"].values()) as ann:
            ann.ask("curtain", seat=ann.latest["table"]["pending"][0])
            assert ann.move()["say"] == "done"
        assert wait_for_health(server, 200)["ok"]
    finally:
        server.stop()
    assert "fault" not in (tmp_path / "errors").read_text()


def test_where_the_list_of_tables_is_damaged_tables_are_found_by_their_events(
    database: tuple[Path, list[str]], tmp_path: Path
) -> None:
    path, _ = database
    with closing(sqlite3.connect(path)) as connection:
        [root] = connection.execute("select rootpage from sqlite_master where name = 'tables'").fetchone()
    damage(path, root)
    checked = lampion("serve", "--check", "--db", str(path))
    assert (checked.returncode, "12 tables looked at, 0 of them" in checked.stdout) == (1, True), checked.stdout
    done = lampion("records", "export", str(tmp_path / "out"), "--db", str(path))
    assert (done.returncode, len(list((tmp_path / "out").iterdir()))) == (0, 12), done.stderr


def test_events_that_are_missing_or_make_no_sense_are_told_not_skipped(database: tuple[Path, list[str]]) -> None:
    path, tables = database
    changes = (
        "delete from events where game = ? and seq = 3",
        "delete from events where game = ? and seq > 20",
        "delete from events where game = ?",
        "delete from events where game = ? and seq = 1",
        "update events set body = replace(body, '\"seat\":0', '\"seat\":77') where game = ?",
        "update events set body = x'ff00' where game = ? and seq = 2",
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, change in zip(tables, changes, strict=False):
            connection.execute(change, (table,))
    checked = lampion("serve", "--check", "--db", str(path))
    assert f"12 tables looked at, {len(changes)} of them" in checked.stdout, checked.stdout
    assert (checked.returncode, "Traceback" in checked.stderr) == (1, False), checked.stderr


# Copies


@pytest.mark.parametrize("name", ["a?b", "a#b", "a%41b", "a b & c", "é\u00a0☃", "file:x?mode=memory"])
def test_a_backup_is_made_from_and_to_files_of_any_name(database: tuple[Path, list[str]], name: str) -> None:
    path, _ = database
    source, target = path.with_name(f"{name}.db"), path.with_name(f"{name}-copy.db")
    path.rename(source)
    before = {*path.parent.iterdir()}
    done = lampion("backup", str(target), "--db", str(source))
    assert (done.returncode, "Copied" in done.stdout) == (0, True), done.stderr
    beside = {source.with_name(source.name + end) for end in ("-wal", "-shm")}
    assert {*path.parent.iterdir()} - before - beside == {target}
    assert "12 tables looked at, 0 of them" in lampion("serve", "--check", "--db", str(target)).stdout


def test_a_copy_that_is_not_good_is_not_kept_and_the_older_one_stays(database: tuple[Path, list[str]]) -> None:
    path, tables = database
    target = path.with_name("copy.db")
    assert lampion("backup", str(target), "--db", str(path)).returncode == 0
    good = target.read_bytes()
    page = page_of(path, tables[5])
    for start, reason in ((PAGE // 2, "is not good, and was not kept"), (0, "malformed")):  # rows, then their number
        damage(path, page, start)
        done = lampion("backup", str(target), "--db", str(path))
        assert (done.returncode, done.stdout, reason in done.stderr) == (2, "", True), done.stderr
        assert target.read_bytes() == good
        assert not target.with_name("copy.db.part").exists()


def test_a_database_is_not_copied_over_itself(database: tuple[Path, list[str]]) -> None:
    path, _ = database
    link = path.with_name("link.db")
    link.symlink_to(path)
    for target in (path, link):
        done = lampion("backup", str(target), "--db", str(path))
        assert (done.returncode, "is the database itself" in done.stderr) == (2, True)


def test_what_an_older_copy_left_beside_it_does_not_get_into_the_new_one(database: tuple[Path, list[str]]) -> None:
    path, _ = database
    target = path.with_name("copy.db")
    target.with_name("copy.db-wal").write_bytes(b"left over")
    assert lampion("backup", str(target), "--db", str(path)).returncode == 0
    assert not target.with_name("copy.db-wal").exists()


# Names


def test_a_file_has_one_server_by_whatever_name(tmp_path: Path) -> None:
    db = tmp_path / "lampion.db"
    server = Server(db)
    try:
        (tmp_path / "folder").symlink_to(tmp_path)
        (tmp_path / "link.db").symlink_to(db)
        (tmp_path / "x").mkdir()
        done = start(tmp_path / "link.db")
        assert (done.returncode, "Another server" in done.stderr, len(done.stderr.splitlines())) == (2, True, 1)
        for name in ("link.db", "folder/lampion.db", "folder/link.db", "x/../lampion.db"):
            with pytest.raises(BadStore) as told:
                SqliteStore(tmp_path / name).claim()
            assert told.value.key == "store.in_use"
        os.link(db, tmp_path / "hard.db")
        with pytest.raises(BadStore) as told:
            SqliteStore(tmp_path / "hard.db").claim()
        assert told.value.key == "store.linked"
        for words in (("records", "list"), ("backup", str(tmp_path / "copy.db"))):
            done = lampion(*words, "--db", str(tmp_path / "hard.db"))
            assert (done.returncode, "more than one name" in done.stderr) == (2, True), words
        assert not (tmp_path / "hard.db-wal").exists()
    finally:
        server.stop()


def test_what_is_no_database_is_refused_in_one_line_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.db").write_text("These are not the tables you are looking for.\n" * 100)
    with closing(sqlite3.connect(tmp_path / "songs.db")) as connection, connection:
        connection.execute("create table songs (title text)")
    told = {"folder": "is no file", "text.db": "file is not a database", "songs.db": "not one of Lampion's"}
    for name, reason in told.items():
        before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
        with pytest.raises(BadStore):
            asyncio.run(try_store(str(tmp_path / name)))
        for words in (("serve", "--check"), ("records", "list")):
            done = lampion(*words, "--db", str(tmp_path / name))
            assert (done.returncode, done.stdout) == (2, ""), (name, words)
            assert reason in done.stderr, done.stderr
            assert len(done.stderr.splitlines()) == 1
        assert all(path.read_bytes() == data for path, data in before.items() if path.name == name)


def test_a_database_that_may_not_be_written_to_is_refused_with_the_reason(
    database: tuple[Path, list[str]], tmp_path: Path
) -> None:
    path, _ = database
    folder = tmp_path / "small"
    with small_disk(folder):
        (folder / "lampion.db").write_bytes(path.read_bytes())
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        done = start(folder / "lampion.db")
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert "nothing can be written there" in done.stderr
