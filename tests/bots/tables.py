"""Games for bots: positions on the way, and worlds that one seat cannot tell apart."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from lampion.bots import Bot, BotFailed, Maker
from lampion.games.core import CHANCE
from lampion.play import Position, Seeded, Sight, compiled_calls


def code(position: Position, mover: int, id: int, seat: int) -> int:
    """What a seat would see of a move."""
    return int(compiled_calls.seen_at(position._boxes, position._states, position.ply, mover, id, seat))


def decisions(name: str, players: int, seed: int) -> Iterator[Position]:
    """A random game as it stands before every decision."""
    position, picks, chance = Position(name, players), random.Random(seed), Seeded(seed)
    position.push_chances(chance)
    while not position.is_over:
        yield position
        seat = picks.choice(position.pending)
        position.push(int(picks.choice(position.legal_ids(seat))), seat)
        position.push_chances(chance)


def push_alike(worlds: Sequence[Position], mover: int, seat: int, picks: random.Random) -> bool:
    """Let somebody else move in every world so that the seat sees the same; False where no moves look alike."""
    ids = worlds[0].legal_ids(mover).tolist()
    picks.shuffle(ids)
    for id in ids:
        seen = code(worlds[0], mover, id, seat)
        alike = [[other for other in world.legal_ids(mover).tolist() if code(world, mover, other, seat) == seen]
                 for world in worlds]  # fmt: skip
        if all(alike):
            for world, choices in zip(worlds, alike, strict=True):
                world.push(choices[picks.randrange(len(choices))], mover)
            return True
    return False


def play(name: str, players: int, makers: Sequence[Maker], seed: int = 1) -> list[BotFailed | None]:
    """One game of these bots to the end, or until one fails; who failed, by seat."""
    position, chance = Position(name, players), Seeded(seed)
    sights = [Sight(position, seat) for seat in range(players)]
    bots: list[Bot] = [maker.sit(sight, seed) for maker, sight in zip(makers, sights, strict=True)]
    failures: list[BotFailed | None] = [None] * players
    while not position.is_over:
        seat = position.actor
        if seat == CHANCE:
            position.push_chance(chance)
            continue
        try:
            position.push(bots[seat].choose(sights[seat]), seat)
        except BotFailed as failure:
            failures[seat] = failure
            break
    for bot in bots:
        bot.end(position.outcome())
    return failures
