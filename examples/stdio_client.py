"""A random player of any game through `lampion stdio`: everything a client in another language has to do.

    python examples/stdio_client.py lanternes 3 --seed 1

A client in any language does the same four things:

1. start the program `lampion` with the argument `stdio`, with pipes on its standard input and output;
2. write a request, one JSON object on one line, and flush the pipe: a line that stays in a buffer is never answered;
3. read one line, the answer: there is exactly one a request, in the same order, so reading and writing can take turns;
4. close the pipe when done; the program ends by itself.

docs/stdio.md has all requests and answers.
"""

import argparse
import json
import random
import subprocess
import sys


class Lampion:
    """A running `lampion stdio`."""

    def __init__(self):
        # Where `lampion` is on the path, ["lampion", "stdio"] is all that is needed here.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lampion", "stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, do, **fields):
        """Send a request and wait for its answer."""
        self.process.stdin.write(json.dumps({"do": do, **fields}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if not answer["ok"]:
            # `error` is one of a short list of codes, for programs; `reason` is a sentence, for people.
            raise SystemExit(f"{answer['error']}: {answer['reason']}")
        return answer

    def close(self):
        """Hang up; the program ends with its input."""
        self.process.stdin.close()
        self.process.wait()


def main():
    """Play one game and tell how it went."""
    options = argparse.ArgumentParser(description="Play a game at random through lampion stdio.")
    options.add_argument("game", nargs="?", default="lanternes")
    options.add_argument("players", nargs="?", type=int, default=2)
    options.add_argument("--seed", type=int, default=1, help="the same seed gives the same game")
    chosen = options.parse_args()
    dice = random.Random(chosen.seed)
    lampion = Lampion()

    # With a seed, draws and rolls happen by themselves: only the players' decisions are left to us.
    turn = lampion.ask("new", game=chosen.game, players=chosen.players, seed=chosen.seed)
    moves = 0
    while turn["actor"] is not None:
        # Several seats may owe a decision at the same time; any of them can go next.
        seat = dice.choice(turn["pending"])
        # A player would first look at what its seat may see: lampion.ask("view", seat=seat)["view"].
        legal = lampion.ask("legal", seat=seat)["moves"]
        move = dice.choice(legal)
        # A move can be sent as its id, its notation or its data.
        turn = lampion.ask("play", move=move["notation"], seat=seat, viewer=seat)
        print(f"seat {seat}: {move['notation']}")
        moves += 1

    result = lampion.ask("result")["result"]
    print(f"{moves} decisions; points {result['scores']}; won by seat {' and '.join(map(str, result['winners']))}")
    lampion.close()


if __name__ == "__main__":
    main()
