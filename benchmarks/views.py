"""How long a server takes to tell a position to a viewer, in microseconds.

    python benchmarks/views.py [SOURCES ...]

Each of SOURCES is a folder with another version of the package, such as `src` of another checkout, measured in turn
with this one, round after round, so that all see the same load of the machine; the best round of each counts. A game
of each kind with the most players is told at every decision to every seat: the view, then the list of moves.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1] / "src"
GAMES = ("lanternes", "dice", "lumens", "iles")
ROUNDS = 3
MEASURE = """
import json, sys, time
from lampion.games import registry
from lampion.play import Position, Seeded

found = {}
for name in sys.argv[1:]:
    game = registry.game(name)
    position = Position(game, game.players[-1])
    chance = Seeded(1)
    position.push_chances(chance)
    told = []
    while not position.is_over:
        told.append(position.copy())
        ids = position.legal_ids()
        position.push_rows(int(ids[7 * position.ply % len(ids)]))
        position.push_chances(chance)
    told = told[:: max(1, len(told) // 20)]
    views, lists = [], []
    for again in range(6):
        began = time.process_time()
        count = 0
        for one in told:
            for viewer in range(one.players):
                one.view(viewer)
                count += 1
        views.append((time.process_time() - began) / count)
        began = time.process_time()
        for one in told:
            list(one.legal_moves)
        lists.append((time.process_time() - began) / len(told))
    found[name] = [1e6 * min(views), 1e6 * min(lists)]
print(json.dumps(found))
"""


def measured(sources: Path) -> dict[str, list[float]]:
    """Return by game the microseconds of a view and of a list of moves, with the package in these sources."""
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(sources)!r})\n{MEASURE}", *GAMES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure all sources in turn; print a line for each game."""
    sources = [*(Path(one).resolve() for one in sys.argv[1:]), HERE]
    best: dict[tuple[Path, str], list[float]] = {}
    for number in range(ROUNDS + 1):
        for one in sources:
            for game, figures in measured(one).items():
                if number:  # the first round compiles
                    best[one, game] = list(map(min, best.get((one, game), figures), figures))
    print(f"{'':12}" + "".join(f"{str(one)[-28:]:>32}" for one in sources))
    for game in GAMES:
        row = [best[one, game] for one in sources]
        print(f"{game:12}" + "".join(f"{view:>18.0f} {moves:>7.0f} µs    " for view, moves in row))


if __name__ == "__main__":
    main()
