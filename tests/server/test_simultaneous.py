"""Where several decide at once, nobody is told what another decided before all have: Lanternes Dice, in worlds that
differ only in what is held back. `test_simultaneous_sockets.py` plays it at real sockets."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from lampion.games import registry
from lampion.games.core import SPECTATOR
from lampion.games.dice.state import FINISHING, SHADING
from lampion.games.editions import standard
from lampion.locale import speaking
from lampion.play.position import Position
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Stale
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.participant import Participant
from lampion.server.tables.side_work import ByteCache
from lampion.server.tables.table import Table, rebuild
from lampion.server.tables.update_builder import outlook
from lampion.server.tables.wish_handlers import view_at


def new_table(players: int, secret: int) -> Table:
    """A game of Dice that has begun."""
    table = Table("dice")
    options = registry.game("dice").read_options(players, None)
    table.fold(stored.Made(0, version=1, game="dice", rules=1, players=players, options=options,
                           components=dict(standard("dice").data), secret=f"{secret:064x}", host=""))  # fmt: skip
    for seat in range(players):
        table.fold(stored.Sat(0, seat=seat, name="ABCD"[seat] * 3, token="t" * (seat + 1)))
    fold(table, table.decide_start(0))
    return table


def fold(table: Table, events: list[Any]) -> None:
    """Take events in."""
    for one in events:
        table.fold(one)


def move(table: Table, seat: int, id: int) -> None:
    """Make a move, and what follows."""
    fold(table, table.decide_move(0, seat, id, 0))


def likely(position: Position, seat: int, dice: random.Random) -> int:
    """A move at random that is rarely a pass: sheets fill up, and platforms, emperors and fireworks come."""
    ids = [int(id) for id in position.legal_ids(seat)]
    return dice.choice(ids[:-1] if len(ids) > 1 and dice.random() < 0.9 else ids)


def moments(players: int, seed: int) -> Iterator[tuple[Table, random.Random]]:
    """A game at random, at every moment at which somebody is due."""
    dice, table = random.Random(seed), new_table(players, seed)
    while table.status == "playing":
        yield table, dice
        seat = dice.choice(table.position.pending)
        move(table, seat, likely(table.position, seat, dice))


def first_moment(wanted: Callable[[Table], bool], players: int = 3) -> Table:
    """The first moment that is wanted, in one game after another."""
    return next(table for seed in range(1, 50) for table, _ in moments(players, seed) if wanted(table))


def live_table_of(table: Table) -> LiveTable:
    """A live table that shares nothing with another."""
    return LiveTable(SimpleNamespace(bot_pool=None, analyses=None, changes=ByteCache(), side_work=AtOnce()), table)


class AtOnce:
    """Side work that is done where it is asked for."""

    async def run(self, table: str, work: Callable[[], Any]) -> Any:
        return work()


def told(table: Table, viewer: int, seats: set[int] | None = None, since: int = 0) -> dict[str, Any]:
    """What a viewer is told now."""
    return dict(json.loads(live_table_of(table).update(viewer, since, "en", seats)))


# When


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_step_lasts_from_the_turned_tray_to_the_end_of_the_turn(players: int) -> None:
    begun, ends, finals = False, 0, 0
    for table, _ in moments(players, players):
        position = table.position
        together = int(position.state.stage) == SHADING
        begun = together and (begun or len(position.pending) > 1)
        ends += table.step is None and bool(table.steps) and table.steps[-1][1] == table.seq
        finals += int(position.state.stage) == FINISHING
        assert (table.step is not None) == begun
        assert begun or table.position_for(set()) is position
    assert len(table.steps) > 10
    assert table.step is None
    print(players, "players,", len(table.steps), "steps,", finals, "final launches")


def test_the_final_launches_show_all_that_was_done_before_them() -> None:
    table = first_moment(lambda table: int(table.position.state.stage) == FINISHING)
    assert table.step is None
    assert table.position.played[-1].seat >= 0  # nothing was drawn in between
    first, last = table.steps[-1]
    shown = told(table, SPECTATOR, since=last - 1)
    assert shown["since"] == first - 1
    assert not any(change.get("held") for change in shown["changes"])
    for seat in range(3):
        assert not table.can_undo(seat)  # what the others decided is known


# What is shown


def other_decisions(table: Table, viewer: int, dice: random.Random) -> Table | None:
    """The same table, had the others decided otherwise in the step that goes on; None where that shows in who is
    due."""
    assert table.step is not None
    events = [entry.event for entry in table.entries]
    world = rebuild(table.id, events[: table.step.first - 1])
    truth = rebuild(table.id, events[: table.step.first - 1])
    for one in events[table.step.first - 1 :]:
        truth.fold(one)
        if isinstance(one, stored.Moved) and one.seat != viewer:
            ids = [int(id) for id in world.position.legal_ids(one.seat)]
            dice.shuffle(ids)
            for id in ids:
                after = world.position.copy()
                after.push_rows(id, one.seat)
                if after.pending == truth.position.pending and after.actor >= 0:
                    other = msgspec.to_builtins(world.position.move(id))
                    one = msgspec.structs.replace(one, move=other)
                    break
            else:
                return None
        world.fold(one)
    return world


def test_what_a_viewer_is_told_is_the_same_whatever_the_others_decided() -> None:
    differ, asked = 0, 0
    for table, dice in moments(3, 11):
        if table.step is None or not table.step.has_moves or dice.random() > 0.3:
            continue
        for viewer in (SPECTATOR, 0, 1, 2):
            world = other_decisions(table, viewer, dice)
            if world is None or world.position == table.position:
                continue
            differ += 1
            for since in (0, table.step.first, table.seq - 1):
                here, there = (live_table_of(each).update(viewer, since, "en") for each in (table, world))
                assert here == there
            with speaking("en"):
                wish = wire.LookBack(ply=dice.randrange(table.position.ply + 1))
                looks = [asyncio.run(view_at(live_table_of(each), viewer, wish, {viewer})) for each in (table, world)]
                assert wire.encode(looks[0]) == wire.encode(looks[1])
                drawn = [each.position_for({viewer}).svg(viewer) for each in (table, world)]
                assert drawn[0] == drawn[1]
                if viewer in table.position.pending:
                    asked += 1
                    for move in list(table.position.legal_moves_of(viewer))[:5]:
                        plain = msgspec.to_builtins(move)
                        here, there = (
                            wire.encode(outlook(each.position_for({viewer}), viewer, plain, each.names(), True))
                            for each in (table, world)
                        )
                        assert here == there
    assert differ > 40
    assert asked > 10


def test_a_viewer_sees_the_step_with_the_own_moves_alone() -> None:
    checked = 0
    for table, _ in moments(3, 12):
        if table.step is None:
            continue
        begun = table.position.at(table.step.ply).view(SPECTATOR)
        now = table.position.view(SPECTATOR)
        for seats in (set(), {0}, {1}, {0, 2}, {0, 1, 2}):
            view = table.position_for(seats).view(SPECTATOR)
            for seat in range(3):
                assert view.seats[seat] == (now if seat in seats else begun).seats[seat]
                checked += seat not in seats and now.seats[seat] != begun.seats[seat]
        for seat in table.position.pending:
            mine = table.position_for({seat})
            assert mine.legal_ids(seat).tolist() == table.position.legal_ids(seat).tolist()
    assert checked > 100


def test_a_move_taken_back_in_its_step_is_never_told_to_the_others() -> None:
    table = first_moment(lambda table: table.step is not None and table.step.has_moves and table.can_undo(0))
    seq = next(entry.seq for entry in reversed(table.entries) if getattr(entry.event, "seat", None) == 0)
    fold(table, table.decide_undo(0, 0))
    assert table.step is not None
    dice = random.Random(1)
    while table.step is not None:
        seat = dice.choice(table.position.pending)
        move(table, seat, likely(table.position, seat, dice))
    for viewer, held in ((SPECTATOR, True), (1, True), (0, None)):
        change = told(table, viewer)["changes"][seq - 1]
        assert change["seq"] == seq
        assert change.get("held") is held
    again = rebuild(table.id, [entry.event for entry in table.entries])
    assert told(again, 1) == told(table, 1)


def test_who_agreed_to_go_back_before_the_step_begins_it_anew() -> None:
    table = first_moment(lambda table: table.step is not None and table.step.has_moves and not table.can_undo(0))
    (asked,) = table.decide_undo(0, 0)
    assert isinstance(asked, stored.UndoAsked)
    before = table.step
    table.fold(asked)
    for seat in (1, 2):
        fold(table, table.decide_answer(0, seat, True))
    assert before is not None
    assert table.step is not before
    assert table.position.ply == asked.ply
    held = [change for change in told(table, SPECTATOR)["changes"] if change.get("held")]
    assert held
    assert all(change["seq"] >= before.first for change in held)


def test_bots_decide_without_what_the_others_decide_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = 0
    for table, dice in moments(3, 21):
        if table.step is None or not table.step.has_moves or dice.random() > 0.3:
            continue
        for seat in table.position.pending:
            world = other_decisions(table, seat, dice)
            if world is None or world.position == table.position:
                continue
            worlds += 1
            here, there = (asked_for(each, seat, monkeypatch) for each in (table, world))
            assert here == there
            assert here.played == there.played
    assert worlds > 5


def asked_for(table: Table, seat: int, monkeypatch: pytest.MonkeyPatch) -> Position:
    """The position that a bot is given for a seat."""
    given: list[Position] = []

    class Lane:
        """Where bots think at once."""

        def limit(self, address: str) -> int:
            return 100

        def put(self, address: str, table: str, job: Any) -> None:
            job.think(0)

    bot_pool = SimpleNamespace(lane=lambda bot, game, players: Lane(), has_code=lambda *_: True)
    monkeypatch.setattr(
        "lampion.server.tables.bot_pool.SeatedBot.think", lambda self, position, seat, limit: given.append(position)
    )
    live = LiveTable(SimpleNamespace(bot_pool=bot_pool, analyses=None), table)
    live.participants.add(Participant(lambda word: None, lambda: None))
    live.bots.ask(seat, "spark", "bot")
    return given[0]


def test_in_a_step_neither_a_move_nor_an_undo_of_another_makes_an_answer_stale() -> None:
    table = first_moment(lambda table: table.step is not None and len(table.position.pending) == 3)
    seen = table.seq
    move(table, 1, likely(table.position, 1, random.Random(1)))
    assert table.can_undo(1)
    table.must_be_current(seen, 0)
    fold(table, table.decide_undo(0, 1))
    table.must_be_current(seen, 0)
    with pytest.raises(Stale):
        table.must_be_current(seen, 1)
