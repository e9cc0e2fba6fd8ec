"""The golden transcripts are what the rules play today."""

import difflib
from itertools import islice

import pytest
from write_golden import FOLDER, file_of, tables, transcript

from lampion.games.core import Game

TABLES = [pytest.param(game, players, id=f"{game.name}-{players}") for game, players in tables()]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_transcript_tells_the_game_as_it_is_played(game: Game, players: int) -> None:
    path = file_of(game, players)
    assert path.exists(), f"no transcript; write it: python tests/write_golden.py {game.name}"
    kept, now = path.read_text(encoding="utf-8").splitlines(), transcript(game, players).splitlines()
    changes = difflib.unified_diff(kept, now, path.name, "as played now", lineterm="", n=2)
    assert kept == now, "\n".join(
        [
            "The game is told or played differently. If that is meant (and Game.version was raised where old records",
            f"would change), write it anew: python tests/write_golden.py {game.name}",
            "",
            *islice(changes, 60),
        ]
    )


def test_no_transcript_is_of_a_game_that_is_gone() -> None:
    known = {file_of(game, players) for game, players in tables()}
    assert set(FOLDER.glob("*.txt")) == known
