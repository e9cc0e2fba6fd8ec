"""An analysis in the terminal: a table of the players, the turning points, and what cost most."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from lampion.insight.analysis_types import Analysis, PlayerFigures
from lampion.insight.page import PLAYERS, player_rows
from lampion.insight.words import AnalysisWords
from lampion.locale import say
from lampion.play.record import Record

WIDTH = 110
MOST_DECISIONS = 3
"""The most costly decisions that are shown for each player."""


def show(record: Record, analysis: Analysis) -> None:
    """Print an analysis."""
    console = Console(width=WIDTH if not sys.stdout.isatty() else None, highlight=False, soft_wrap=True)
    words = AnalysisWords(record, analysis)
    print(say("analysis.title", game=say(f"{analysis.game}.name")))
    print(say(f"analysis.judged.{analysis.source}", simulations=analysis.settings.simulations))
    print()
    console.print(players_table(analysis))
    print(say("analysis.reading"))
    print()
    print(say("analysis.turning_points"))
    for moment in analysis.turning_points:
        print(f"  {say('analysis.at', ply=moment.first)} {words.moment(moment)}")
    if not analysis.turning_points:
        print("  " + say("analysis.no_turning_points"))
    for player in analysis.players:
        print()
        show_player(words, player)


def players_table(analysis: Analysis) -> Table:
    """Return the figures of all players as a table."""
    table = Table(box=None, pad_edge=False)
    for column in PLAYERS:
        table.add_column(say(f"analysis.head.{column}"), justify="left" if column == "player" else "right")
    for row in player_rows(analysis):
        table.add_row(*row)
    return table


def show_player(words: AnalysisWords, player: PlayerFigures) -> None:
    """Print a player's costliest decisions and moments."""
    who = words.names[player.seat]
    if player.costly:
        print(say("analysis.costly", who=who, decisions=player.decisions, count=player.costly))
    else:
        print(say("analysis.costly_none", who=who, decisions=player.decisions))
    for step in words.costliest(player.seat, MOST_DECISIONS):
        print("  " + words.cost(step))
    if player.best is not None:
        print("  " + say("analysis.best_moment", ply=player.best.first, what=words.moment(player.best)))
    if player.worst is not None:
        print("  " + say("analysis.worst_moment", ply=player.worst.first, what=words.moment(player.worst)))
