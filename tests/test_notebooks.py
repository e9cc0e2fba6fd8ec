"""The notebooks run from top to bottom, and carry nothing but their own words and code."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tiers import daily

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "examples" / "notebooks").glob("*.ipynb"))
SHORT = [notebook for notebook in NOTEBOOKS if notebook.stem == "write_a_bot"]

SHOW = "def show(value):\n    if value is not None:\n        print(value)\n"


def cells(notebook: Path, kind: str) -> list[dict[str, Any]]:
    """Return the cells of a kind."""
    return [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def as_program(code: str) -> str:
    """Return the code of a cell with its last expression shown in text, as a notebook would show it."""
    tree = ast.parse(code)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        last.value = ast.Call(ast.Name("show", ast.Load()), [last.value], [])
    return ast.unparse(ast.fix_missing_locations(tree))


@pytest.mark.parametrize("notebook", daily(NOTEBOOKS, *SHORT), ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    parts = [as_program("".join(one["source"])) for one in cells(notebook, "code")]
    program.write_text("\n".join([SHOW, *parts]), "utf-8")
    env = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, program], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_what_it_showed(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    whole = json.loads(text)
    assert (whole["nbformat"], whole["nbformat_minor"]) == (4, 5)
    assert text == json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    assert all(not one["outputs"] and one["execution_count"] is None for one in cells(notebook, "code"))
    assert len({one["id"] for one in whole["cells"]}) == len(whole["cells"])
    assert cells(notebook, "markdown")[0]["source"][0].startswith("# ")


def test_there_are_five() -> None:
    assert len(NOTEBOOKS) == 5
