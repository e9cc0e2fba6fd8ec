"""Every bar of a game's bots: python -m benchmarks.bars GAME FOLDER.

For after any change of a bot, since what helps against one opponent may cost against another. Plays every level against
the one below, with two players and with the most, and the strongest against `greedy` and against OpenSpiel's search;
prints a line for each with its bar, and ends with 1 where a share is below its bar. Takes hours. Tournaments are kept
in the folder, where a run that was stopped goes on with them; take another folder after a change. Needs the extra
`openspiel`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from lampion.arena.figures import mean_of
from lampion.arena.match import Conditions, lineups, play_one, warm_up
from lampion.arena.tournament import tournament
from lampion.arena.workers import Crew, crew
from lampion.bots import named
from lampion.bots.levels import LEVELS, STRONGEST
from lampion.games import registry
from lampion.games.editions import standard

STEP, STEP_GAMES = 0.65, 400
AGAINST_GREEDY = {"lanternes": 0.97, "dice": 0.97, "lumens": 0.97, "iles": 0.9}
GREEDY_GAMES = 160
AMONG_GREEDY = {"lanternes": 0.80}  # one against three, as it is: even would be a quarter
AMONG_DEALS = 36
AGAINST_OPENSPIEL, OPENSPIEL_SIMS = {"iles": 0.75}, 1000
OPENSPIEL_GAMES = {"lanternes": 20, "dice": 20, "lumens": 20, "iles": 200}

Found = tuple[str, float, float, float, int, float]
"""What was played, our share with its 95 % interval, games, the bar."""


def conditions_of(game: str, players: int) -> Conditions:
    """Return the conditions that the command line would set."""
    return Conditions.of(standard(game), players)


def steps(game: str, players: int, workers: Crew, folder: Path) -> Iterator[Found]:
    """Every level against the one below, until that is settled."""
    for lower, higher in pairwise(LEVELS):
        save = folder / f"{game}-{players}-{higher}.jsonl"
        makers = [named(lower), named(higher)]
        played = tournament(conditions_of(game, players), makers, STEP_GAMES, workers, until=STEP, save=save)
        pair = played.pairs[0]
        what = f"{higher} over {lower}, {players} players"
        yield what, 1 - pair.win_share_a, 1 - pair.high, 1 - pair.low, pair.games, STEP


def against_greedy(game: str, workers: Crew, folder: Path) -> Iterator[Found]:
    """The strongest against one of them, and where there is a bar alone against three."""
    if game in AGAINST_GREEDY:
        makers = [named("greedy"), named(STRONGEST)]
        save = folder / f"{game}-2-greedy.jsonl"
        pair = tournament(conditions_of(game, 2), makers, GREEDY_GAMES, workers, save=save).pairs[0]
        what = f"{STRONGEST} over greedy"
        yield what, 1 - pair.win_share_a, 1 - pair.high, 1 - pair.low, pair.games, AGAINST_GREEDY[game]
    if game in AMONG_GREEDY:
        conditions, makers = conditions_of(game, 4), [named("greedy"), named(STRONGEST)]
        warm_up(conditions, makers)
        alone = [(lineup, seats) for lineup, seats in enumerate(lineups(4)) if seats.count(1) == 1]
        jobs = (
            ((deal, seats.index(1)), play_one, (conditions, [makers[one] for one in seats], deal, lineup))
            for deal in range(AMONG_DEALS)
            for lineup, seats in alone
        )
        by_deal = [0.0] * AMONG_DEALS
        for (deal, seat), result in workers.results(jobs):
            by_deal[deal] += result.shares[seat] / 4
        share = mean_of(by_deal)
        assert share.low is not None
        assert share.high is not None
        games = 4 * AMONG_DEALS
        yield f"{STRONGEST} among three greedy", share.value, share.low, share.high, games, AMONG_GREEDY[game]


def against_openspiel(game: str) -> Iterator[Found]:
    """Our search against OpenSpiel's, in processes of its own."""
    if game in OPENSPIEL_GAMES:
        script = Path(__file__).with_name("ismcts_match.py")
        words = ["--game", game, "--games", str(OPENSPIEL_GAMES[game]), "--sims", str(OPENSPIEL_SIMS), "--json"]
        done = subprocess.run([sys.executable, str(script), *words], stdout=subprocess.PIPE, check=True)
        found = json.loads(done.stdout)
        bar = AGAINST_OPENSPIEL.get(game, 0.9)
        yield "search over OpenSpiel's", found["share"], *found["interval"], found["games"], bar


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("folder", type=Path, help="where the games are kept")
    parser.add_argument("--processes", type=int, help="else one a core")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    most = max(registry.game(asked.game).players)
    is_below = False
    with crew(asked.processes) as workers:
        for part in (
            against_greedy(asked.game, workers, asked.folder),
            against_openspiel(asked.game),
            *(steps(asked.game, players, workers, asked.folder) for players in dict.fromkeys((2, most))),
        ):
            for what, share, low, high, games, bar in part:
                verdict = "below" if share < bar else "holds" if low >= bar else "holds, not yet clear of it"
                is_below |= share < bar
                print(f"{what}: {share:.1%} ({low:.1%} to {high:.1%}), {games} games; bar {bar:.0%}: {verdict}")
    sys.exit(is_below)


if __name__ == "__main__":
    main()
