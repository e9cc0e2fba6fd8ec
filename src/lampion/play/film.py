"""A game as a moving picture: an SVG file that plays by itself, or a page with a slider. Both need nothing else.

A frame is the game's own picture after a decision and the draws that follow it. Pictures of one game share most of what
they show, so every part of them is written once, with the frames in which it is seen.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from html import escape
from xml.etree import ElementTree

from lampion.games.core import CHANCE, EVERYTHING
from lampion.games.move_types import event, sentence
from lampion.locale import language, say
from lampion.play.page_policy import policy
from lampion.play.position import Position
from lampion.play.record import Note, Record

SECONDS = 1.4
"""Seconds for which a frame is shown."""
REST = 4
"""Frames for which the last one stays."""
MANY = 8
"""Elements of a group that is taken apart."""
WORDS_HEIGHT, LINE, LETTER = 76, 28, 10.5
"""Units of the space for words below the picture, of one line in it and of a letter, about."""
SPACE = "{http://www.w3.org/2000/svg}"
MARKS = re.compile('[&<>"]')


@dataclass(frozen=True)
class Frame:
    """A moment: the number of moves before it, what happened, and what was written about it."""

    ply: int
    caption: str
    notes: list[str]


@dataclass(eq=False)
class Part:
    """A part of pictures, in the order in which they are drawn, and the spans of frames in which it is seen."""

    drawn: str
    spans: list[list[int]] = field(default_factory=list)
    """First frame, and the one after the last."""
    after: Part | None = None
    """What is drawn next."""


@dataclass(frozen=True)
class Film:
    """The frames of a game, the parts of their pictures, and what these share: symbols, patterns."""

    title: str
    width: float
    height: float
    shared: str
    parts: list[Part]
    frames: list[Frame]


class Pictures:
    """Pictures that are added one after another, taken apart; all are scaled to the size of one of them."""

    def __init__(self, sized: str) -> None:
        self.count = 0
        box = ElementTree.fromstring(sized).attrib["viewBox"].split()
        self.size = float(box[2]), float(box[3])
        self._shared: dict[str, None] = {}
        self._first = Part("")
        self._last_frame: list[Part] = []

    @property
    def shared(self) -> str:
        """What the parts refer to."""
        return "".join(self._shared)

    def parts(self) -> Iterator[Part]:
        """Yield all parts in the order in which they are drawn."""
        part = self._first.after
        while part is not None:
            yield part
            part = part.after

    def add(self, svg: str) -> None:
        """Add the picture of the next frame; a part that was in the last one too goes on being seen."""
        root = ElementTree.fromstring(svg)
        box = [float(number) for number in root.attrib["viewBox"].split()]
        drawn = [
            f"{opened}{part}{'</g>' * opened.count('<g')}" for opened, part in self._taken_apart(root, self._fit(box))
        ]
        seen, before = [], self._first
        matched = SequenceMatcher(None, [part.drawn for part in self._last_frame], drawn, autojunk=False)
        for what, first, end, start, stop in matched.get_opcodes():
            if what == "equal":
                for part in self._last_frame[first:end]:
                    part.spans[-1][1] += 1
                    seen.append(part)
                before = seen[-1]
            else:
                for one in drawn[start:stop]:
                    before.after = Part(one, [[self.count, self.count + 1]], before.after)
                    before = before.after
                    seen.append(before)
        self._last_frame = seen
        self.count += 1

    def _fit(self, box: Sequence[float]) -> str:
        """Return what scales a picture to the size of all."""
        left, top, width, height = box
        if (left, top, width, height) == (0, 0, *self.size):
            return ""
        scale = min(self.size[0] / width, self.size[1] / height)
        x, y = (self.size[0] - scale * width) / 2, (self.size[1] - scale * height) / 2
        return f'<g transform="translate({x - scale * left:.2f} {y - scale * top:.2f}) scale({scale:.4f})">'

    def _taken_apart(self, node: ElementTree.Element, opened: str) -> Iterator[tuple[str, str]]:
        """Yield the parts of a picture, each with the groups that it stands in."""
        for child in node:
            tag = child.tag.removeprefix(SPACE)
            if tag in ("defs", "style"):
                self._shared[written(child)] = None
            elif tag == "g" and len(child) > MANY:
                yield from self._taken_apart(child, f"{opened}<g{attributes(child)}>")
            elif tag != "title":
                yield opened, written(child)


def attributes(node: ElementTree.Element) -> str:
    """Return the attributes of an element as they are written."""
    return "".join(f' {key}="{escape(value) if MARKS.search(value) else value}"' for key, value in node.attrib.items())


def written(node: ElementTree.Element) -> str:
    """Return an element as it is written."""
    tag = node.tag.removeprefix(SPACE)
    inside = escape(node.text or "", quote=False)
    for child in node:
        inside += written(child) + escape(child.tail or "", quote=False)
    return f"<{tag}{attributes(node)}>{inside}</{tag}>" if inside else f"<{tag}{attributes(node)}/>"


def film(record: Record, names: Sequence[str], viewer: int = EVERYTHING) -> Film:
    """Return the film of a recorded game as a viewer sees it, with these names for the seats."""
    final = record.replay()
    pictures, frames = Pictures(final.svg(viewer, names)), []
    plies = [ply for ply, (seat, _) in enumerate(final.played) if seat != CHANCE and ply > 0]
    before = -1
    for ply in [*plies, final.ply]:
        caption = _caption(final, before, ply, names, viewer) or say("film.begin")
        notes = [_note(note, names) for note in record.notes if before < note.ply <= ply]
        frames.append(Frame(ply, caption, notes))
        pictures.add(final.at(ply).svg(viewer, names))
        before = ply
    title = f"{say(f'{record.game}.name')} · {', '.join(names)}"
    return Film(title, *pictures.size, pictures.shared, list(pictures.parts()), frames)


def _caption(final: Position, first: int, last: int, names: Sequence[str], viewer: int) -> str:
    """Return what the decision did that was made after `first` moves, in words; nothing where chance moved."""
    if first < 0 or first == last or final.played[first].seat == CHANCE:
        return ""
    position = final.at(first)
    game, box = position.game, position.edition.box
    rows = position.push_rows(final.played[first].id, final.played[first].seat)
    sentences = [sentence(game, event(game, box, row, viewer), names, box=box) for row in rows]
    return " ".join(dict.fromkeys(sentences))


def _note(note: Note, names: Sequence[str]) -> str:
    return say("film.note", who=names[note.seat], text=note.text)


def _by_spans(parts: Sequence[Part]) -> tuple[list[list[list[int]]], str]:
    """Return the different spans of parts, and all parts drawn, each of the class of its spans: "s" and a number."""
    numbers: dict[str, int] = {}
    spans: list[list[list[int]]] = []
    drawn = []
    for part in parts:
        if (key := str(part.spans)) not in numbers:
            numbers[key] = len(spans)
            spans.append(part.spans)
        drawn.append(f'<g class="s s{numbers[key]}">{part.drawn}</g>')
    return spans, "".join(drawn)


def animated(shown: Film) -> str:
    """Return a film as an SVG file that plays by itself, in a loop; with reduced motion it shows the end alone."""
    count = len(shown.frames)
    wide, high = shown.width, shown.height + WORDS_HEIGHT
    words = [
        Part(_lines(" ".join([frame.caption, *frame.notes]), wide, shown.height), [[number, number + 1]])
        for number, frame in enumerate(shown.frames)
    ]
    spans, drawn = _by_spans([*shown.parts, *words])
    style = [f".s{{visibility:hidden;animation:{(count + REST) * SECONDS:.1f}s step-end infinite}}"]
    last = []
    for number, span in enumerate(spans):
        points = ["0%{visibility:hidden}"]
        for first, end in span:
            points.append(f"{100 * first / (count + REST):.3f}%{{visibility:visible}}")
            if end < count:
                points.append(f"{100 * end / (count + REST):.3f}%{{visibility:hidden}}")
        if span[-1][1] == count:
            last.append(f".s{number}")
        style.append(f".s{number}{{animation-name:a{number}}}@keyframes a{number}{{{''.join(points)}}}")
    style.append(
        f"@media (prefers-reduced-motion:reduce){{.s{{animation:none}}{','.join(last)}{{visibility:visible}}}}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" role="img">'
        f"<title>{escape(shown.title)}</title><style>{''.join(style)}</style>{shown.shared}"
        f'<rect width="100%" height="100%" fill="#0d1322"/>{drawn}</svg>\n'
    )


def _lines(words: str, wide: float, top: float) -> str:
    """Return words in two lines at most, below a picture."""
    lines = textwrap.wrap(words, max(20, int(wide / LETTER)), max_lines=2, placeholder=" …")
    return "".join(
        f'<text x="{wide / 2:g}" y="{top + LINE * (number + 1):g}" text-anchor="middle" font-size="20" '
        f'font-family="Alegreya Sans, Gill Sans, Candara, sans-serif" fill="#f5ecda">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )


STYLE = """:root{color-scheme:light dark;--back:#ece7dc;--ink:#1f2438;--soft:#494e65}
@media (prefers-color-scheme:dark){:root{--back:#0d1322;--ink:#f5ecda;--soft:#bcc3d6}}
body{margin:0;background:var(--back);color:var(--ink);font:1.0625rem/1.4 "Gill Sans",Candara,"Segoe UI",sans-serif}
main{max-width:1100px;margin:0 auto;padding:16px}
h1{font:600 1.5rem/1.2 Georgia,"Times New Roman",serif;margin:0 0 8px}
.stage{display:block;width:100%;max-height:72vh}
.s{display:none}.on{display:inline}
.way{display:flex;gap:12px;align-items:center}
.way input{flex:1;min-width:0}
button{min-width:44px;min-height:44px;font:inherit}
p{margin:8px 0;min-height:2.8em}.note{color:var(--soft)}"""

SCRIPT = """const parts=spans.map((_,i)=>[...document.querySelectorAll(".s"+i)]);
const captions=[...document.querySelectorAll("[data-caption]")],last=captions.length-1;
const way=document.querySelector("input"),run=document.querySelector("button");let timer=0;
function show(){const at=+way.value;spans.forEach((span,i)=>{const on=span.some(([a,b])=>a<=at&&at<b);
parts[i].forEach(one=>one.classList.toggle("on",on))});captions.forEach((one,i)=>one.hidden=i!==at)}
function stop(){clearInterval(timer);timer=0;run.setAttribute("aria-pressed","false")}
way.addEventListener("input",()=>{stop();show()});
run.addEventListener("click",()=>{if(timer)return stop();if(+way.value===last)way.value=0;
run.setAttribute("aria-pressed","true");show();
timer=setInterval(()=>{if(+way.value===last)return stop();way.value=+way.value+1;show()},1200)});
function go(){const at=plies.findIndex(ply=>ply>=+location.hash.slice(1));
if(location.hash)way.value=at<0?last:at;show()}
addEventListener("hashchange",go);go();"""


def page(shown: Film) -> str:
    """Return a film as a page with a slider; the number of a move behind # opens it at that moment."""
    spans, drawn = _by_spans(shown.parts)
    captions = []
    for frame in shown.frames:
        notes = "".join(f'<p class="note">{escape(note)}</p>' for note in frame.notes)
        captions.append(f"<div data-caption hidden><p>{escape(frame.caption)}</p>{notes}</div>")
    plies = ",".join(str(frame.ply) for frame in shown.frames)
    title = escape(shown.title)
    script = f"const plies=[{plies}],spans={spans};{SCRIPT}"
    return (
        f'<!doctype html><html lang="{language()}"><head><meta charset="utf-8">{policy(script)}'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1>"
        f'<svg class="stage" viewBox="0 0 {shown.width:g} {shown.height:g}" role="img" aria-label="{title}">'
        f"{shown.shared}{drawn}</svg>"
        f'<div class="way"><button type="button" aria-pressed="false">{escape(say("film.run"))}</button>'
        f'<input type="range" min="0" max="{len(captions) - 1}" value="0" '
        f'aria-label="{escape(say("film.moment"))}"></div>'
        f'<div aria-live="polite">{"".join(captions)}</div></main>'
        f"<script>{script}</script></body></html>\n"
    )
