"""The laws of what is written down: moves, views, records and pictures lead back to what they describe."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import msgspec

from lampion.games.core import CHANCE, EVERYTHING, Game
from lampion.games.move_types import notation, parse, read_move
from lampion.locale import LANGUAGES, speaking
from lampion.play import Position, Record, Seeded
from lampion.play.view_consistency import first_difference
from lampion.testing.playing import Bench, broken, choose, moments, movers, viewers, wander

A = 11
AWKWARD_NAMES = ("A & B", "<b>", 'say "x"', "Zoé", "五", "", "a" * 40, "-")
HOLE = re.compile(r"\b(?:nan|inf|None|True|False)\b")


def check_notation(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that id, typed move, notation and JSON of every legal move convert into one another without ambiguity."""
    moves = game.notation
    for position in moments(game, players, options, seed, 0.4):
        for seat in movers(position):
            written = set()
            for id in map(int, position.legal_ids(seat)):
                move = position.move(id)
                text = notation(move)
                sent = msgspec.json.encode(move)
                assert isinstance(move, moves.Move), broken(position, f"{move} is not one of {game.name}'s moves")
                assert position.id_of(move) == id, broken(position, f"{move} does not lead back to its id {id}")
                assert parse(game, text) == move, broken(
                    position, f"{text!r} is read as {parse(game, text)}, not {move}"
                )
                again = msgspec.json.decode(sent, type=moves.Move)
                assert again == move, broken(position, f"{move} comes back from JSON as {again}")
                assert read_move(game, json.loads(sent)) == move, broken(
                    position, f"{move} is not read from plain data"
                )
                assert text.isprintable(), broken(position, f"{text!r} is no notation")
                written.add(text)
            listed = len(position.legal_ids(seat))
            assert len(written) == listed, broken(position, f"{listed} moves are written in {len(written)} ways")


def check_views(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that the view of EVERYTHING leads back to the same bytes, and every view comes through JSON as it was."""
    bench = Bench(game)
    chosen = game.view.options_of(Position(game, players, options).view(EVERYTHING))
    for position in wander(game, players, options, seed):
        states, again = bench.state(position), game.new_states(1)
        for viewer in (*viewers(position), EVERYTHING):
            sent = bench.view(states, viewer)
            view = msgspec.json.decode(sent, type=game.view.View)
            assert msgspec.json.encode(view) == sent, broken(position, f"the view of {viewer} changes on its way")
        game.view.position(bench.box, view, again[0])
        assert again.tobytes() == states.tobytes(), broken(
            position, f"the view of EVERYTHING {_differing(states, again)}"
        )
        assert view.players == players, broken(position, f"the view is of {view.players} players")
        for name, value in game.view.options_of(view).items():
            expected = chosen.get(name, value)
            assert value == expected, broken(position, f"the view shows {name} {value!r} in a game of {expected!r}")
        difference = first_difference(view, game.view.view(bench.box, again[0], EVERYTHING))
        assert difference is None, broken(position, f"the view of the position read from a view differs: {difference}")


def _differing(states: Any, again: Any) -> str:
    fields = [name for name in states.dtype.names if states[name].tobytes() != again[name].tobytes()]
    return f"leads to another position: {', '.join(fields) or 'the bytes between the fields'} differ"


def check_records(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that a record, written and read again, replays to the same bytes: whole, in part, and from a position."""
    dice = random.Random(seed)
    kept: list[Position] = []
    for position in moments(game, players, options, seed, 0.03):
        kept.append(position.copy())
    for stage in kept:
        record = Record.of(stage)
        read = Record.from_json(record.to_json())
        assert read == record, broken(stage, "the record changes on its way through its file")
        replayed = read.check()
        same = (replayed.bytes(), replayed.played, replayed.options) == (stage.bytes(), stage.played, stage.options)
        assert same, broken(stage, "the record replays to another game")
        ply = dice.randrange(stage.ply + 1)
        assert read.replay(ply) == stage.at(ply), broken(stage, f"the record replays to another position at move {ply}")
    for stage in kept:
        view = json.loads(msgspec.json.encode(stage.view(EVERYTHING)))
        later = Position.from_view(game, players, options, view)
        assert later == stage, broken(stage, "Position.from_view gives another position")
        chance = Seeded(seed)
        for _ in range(5):
            if later.actor == CHANCE:
                later.push_chance(chance)
            elif not later.is_over:
                later.push_rows(choose(later, later.actor, dice))
        assert Record.from_json(Record.of(later).to_json()).check() == later, broken(
            later, "a game begun here replays wrong"
        )


def check_pictures(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that every viewer gets a text and a valid SVG in every language, and that neither shows what is hidden."""
    bench = Bench(game)
    painted: set[str] = set()

    def paint(text: str, colour: str) -> str:
        painted.add(colour)
        return text

    for position in moments(game, players, options, seed, 0.01):
        states = bench.state(position)
        for viewer in (*viewers(position), EVERYTHING):
            for language in LANGUAGES:
                with speaking(language):
                    text = position.text(viewer)
                    assert text.strip(), broken(position, f"viewer {viewer} gets an empty picture")
                    assert text == position.text(viewer, paint=paint), broken(
                        position, "paint changes more than colours"
                    )
                    for name in position.names():
                        assert name in text, broken(position, f"the picture for viewer {viewer} does not name {name}")
            drawing = position.svg(viewer, AWKWARD_NAMES[:players])
            _check_svg(position, drawing)
            if viewer != EVERYTHING:
                world = bench.concealed(states, viewer, A)[0]
                hidden = game.text.draw_text(bench.box, world, viewer, AWKWARD_NAMES, paint)
                same = hidden == position.text(viewer, AWKWARD_NAMES)
                assert same, broken(position, f"the picture for viewer {viewer} shows what is hidden")
                same = game.svg.draw_svg(bench.box, world, viewer, AWKWARD_NAMES) == drawing
                assert same, broken(position, f"the drawing for viewer {viewer} shows what is hidden")
    with speaking(LANGUAGES[-1]):
        for drawing in (position.svg(), *position.boards()):
            _check_svg(position, drawing)
    assert len(position.boards()) in (1, players), broken(position, "neither one shared board nor one for each seat")
    wrong = [colour for colour in painted if not re.fullmatch("#[0-9a-f]{6}", colour)]
    assert not wrong, f"{game.name}: paint is given {wrong} for a colour; colours are written #rrggbb"


def _check_svg(position: Position, drawing: str) -> None:
    try:
        root = ElementTree.fromstring(drawing)
    except ElementTree.ParseError as error:
        raise AssertionError(broken(position, f"the drawing is not XML: {error}")) from error
    assert root.tag == "{http://www.w3.org/2000/svg}svg", broken(position, "the drawing is not SVG")
    holes = [value for element in root.iter() for value in element.attrib.values() if HOLE.search(value)]
    assert not holes, broken(position, f"the drawing has numbers that are none: {holes}")
