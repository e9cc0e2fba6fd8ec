"""Forged records of every kind: `lampion check` and the checker that shares no code with it refuse them all."""

from __future__ import annotations

import copy
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import lampion
from forgeries import FORGERIES, Data, bot_added, other_components, other_first, other_game, other_rules

from lampion.cli.proof_report import check
from lampion.games import registry
from lampion.games.core import CHANCE, EVERYTHING
from lampion.games.editions import standard
from lampion.locale import speaking
from lampion.play import Position, Record, SeatInfo
from lampion.play.fair import Promised, commitment, promise
from lampion.play.recorded_chance import BadRecord, ChanceInfo, Undo
from lampion.server.protocol import stored_events as stored
from lampion.server.tables.table import Table

ROOT = Path(__file__).parents[1]
SECRET, NONCES = "5e" * 32, ["a1" * 32, "b2" * 32]


def load_checker() -> Any:
    """The checker that imports nothing of ours, as a module."""
    spec = importlib.util.spec_from_file_location("check_chance", ROOT / "examples" / "check_chance.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = load_checker()


@pytest.fixture(scope="module")
def rules() -> Iterator[Any]:
    """One `lampion stdio` for all records."""
    one = CHECKER.Rules()
    yield one
    one.close()


def sealed_table(
    game: str = "lumens", *, reveals: tuple[int, ...] = (0, 1), commits: tuple[int, ...] = (0, 1)
) -> Table:
    """A table of Ann and Ben whose game has begun; some of them commit, and some of these reveal."""
    table = Table("fair")
    options = registry.game(game).read_options(2, None)
    table.fold(stored.Made(0, version=1, game=game, rules=registry.game(game).version, players=2, options=options,
                           components=dict(standard(game).data), secret=SECRET, host=""))  # fmt: skip
    for seat, name in enumerate(("Ann", "Ben")):
        commit = commitment(NONCES[seat]) if seat in commits else None
        do(table, table.decide_sit(0, seat, name, name, commit))
    do(table, table.decide_start(0))
    for seat in reveals:
        do(table, table.decide_reveal(0, seat, NONCES[seat]))
    if table.status == "open":
        do(table, table.decide_begin(0))
    return table


def do(table: Table, events: list[Any]) -> None:
    for one in events:
        table.fold(one)


def play(table: Table, moves: int = 10_000) -> Table:
    """Make decisions, always the first that is legal; then close the table where the game goes on."""
    while moves and table.status == "playing":
        seat = table.position.actor
        do(table, table.decide_move(0, seat, int(table.position.legal_ids(seat)[0]), 0))
        moves -= 1
    if table.status == "playing":
        do(table, table.decide_close(0))
    return table


def data_of(table: Table) -> Data:
    return dict(json.loads(table.record().to_json()))


def checked_by_us(data: Data, seal: str | None = None) -> tuple[list[str], bool]:
    with speaking("en"):
        return check(Record.from_data(data), seal)


def refused_by_both(data: Data, rules: Any, seal: str | None = None) -> str:
    """Why we refuse a record; the other checker does too."""
    with pytest.raises((CHECKER.Forged, LookupError, TypeError, ValueError)):
        CHECKER.check(data, seal, rules)
    with pytest.raises(BadRecord) as found:
        checked_by_us(data, seal)
    return found.value.key


@pytest.fixture(scope="module")
def honest() -> Data:
    """A game of Lumens with steps back over draws, played through the server."""
    return dict(json.loads((ROOT / "tests/fixtures/records/lumens-rules-1-sealed.json").read_text(encoding="utf-8")))


def seal_in(data: Data) -> str:
    return str(Record.from_data(data).seal)


# What is honest


@pytest.mark.parametrize("game", ["lumens", "dice", "iles", "lanternes"])
def test_both_checkers_accept_an_honest_game_and_print_what_there_is_to_compare(game: str, rules: Any) -> None:
    data = json.loads((ROOT / f"tests/fixtures/records/{game}-rules-1-sealed.json").read_text(encoding="utf-8"))
    undos = data["chance"]["undos"]
    assert undos
    for lines, is_proven in (CHECKER.check(data, seal_in(data), rules), checked_by_us(data, seal_in(data)[:16])):
        text = "\n".join(lines)
        assert is_proven
        assert seal_in(data) in text
        assert "Ann" in text
        assert "Ben" in text
        assert sum("back to move" in line for line in lines) == len(undos)
        assert "ot proven" not in text


def test_who_did_not_reveal_and_who_did_not_commit_is_named(rules: Any) -> None:
    data = data_of(play(sealed_table(reveals=(0,)), 3))
    assert data["chance"]["nonces"] == [NONCES[0], ""]
    for lines, is_proven in (CHECKER.check(data, None, rules), checked_by_us(data)):
        text = "\n".join(lines)
        assert is_proven
        assert "did not reveal" in text
        assert [line for line in lines if "did not reveal" in line and "Ben" in line and "Ann" not in line]
        assert "closed before the end" in text
    data = data_of(play(sealed_table(commits=(1,), reveals=(1,)), 3))
    assert data["chance"]["commits"] == ["", commitment(NONCES[1])]
    assert any("Added nothing: Ann" in line for line in checked_by_us(data)[0])


def test_a_game_to_which_nobody_added_anything_says_what_it_does_not_prove(rules: Any) -> None:
    data = data_of(play(sealed_table(commits=(), reveals=()), 3))
    assert "commits" not in data["chance"]
    assert any("Nobody added" in line and "Not proven" in line for line in checked_by_us(data)[0])
    assert any("the server alone chose" in line for line in CHECKER.check(data, None, rules)[0])
    assert refused_by_both(data, rules, "00" * 32) == "check.no_seal"


def test_a_start_that_was_broken_off_says_so(rules: Any) -> None:
    table = Table("aborted")
    do(table, [entry.event for entry in sealed_table().entries[:4]])  # made, two sat, sealed
    assert table.is_starting
    do(table, table.decide_close(0))
    data = data_of(table)
    assert data["chance"]["aborted"]
    assert any("broken off" in line for line in checked_by_us(data)[0])
    assert any("broken off" in line for line in CHECKER.check(data, None, rules)[0])


@pytest.mark.parametrize("game", ["lumens", "dice", "iles", "lanternes"])
def test_an_older_record_says_what_is_not_proven(game: str, rules: Any) -> None:
    data = json.loads((ROOT / f"tests/fixtures/records/{game}-rules-1-promised.json").read_text(encoding="utf-8"))
    for lines, is_proven in (CHECKER.check(data, None, rules), checked_by_us(data)):
        assert not is_proven  # its epochs are accounted for by no undo
        assert sum("Not proven" in line for line in lines) == 2
    assert refused_by_both(data, rules, "00" * 32) == "check.no_seal"


# What is forged


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_refused_by_both(name: str, honest: Data, rules: Any) -> None:
    forge, reason = FORGERIES[name]
    data = copy.deepcopy(honest)
    forge(data)
    assert data != honest
    assert refused_by_both(data, rules) == reason


def test_an_undo_cannot_be_asked_by_a_bot(rules: Any) -> None:
    table = Table("bot")
    options = registry.game("lumens").read_options(2, None)
    table.fold(stored.Made(0, version=1, game="lumens", rules=1, players=2, options=options,
                           components=dict(standard("lumens").data), secret=SECRET, host=""))  # fmt: skip
    do(table, table.decide_sit(0, 0, "Ann", "ann", commitment(NONCES[0])))
    do(table, table.decide_bot(0, 1, "spark"))
    do(table, table.decide_start(0))
    do(table, table.decide_reveal(0, 0, NONCES[0]))
    data = data_of(play(table, 8))
    assert all(is_proven for _, is_proven in (CHECKER.check(data, None, rules), checked_by_us(data)))
    to = max(i for i, (who, _) in enumerate(data["moves"]) if who == 1)
    data["chance"]["undos"] = [{"seat": 1, "from": to + 2, "to": to}]
    assert refused_by_both(data, rules) == "record.undo_seat"


def test_a_commitment_that_was_changed_shows_in_the_seal_alone(rules: Any) -> None:
    data = data_of(play(sealed_table(reveals=(0,)), 3))
    seal = seal_in(data)
    assert checked_by_us(data, seal)[1]
    data["chance"]["commits"][1] = commitment("c3" * 32)  # the nonce was never revealed: no draw depends on it
    assert checked_by_us(data)[1]
    assert refused_by_both(data, rules, seal) == "check.seal_differs"
    assert refused_by_both(data, rules, seal[:16]) == "check.seal_differs"
    assert refused_by_both(data, rules, seal[:15]) == "check.seal_form"


@pytest.mark.parametrize("change", [other_components, other_first, other_rules, bot_added, other_game])
def test_the_seal_binds_what_is_played_and_who_sits(change: Callable[[Data], None], rules: Any) -> None:
    table = Table("aborted")
    do(table, [entry.event for entry in sealed_table("lanternes").entries[:4]])
    do(table, table.decide_close(0))
    data = data_of(table)
    seal = seal_in(data)
    assert seal == table.seal
    for told in (CHECKER.check(data, seal, rules), checked_by_us(data, seal)):
        assert told[1]
    change(data)
    for told in (CHECKER.check(data, None, rules), checked_by_us(data)):  # it fits together, but for the seal
        assert told[1]
    assert refused_by_both(data, rules, seal) == "check.seal_differs"


@pytest.mark.parametrize("game", ["iles", "lanternes", "lumens"])
def test_who_goes_back_further_after_an_undo_over_a_draw_is_recorded(game: str, rules: Any) -> None:
    """In Iles the undo before was another's: the move where the game goes on is not its seat's."""
    table = sealed_table(game)
    while not goes_further(table.undos):
        assert table.status == "playing"
        position = table.position
        seat, last = position.actor, position.played[-1].seat
        if table.undos and table.undos[-1].after == position.ply and last != CHANCE:
            undo(table, last)
            continue
        do(table, table.decide_move(0, seat, int(position.legal_ids(seat)[-1]), 0))
        if table.status == "playing" and table.position.played[-1].seat == CHANCE and last != CHANCE:
            undo(table, seat)
    data = data_of(play(table, 5))
    seal = seal_in(data)
    for told in (CHECKER.check(data, seal, rules), checked_by_us(data, seal)):
        assert told[1]
    data["chance"]["undos"][-1]["seat"] = 1 - data["chance"]["undos"][-1]["seat"]
    assert refused_by_both(data, rules, seal) == "record.undo_other"


def goes_further(undos: list[Undo]) -> bool:
    return len(undos) > 1 and undos[-1].before == undos[-2].after


def undo(table: Table, seat: int) -> None:
    do(table, table.decide_undo(0, seat))
    if table.undo_request is not None:
        do(table, table.decide_answer(0, 1 - seat, True))


def test_a_promised_game_does_not_begin_at_a_position_that_was_chosen(rules: Any) -> None:
    chosen = Position(registry.game("lanternes"), 2)
    chosen.push_chances(Promised("77" * 32, ()))
    position = Position.from_view("lanternes", 2, chosen.options, chosen.view(EVERYTHING))
    for _ in range(6):
        position.push(next(iter(position.legal_moves)))
        position.push_chances(Promised(SECRET, NONCES))
    info = ChanceInfo("promised", promise=promise(SECRET), secret=SECRET, commits=tuple(map(commitment, NONCES)),
                      nonces=tuple(NONCES))  # fmt: skip
    forged = json.loads(Record.of(position, [SeatInfo("Ann"), SeatInfo("Ben")], chance=info).to_json())
    assert any(who == "chance" for who, _ in forged["moves"])
    with pytest.raises(CHECKER.Forged, match="begins at its set-up"):
        CHECKER.check(forged, seal_in(forged), rules)
    assert refused_by_both(forged, rules, seal_in(forged)) == "record.start"


def test_who_knows_the_secret_and_chooses_the_last_nonce_needs_another_commitment(rules: Any) -> None:
    honest = play(sealed_table("lanternes"), 3)
    seal = seal_in(data_of(honest))

    def deal(last: str) -> list[Any]:
        position = Position(registry.game("lanternes"), 2)
        position.push_chances(Promised(SECRET, [NONCES[0], last]))
        return position.moves

    wanted = deal(NONCES[1])[1]  # which tile is dealt first: the attacker prefers any other
    last = next(f"{n:064x}" for n in range(1000) if deal(f"{n:064x}")[1] != wanted)
    position = Position(registry.game("lanternes"), 2)
    position.push_chances(Promised(SECRET, [NONCES[0], last]))
    commits = tuple(map(commitment, NONCES))
    info = ChanceInfo("promised", promise=promise(SECRET), secret=SECRET, commits=commits, nonces=(NONCES[0], last))
    seats = [SeatInfo("Ann"), SeatInfo("Ben")]
    forged = json.loads(Record.of(position, seats, chance=info).to_json())
    assert refused_by_both(forged, rules, seal) == "record.commit"
    forged["chance"]["commits"][1] = commitment(last)
    assert checked_by_us(forged)[1]  # it fits together, but it is not what was shown at the table
    assert refused_by_both(forged, rules, seal) == "check.seal_differs"


def all_red(fields: Callable[[list[tuple[int, int]]], Data]) -> Data:
    """A game of Dice in which every die shows red; `fields` turns the epochs it needs into what the record says."""
    position, epoch, epochs, red = Position(registry.game("dice"), 2), 0, list[tuple[int, int]](), 0
    while not position.is_over:
        if position.actor != CHANCE:
            position.push(next(iter(position.legal_moves)))
            continue
        while True:
            position.push_chance(Promised(SECRET, NONCES, epoch))
            rolled = position.moves[-1][1]
            if rolled.kind != "roll" or rolled.colour == "R":
                break
            position.pop()
            epoch += 1
        red += rolled.kind == "roll"
        if epoch and (not epochs or epochs[-1][1] != epoch):
            epochs.append((position.ply - 1, epoch))
    assert red > 60
    info = ChanceInfo("promised", promise=promise(SECRET), secret=SECRET, nonces=tuple(NONCES))
    data: Data = json.loads(Record.of(position, [SeatInfo("Ann"), SeatInfo("Ben")], chance=info).to_json())
    data["chance"] |= fields(epochs)
    return data


def test_dice_that_are_all_red_through_invented_epochs_are_not_as_promised(rules: Any, tmp_path: Path) -> None:
    commits = list(map(commitment, NONCES))
    assert refused_by_both(all_red(lambda epochs: {"commits": commits, "epochs": epochs}), rules) == "record.epochs"

    def as_undos(epochs: list[tuple[int, int]]) -> Data:
        undos = [
            {"seat": 0, "from": since + 2, "to": since}
            for (_, low), (since, high) in pairwise([(0, 0), *epochs])
            for _ in range(high - low)
        ]
        return {"commits": commits, "undos": undos}

    assert refused_by_both(all_red(as_undos), rules) == "record.undo"
    older = all_red(lambda epochs: {"epochs": epochs})  # the form that could be forged so
    for lines, is_proven in (CHECKER.check(older, None, rules), checked_by_us(older)):
        assert not is_proven
        assert any("Not proven" in line and "epochs" in line for line in lines)
    file = tmp_path / "red.json"
    file.write_text(json.dumps(older), encoding="utf-8")
    assert lampion("check", str(file)).returncode == 1


def test_both_commands_end_with_status_1_and_the_reason(honest: Data, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    theirs = [sys.executable, str(ROOT / "examples" / "check_chance.py")]
    seal = seal_in(honest)

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    file.write_text(json.dumps(honest), encoding="utf-8")
    assert lampion("check", str(file), "--seal", seal).returncode == 0
    assert run(*theirs, str(file), seal)[0] == 0
    ours = lampion("check", str(file), "--seal", "00" * 32)
    assert (ours.returncode, seal in ours.stdout + ours.stderr) == (1, True)
    status, told = run(*theirs, str(file), "00" * 32)
    assert (status, seal in told, "Traceback" in told) == (1, True, False)
    file.write_text("[]", encoding="utf-8")
    assert lampion("check", str(file)).returncode == 1
    status, told = run(*theirs, str(file))
    assert (status, "Traceback" in told) == (1, False)
