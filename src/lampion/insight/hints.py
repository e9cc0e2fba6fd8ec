"""Hints: the best few moves of a seat, with what they promise and why, from what the seat knows.

A hint is given to somebody who plays. It is made from a `Sight` alone, so that nothing hidden has a part in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from lampion.deprecation import renamed
from lampion.engine.rng import new_rng
from lampion.games.reason_types import favour
from lampion.insight.analysis_types import figure
from lampion.insight.evaluator import Stop, never_stop
from lampion.insight.hint_types import Hint, MoveHint
from lampion.insight.reasons import reasons_for, sentences, tried
from lampion.insight.settings import STANDARD, Settings
from lampion.insight.words import move_sentences
from lampion.insight.worth import evaluator_for
from lampion.locale import addressing, say
from lampion.play.position import Position
from lampion.play.sight import Sight

MOST_HINTS = 3
MOST_SENTENCES = 2
"""Sentences that tell what a move does, unless more are needed to tell it from the others."""
MOST_WHY = 3
"""The most reasons for a move."""


__getattr__ = renamed(__name__, {"told_hints": "lampion.insight.hints.hints_in_words"})


def hints(sight: Sight, settings: Settings = STANDARD, *, stop: Stop = never_stop) -> list[Hint]:
    """Return the best moves of a seat that owes a decision, the best first; of moves with the same outcome only one.

    Raise Stopped when `stop` says so.
    """
    known = sight.imagined(new_rng())  # the same for all positions that look alike to the seat
    evaluator = evaluator_for(sight.edition, sight.players, settings)
    judged = evaluator.judge(known.state, sight.seat, stop=stop)
    seat, chosen, outcomes = sight.seat, list[int](), set[bytes]()
    for i, id in enumerate(judged.ids):
        outcome = tried(known, id, seat).state.tobytes()
        if outcome not in outcomes and len(chosen) < MOST_HINTS:
            outcomes.add(outcome)
            chosen.append(i)
    made = []
    for i in chosen:
        beside = judged.ids[chosen[1] if i == chosen[0] and len(chosen) > 1 else chosen[0]]
        reasons = [one for one in reasons_for(known, seat, judged.ids[i], beside) if favour(one, seat) > 0]
        behind = judged.ahead[0] - judged.ahead[i]
        made.append(
            Hint(
                id=judged.ids[i],
                move=known.move(judged.ids[i]),
                share=figure(judged.shares[i][seat]),
                margin=figure(judged.margins[i][seat]),
                behind=figure(behind if behind > judged.ahead_sure[i] else 0.0),
                reasons=reasons,
            )
        )
    return made


def hints_in_words(sight: Sight, found: Sequence[Hint], names: Sequence[str]) -> list[MoveHint]:
    """Return hints in words, addressed to the person at the seat, with these names for the seats."""
    known, seat = sight.imagined(new_rng()), sight.seat
    called = addressing(seat, names)
    heads = headlines([_does(known, one.id, seat, called) for one in found])
    return [
        MoveHint(
            move=one.move,
            share=one.share,
            margin=one.margin,
            told=heads[number],
            promise=promise(one.share, one.margin),
            why=_why(known, found, number, called),
        )
        for number, one in enumerate(found)
    ]


def _does(known: Position, id: int, seat: int, names: Sequence[str]) -> list[str]:
    """Return what a move does in sentences: first to its mover, then to the others."""
    own = move_sentences(known, id, seat, seat, names, own=True)
    return list(dict.fromkeys([*own, *move_sentences(known, id, seat, seat, names)]))


def headlines(does: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return for each move as few sentences of what it does as distinguish it from the others.

    Moves that do the same in words are told apart by their numbers, which stand on the board.
    """
    made = []
    for number, one in enumerate(does):
        others = [other for other in does if other is not one]
        most = next((n for n in range(1, len(one) + 1) if all(one[:n] != other[:n] for other in others)), None)
        text = list(one[: max(MOST_SENTENCES, most or 0)])
        made.append(text if most is not None else [*text, say("hint.marked", number=number + 1)])
    return made


def _why(known: Position, found: Sequence[Hint], number: int, names: Sequence[str]) -> list[str]:
    """Return what speaks for a hint beside the first one, and for the first beside the second."""
    one, beside = found[number], 0 if number else 1
    facts = sentences(known, one.reasons[:MOST_WHY], names)
    if facts:
        begins = facts[0] if facts[0].startswith(tuple(names)) else facts[0][0].lower() + facts[0][1:]
        return [say("hint.beside", number=beside + 1), begins, *facts[1:]]
    if len(found) < 2:
        return [say("hint.only")]
    points = round(one.margin - found[beside].margin)
    key = "hint.level_with" if points == 0 else "hint.better_than" if points > 0 else "hint.worse_than"
    return [say(key, count=abs(points), number=beside + 1)]


def promise(share: float, margin: float) -> str:
    """Return how often a move wins and by how much, as people say it."""
    games, points = round(10 * share), round(abs(margin))
    often = {0: "hint.never", 10: "hint.always"}.get(games) or "hint.often"
    ahead = "hint.level" if points == 0 else "hint.ahead" if margin > 0 else "hint.behind"
    return f"{say(often, count=games)} {say(ahead, count=points)}"
