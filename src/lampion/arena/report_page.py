"""A report as one page of HTML that needs nothing else: its plots, its style and its words are in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from lampion.arena import plots
from lampion.arena.game_report import Advantage, Report, Source, Spread
from lampion.arena.plots import number, percent
from lampion.bots.chance_calibration import calibration
from lampion.games import registry
from lampion.games.move_types import EventKind
from lampion.locale import has, language, say
from lampion.play.page_policy import policy

STYLE = """
:root{color-scheme:light;--bg:#ece7dc;--surface:#fbf8f1;--surface-2:#f2ecdf;--line:#d2c6ae;--ink:#1f2438;--ink-2:#494e65;
--ink-3:#5c6074;--flame:#9a4b00;--fill:#ffc24d;--deep:#494e65;
--shadow:0 8px 20px -10px #3a2f1a66}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--bg:#0d1322;--surface:#19223a;--surface-2:#232e4a;
--line:#354262;--ink:#f5ecda;--ink-2:#bcc3d6;--ink-3:#929cb6;--flame:#ffcb6b;--fill:#ffcb6b;--deep:#6d79a0;
--shadow:0 6px 18px -6px #000a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1.0625rem/1.5 "Alegreya Sans","Gill Sans",Candara,"Segoe UI",
system-ui,sans-serif}
main{max-width:1120px;margin:0 auto;padding:32px 16px 48px}
h1,h2,h3{font-family:"Alegreya Variable",Alegreya,Georgia,"Times New Roman",serif;font-weight:600;
line-height:1.2;margin:0}
h1{font-size:2.5rem}h2{font-size:1.75rem}h3{font-size:1.3125rem}
header p{margin:8px 0 0;color:var(--ink-2)}
section{margin-top:48px}
section>p{max-width:44rem;margin:8px 0 0;color:var(--ink-2)}
.cards{display:grid;gap:16px;margin-top:16px;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));
align-items:start}
.short{grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr))}
.card{background:var(--surface);border:1px solid var(--line);border-radius:16px;padding:16px;box-shadow:var(--shadow);
min-width:0}
.card h3{margin-bottom:8px}
.card .edition{display:block;font:.9375rem/1.4 inherit;font-family:inherit;color:var(--ink-2);margin-bottom:8px}
ul.facts{margin:16px 0 0;padding:0;list-style:none;display:grid;gap:8px}
ul.facts li{padding-left:20px;position:relative}
ul.facts li::before{content:"";position:absolute;left:2px;top:.55em;width:8px;height:8px;border-radius:50%;
background:var(--fill);border:1px solid var(--flame)}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 8px;padding:0;list-style:none;font-size:.9375rem;
color:var(--ink-2)}
.key svg{width:18px;height:12px;margin-right:6px;vertical-align:-1px}
.card>svg{display:block;width:100%;height:auto}
svg text{font-size:12.5px;fill:var(--ink)}
svg .small{font-size:11.5px;fill:var(--ink-2)}
svg .figure{font-variant-numeric:tabular-nums}
.solid{fill:var(--fill);stroke:var(--flame);stroke-width:1}
.quiet{fill:var(--surface-2);stroke:var(--ink-3);stroke-width:1}
.deep{fill:var(--deep);stroke:var(--ink-2);stroke-width:1}
.outline{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round}
.grid{stroke:var(--line);stroke-width:1}
.base{stroke:var(--ink-3);stroke-width:1}
.whisker{stroke:var(--ink);stroke-width:1.5}
.median{stroke:var(--ink);stroke-width:2}
.dot{fill:var(--ink);stroke:var(--surface);stroke-width:1.5}
.halo{stroke:var(--surface);stroke-width:4}
.even{stroke:var(--ink-2);stroke-width:1.5;stroke-dasharray:4 4}
footer{margin-top:48px;color:var(--ink-2);font-size:.9375rem;overflow-wrap:anywhere}
@media (max-width:480px){h1{font-size:2rem}.card{padding:12px}svg text{font-size:14px}svg .small{font-size:13px}}
@media print{body{background:#fff}.card{box-shadow:none;break-inside:avoid}}
"""

Drawn = Callable[[Report], str]


def page(reports: Sequence[Report], command: str) -> str:
    """Return the page of one report, or of two editions side by side, made by `command`."""
    first = reports[0]
    title = say("report.title", game=say(f"{first.game}.name"))
    body = [
        header(title, reports),
        facts(reports),
        advantages(reports),
        score_section(reports),
        deciding(reports),
        happenings(reports),
        lengths(reports),
        chances(reports),
        f"<footer><p>{escape(say('report.how'))}</p><p><code>{escape(command)}</code></p></footer>",
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n{policy()}\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, body))
        + "\n</main>\n</body>\n</html>\n"
    )


def header(title: str, reports: Sequence[Report]) -> str:
    """Return the heading with what was played."""
    first = reports[0]
    played = say("report.played", games=first.games, players=first.players, bots=", ".join(first.bots))
    editions = say("list.and").join(f"{one.label} ({one.edition[:12]})" for one in reports)
    lines = [played, say("report.editions", editions=editions)]
    lines += [say("report.failures", count=one.failures) for one in reports if one.failures]
    return f"<header><h1>{escape(title)}</h1>" + "".join(f"<p>{escape(words)}</p>" for words in lines) + "</header>"


def section(title: str, about: str, cards: Sequence[str]) -> str:
    """Return a section with its question, how to read the answer, and the plots."""
    head = f"<section><h2>{escape(title)}</h2><p>{escape(about)}</p>"
    return f'{head}<div class="cards">{"".join(cards)}</div></section>'


def card(reports: Sequence[Report], title: str, draw: Drawn, keys: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Return a plot for every edition, with a legend."""
    marks = "".join(
        f'<li><svg viewBox="0 0 18 12" aria-hidden="true">{mark(kind)}</svg>{escape(say(word))}</li>'
        for kind, word in keys
    )
    key = f'<ul class="key">{marks}</ul>' if marks else ""
    return [
        '<div class="card">'
        + (f"<h3>{escape(title)}</h3>" if title else "")
        + (f'<span class="edition">{escape(one.label)}</span>' if len(reports) > 1 else "")
        + f"{key}{draw(one)}</div>"
        for one in reports
    ]


def mark(kind: str) -> str:
    """Return the mark of a kind in a legend."""
    if kind == "outline":
        return '<polyline points="1,9 6,9 6,3 12,3 12,7 17,7" class="outline"/>'
    return plots.bar(1, 1, 16, 10, kind)


def chances(reports: Sequence[Report]) -> str:
    """Return the section about the chances that analyses give; nothing where they were not measured."""
    first = reports[0]
    found = calibration(first.game)
    if found is None or first.players not in found.players or all(one.edition != found.edition for one in reports):
        return ""
    tenths = found.tenths(first.players)
    points = [(one.given, one.won, one.sure) for one in tenths]
    summary = say("list.and").join(f"{percent(one.given)} → {percent(one.won)}" for one in tenths)
    words = say("report.chances.given"), say("report.chances.won")
    drawn = plots.reliability(points, words, f"{say('report.chances')} {summary}")
    about = say("report.chances.about", games=found.games, bot=found.bot, players=first.players)
    return section(say("report.chances"), about, [f'<div class="card">{drawn}</div>'])


def facts(reports: Sequence[Report]) -> str:
    """Return the report in a few sentences."""
    cards = []
    for one in reports:
        sentences = []
        if one.order:
            sentences.append(say("report.fact.first", share=interval(one.order[0]), even=percent(1 / one.players)))
        sentences.append(
            say(
                "report.fact.scores",
                winner=number(mean(one.winning_scores), 1),
                other=number(mean(one.other_scores or one.winning_scores), 1),
            )
        )
        if any(source.decided for source in one.categories):
            most = max(one.categories, key=lambda source: source.decided)
            name = say(f"{one.game}.category.{most.name}")
            sentences.append(say("report.fact.decides", name=name, share=percent(most.decided)))
        sentences.append(say("report.fact.ties", tie_breaks=percent(one.tie_breaks, 1), level=percent(one.level, 1)))
        sentences.append(
            say("report.fact.length", moves=number(mean(one.moves), 1), decisions=number(mean(one.decisions), 1))
        )
        items = "".join(f"<li>{escape(words)}</li>" for words in sentences)
        label = f'<span class="edition">{escape(one.label)}</span>' if len(reports) > 1 else ""
        cards.append(f'<div class="card">{label}<ul class="facts" style="margin:0">{items}</ul></div>')
    return f'<section><h2>{escape(say("report.short"))}</h2><div class="cards short">{"".join(cards)}</div></section>'


def interval(found: Advantage) -> str:
    """Return a share with its interval as text."""
    return f"{percent(found.share, 1)} ({percent(found.low, 1)} – {percent(found.high, 1)})"


def mean(numbers: Sequence[int]) -> float:
    """Return the mean of some numbers."""
    return sum(numbers) / len(numbers)


def advantages(reports: Sequence[Report]) -> str:
    """Return the section about the order of play and the seats."""
    most = max(row.high for one in reports for row in [*one.seats, *one.order]) * 1.02

    def rows(found: Sequence[Advantage], word: str) -> list[tuple[str, float, float, float]]:
        return [(say(word, number=i), one.share, one.low, one.high) for i, one in enumerate(found, start=1)]

    cards = []
    for title, word in (("report.order", "report.order.place"), ("report.seats", "seat.name")):
        ordered = title == "report.order"
        if all(one.order if ordered else one.seats for one in reports):
            cards += card(
                reports,
                say(title),
                lambda one, ordered=ordered, word=word, title=title: plots.shares(  # type: ignore[misc]
                    rows(one.order if ordered else one.seats, word), 1 / one.players, most, say(title)
                ),
            )
    return section(say("report.advantage"), say("report.advantage.about"), cards)


def box_of(found: Spread) -> plots.Box:
    """Return a distribution as the box of a plot."""
    return found.tenth, found.quarter, found.median, found.three_quarters, found.nine_tenths


def score_section(reports: Sequence[Report]) -> str:
    """Return the section about points and their sources."""
    all_scores = [score for one in reports for score in [*one.winning_scores, *one.other_scores]]
    both = (("solid", "report.winners"), ("outline", "report.others"))

    def totals(one: Report) -> str:
        groups = [
            (say("report.winners"), "solid", one.winning_scores),
            (say("report.others"), "quiet", one.other_scores),
        ]
        return plots.histogram(groups, min(all_scores), max(all_scores), say("report.totals"))

    cards = card(reports, say("report.totals"), totals, both)
    cards += points_cards(reports, lambda one: one.categories, "category", say("report.by_category"))
    return section(say("report.scores"), say("report.scores.about"), cards)


def points_cards(
    reports: Sequence[Report], of: Callable[[Report], Sequence[Source]], noun: str, title: str
) -> list[str]:
    """Return the plots of points by source, of winners and others."""
    found = [spread for one in reports for source in of(one) for spread in (source.winners, source.others)]
    if not found or not all(of(one) for one in reports):
        return []
    low, high = min(0.0, *(spread.tenth for spread in found)), max(1.0, *(spread.nine_tenths for spread in found))

    def draw(one: Report) -> str:
        rows = [
            (
                say(f"{one.game}.{noun}.{source.name}"),
                [
                    (kind, box_of(spread), spread.mean)
                    for kind, spread in (("solid", source.winners), ("quiet", source.others))
                ],
            )
            for source in of(one)
        ]
        return plots.boxes(rows, low, high, title)

    return card(reports, title, draw, (("solid", "report.winners"), ("quiet", "report.others")))


def deciding(reports: Sequence[Report]) -> str:
    """Return the plots of how often each source of points occurs, is the winner's, and decides."""
    keys = (("quiet", "report.somebody"), ("solid", "report.by_winner"), ("deep", "report.decided"))

    def draw(of: Callable[[Report], Sequence[Source]], noun: str, title: str) -> Drawn:
        def drawn(one: Report) -> str:
            ordered = sorted(of(one), key=lambda source: -source.decided)
            rows = [
                (
                    say(f"{one.game}.{noun}.{source.name}"),
                    [("quiet", source.somebody), ("solid", source.winner), ("deep", source.decided)],
                )
                for source in ordered
            ]
            return plots.parts(rows, title)

        return drawn

    title = say("report.categories")
    cards = card(reports, title, draw(lambda one: one.categories, "category", title), keys)
    for kind in kinds_of(reports):
        if kind.earns and all(one.earned.get(kind.name) for one in reports):
            title = say(f"{reports[0].game}.counted.{kind.name}")
            found = earned_by(kind.name)
            cards += card(reports, title, draw(found, kind.earns[1], title), keys)
            cards += points_cards(reports, found, kind.earns[1], say("report.points_of", name=title))
    return section(say("report.deciding"), say("report.deciding.about"), cards)


def earned_by(kind: str) -> Callable[[Report], Sequence[Source]]:
    """Return the points of a kind of event in a report."""
    return lambda one: one.earned[kind]


def kinds_of(reports: Sequence[Report]) -> list[EventKind]:
    """Return the kinds of events that the game has a heading for."""
    game = registry.game(reports[0].game)
    return [kind for kind in game.events.EVENTS if has(f"{game.name}.counted.{kind.name}")]


def happenings(reports: Sequence[Report]) -> str:
    """Return the section about events of winners and of others."""
    cards = []
    for kind in kinds_of(reports):
        if all(one.counted.get(kind.name) for one in reports):
            noun = kind.earns[1] if kind.earns else kind.noun
            most = max(max(count.winners, count.others) for one in reports for count in one.counted[kind.name])
            title = say(f"{reports[0].game}.counted.{kind.name}")

            def draw(
                one: Report, kind: EventKind = kind, noun: object = noun, most: float = most, title: str = title
            ) -> str:
                rows = [
                    (noun_of(one.game, noun, count.name), count.winners, count.others)
                    for count in one.counted[kind.name]
                ]
                return plots.dumbbells(rows, most * 1.02, title)

            cards += card(reports, title, draw, (("solid", "report.winners"), ("quiet", "report.others")))
    return section(say("report.happenings"), say("report.happenings.about"), cards) if cards else ""


def noun_of(game: str, noun: object, thing: str) -> str:
    """Return the name of a thing."""
    if isinstance(noun, str):
        return say(f"{game}.{noun}.{thing}")
    return str(noun(thing)) if callable(noun) else thing


def lengths(reports: Sequence[Report]) -> str:
    """Return the section about the length of games."""
    cards = []
    for title, of in (("report.moves", lambda one: one.moves), ("report.decisions", lambda one: one.decisions)):
        values = [value for one in reports for value in of(one)]

        def draw(
            one: Report,
            title: str = title,
            of: Callable[[Report], Sequence[int]] = of,
            low: int = min(values),
            high: int = max(values),
        ) -> str:
            return plots.histogram([(say(title), "solid", of(one))], low, high, say(title))

        cards += card(reports, say(title), draw)
    return section(say("report.length"), say("report.length.about"), cards)
