"""OpenSpiel's speed on card games, measured in an environment of its own.

Prints one JSON object: for each measurement the games, moves or simulations done and the seconds spent, once per
repetition. A move is one applied action, chance included. Of the two figures in C++, `games` deals and plays whole
games; `rollouts` is what the evaluator of OpenSpiel's searches does from a dealt position, so it has no chance moves.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pyspiel  # type: ignore[import-not-found, unused-ignore]

ROLLOUTS_PER_CALL = 200
SIMULATIONS_PER_CALL = 1000
EXPLORATION = 2.0

Counts = dict[str, float]


def step(state: Any) -> None:
    """Apply one random action."""
    if state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(actions, weights)[0])
    else:
        state.apply_action(random.choice(state.legal_actions()))


def dealt(game: Any) -> Any:
    """A position where all chance moves of the beginning are behind."""
    state = game.new_initial_state()
    while state.is_chance_node():
        step(state)
    return state


def play_on(state: Any) -> int:
    """Play at random to the end; the number of moves."""
    moves = 0
    while not state.is_terminal():
        step(state)
        moves += 1
    return moves


def timed(work: Callable[..., object], *arguments: object) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def rollouts(game: Any, seconds: float) -> Counts:
    """Random games inside the C++ search: one simulation, whose evaluation plays many games to the end."""
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS_PER_CALL, random.getrandbits(31))
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, 1, 1000, False, random.getrandbits(31), False)
    games, moves, spent = 0, 0.0, 0.0
    while spent < seconds:
        state = dealt(game)
        spent += timed(bot.mcts_search, state)
        games += ROLLOUTS_PER_CALL
        moves += ROLLOUTS_PER_CALL * sum(play_on(state.clone()) for _ in range(4)) / 4
    return {"games": games, "moves": moves, "seconds": spent}


def games(game: Any, seconds: float) -> Counts:
    """Whole random games in C++, one call a game."""
    bots = [pyspiel.make_uniform_random_bot(seat, random.getrandbits(31)) for seat in range(game.num_players())]
    played, moves, spent = 0, 0, 0.0
    while spent < seconds:
        state = game.new_initial_state()
        spent += timed(pyspiel.evaluate_bots, state, bots, random.getrandbits(31))
        played += 1
        moves += len(state.history())
    return {"games": played, "moves": moves, "seconds": spent}


def python_loop(game: Any, seconds: float) -> Counts:
    """Whole random games stepped from Python."""
    played, moves, start = 0, 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        moves += play_on(game.new_initial_state())
        played += 1
    return {"games": played, "moves": moves, "seconds": time.perf_counter() - start}


def search(game: Any, seconds: float, make_bot: Callable[[Any, Any], Any]) -> Counts:
    """First decisions of a game, one random rollout a simulation."""
    bot = make_bot(game, pyspiel.RandomRolloutEvaluator(1, random.getrandbits(31)))
    simulations, spent = 0, 0.0
    while spent < seconds:
        state = dealt(game)
        spent += timed(bot.step, state)
        bot.restart()
        simulations += SIMULATIONS_PER_CALL
    return {"simulations": simulations, "seconds": spent}


def mcts(game: Any, seconds: float) -> Counts:
    """The search that sees the other hands."""
    seed = random.getrandbits(31)
    return search(
        game, seconds, lambda g, e: pyspiel.MCTSBot(g, e, EXPLORATION, SIMULATIONS_PER_CALL, 1000, False, seed, False)
    )


def ismcts(game: Any, seconds: float) -> Counts:
    """The search over information sets."""
    seed = random.getrandbits(31)
    return search(game, seconds, lambda g, e: pyspiel.ISMCTSBot(seed, e, EXPLORATION, SIMULATIONS_PER_CALL))


MEASUREMENTS = {
    "rollouts_hearts": (rollouts, "hearts"),
    "games_hearts": (games, "hearts"),
    "python_hearts": (python_loop, "hearts"),
    "mcts_hearts": (mcts, "hearts"),
    "ismcts_hearts": (ismcts, "hearts"),
    "ismcts_euchre": (ismcts, "euchre"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--repeat", type=int, default=1, help="rounds over all measurements")
    parser.add_argument("--seed", type=int, default=1)
    names = list(MEASUREMENTS)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    found: dict[str, list[Counts]] = {name: [] for name in arguments.only}
    for _ in range(arguments.repeat):
        for name in arguments.only:
            measure, game = MEASUREMENTS[name]
            found[name].append(measure(pyspiel.load_game(game), arguments.seconds))
    json.dump({"version": version("open_spiel"), "python": sys.version.split()[0], **found}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
