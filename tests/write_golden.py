"""Golden transcripts: one game of each kind and number of players, to be read beside the rulebook.

    python tests/write_golden.py [GAME ...]

writes them anew after a change that was meant. The players are simple and always the same: each makes the move that
leaves them best placed at once, or by the toss of a coin the one with the most points alone, and draws lots among
equals. Nothing is hidden from the reader.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import conftest

from lampion.engine.rng import below, new_rng
from lampion.games import registry
from lampion.games.core import CHANCE, EVERYTHING, Game
from lampion.games.move_types import notation, sentence
from lampion.locale import say, speaking
from lampion.play import Position, Seeded
from lampion.play.outcome import sentence as verdict

FOLDER = Path(conftest.__file__).resolve().parent / "golden"
SEED = 2
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hal")
PICTURES = 3
WIDTH = 118


def tables() -> Iterator[tuple[Game, int]]:
    """Every game with every number of players."""
    for game in registry.games().values():
        for players in game.players:
            yield game, players


def file_of(game: Game, players: int) -> Path:
    """Where a transcript lies."""
    return FOLDER / f"{game.name}-{players}.txt"


def best(position: Position, seat: int, lots: object) -> int:
    """The move after which the seat stands best, or at times has the most points; lots among equals."""
    scores = []
    keys = 1 if below(lots, 2) else len(position.game.keys)
    ids = [int(id) for id in position.legal_ids(seat)]
    for id in ids:
        position.push_rows(id, seat)
        scores.append(position.count().keys[seat][:keys])
        position.pop()
    equals = [id for id, score in zip(ids, scores, strict=True) if score == max(scores)]
    return equals[int(below(lots, len(equals)))]


def played(game: Game, players: int) -> Position:
    """The game of the transcript."""
    position = Position(game, players)
    chance, lots = Seeded(SEED), new_rng(SEED)
    while not position.is_over:
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push_rows(best(position, position.actor, lots), position.actor)
    return position


def transcript(game: Game, players: int) -> str:
    """The game told: every move in notation, what it did in sentences, a few pictures, and the outcome."""
    with speaking("en"):
        names = NAMES[:players]
        end = played(game, players)
        begun = next(ply for ply, (seat, _) in enumerate(end.played) if seat != CHANCE)
        shown = {begun + (end.ply - begun) * i // PICTURES for i in range(PICTURES + 1)}
        options = ", ".join(f"{name} {value}" for name, value in end.options.items())
        lines = [f"{say(f'{game.name}.name')}, {players} players; {options}", ""]
        lines += [sentence(game, event, names, box=end.edition.box) for event in end.opening(EVERYTHING)]
        now = Position(game, players)
        for ply, (seat, move) in enumerate(end.moves):
            if ply in shown:
                lines += ["", textwrap.indent(now.text(EVERYTHING, names), "    "), ""]
            who = "chance" if seat == CHANCE else names[seat]
            told = " ".join(sentence(game, each, names, box=now.edition.box) for each in now.push(move, seat))
            lines += _filled(f"{ply + 1:3}. {who} {notation(move)}: {told}")
        lines += ["", textwrap.indent(now.text(EVERYTHING, names), "    "), ""]
        outcome = end.count()
        for seat, name in enumerate(names):
            categories = ", ".join(
                f"{say(f'{game.name}.category.{category}')} {points}"
                for category, points in outcome.categories[seat].items()
            )
            lines.append(f"{name}: {outcome.scores[seat]} points ({categories}), place {outcome.ranks[seat]}")
        lines.append(verdict(game.name, outcome, names))
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="     ", break_long_words=False, break_on_hyphens=False)


def main(wanted: list[str]) -> None:
    """Write the transcripts of the games named, or of all."""
    for game, players in tables():
        if not wanted or game.name in wanted:
            file_of(game, players).write_text(transcript(game, players), encoding="utf-8")
            print(file_of(game, players).relative_to(FOLDER.parents[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
