"""Checks of the rules: legal moves, refusals, copies, chance, scores and places."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from lampion.engine import rules
from lampion.engine.bits import lowest_bit
from lampion.engine.rng import new_rng
from lampion.games.core import (
    CHANCE,
    EVERYONE,
    EVERYTHING,
    MOST_KEYS,
    MOST_SEATS,
    OVER,
    BadMove,
    BadSetup,
    Game,
    Option,
)
from lampion.games.editions import edition, standard
from lampion.games.move_types import notation
from lampion.locale import LANGUAGES, speaking
from lampion.play import Position, Seeded, compiled_calls
from lampion.play.outcome import sentence
from lampion.testing.playing import UNTOUCHED, Bench, broken, choose, movers, sample, spread, wander

MOST_IDS = 16_384
MOST_WEIGHT = 2**32
ROWS_PLAYED = 40


def check_traits(game: Game) -> None:
    """Check that the traits are numbers within the bounds that other modules rely on, and that the box is complete."""
    assert re.fullmatch("[a-z][a-z0-9_]*", game.name), f"{game.name}: a game's name is one plain word"
    assert game.version >= 1, f"{game.name}: rules versions count from 1"
    assert 1 <= game.players[0] <= game.players[-1] <= MOST_SEATS, f"{game.name}: between 1 and {MOST_SEATS} players"
    assert 1 <= game.ids <= MOST_IDS, f"{game.name}: at most {MOST_IDS} move ids, not {game.ids}"
    assert 1 <= game.most <= game.ids, f"{game.name}: Game.most counts moves to choose from, at most Game.ids"
    assert 1 <= game.sources < 2**15, f"{game.name}: sources are numbered from 0, below Game.sources"
    assert 0 < game.rows < compiled_calls.SOURCE, f"{game.name}: Game.rows is the most rows of one move"
    assert 1 <= len(game.keys) <= MOST_KEYS, f"{game.name}: 1 to {MOST_KEYS} keys order the places"
    for names in (game.categories, game.keys, game.invariants, [option.name for option in game.options]):
        assert len(set(names)) == len(names), f"{game.name}: a name occurs twice in {names}"
    for record in (game.box, game.state):
        assert not record.hasobject, f"{game.name}: a record holds numbers, never Python objects"
        assert issubclass(record.type, np.record), f"{game.name}: interpreted rules need np.dtype((np.record, fields))"
        taken = [name for name in record.names or () if hasattr(np.record, name)]
        assert not taken, f"{game.name}: every NumPy record has a method of that name already: {', '.join(taken)}"
    shipped = standard(game.name)
    again = edition(game, dict(reversed(list(shipped.data.items()))))
    assert again.hash == shipped.hash, f"{game.name}: the hash of an edition depends on the order of its lines"
    assert again.boxes.tobytes() == shipped.boxes.tobytes(), f"{game.name}: the same components give two boxes"


def check_options(game: Game, players: int, seed: int = 0) -> None:
    """Check that every value of every option sets up a game that can be played, and any other is refused."""
    for option in game.options:
        _check_shown(game, players, option)
    rows = spread(game, players)
    played = {i * len(rows) // ROWS_PLAYED for i in range(ROWS_PLAYED)} if len(rows) > ROWS_PLAYED else range(len(rows))
    for i, options in enumerate(rows):
        assert game.read_options(players, options) == options, f"{game.name}: {options} are not kept as they are given"
        first, second = (Position(game, players, options) for _ in range(2))
        assert first == second, broken(first, "the same set-up twice gives different positions")
        assert first.broken_fact() is None, broken(first, f"at the set-up, {first.broken_fact()} does not hold")
        if i in played:
            for position in wander(game, players, options, seed):
                assert position.broken_fact() is None, broken(position, f"{position.broken_fact()} does not hold")
    for wrong in ({"no such option": 1}, *({option.name: object()} for option in game.options)):
        refusal = _refusal(BadSetup, game.read_options, players, wrong)
        assert refusal, f"{game.name}: the options {wrong} are taken, or refused without a reason"


def _check_shown(game: Game, players: int, option: Option) -> None:
    """Check that a view shows what was chosen, unless the choice leaves no trace: chance can lead there as well."""
    silent = []
    for value in option.choices(players):
        position = Position(game, players, {option.name: value})
        shown = game.view.options_of(position.view(EVERYTHING))
        if option.name not in shown:
            silent.append((value, position))
            continue
        again = Position(game, players, {option.name: shown[option.name]})
        assert again == position, broken(
            position, f"options_of shows {option.name} {shown[option.name]!r} where {value!r} was chosen"
        )
    alike: set[bytes] = set()
    for value, position in sorted(silent, key=lambda one: one[1].actor != CHANCE):
        if not alike:
            alike.add(position.bytes())
            for id in position.legal_ids(CHANCE) if position.actor == CHANCE else ():
                after = position.copy()
                after.push_rows(int(id), CHANCE)
                alike.add(after.bytes())
        assert position.bytes() in alike, broken(
            position, f"{option.name} {value!r} changes the position, and view.options_of does not show it"
        )


def check_lists(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that the seats to move, and only they, have moves, in order and within the traits; at the end none has."""
    bench, every = Bench(game), set(range(game.ids))
    for position in wander(game, players, options, seed):
        states, actor, bits = bench.state(position), position.actor, bench.pending(bench.state(position))
        assert 0 <= bits < 1 << players, broken(position, f"pending names seats that do not exist: {bits:b}")
        assert game.simultaneous or bits.bit_count() <= 1, broken(position, "two seats are pending; the game says not")
        expected = lowest_bit(bits) if bits else actor
        assert actor == expected, broken(position, f"the actor is {actor}, the lowest of the pending seats {expected}")
        assert bits or actor in (CHANCE, OVER), broken(position, f"the actor is {actor}, and nobody is pending")
        for seat in range(players):
            n = rules.legal(bench.box, states[0], seat, bench.ids)
            assert (n > 0) == bool(bits >> seat & 1), broken(
                position, f"seat {seat} has {n} moves, pending is {bits:b}"
            )
        n = rules.chances(bench.box, states[0], bench.ids, bench.weights)
        assert (n > 0) == (actor == CHANCE), broken(position, f"chance has {n} outcomes, the actor is {actor}")
        for seat in movers(position):
            ids = bench.moves(states, seat)
            assert ids == sorted(set(ids)), broken(position, "the moves are not ascending and distinct")
            assert set(ids) <= every, broken(position, f"a move is not below Game.ids = {game.ids}")
            assert len(ids) <= game.most, broken(position, f"{len(ids)} moves; Game.most is {game.most}")
            beyond = bench.ids[game.most + 1 :]
            assert (beyond == UNTOUCHED).all(), broken(position, "a list is written beyond Game.most")
        if actor == CHANCE:
            weights = bench.weights[: len(ids)]
            assert (weights > 0).all(), broken(position, f"a weight is not above 0: {weights}")
            assert weights.sum(dtype=np.int64) < MOST_WEIGHT, broken(position, f"the weights are too large: {weights}")
            source = bench.source(states)
            assert 0 <= source < game.sources, broken(position, f"source {source} is not below {game.sources}")
        assert states.tobytes() == position.bytes(), broken(position, "looking at the position changes it")
        assert position.broken_fact() is None, broken(position, f"{position.broken_fact()} does not hold")


def check_moves(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that legal moves write valid rows, change only their own copy, and break no invariant.

    All of them at a tenth of the positions, a sample at the others.
    """
    bench = Bench(game)
    dice = random.Random(seed)
    box = bench.boxes.tobytes()
    for position in wander(game, players, options, seed):
        table = np.zeros(4, dtype=game.state)
        table[0] = table[1] = table[3] = bench.state(position)[0]
        around = table.tobytes()
        for seat in movers(position):
            ids = bench.moves(table[1:2], seat)
            for id in ids if dice.random() < 0.1 else sample(ids, 24, dice):
                move = f"move {id} of {'chance' if seat == CHANCE else f'seat {seat}'}"
                done = compiled_calls.push_at(bench.boxes, table, 1, seat, id, bench.ids, bench.weights, bench.log)
                assert done >= 0, broken(position, f"{move} is listed and refused")
                after, rows = table[2:3].copy(), done % compiled_calls.SOURCE
                assert rows <= game.rows, broken(position, f"{move} writes {rows} rows; Game.rows is {game.rows}")
                check_rows(position, bench.log[:rows], move)
                fact = bench.broken_fact(after)
                assert fact is None, broken(position, f"after {move}, {fact} does not hold")
                table[2] = table[1]
                silent = rules.apply(bench.box, table[2], seat, id, bench.log[:0])
                assert silent == rows, broken(position, f"{move} counts other rows where nobody logs them")
                assert table[2:3].tobytes() == after.tobytes(), broken(position, f"{move} is another without a log")
                table[2] = 0
                assert table.tobytes() == around, broken(position, f"{move} changes another copy of the position")
    assert bench.boxes.tobytes() == box, f"{game.name}: the rules write into the box"


def check_rows(position: Position, rows: np.ndarray[Any, Any], move: str) -> None:
    """Check that rows of the log name kinds, seats and reasons that exist."""
    events = position.game.events
    for row in rows.tolist():
        kind, seat, thing, _, why, knowing = row
        assert 0 <= kind < len(events.EVENTS), broken(position, f"{move} writes an event of no kind: {row}")
        assert 0 <= why < len(events.WHYS), broken(position, f"{move} writes an event without a reason: {row}")
        assert -1 <= seat < position.players, broken(position, f"{move} writes an event of nobody: {row}")
        assert thing >= -1, broken(position, f"{move} writes no thing as {thing}; it is written -1")
        everybody = (1 << position.players) - 1
        assert knowing == EVERYONE or 0 <= knowing <= everybody, broken(position, f"{move} has unknown viewers: {row}")


def check_refusals(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that what is not legal is refused, with a reason in every language, and changes nothing."""
    dice = random.Random(seed)
    met: dict[str, Any] = {}
    for position in wander(game, players, options, seed):
        legal = {seat: {int(id) for id in position.legal_ids(seat)} for seat in movers(position)}
        if dice.random() < 0.1 or position.is_over:
            for seat, ids in legal.items():
                others = [id for id in sample(range(game.ids), 12, dice) if id not in ids]
                for id in (*others, -1, game.ids, 2**31, -(2**63), 2**64):
                    _refused(position, id, seat)
                for move in dice.sample(sorted(met), min(len(met), 8)):
                    if not _has(position, met[move], ids):
                        _refused(position, met[move], seat)
            any_id = next(iter(next(iter(legal.values()), {0})))
            for seat in (CHANCE, OVER, -3, *range(players + 1), 31, 32, 63, 64, 65, 2**31, 2**64):
                if seat not in legal:
                    _refused(position, any_id, seat)
        for ids in legal.values():
            for move in map(position.move, sample(ids, 3, dice)):
                met[notation(move)] = move


def _has(position: Position, move: Any, ids: set[int]) -> bool:
    try:
        return position.id_of(move) in ids
    except BadMove:
        return False


def _refused(position: Position, move: Any, seat: int) -> None:
    before, ply = position.bytes(), position.ply
    refusal = _refusal(BadMove, position.push, move, seat)
    assert refusal, broken(position, f"seat {seat} may not make {move!r}, and is not refused")
    same = (position.bytes(), position.ply) == (before, ply)
    assert same, broken(position, f"the refused move {move!r} of seat {seat} changes the position")


def _refusal(sort: type[Exception], call: Callable[..., Any], *given: Any) -> list[str]:
    """Return the reason of a refused call in every language; nothing where it is not refused."""
    try:
        call(*given)
    except sort as error:
        texts = []
        for language in LANGUAGES:
            with speaking(language):
                texts.append(str(error))
        return texts if all(texts) else []
    return []


def check_copies(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that moves on a copy leave the original alone, and that push and pop, `at` and `preview` restore it."""
    dice = random.Random(seed)
    history: list[bytes] = []
    for position in wander(game, players, options, seed):
        history.append(position.bytes())
        if dice.random() < 0.8 and not position.is_over:
            continue
        copy = position.copy()
        chance = Seeded(seed + 1)
        for _ in range(6):
            if copy.actor == CHANCE:
                copy.push_chance(chance)
            elif not copy.is_over:
                copy.push_rows(choose(copy, copy.actor, dice))
        assert position.bytes() == history[-1], broken(position, "moves of a copy change the original")
        ply = dice.randrange(position.ply + 1)
        assert position.at(ply).bytes() == history[ply], broken(position, f"at({ply}) is not where the game was")
        while copy.ply > position.ply:
            copy.pop()
        assert copy == position, broken(position, "pop does not lead back")
        for seat in movers(position):
            for id in sample(position.legal_ids(seat), 8, dice):
                ahead = position.preview(id, seat)
                assert position.bytes() == history[-1], broken(position, "a preview changes the position")
                assert ahead == position.copy().push(id, seat), broken(
                    position, f"move {id} does not do what its preview says"
                )


def check_picks(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that the game's own way to draw a move at random draws what listing would."""
    bench = Bench(game)
    for position in wander(game, players, options, seed):
        states = bench.state(position)
        for seat in movers(position):
            for k in range(8):
                start = (seed * game.longest + position.ply) * 8 + k
                own = compiled_calls.pick_at(bench.boxes, states, 0, seat, new_rng(start), bench.ids, bench.weights)
                listed = rules.pick_listed(bench.box, states[0], seat, new_rng(start), bench.ids, bench.weights)
                assert own == listed, broken(position, f"pick gives {own} where listing gives {listed}")
        assert states.tobytes() == position.bytes(), broken(position, "picking a move changes the position")


def check_commuting(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that moves of different seats that are pending at once lead to the same position in either order."""
    bench = Bench(game)
    dice = random.Random(seed)
    for position in wander(game, players, options, seed):
        states = bench.state(position)
        for a, b in combinations(position.pending, 2):
            for _ in range(6):
                mine, theirs = choose(position, a, dice), choose(position, b, dice)
                one, _ = bench.after(states, a, mine)
                two, _ = bench.after(states, b, theirs)
                same = bench.moves(one, b) == bench.moves(states, b) and bench.moves(two, a) == bench.moves(states, a)
                assert same, broken(position, f"a move of seat {a} or {b} changes what the other may do")
                one, _ = bench.after(one, b, theirs)
                two, _ = bench.after(two, a, mine)
                moves = f"{mine} of seat {a} and {theirs} of seat {b}"
                assert one.tobytes() == two.tobytes(), broken(position, f"the order of {moves} matters")


def check_scores(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that categories add up to the score, keys order the places, and the shares of the victory are 1 in all."""
    for position in wander(game, players, options, seed):
        count = position.count()
        for seat in range(players):
            total = sum(count.categories[seat].values())
            assert total == count.scores[seat], broken(
                position, f"seat {seat}: categories {total}, score {count.scores[seat]}"
            )
            place = 1 + sum(key > count.keys[seat] for key in count.keys)
            assert count.ranks[seat] == place, broken(
                position, f"seat {seat} ranks {count.ranks[seat]}, its key {place}"
            )
            share = 1 / len(count.winners) if place == 1 else 0.0
            assert abs(count.shares[seat] - share) < 1e-9, broken(
                position, f"seat {seat} has a share of {count.shares[seat]}"
            )
        assert abs(sum(count.shares) - 1) < 1e-9, broken(position, f"the shares are {count.shares}")
        assert position.outcome() == (count if position.is_over else None)
    for language in LANGUAGES:
        with speaking(language):
            text = sentence(game.name, count, position.names())
            assert position.names()[count.winners[0]] in text, broken(position, f"nobody is named in {text!r}")
