"""What the site has beyond the pages of this folder: the games' rules, files of the root, and links to sources."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from lampion.games import registry
from lampion.locale import LANGUAGES, say, speaking

ROOT = Path(__file__).resolve().parents[2]
OURS = ("lanternes", "dice", "lumens", "iles")
FROM_ROOT = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md"}
HEADING = re.compile(r"^(#+ .*?) \{#([\w-]+)[^}]*\}$", re.MULTILINE)


def rules_page(name: str, language: str) -> str:
    """Return the rules of a game as players read them, with a picture of the game in play."""
    text = (registry.game(name).folder / f"rules.{language}.md").read_text(encoding="utf-8")
    with speaking(language):
        title = say(f"{name}.name")
    text = HEADING.sub(r"\1 { #\2 }", text)
    first, rest = text.split("\n", 1)
    return f"{first}\n\n![{title}](../pictures/{name}-day.webp)\n{rest}"


def decisions_page() -> str:
    """Return the list of decisions, each with its title."""
    lines = ["# Decisions", "", "Why the house is built as it is, half a page each.", ""]
    for file in sorted((ROOT / "docs" / "decisions").glob("0*.md")):
        title = file.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
        lines.append(f"- [{title}]({file.name})")
    return "\n".join(lines) + "\n"


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made from other files."""

    def add(place: str, content: str) -> None:
        files.append(File.generated(config, place, content=content))

    for name in OURS:
        for language in LANGUAGES:
            add(f"rules/{name}.{language}.md", rules_page(name, language))
    for source, place in FROM_ROOT.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        text = re.sub(r"\]\(docs/decisions/?\)", "](decisions/index.md)", text)
        add(place, re.sub(r"\]\(docs/", "](", text))
    add("decisions/index.md", decisions_page())
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Lead links to files of the repository to their pages; name those that have none, in place of a link."""
    markdown = re.sub(r"\]\(\.\./src/lampion/games/(\w+)/(rules)\.(\w+)\.md\)", r"](\2/\1.\3.md)", markdown)
    markdown = markdown.replace("](decisions/)", "](decisions/index.md)")
    for source, place in FROM_ROOT.items():
        up = "../" * page.file.src_uri.count("/")
        markdown = re.sub(rf"\]\((?:\.\./)*{re.escape(source)}(#[\w-]+)?\)", rf"]({up}{place}\1)", markdown)
    return re.sub(r"\[([^\]]+)\]\((?:\.\./)+(?:examples|web|src|tests|benchmarks)/[^)]*\)", r"\1", markdown)
