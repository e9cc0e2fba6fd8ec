"""What docs/bots.md says about names and programs is so."""

from __future__ import annotations

import re
from pathlib import Path

from lampion.adapters.schemas import FOLDER
from lampion.bots import named
from lampion.bots.names import known
from lampion.bots.program import LONGEST, PATIENCE, Program
from lampion.bots.program_messages import AskEnd, AskMove

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/bots.md").read_text(encoding="utf-8")


def test_every_name_is_there_and_every_effort_can_be_set() -> None:
    names = re.findall(r"^\| `([^`]+)` \|", TEXT.partition("## Write your own bot")[0], re.MULTILINE)
    assert set(known()) | {"cmd:PROGRAM"} <= set(names)
    efforts = [name for name in names if "=" in name]
    assert len(efforts) == 4
    for name in [*efforts, "cmd:PROGRAM"]:
        named(name)


def test_every_field_of_a_question_is_there() -> None:
    told = set(re.findall(r"`(\w+)`", TEXT)) | set(re.findall(r'"(\w+)":', TEXT))
    assert {*AskMove.__struct_fields__, *AskEnd.__struct_fields__, "ask"} <= told


def test_the_limits_are_those_in_the_code() -> None:
    maker = Program("", ("bot",))
    assert f"{LONGEST:,}" in TEXT
    assert f"; {maker.ms} where nothing is said" in TEXT
    assert (maker.grace, maker.start, PATIENCE) == (1000, 10_000, 0.5), "a second, ten seconds, half a second"


def test_the_files_it_names_exist() -> None:
    for name in re.findall(r"`([\w.]+\.json)`", TEXT):
        assert (FOLDER / name).exists(), name
    for name in re.findall(r"\]\(\.\./([^)#]+)\)", TEXT):
        assert (ROOT / name).exists(), name
