"""The schema of the database and its migrations, in the SQL of both stores."""

from __future__ import annotations

from collections.abc import Sequence

from lampion.server.storage.store import BadStore, Heading

COLUMNS = ", ".join(Heading._fields)
STEPS: tuple[tuple[str, ...], ...] = (
    (
        "create table editions (hash text primary key, body bytea not null)",
        "alter table tables add column edition text references editions (hash)",
        "create index tables_by_edition on tables (edition)",
        "alter table tables add column day integer not null default 0",
        "insert into meta values ('days', '0'), ('counted', '0')",
    ),
    ("create table analyses (id text primary key references tables (id) on delete cascade, body bytea not null)",),
    # Trees of variations that somebody keeps
    ("create table boards (id text primary key, changed bigint not null, day integer not null, body bytea not null)",),
)
"""The statements from each version of the schema to the next, in the SQL of both stores, beginning with 1 to 2. A new
database is made as version 1 and migrated like an old one."""
SCHEMA = 1 + len(STEPS)
VERSION = "select value from meta where name = 'schema'"
TODAY = "(select cast(value as integer) from meta where name = 'days')"
"""The number of counted days on which a server of this database ran."""
DAY_APART = 20 * 3_600_000
"""Milliseconds between two counted days, by the clock and in either direction: a clock that jumps counts one."""

OLDEST_BOARDS = """
select id from (select id, sum(length(body)) over (order by changed desc, id) as size from boards) as sized
where size > {}
"""
"""The trees of variations that nobody looked at for longest, where all together exceed a number of bytes."""


def missing_steps(found: Sequence[str] | None, file: str) -> list[str]:
    """Return the statements that migrate a database from the version in `found`; BadStore where it is newer."""
    if found is None or not found[0].isdecimal():
        raise BadStore("store.foreign", file=file)
    if int(found[0]) > SCHEMA:
        raise BadStore("store.too_new", file=file, version=found[0], known=SCHEMA)
    return [line for step in STEPS[int(found[0]) - 1 :] for line in step]
