"""Hints: the best few moves of a seat, with what they promise and why, from what the seat knows.

A hint is given to somebody who plays. It is made from a `Sight` alone, so that nothing hidden has a part in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from lampion.engine.rng import new_rng
from lampion.games.reason_types import favour
from lampion.insight.evaluator import Stop, go_on
from lampion.insight.hint_types import Hint, MoveHint
from lampion.insight.ledger import figure
from lampion.insight.reasons import reasons_for, sentences, tried
from lampion.insight.settings import STANDARD, Settings
from lampion.insight.words import told
from lampion.insight.worth import evaluator_for
from lampion.locale import say
from lampion.play.sight import Sight

MOST_HINTS = 3
MOST_TOLD = 2
"""Sentences that tell what a move does."""
MOST_WHY = 3
"""Reasons that are told for a move."""


def hints(sight: Sight, settings: Settings = STANDARD, *, stop: Stop = go_on) -> list[Hint]:
    """Return the best moves of a seat that owes a decision, the best first, moves that come to the same once.

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
        behind = float(judged.ahead[0] - judged.ahead[i])
        made.append(
            Hint(
                id=judged.ids[i],
                move=known.move(judged.ids[i]),
                share=figure(judged.shares[i, seat]),
                margin=figure(judged.margins[i, seat]),
                behind=figure(behind if behind > judged.ahead_sure[i] else 0.0),
                reasons=reasons,
            )
        )
    return made


def told_hints(sight: Sight, found: Sequence[Hint], names: Sequence[str]) -> list[MoveHint]:
    """Return hints in words, with these names for the seats."""
    known, seat = sight.imagined(new_rng()), sight.seat
    made = []
    for number, one in enumerate(found):
        does = dict.fromkeys(told(known, one.id, seat, seat, names, own=True))
        compared = "hint.best" if number == 0 else "hint.less" if one.behind else "hint.as_good"
        made.append(
            MoveHint(
                move=one.move,
                share=one.share,
                margin=one.margin,
                told=list(does)[:MOST_TOLD],
                promise=promise(one.share, one.margin),
                why=sentences(known, one.reasons[:MOST_WHY], names) or [say(compared)],
            )
        )
    return made


def promise(share: float, margin: float) -> str:
    """Return how often a move wins and by how much, as people say it."""
    games, points = round(10 * share), round(abs(margin))
    often = {0: "hint.never", 10: "hint.always"}.get(games) or "hint.often"
    ahead = "hint.level" if points == 0 else "hint.ahead" if margin > 0 else "hint.behind"
    return f"{say(often, count=games)} {say(ahead, count=points)}"
