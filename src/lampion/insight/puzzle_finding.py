"""Finds puzzles in games of strong bots: a sieve of ever longer searches, and a confirmation of what is left.

Bots on the net play each other. Each of their decisions between several moves is judged with little effort; where one
move leads, again with more; and where it still leads, every legal move is followed beside it with ten times that
(`compare_all`). What is kept has one good answer, a reason that follows from the rules, and several moves that
a sensible player would think of. The same seed gives the same puzzles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from lampion.bots.greedy import Greedy
from lampion.bots.learned import Learned
from lampion.bots.player import seat_seed
from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE, Game
from lampion.insight.analysis_types import figure
from lampion.insight.clear_best import Comparison, compare_all, promised_move
from lampion.insight.decision_positions import judged_positions
from lampion.insight.evaluator import Judged, Stop, Stopped, never_stop
from lampion.insight.puzzles import PARTS, Puzzle, name_of, position_of, theme_of
from lampion.insight.reasons import MOST_REASONS, reasons_for
from lampion.insight.settings import Settings
from lampion.insight.worth import evaluator_for
from lampion.play.chance import Seeded
from lampion.play.position import Position
from lampion.play.sight import Sight, sights

GLANCE = Settings(simulations=100)
"""The first look at every decision."""
FOUND = Settings(simulations=300)
"""The search that finds a puzzle."""
LEAD = 0.05
"""By how much the best move must be worth more than any other, from 0 to 1: mostly the chance to win."""
GLANCE_LEAD = 0.04
FEWEST_MOVES = 4
SENSIBLE = 0.3
"""The most that a move may cost which a player would think of."""
WORLDS = 16
"""Worlds in which every legal move is followed when a puzzle is confirmed."""
MOST_OF_GAME = 2
"""Puzzles of one game."""
SEEDS = 1 << 20
"""Games of one seed."""


Wants = Callable[[int], bool]
"""Says whether a puzzle of a degree is wanted."""


def any_degree(degree: int) -> bool:
    """Return True: every puzzle is wanted."""
    return True


def confirm_settings(game: Game) -> Settings:
    """Return the effort that confirms a puzzle: more than ten times that of finding it, and all legal moves."""
    return Settings(simulations=4000, fine=0.0, wide=game.most, worlds=16)


@dataclass(frozen=True)
class Candidate:
    """A decision of a game that may be a puzzle: as its seat knew it, what was hidden drawn anew."""

    position: Position
    seat: int
    weaker: Weaker
    degree: int
    """How hard it is, if the move that leads at first is the best."""
    lead: float
    """By how much that leads."""


class Weaker(NamedTuple):
    """The moves that weaker players choose."""

    greedy: int
    """The bot that looks one step ahead and takes most for itself."""
    one_step: int
    """The net, one step ahead."""
    played: int
    """The short search that played."""

    def degree(self, best: int) -> int:
        """Return how hard it is to find the best move, from 1 to 3. What the greedy bot finds is never hard."""
        missed = sum(move != best for move in self)
        return 1 + min(missed, 2 if self.greedy != best else 1)


def played_game(game: Game, players: int, seed: int) -> Position:
    """Return a game that bots on the net played to its end."""
    position = Position(game, players)
    chance = Seeded(seed)
    position.push_chances(chance)
    seen = sights(position)
    bots = [Learned().sit(sight, seat_seed(seed, sight.seat)) for sight in seen]
    while not position.is_over:
        actor = position.actor
        if actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push_rows(bots[actor].choose(seen[actor]), actor)
    return position


def lead_of(judged: Judged) -> tuple[float, float]:
    """Return how much more the best of the judged moves is worth than the next, and half of the interval of that."""
    behind, second = min((judged.ahead[0] - ahead, i) for i, ahead in enumerate(judged.ahead) if i > 0)
    return behind, max(judged.ahead_sure[0], judged.ahead_sure[second])


def candidates(final: Position, wants: Wants = any_degree, stop: Stop = never_stop) -> list[Candidate]:
    """Return the decisions of a game in which one move leads at a glance, the hardest first, then the clearest."""
    glance = evaluator_for(final.edition, final.players, GLANCE)
    found: list[Candidate] = []
    for ply, (seen, played) in judged_positions(final).items():
        if stop():
            raise Stopped
        seat = final.played[ply].seat
        if len(seen.legal_ids(seat)) < FEWEST_MOVES:
            continue
        known = seen.concealed(seat, new_rng())
        weaker = Weaker(greedy_move(known, seat), promised_move(glance, known.state, seat), played)
        if len({*weaker}) == 1 and not wants(1):
            continue
        judged = glance.judge(known.state, seat)
        lead, sure = lead_of(judged)
        degree = weaker.degree(judged.ids[0])
        if lead >= GLANCE_LEAD and lead > sure and wants(degree):
            found.append(Candidate(known, seat, weaker, degree, lead))
    return sorted(found, key=lambda one: (-one.degree, -one.lead))


def puzzle_of(candidate: Candidate, wants: Wants = any_degree, stop: Stop = never_stop) -> Puzzle | None:
    """Return the puzzle in a decision, if it is one and its degree is wanted."""
    position, seat, weaker = candidate.position, candidate.seat, candidate.weaker
    judge = evaluator_for(position.edition, position.players, FOUND)
    judged = judge.judge(position.state, seat, stop=stop)
    lead, sure = lead_of(judged)
    best, second = judged.ids[:2]
    if lead < LEAD or lead <= sure or not wants(weaker.degree(best)):
        return None
    instead = weaker.greedy if weaker.greedy != best else second
    reasons = reasons_for(position, seat, best, instead)
    theme = theme_of(position.game, reasons, seat)
    if theme is None:
        return None
    sifter = evaluator_for(position.edition, position.players, confirm_settings(position.game))
    compared = compare_all(sifter, position.state, seat, best, LEAD, worlds=WORLDS, stop=stop)
    if not is_puzzle(compared):
        return None
    nearest = compared.second
    puzzle = Puzzle(
        id=name_of(position, seat),
        players=position.players,
        options=dict(position.options),
        seat=seat,
        theme=theme,
        degree=weaker.degree(best),
        move=_data(position.move(best)),
        instead=_data(position.move(instead)),
        share=figure(compared.shares[compared.best]),
        lead=figure(compared.behind[nearest]),
        sure=figure(compared.sure[nearest]),
        costs=costs_of(compared),
        reasons=[_data(reason) for reason in reasons[:MOST_REASONS]],
        view=_data(position.start),
    )
    again = position_of(position.game.name, puzzle)
    return puzzle if again.bytes() == position.bytes() else None


def is_puzzle(compared: Comparison) -> bool:
    """Return whether one move stands alone among several that a player may think of."""
    return compared.leads_by(LEAD) and sum(gap <= SENSIBLE for gap in compared.behind) >= FEWEST_MOVES


def greedy_move(position: Position, seat: int) -> int:
    """Return the move of the bot that looks one step ahead and takes most for itself."""
    sight = Sight(position, seat)
    return Greedy().sit(sight, 0).choose(sight)


def costs_of(compared: Comparison) -> list[int]:
    """Return each move's cost in thousandths of the chance to win: 0 for the best, at least the lead for others."""
    second = compared.second
    least = max(compared.shares[compared.best] - compared.shares[second], 1 / PARTS)
    costs = [round(PARTS * max(compared.shares[compared.best] - share, least)) for share in compared.shares]
    costs[compared.best] = 0
    return costs


def _data(value: Any) -> Any:
    """Return a struct as it is in JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def puzzles_of_game(
    game: Game, seed: int, number: int, wants: Wants = any_degree, stop: Stop = never_stop
) -> list[Puzzle]:
    """Return the puzzles in the `number`-th game of a seed; the number of players changes from game to game."""
    players = game.players[number % len(game.players)]
    final = played_game(game, players, seed * SEEDS + number)
    found: list[Puzzle] = []
    for candidate in candidates(final, wants, stop):
        puzzle = puzzle_of(candidate, wants, stop)
        if puzzle is not None:
            found.append(puzzle)
        if len(found) == MOST_OF_GAME:
            break
    return found
