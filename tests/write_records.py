"""Games that were really played, kept as files: every released version of the rules must be able to read them.

    python tests/write_records.py

writes those of the rules as they are now into tests/fixtures/records, and leaves files that are there alone. Do it once
when the version of a game's rules rises, and commit the new files beside the old ones. Of every game and version there
are two: one played through the server by people who take moves back, its chance sealed; one by bots alone, its chance
seeded. Those called `promised` are of the form that was written before there were commitments and undos.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import conftest
from server.people import Person, Server

from lampion.bots import named
from lampion.games import registry
from lampion.games.core import Game
from lampion.play import Position, Record, SeatInfo, Seeded, Sight
from lampion.play.record import ChanceInfo

FOLDER = Path(conftest.__file__).resolve().parent / "fixtures" / "records"
DATE = "2025-12-24T18:00:00+00:00"
SEED = 7


def ours() -> list[Game]:
    """The games of this package."""
    return [game for game in registry.games().values() if game.rules[0].__name__.startswith("lampion.")]


def file_of(game: str, rules: int, kind: str) -> Path:
    """Where a record is."""
    return FOLDER / f"{game}-rules-{rules}-{kind}.json"


def seeded(game: Game) -> Record:
    """Bots alone, as many as can sit down."""
    position = Position(game, game.players[-1])
    chance = Seeded(SEED)
    bots = [named("greedy").sit(Sight(position, seat), SEED + seat) for seat in range(position.players)]
    position.push_chances(chance)
    while not position.is_over:
        seat = position.actor
        position.push(bots[seat].choose(Sight(position, seat)), seat)
        position.push_chances(chance)
    seats = [SeatInfo(f"greedy {seat + 1}", "bot", "greedy", "1") for seat in range(position.players)]
    return Record.of(position, seats, chance=ChanceInfo("seeded", seed=SEED), date=DATE)


def sealed(server: Server, game: Game) -> str:
    """Two people who go back now and then, over draws too, so that the epoch rises."""
    made = server.make(game.name, "open", "open")
    with Person(server, made["table"], made["host"]) as ann, Person(server, made["table"]) as ben:
        people = [ann, ben]
        for seat, name in enumerate(("Ann", "Ben")):
            commit = hashlib.sha256(bytes([seat + 1] * 32)).hexdigest()
            assert people[seat].ask("sit", seat=seat, name=name, commit=commit)["say"] == "yours"
        assert ann.ask("start")["say"] == "done"
        for seat, one in enumerate(people):
            answer = one.ask("reveal", seat=seat, nonce=f"{seat + 1:02x}" * 32)
        moves = 0
        while True:
            for one in people:
                one.hear_until(answer["seq"])
            if ann.latest["table"]["status"] == "over":
                break
            seat = ann.latest["table"]["pending"][0]
            mover, other = people[seat], people[1 - seat]
            if moves in (4, 9, 15):
                answer = mover.ask("undo", seat=seat, seq=mover.seq)
                if answer["say"] == "done" and "undo" in mover.latest["table"]:
                    other.hear_until(answer["seq"])
                    answer = other.ask("answer", seat=1 - seat, agrees=True)
            else:
                answer = mover.move(lambda choices: choices[len(choices) * 2 // 3])
            assert answer["say"] == "done" or answer["code"] == "nothing", answer
            answer.setdefault("seq", mover.seq)
            moves += 1
    status, text = server.answer(f"/api/tables/{made['table']}/record")
    assert status == 200
    return text


def main() -> None:
    """Write what is missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "lampion.db")
        try:
            for game in ours():
                for kind in ("seeded", "sealed"):
                    file = file_of(game.name, game.version, kind)
                    if not file.exists():
                        text = seeded(game).to_json() if kind == "seeded" else sealed(server, game)
                        file.write_text(text, encoding="utf-8")
                        print(file.name)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
