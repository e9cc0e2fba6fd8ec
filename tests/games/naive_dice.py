"""Lanternes Dice once more, slowly and straight from the rulebook: plain Python on what everybody sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Pond = tuple[int, int]
Zone = tuple[Pond, int]
ROWS, COLUMNS = 6, 9
PONDS = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]


def around(pond: Pond) -> list[Pond]:
    """The ponds that touch a pond with a side."""
    row, column = pond
    return [p for p in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)) if p in PONDS]


def code(data: Mapping[str, Any], pond: Pond) -> str:
    """A pond as the components write it."""
    return str(data["lake"]["ponds"][pond[0]].split()[pond[1]])


def colour(data: Mapping[str, Any], zone: Zone) -> str:
    """The colour of a zone."""
    return code(data, zone[0])[zone[1]].upper()


def shaded(view: Mapping[str, Any], seat: int) -> set[Zone]:
    """The zones a player has shaded."""
    return {((zone // 2 // COLUMNS, zone // 2 % COLUMNS), zone % 2) for zone in view["seats"][seat]["shaded"]}


def complete(view: Mapping[str, Any], seat: int) -> set[Pond]:
    """The ponds with both zones shaded."""
    zones = shaded(view, seat)
    return {pond for pond in PONDS if (pond, 0) in zones and (pond, 1) in zones}


def lit(view: Mapping[str, Any], seat: int) -> set[Pond]:
    """The ponds under a player's fireworks."""
    return {divmod(pond, COLUMNS) for firework in view["seats"][seat]["fireworks"] for pond in firework["ponds"]}


def groups(ponds: set[Pond]) -> list[int]:
    """The sizes of the groups of ponds that hang together, the largest first."""
    left, sizes = set(ponds), []
    while left:
        reach, size = [left.pop()], 0
        while reach:
            pond = reach.pop()
            size += 1
            for neighbour in around(pond):
                if neighbour in left:
                    left.remove(neighbour)
                    reach.append(neighbour)
        sizes.append(size)
    return sorted(sizes, reverse=True)


def score(data: Mapping[str, Any], view: Mapping[str, Any], seat: int) -> dict[str, int]:
    """Fireworks, the second-largest group, four points a boat in an untouched pond that complete ponds surround."""
    fireworks = sum(data["fireworks"][f["shape"]]["values"][f["tile"]] for f in view["seats"][seat]["fireworks"])
    done = complete(view, seat)
    sizes = groups(done)
    touched = {pond for pond, _ in shaded(view, seat)}
    boats = 0
    for pond in PONDS:
        if code(data, pond).endswith("^") and pond not in touched:
            if all(neighbour in done for neighbour in around(pond)):
                boats += 4
    return {"fireworks": fireworks, "second_group": sizes[1] if len(sizes) > 1 else 0, "boats": boats}


def ranks(data: Mapping[str, Any], view: Mapping[str, Any]) -> list[int]:
    """Places by points, then by points on fireworks; who is level shares one."""
    scores = [score(data, view, seat) for seat in range(view["players"])]
    keys = [(sum(points.values()), points["fireworks"]) for points in scores]
    return [1 + sum(other > key for other in keys) for key in keys]


def placements(shape: list[str], ponds: set[Pond]) -> set[frozenset[Pond]]:
    """Every way to lay a shape, turned and flipped, on some ponds."""
    cells = [(row, column) for row, line in enumerate(shape) for column, mark in enumerate(line) if mark == "X"]
    found = set()
    for flip in (1, -1):
        for a, b, c, d in ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)):
            turned = [(a * row + b * column * flip, c * row + d * column * flip) for row, column in cells]
            for down in range(-ROWS, 2 * ROWS):
                for right in range(-COLUMNS, 2 * COLUMNS):
                    laid = frozenset((row + down, column + right) for row, column in turned)
                    if laid <= ponds:
                        found.add(laid)
    return found


def action_zones(data: Mapping[str, Any], view: Mapping[str, Any], seat: int, card: int) -> set[Zone]:
    """What an emperor action lets a player shade next."""
    rule = data["emperor"][str(card)][view["sides"][card - 1]]
    mine, done = shaded(view, seat), complete(view, seat)
    touched = {pond for pond, _ in mine}
    action = view["seats"][seat]["action"] or {"colours": "", "pond": None}
    allowed = set()
    for zone in {(pond, half) for pond in PONDS for half in (0, 1)} - mine:
        pond, hue = zone[0], colour(data, zone)
        hue_fits = {
            "any": True,
            "on_a_die": hue in view["dice"],
            "on_no_die": hue not in view["dice"],
            "different": hue not in action["colours"],
            "same": action["colours"] in ("", hue),
        }[rule["colour"]]
        place_fits = {
            "anywhere": True,
            "half_shaded": pond in touched - done,
            "next_to_firework": any(neighbour in lit(view, seat) for neighbour in around(pond)),
            "one_unshaded_pond": (
                pond not in touched if action["pond"] is None else pond == divmod(action["pond"], COLUMNS)
            ),
        }[rule["where"]]
        if hue_fits and place_fits:
            allowed.add(zone)
    return allowed


def legal(data: Mapping[str, Any], view: Mapping[str, Any], seat: int) -> set[Any]:
    """What a player may do: names of moves, zones, ("emperor", card), or (shape, ponds)."""
    mine = view["seats"][seat]
    free = {(pond, half) for pond in PONDS for half in (0, 1)} - shaded(view, seat)
    if mine["platform"] is not None:
        beside = around(divmod(mine["platform"], COLUMNS))
        return {zone for zone in free if zone[0] in beside} | {"pass"}
    if mine["step"] == "turn":
        return {0, 1, 2, 3} | ({"reroll"} if mine["gifts"] else set())
    if mine["step"] == "die":
        corner = seat * 2 if view["players"] == 2 else seat
        return {zone for zone in free if colour(data, zone) == view["dice"][corner]} | {"pass"}
    if mine["step"] == "bonus":
        letters = data["sheets"][mine["sheet"]]
        bonuses = letters["all"] + {2: letters["two"], 3: letters["three"], 4: ""}[view["players"]]
        bonus = bonuses[view["turn"] // view["players"]]
        return {zone for zone in free if colour(data, zone) == bonus} | {"pass"}
    if mine["step"] == "emperor":
        cards = {card for card in (1, 2, 3) if card <= mine["gifts"] and action_zones(data, view, seat, card)}
        return {("emperor", card) for card in cards} | {"pass"}
    if mine["step"] == "action":
        zones: set[Any] = set(action_zones(data, view, seat, mine["action"]["card"]))
        return zones | {"pass"} if mine["action"]["colours"] else zones
    if mine["step"] == "launch":
        ponds = complete(view, seat) - lit(view, seat)
        launches = {
            (stack["shape"], laid)
            for stack in view["stacks"]
            if stack["left"]
            for laid in placements(data["fireworks"][stack["shape"]]["shape"], ponds)
        }
        return launches | {"pass"}
    return set()
