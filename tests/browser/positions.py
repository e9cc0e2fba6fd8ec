"""What somebody at a table is asked, how a game is played on for them, and what the tests look for in a position."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from statistics import fmean
from typing import Any

from server.people import Person, Server

Move = dict[str, Any]
View = dict[str, Any]
Wanted = Callable[[View, int], bool]
Choice = Callable[[View, list[Move]], Move]
WIDTH = 9


def kinds(view: View) -> set[str]:
    """The kinds of moves that there are."""
    return {move["kind"] for move in view.get("moves") or []}


def anything(_: View, moves: list[Move]) -> Move:
    """Any move."""
    return random.choice(moves)


def place_only(_: View, moves: list[Move]) -> Move:
    """Lanternes without exchanges and rewards: cards and boats come together."""
    return next((move for move in moves if move["kind"] == "pass"), random.choice(moves))


def tidy(view: View, moves: list[Move]) -> Move:
    """Lanternes Dice: complete a pond, best one beside complete ones; never launch or pay."""
    shaded = set(view["view"]["seats"][view["seat"]]["shaded"])
    complete = {zone >> 1 for zone in shaded if zone ^ 1 in shaded}

    def worth(move: Move) -> float:
        if move["kind"] != "shade":
            return {"pass": -1.0, "turn": 0.0}.get(move["kind"], -2.0)
        pond = int(move["zone"]) >> 1
        beside = sum(abs(pond % WIDTH - x % WIDTH) + abs(pond // WIDTH - x // WIDTH) == 1 for x in complete)
        return float(10 * (move["zone"] ^ 1 in shaded) + beside - abs(pond % WIDTH - 4) / 10)

    return max(moves, key=worth)


CHOICES: dict[str, Choice] = {"lanternes": place_only, "dice": tidy}


def play_until(server: Server, made: dict[str, Any], wanted: Wanted, choose: Choice) -> bool:
    """Play the first seat until its view, after so many moves of the table, is wanted; false where the game ended."""
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        while aline.latest["table"]["status"] == "playing":
            if not aline.view.get("moves"):
                aline.hear()
            elif wanted(aline.view, aline.latest["table"]["ply"]):
                return True
            else:
                answer = aline.move(lambda moves: choose(aline.view, moves))
                if answer["say"] == "done":
                    aline.hear_until(answer["seq"])
    return False


def completing(view: View) -> list[int]:
    """Lanternes Dice: the zones that would complete a pond."""
    shaded = view["view"]["seats"][0]["shaded"]
    return [move["zone"] for move in view["moves"] if move["kind"] == "shade" and move["zone"] ^ 1 in shaded]


def two_ways(view: View) -> list[str]:
    """The fireworks of which a neighbouring way to lie is allowed beside the first: a pond farther, or turned."""
    ways: dict[str, list[tuple[float, float]]] = {}
    for move in view["moves"]:
        if move["kind"] == "launch":
            rows, columns = zip(*(divmod(pond, WIDTH) for pond in move["ponds"]), strict=True)
            ways.setdefault(move["shape"], []).append((fmean(rows), fmean(columns)))
    return [shape for shape, (first, *others) in ways.items() if any(math.dist(first, one) < 1 for one in others)]


def taking(server: Server, made: dict[str, Any]) -> tuple[dict[str, Any], dict[int, int]]:
    """Lumens: Aline's move by which she gains points and the other loses some, and these changes."""
    with Person(server, made["table"], made["tokens"]["0"]) as aline:
        now = aline.view["standing"]["scores"]
        for one in aline.ask("preview", seat=0, moves=aline.view["moves"])["outlooks"]:
            changes = {seat: score - now[seat] for seat, score in enumerate(one["standing"]["scores"])}
            if changes[0] > 0 > changes[1] and one["move"]["kind"] == "place":
                return one["move"], changes
    raise AssertionError("no such move")


def rich(server: Server, game: str) -> dict[str, Any]:
    """A table at a full board, and something to carry to it."""
    return server.open(FULL[game])


FULL = {"lanternes": "lanternes-full", "dice": "dice-launch", "lumens": "lumens-two", "iles": "iles-places"}
