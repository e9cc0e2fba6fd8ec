#!/usr/bin/env python3
"""A simple player for Lampion, in Python, with nothing but the standard library.

    lampion tournament lanternes --bots "random,cmd:python3 examples/bot.py"
    lampion play lanternes --seats "me,cmd:python3 examples/bot.py"

Lampion starts the program and writes one JSON object a line to its standard input:

    {"ask": "new"}                      a game begins; nothing to answer
    {"ask": "move", "moves": [...]...}  choose a move: write {"move": ...} on one line, within "ms" milliseconds
    {"ask": "end", "result": {...}}     the game has ended; nothing to answer

What you print to standard error is shown if the program fails. docs/bots.md has every field.
"""

import json
import random
import sys

# What is done first where there is a choice between kinds of moves, in any of the games.
FIRST = ["reward", "launch", "emperor", "shade", "place", "take", "lay", "turn"]
LAST = ["exchange", "reroll", "pass"]

# Where the four sides of a Lanternes tile lie, clockwise from the north.
SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def eagerness(move):
    """How much we like this kind of move: 2, 1 or 0."""
    return 2 if move["kind"] in FIRST else 0 if move["kind"] in LAST else 1


def sides(question, tile, turn):
    """The colours of a Lanternes tile that was turned clockwise, from the north."""
    tiles = question["edition"]["components"]["tiles"]
    colours = [*tiles["lake"], tiles["start"]][tile][:4]
    return [colours[(side - turn) % 4] for side in range(4)]


def lanternes(question, move):
    """Points for the best reward; for a tile, the sides that will match their neighbours."""
    view = question["view"]
    if move["kind"] == "reward":
        stack = view["stacks"][move["combination"]]
        return stack[0] if stack else 4
    if move["kind"] != "place":
        return 0
    lake = {(tile["x"], tile["y"]): sides(question, tile["tile"], tile["turn"]) for tile in view["lake"]}
    mine = sides(question, move["tile"], move["turn"])
    matches = 0
    for side, (dx, dy) in enumerate(SIDES):
        other = lake.get((move["x"] + dx, move["y"] + dy))
        matches += other is not None and other[(side + 2) % 4] == mine[side]
    return matches


def choose(question):
    """One of the best moves; any of them where they look alike."""

    def worth(listed):
        move = listed["move"]
        return eagerness(move), lanternes(question, move) if question["game"] == "lanternes" else 0

    best = max(map(worth, question["moves"]))
    return random.choice([listed for listed in question["moves"] if worth(listed) == best])


def main():
    """Answer until the input ends."""
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "move":
            # A move is answered by its id, its notation or its data. A line that is not flushed is never seen.
            print(json.dumps({"move": choose(question)["id"]}), flush=True)


if __name__ == "__main__":
    main()
