"""Checks that nothing hidden leaks: all worlds possible for a viewer give it the same views, moves and features."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from lampion.games.core import CHANCE, Game
from lampion.testing.playing import Bench, States, broken, moments, movers, sample, viewers, wander

A, B = 11, 12
"""Two seeds of worlds."""


def check_hidden(game: Game, seed: int = 0) -> None:
    """Check that Game.hidden says whether there is anything to conceal; where there is not, everybody sees the same."""
    bench = Bench(game)
    redrawn = False
    for players in game.players:
        for position in wander(game, players, None, seed):
            states = bench.state(position)
            redrawn |= any(
                bench.concealed(states, viewer, A).tobytes() != states.tobytes() for viewer in viewers(position)
            )
            alike = len({bench.view(states, viewer) for viewer in viewers(position)}) == 1
            assert game.hidden or alike, broken(position, "Game.hidden is False, and views differ")
    assert redrawn == game.hidden, f"{game.name}: Game.hidden is {game.hidden}, and conceal says {redrawn}"


def check_concealment(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that a concealed state keeps all that the viewer sees, depends on nothing else, and is a valid position."""
    bench = Bench(game)
    dice = random.Random(seed)
    for position in moments(game, players, options, seed, 0.3):
        states = bench.state(position)
        for viewer in viewers(position):
            label = f"viewer {viewer}"
            world = bench.concealed(states, viewer, A)
            fact = bench.broken_fact(world)
            assert fact is None, broken(position, f"in a world of {label}, {fact} does not hold")
            # Where nothing was hidden both states are the same: then looks are compared at every tenth position only.
            looks = LOOKS if world.tobytes() != states.tobytes() or position.ply % 10 == 0 else {}
            for name, look in looks.items():
                same = look(bench, world, viewer) == look(bench, states, viewer)
                assert same, broken(
                    position, f"{name} of {label} depends on what is hidden from it, or conceal changes it"
                )
            if game.open_score:
                same = bench.score(world, players) == bench.score(states, players)
                assert same, broken(
                    position, f"the score depends on what is hidden from {label}: Game.open_score is wrong"
                )
            direct, detour = bench.concealed(states, viewer, B), bench.concealed(world, viewer, B)
            same = direct.tobytes() == detour.tobytes()
            assert same, broken(
                position, f"two positions alike for {label} are concealed differently from the same rng"
            )
            if viewer in position.pending:
                for id in sample(bench.moves(states, viewer), 8, dice):
                    here, shown_here = bench.after(states, viewer, id, viewer)
                    there, shown_there = bench.after(world, viewer, id, viewer)
                    meaning = [game.notation.move(bench.box, its[0], id) for its in (states, world)]
                    assert meaning[0] == meaning[1], broken(
                        position, f"id {id} is another move in a world of its mover"
                    )
                    assert shown_here == shown_there, broken(
                        position, f"the preview of move {id} shows {label} what is hidden"
                    )
                    ends = [bench.concealed(its, viewer, B).tobytes() for its in (here, there)]
                    assert ends[0] == ends[1], broken(
                        position, f"after its own move {id}, {label} can tell its worlds apart"
                    )


def _legal(bench: Bench, states: States, viewer: int) -> Hashable:
    return tuple(bench.moves(states, viewer)) if viewer >= 0 else ()


def _features(bench: Bench, states: States, viewer: int) -> Hashable:
    return bench.features(states, viewer) if viewer >= 0 else b""


def _net_inputs(bench: Bench, states: States, viewer: int) -> Hashable:
    return bench.net_inputs(states, viewer) if viewer >= 0 else b""


LOOKS: Mapping[str, Any] = {
    "the view": Bench.view,
    "the list of moves": _legal,
    "the features": _features,
    "the inputs of nets": _net_inputs,
    "what is asked": lambda bench, states, viewer: bench.asked(states, viewer),
    "who acts": lambda bench, states, viewer: (bench.actor(states), bench.pending(states)),
    "the source of chance": lambda bench, states, viewer: bench.source(states),
}


def check_seen(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that moves have the same code exactly if the viewer cannot distinguish them, as its view shows."""
    bench = Bench(game)
    dice = random.Random(seed)
    for position in moments(game, players, options, seed, 0.15):
        states = bench.state(position)
        for mover in movers(position):
            ids = sample(bench.moves(states, mover), 14, dice)
            everybody = list(viewers(position))
            for viewer in everybody if game.hidden else dice.sample(everybody, 2):  # else everybody sees the same
                codes, looks, views, worlds = [], [], [], []
                for id in ids:
                    codes.append(bench.seen(states, mover, id, viewer))
                    after, rows = bench.after(states, mover, id, viewer)
                    world = bench.concealed(after, viewer, A).tobytes()
                    worlds.append(world)
                    looks.append((world, *rows))
                    views.append(bench.view(after, viewer))
                alike = _parted(ids, codes, looks)
                assert not alike, broken(
                    position, f"moves {alike} have one code for viewer {viewer}, which can tell them apart after them"
                )
                apart = _parted(ids, looks, codes)
                assert not apart, broken(
                    position, f"moves {apart} have different codes for viewer {viewer}, which cannot tell them apart"
                )
                kept = _parted(ids, views, worlds)
                assert not kept, broken(
                    position, f"after moves {kept} viewer {viewer} has the same view, but conceal keeps a difference"
                )


def _parted(ids: Sequence[int], same: Sequence[Hashable], different: Sequence[Hashable]) -> list[int]:
    """Return two ids that are the same in one respect and different in the other, or None."""
    found: dict[Hashable, dict[Hashable, int]] = defaultdict(dict)
    for id, one, other in zip(ids, same, different, strict=True):
        found[one].setdefault(other, id)
        if len(found[one]) > 1:
            return list(found[one].values())
    return []


def check_worlds(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that worlds that look the same to a viewer still do after moves that look the same to it."""
    bench = Bench(game)
    dice = random.Random(seed)
    for position in moments(game, players, options, seed, 0.2):
        states = bench.state(position)
        for viewer in viewers(position):
            world = bench.concealed(states, viewer, A)
            for mover in movers(position):
                there = _outcomes(bench, world, mover, sample(bench.moves(world, mover), 40, dice), viewer)
                here = _outcomes(bench, states, mover, sample(bench.moves(states, mover), 12, dice), viewer)
                for look in here.keys() & there.keys():
                    assert here[look] == there[look], broken(
                        position, f"two worlds of viewer {viewer} come apart by a move that looks the same: {look}"
                    )


def _outcomes(bench: Bench, states: States, mover: int, ids: Sequence[int], viewer: int) -> dict[Hashable, bytes]:
    """Return, by what moves look like to the viewer, the states they lead to as far as it knows."""
    found: dict[Hashable, bytes] = {}
    for id in ids:
        code = bench.seen(states, mover, id, viewer)
        after, rows = bench.after(states, mover, id, viewer)
        found[code, *rows] = bench.concealed(after, viewer, B).tobytes()
    return found


def check_revealing(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that a move that shows somebody what was hidden says so by an event of Game.revealing: undo stops there.

    A move shows nothing if in every world of the others its mover could have made one that looks the same.
    """
    bench = Bench(game)
    kinds = [kind.name for kind in game.events.EVENTS]
    assert game.revealing <= set(kinds), f"{game.name}: Game.revealing names no event: {game.revealing - set(kinds)}"
    before: States | None = None
    for position in wander(game, players, options, seed):
        if before is not None and position.played[-1].seat != CHANCE:
            mover, id = position.played[-1]
            rows = bench.after(before, mover, id)[1]
            if not any(kinds[row[0]] in game.revealing for row in rows):
                for viewer in viewers(position):
                    if viewer != mover:
                        world = bench.concealed(before, viewer, A)
                        assert _could_happen(bench, before, world, mover, id, viewer), broken(
                            position, f"the last move shows viewer {viewer} what was hidden, without a revealing event"
                        )
        before = bench.state(position)


def _could_happen(bench: Bench, states: States, world: States, mover: int, id: int, viewer: int) -> bool:
    """Return whether the mover has a move in that world that looks the same to the viewer."""
    code = bench.seen(states, mover, id, viewer)
    rows = bench.after(states, mover, id, viewer)[1]
    return any(
        bench.after(world, mover, other, viewer)[1] == rows
        for other in bench.moves(world, mover)
        if bench.seen(world, mover, other, viewer) == code
    )
