"""Tables in the middle of a game: somebody at a socket plays until a board has something to show."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from server.people import Person, Server

Move = dict[str, Any]
View = dict[str, Any]
Wanted = Callable[[View, int], bool]
Choice = Callable[[View, list[Move]], Move]
TRIES = 80
WIDTH = 9


def kinds(view: View) -> set[str]:
    """The kinds of moves that there are."""
    return {move["kind"] for move in view.get("moves") or []}


def offers(kind: str) -> Wanted:
    """Return what asks for a position that offers a kind of move."""
    return lambda view, _: kind in kinds(view)


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


def near_the_end(server: Server, game: str, bots: int, ply: int) -> dict[str, Any]:
    """A table of Aline and bots after so many moves, at her turn: the rest is a short game with all that may happen."""
    made = server.make(game, ("Aline",), *["spark"] * bots, start=True)
    assert play_until(server, made, lambda _, so_far: so_far >= ply, CHOICES.get(game, anything)), "the game has ended"
    return made


def come_to(server: Server, game: str, bots: int, wanted: Wanted, choose: Choice | None = None) -> dict[str, Any]:
    """A table of Aline and bots where something is asked of her; others are played until there is one."""
    options = {} if game == "dice" else {"first": 0}
    for _ in range(TRIES):
        made = server.make(game, ("Aline",), *["spark"] * bots, start=True, options=options)
        if play_until(server, made, wanted, choose or CHOICES.get(game, anything)):
            return made
    raise AssertionError(f"no such position in {TRIES} games of {game}")


def has_places(view: View) -> bool:
    """Îles: a tile on offer that can lie in more than one place."""
    takes = [move["slot"] for move in view["moves"] if move["kind"] == "take" and move["column"] is not None]
    return any(takes.count(slot) > 1 for slot in takes)


def rich(server: Server, game: str) -> dict[str, Any]:
    """A full board, and something to carry to it."""
    wanted: dict[str, tuple[int, Wanted]] = {
        "lanternes": (2, lambda view, ply: ply > 60 and "place" in kinds(view)),
        "dice": (1, lambda view, _: "launch" in kinds(view)),
        "lumens": (1, lambda view, ply: ply > 40 and "place" in kinds(view)),
        "iles": (2, lambda view, ply: ply > 30 and has_places(view)),
    }
    bots, when = wanted[game]
    return come_to(server, game, bots, when)
