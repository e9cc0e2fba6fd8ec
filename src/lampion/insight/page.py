"""An analysis as one page of HTML that needs nothing else: its graph, its style and its words are in it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lampion.insight.analysis_types import Analysis
from lampion.insight.graph import graph
from lampion.insight.words import AnalysisWords, number, percent, signed_percent
from lampion.locale import language, say
from lampion.play.page_policy import policy
from lampion.play.record import Record

STYLE = """
:root{color-scheme:light dark;--paper:#fbf8f1;--back:#ece7dc;--rule:#d2c6ae;--ink:#1f2438;--soft:#494e65;--a:#9a4b00;
--b:#1d5fa8;--c:#2c7a3f;--d:#8a2f80;--e:#6b5d00}
@media (prefers-color-scheme:dark){:root{--paper:#19223a;--back:#0d1322;--rule:#354262;--ink:#f5ecda;--soft:#bcc3d6;
--a:#ffcb6b;--b:#8fc1ff;--c:#8fd6a0;--d:#f0a6e6;--e:#e5d98a}}
body{margin:0;background:var(--back);color:var(--ink);font:1.0625rem/1.5 "Gill Sans",Candara,"Segoe UI",sans-serif}
main{max-width:1100px;margin:0 auto;padding:24px 16px 48px}
h1,h2{font-family:Georgia,"Times New Roman",serif;line-height:1.2;margin:32px 0 8px}
p{max-width:46rem;color:var(--soft);margin:8px 0}
.sheet{background:var(--paper);border:1px solid var(--rule);border-radius:14px;padding:12px;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:6px 8px;text-align:right;border-bottom:1px solid var(--rule);vertical-align:top}
th:first-child,td:first-child,.words td:nth-child(-n+5),.words th:nth-child(-n+5){text-align:left}
svg{display:block;width:100%;height:auto}
svg text{font-size:14px;fill:var(--ink)}
svg .small{font-size:12px;fill:var(--soft)}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round}
.seat0{stroke:var(--a)}.seat1{stroke:var(--b)}.seat2{stroke:var(--c)}.seat3{stroke:var(--d)}.seat4{stroke:var(--e)}
.grid{stroke:var(--rule)}.zero{stroke:var(--ink);stroke-width:2}.even{stroke:var(--soft);stroke-dasharray:4 4}
.turning{stroke:var(--soft);stroke-width:1;opacity:.6}
li{margin:6px 0}
@media (max-width:640px){thead{position:absolute;left:-999em}tr{display:block;padding:8px 0;
border-bottom:2px solid var(--rule)}td,.words td{display:flex;gap:12px;justify-content:space-between;border:0;
text-align:right;padding:2px 0}td::before{content:attr(data-name);color:var(--soft);text-align:left}
svg{min-width:640px}}
"""
PLAYERS = ("player", "points", "accuracy", "start", "luck", "own", "others", "unforeseen", "end")
DECISIONS = ("move", "player", "played", "better", "why", "cost", "sure")


def page(record: Record, analysis: Analysis) -> str:
    """Return the page of an analysed game."""
    words = AnalysisWords(record, analysis)
    title = say("analysis.title", game=say(f"{analysis.game}.name"))
    judged = say(f"analysis.judged.{analysis.source}", simulations=analysis.settings.simulations)
    points = [f"{say('analysis.at', ply=moment.first)} {words.moment(moment)}" for moment in analysis.turning_points]
    body = [
        f"<h1>{escape(title)}</h1><p>{escape(judged)}</p>",
        f'<h2>{escape(say("analysis.graph"))}</h2><div class="sheet">{graph(analysis)}</div>',
        f'<h2>{escape(say("analysis.players"))}</h2><div class="sheet">{players_table(analysis)}</div>',
        f"<p>{escape(say('analysis.reading'))}</p>",
        f"<h2>{escape(say('analysis.turning_points'))}</h2>",
        listed(points) if points else f"<p>{escape(say('analysis.no_turning_points'))}</p>",
        decisions_section(words),
        f"<p>{escape(say('analysis.how'))}</p>",
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n{policy()}\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body><main>\n" + "\n".join(body) + "\n</main></body>\n</html>\n"
    )


def listed(items: Sequence[str]) -> str:
    """Return sentences as a list."""
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """Return a table with the words of its columns."""
    names = [escape(say(f"analysis.head.{name}"), quote=True) for name in heads]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    cells = [
        "".join(f'<td data-name="{name}">{escape(cell)}</td>' for name, cell in zip(names, row, strict=True))
        for row in rows
    ]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def player_rows(analysis: Analysis) -> list[list[str]]:
    """Return the figures of every player as they are shown."""
    return [
        [
            analysis.names[player.seat],
            str(analysis.scores[player.seat]),
            "–" if player.accuracy is None else number(player.accuracy),
            percent(analysis.start.shares[player.seat]),
            signed_percent(player.luck),
            signed_percent(player.cost),
            signed_percent(player.gifts),
            signed_percent(player.unforeseen),
            percent(analysis.result.shares[player.seat]),
        ]
        for player in analysis.players
    ]


def players_table(analysis: Analysis) -> str:
    """Return the figures of all players as a table."""
    return table(PLAYERS, player_rows(analysis))


def decisions_section(words: AnalysisWords) -> str:
    """Return all decisions that cost something, in the order of the game."""
    steps = [step for step in words.analysis.steps if step.seat is not None and step.cost.shares[step.seat] < 0]
    rows = [
        [
            str(step.ply),
            words.names[step.seat],
            *words.choice(step.ply),
            " ".join(words.why(step.ply)),
            percent(-step.cost.shares[step.seat], 1),
            percent(step.decision.sure, 1),
        ]
        for step in steps
        if step.seat is not None and step.decision is not None
    ]
    head = f"<h2>{escape(say('analysis.decisions'))}</h2>"
    if not rows:
        return f"{head}<p>{escape(say('analysis.no_decisions'))}</p>"
    return f'{head}<div class="sheet">{table(DECISIONS, rows, "words")}</div>'
