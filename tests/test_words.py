"""The words people read: the same in every language, as the language writes them, and none too few or too many."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from lampion.locale import LANGUAGES
from lampion.play.tutorial import tutorial
from lampion.testing.tutorials import texts

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "lampion"
GAMES = sorted(path.parent.name for path in (HOUSE / "games").glob("*/fr.json"))
FOLDERS = [HOUSE / "locale", HOUSE / "locale" / "web", *(HOUSE / "games" / game for game in GAMES)]
PAGES = sorted(path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".svelte", ".ts"))

NARROW, WIDE = "\u202f", "\u00a0"
SLIPS = {
    "no narrow space before ; ! ? or %": re.compile(rf"[^{NARROW}][;!?%](?!\w)"),
    "no fixed space before a colon": re.compile(rf"[^{WIDE}]:(?=[\s*]|$)"),
    "no fixed space inside « »": re.compile(rf"«(?!{WIDE})|(?<!{WIDE})»"),
    "a straight apostrophe": re.compile(r"\w'[\w{«]"),
    "a straight quotation mark": re.compile(r'"'),
}
FOR_A_MACHINE = re.compile(r"\{\{.*?\}\}|\bcmd: |pip install (?:-e )?[\"']?[\w\[\]{}]+[\"']?")


@cache
def words(folder: Path, language: str) -> dict[str, str]:
    text = (folder / f"{language}.json").read_text(encoding="utf-8")
    pairs: list[tuple[str, str]] = json.loads(text, object_pairs_hook=list)
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), f"twice: {sorted({key for key in keys if keys.count(key) > 1})}"
    found = dict(pairs)
    return found


def taught(game: str, language: str) -> list[tuple[str, str]]:
    """Every text of a game's tutorial with where it stands."""
    script = tutorial(game)
    return [] if script is None else [(where, text[language]) for where, text in texts(script)]


def french() -> list[tuple[str, str]]:
    """Every French text with where it stands."""
    said = [(key, text) for folder in FOLDERS for key, text in words(folder, "fr").items()]
    for path in sorted((HOUSE / "games").glob("*/rules.fr.md")):
        lines = path.read_text(encoding="utf-8").splitlines()
        said += [(f"{path.parent.name}:{i}", re.sub(r" \{#.*\}$", "", line)) for i, line in enumerate(lines, 1)]
    return said + [(f"{game}: {where}", text) for game in GAMES for where, text in taught(game, "fr")]


@pytest.mark.parametrize("slip", SLIPS)
def test_french_is_written_as_french_is(slip: str) -> None:
    found = [f"{where}: {text}" for where, text in french() if SLIPS[slip].search(FOR_A_MACHINE.sub("", text))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_languages_have_the_same_keys(folder: Path) -> None:
    keys = [list(words(folder, language)) for language in LANGUAGES]
    assert keys[0] == keys[1]


# One word a thing: the word a game's texts use, and patterns of other words for the same thing.

OTHER_WORDS = {
    ("lanternes", "en"): {
        "pay": r"cards? for (2|two) boats",
        "boats": r"ships?|canoes?|junks?",
        "platform": r"symbols?|emblems?|docks?",
        "set": r"combinations?",
        "put back": r"discard\w*",
        "matches": r"sides? meets?",
        "supply": r"stock|bank",
        "turn": r"rounds?",
    },
    ("lanternes", "fr"): {
        "payer": r"cartes?( lanternes?)? contre (2|deux) bateaux",
        "bateaux": r"barques?|jonques?|canots?|canoës?",
        "ponton": r"symboles?|plateformes?|emblèmes?",
        "combinaison": r"séries?|ensembles? de cartes",
        "rendre": r"défauss\w*",
        "correspond": r"appari\w*|coïncid\w*",
        "case": r"places? (libres?|vides?|du lac)",
        "dessus": r"sommet",
        "réserve": r"stock|banque",
        "tour": r"manches?",
    },
    ("dice", "en"): {
        "shade": r"(fill|paint|grey|blacken)(s|ed|ing)?",
        "pond": r"pools?|basins?",
        "zone": r"triangles?|areas?|regions?",
        "platform": r"pontoons?|docks?|jett(y|ies)",
        "quarter turn": r"by (\d|a|one|two|three) (corners?|quarters?)",
        "emperor card": r"emperor['’]s cards?",
        "turn": r"rounds?",
    },
    ("dice", "fr"): {
        "noircir": r"(gris|ombr|color|colori|teint|hachur|rempl|coch)(er|ez|e|é|ée|és|ées|ir|issez|it|i|ie|is|ies)",
        "bassin": r"étangs?|mares?|cases?",
        "zone": r"triangles?|secteurs?",
        "ponton": r"plateformes?|quais?|embarcadères?",
        "quart de tour": r"d(e |’)(\d|un|une|deux|trois) coins?",
        "carte empereur": r"cartes? de l’empereur",
        "ligne": r"rangées?",
        "piste": r"plateaux?",
        "lancer": r"faire partir",
        "payer": r"offr\w+ \d? ?cadeaux?",
        "tour": r"manches?",
    },
    ("lumens", "en"): {
        "place": r"mov(e|es|ed|ing)",
        "token": r"pieces?|tiles?|counters?|discs?",
        "passage": r"corridors?|hallways?",
        "start marker": r"on (your|their|the own) start(?! marker)",
        "turn": r"rounds?",
    },
    ("lumens", "fr"): {
        "poser": r"(avanc|déplac|boug)\w+",
        "jeton": r"pions?|tuiles?|disques?",
        "salle": r"pièces?|chambres?",
        "passage": r"couloirs?",
        "ligne": r"trajectoires?",
        "rangée": r"(une|la|sa) ligne (et|ou) (d’)?(une|la|sa) colonne",
        "marqueur de départ": r"(sur|case de) (votre |son )?départ",
        "hors jeu": r"éliminée?s?",
        "tour": r"manches?",
    },
    ("iles", "en"): {
        "round": r"(a|the|this|that|each|every|next|last|your) turn",
        "tile": r"cards?",
        "pile": r"stacks?|decks?",
        "lookout": r"watchm[ae]n",
        "row": r"lines?",
    },
    ("iles", "fr"): {
        "tour": r"manches?",
        "ligne": r"rangées?",
        "pioche": r"piles?|tas",
        "tuile": r"cartes?",
        "case": r"désignez un emplacement",
        "révélée": r"(tuile|fois|est) retournée",
        "plateau de personnage": r"plateau du personnage",
        "sorte": r"types?",
        "dromadaire": r"chameaux?",
        "vigie": r"guetteu\w+",
    },
}


def texts_of(game: str, language: str) -> list[tuple[str, str]]:
    """Return every text about a game with where it stands, without its placeholders and marks."""
    said = list(words(HOUSE / "games" / game, language).items())
    for folder in (HOUSE / "locale", HOUSE / "locale" / "web"):
        said += [(key, text) for key, text in words(folder, language).items() if game in key.split(".")]
    rules = HOUSE / "games" / game / f"rules.{language}.md"
    said += [(rules.name, block) for block in rules.read_text(encoding="utf-8").split("\n\n")]
    said += taught(game, language)
    return [(where, re.sub(r"[ \n]+", " ", re.sub(r"\{[^}]*\}|\*\*", "", text))) for where, text in said]


def other_words(said: list[tuple[str, str]], pattern: str) -> list[str]:
    """Return the texts that match a pattern of whole words."""
    found = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return [f"{where}: {text}" for where, text in said if found.search(text)]


@pytest.mark.parametrize(("game", "language"), OTHER_WORDS)
def test_a_game_says_one_word_a_thing(game: str, language: str) -> None:
    said = texts_of(game, language)
    for word, pattern in OTHER_WORDS[game, language].items():
        assert any(word in text.lower() for _, text in said), f"nobody says {word}"
        found = other_words(said, pattern)
        assert not found, "\n".join([f"the word is {word}", *found])


def test_french_says_robot_everywhere() -> None:
    assert not other_words([(where, re.sub(r"\{[^}]*\}|cmd:\S+|--\w+", "", text)) for where, text in french()], "bots?")


# The browser: its keys are literals, or put together from a literal with gaps.

GAP = r"\$\{[^}]*\}"
BEGINNING = "|".join(["web", "bot", "outcome", "seat", "table", "server", *GAMES, r"\$\{[\w.]*game\}"])
KEY = re.compile(rf"""(["'`])((?:{BEGINNING})(?:\.(?:\w|{GAP})+)+)\1""")


def asked() -> dict[str, re.Pattern[str]]:
    """What the pages ask the catalogue for."""
    found = {}
    for path in PAGES:
        for _, key in KEY.findall(path.read_text(encoding="utf-8")):
            pattern = r"[^.]+".join(re.escape(part) for part in re.split(GAP, key))
            found[key] = re.compile(rf"{pattern}(\.one|\.other)?")
    return found


def test_every_word_a_page_asks_for_is_there() -> None:
    known = [key for folder in FOLDERS for key in words(folder, "en")]
    missing = [key for key, pattern in asked().items() if not any(pattern.fullmatch(one) for one in known)]
    assert not missing, f"no words for {', '.join(missing)}"
    assert len(asked()) > 200


def test_every_word_for_a_page_is_asked_for() -> None:
    patterns = asked().values()
    kept = [key for folder in FOLDERS for key in words(folder, "en") if "web" in key.split(".")[:2]]
    unused = [key for key in kept if not any(pattern.fullmatch(key) for pattern in patterns)]
    assert not unused, f"nobody says {', '.join(unused)}"
