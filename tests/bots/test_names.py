"""How bots are named on every command line."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from lampion.bots import BadBot, BotFailed, named, net_files, split_names
from lampion.bots.greedy import GreedyBot
from lampion.bots.learned import Learned
from lampion.bots.levels import LEVELS, Level
from lampion.bots.names import is_bot, known, nearest_bot, title
from lampion.bots.program import Program
from lampion.bots.searcher import SearchBot
from lampion.engine.network import fixed_point, new_net
from lampion.games import registry
from lampion.games.editions import standard
from lampion.locale import Problem, speaking
from lampion.play import Position
from lampion.play.sight import sights


def test_every_bot_of_the_house_goes_by_its_name() -> None:
    assert list(known()) == ["random", "greedy", "learned", *LEVELS, "strongest"]
    for name in known():
        assert named(name).name == name
        assert named(f" {name} ").name == name


def test_the_strongest_is_the_highest_level() -> None:
    strongest = named("strongest")
    assert isinstance(strongest, Level)
    assert strongest.level == list(LEVELS)[-1]


@pytest.mark.parametrize(
    ("text", "sims", "ms", "threads"),
    [("sun:ms=200", 0, 200, 1), ("lighthouse:sims=5000", 5000, 0, 1), ("strongest:sims=10:threads=2", 10, 0, 2)],
)
def test_an_effort_is_set_behind_the_name(text: str, sims: int, ms: int, threads: int) -> None:
    maker = named(text)
    assert isinstance(maker, Level)
    assert maker.effort is not None
    assert (maker.effort.sims, maker.effort.ms, maker.effort.threads) == (sims, ms, threads)
    assert maker.name == text


@pytest.mark.parametrize(
    "text",
    [
        "", "nobody", "Sun", "sun:", "sun:ms", "sun:ms=", "sun:ms=0", "sun:ms=-1", "sun:ms=1.5", "sun:ms=²",
        "sun:ms=200:sims=5", "sun:ms=1:ms=2", "sun:sims=99999999999999999999999", "sun:threads=2", "sun:hours=1",
        "random:ms=5", "greedy:sims=5", "spark:sims=5",
        "cmd:", "cmd: ", "cmd:'./bot", "cmd:./bot:ms=", "cmd:./bot:ms=0", "cmd:./bot:ms=soon", "cmd:./bot:sims=5",
        "cmd:''", "cmd:./b\0t",
    ],
)  # fmt: skip
def test_a_text_that_names_no_bot_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(BadBot) as refused:
        named(text)
    for language in ("en", "fr"):
        with speaking(language):
            assert str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sun:sims=10000001", "sims is from 1 to 10000000"),
        ("cmd:./bot:ms=0", "ms is from 1 to 600000"),
        ("sun:threads=2", "needs ms= or sims="),
        ("sun:ms=1:sims=2", "one of them"),
        ("sun:fast", "Write ms="),
        ("cmd:./bot\udcff", "not UTF-8"),
    ],
)
def test_the_reason_says_what_is_wrong_with_an_effort(text: str, reason: str) -> None:
    with speaking("en"), pytest.raises(BadBot, match=reason):
        named(text)


def shipped_net(game: str) -> Path:
    """Return the file of a net that comes with a game."""
    return registry.game(game).folder / "nets" / "all.net"


def test_a_net_of_ones_own_is_set_behind_the_name() -> None:
    file = str(shipped_net("iles"))
    for text in (f"sun:net={file}", f"candle:net={file}", f"learned:net={file}", f"sun:ms=20:net={file}"):
        maker = named(text)
        assert isinstance(maker, Level | Learned)
        assert (maker.name, maker.net) == (text, file)
    assert isinstance(maker, Level)
    assert maker.effort is not None
    assert maker.effort.ms == 20


@pytest.mark.parametrize("name", ["sun", "lantern", "learned"])
def test_a_level_judges_by_the_net_that_it_is_given(name: str, tmp_path: Path) -> None:
    other = tmp_path / "other.net"
    iles = registry.game("iles")
    net = new_net(iles.items, iles.inputs, 8, (8, 8), seed=5)
    net_files.write(other, net_files.about(standard("iles"), [2], net), net)
    sight = sights(Position("iles", 2))[0]
    for bot, given in (
        (named(name), net_files.net_for(sight)),
        (named(f"{name}:net={other}"), net_files.read(other).net),
    ):
        seated = bot.sit(sight, 1)
        assert isinstance(seated, SearchBot | GreedyBot)
        workspace = seated.workspace if isinstance(seated, GreedyBot) else seated.workspaces[0]
        assert given is not None
        assert np.array_equal(workspace.arrays.net.last, fixed_point(given).last)


def test_a_net_is_refused_where_it_does_not_fit(tmp_path: Path) -> None:
    file = shipped_net("iles")
    two = file.with_name("2.net")
    (tmp_path / "no.net").write_text("no", encoding="utf-8")
    for text, reason in (
        (f"spark:net={file}", "does not judge by a net"),
        (f"greedy:net={file}", "does not judge by a net"),
        (f"sun:net={file}:net={file}", "twice"),
    ):
        with speaking("en"), pytest.raises(Problem, match=reason):
            named(text)
    for game, players, net, reason in (
        ("dice", 2, file, "trained for iles"),
        ("iles", 3, two, "for 2 players"),
        ("iles", 2, tmp_path, "cannot be read"),
        ("iles", 2, tmp_path / "no.net", "is not a net"),
    ):
        with speaking("en"), pytest.raises(Problem, match=reason):
            named(f"sun:net={net}").sit(sights(Position(game, players))[0], 1)


@pytest.mark.parametrize(
    ("text", "words", "ms"),
    [
        ("cmd:./bot", ("./bot",), 1000),
        ("cmd:./bot:ms=200", ("./bot",), 200),
        ("cmd:python3 'my bot.py' --fast", ("python3", "my bot.py", "--fast"), 1000),
        ("cmd:./bot http://here:80/x", ("./bot", "http://here:80/x"), 1000),
        ("cmd:./bot http://here:80/x:ms=50", ("./bot", "http://here:80/x"), 50),
        ("cmd:./bot 'a:ms=50'", ("./bot", "a:ms=50"), 1000),
    ],
)
def test_a_command_is_read_as_a_shell_would(text: str, words: tuple[str, ...], ms: int) -> None:
    maker = named(text)
    assert isinstance(maker, Program)
    assert (maker.words, maker.ms, maker.name) == (words, ms, text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sun,random", ["sun", "random"]),
        (" sun , cmd:./bot a , greedy", ["sun", "cmd:./bot a", "greedy"]),
        ("cmd:./bot 'a,b',sun", ["cmd:./bot 'a,b'", "sun"]),
        ('cmd:./bot "a,\'b",sun', ['cmd:./bot "a,\'b"', "sun"]),
        (r"cmd:./bot a\,b,sun", [r"cmd:./bot a\,b", "sun"]),
        ("L'Aline,d'Arc", ["L'Aline", "d'Arc"]),
        ("sun,,", ["sun", "", ""]),
    ],
)
def test_a_list_is_parted_at_commas_outside_quotation_marks(text: str, names: list[str]) -> None:
    assert split_names(text) == names


def test_a_quotation_mark_that_is_not_closed_is_refused() -> None:
    with pytest.raises(BadBot):
        split_names("cmd:./bot 'a,sun")


def test_a_person_is_told_from_a_bot() -> None:
    assert all(map(is_bot, ["sun", "sun:ms=200", "cmd:./bot", "random", "sun:oops"]))
    assert not any(map(is_bot, ["Sun", "Aline", "cmd", "me: the great", ""]))


def test_bots_have_names_in_the_language_of_the_people() -> None:
    with speaking("fr"):
        assert [title(text) for text in ("spark", "sun:ms=5", "strongest", "greedy")] == [
            "Étincelle", "Soleil", "Soleil", "Glouton",
        ]  # fmt: skip
        assert title("cmd:./bots/mine.py --fast:ms=50") == "mine.py --fast"


@pytest.mark.parametrize("text", ["random", "greedy", "spark", "sun:sims=5", "strongest", "cmd:./bot a:ms=9"])
def test_a_maker_can_be_sent_to_another_process(text: str) -> None:
    assert pickle.loads(pickle.dumps(named(text))) == named(text)


def test_a_failure_can_be_sent_back() -> None:
    failure = BotFailed("bot.failed.stalled", program="bot", ms=5)
    again = pickle.loads(pickle.dumps(failure))
    assert isinstance(again, BotFailed)
    assert str(again) == str(failure)


def test_a_bot_is_also_called_by_the_name_that_is_shown_in_any_case() -> None:
    with speaking("en"):
        assert split_names("Torch, CANDLE,Sun:ms=20,Aline") == ["lantern", "candle", "sun:ms=20", "Aline"]
        assert split_names("cmd:./Torch") == ["cmd:./Torch"]
    with speaking("fr"):
        assert split_names("flambeau,lantern,étincelle") == ["lantern", "lantern", "spark"]


def test_a_name_that_is_nearly_that_of_a_bot_is_noticed() -> None:
    with speaking("en"):
        assert [nearest_bot(name) for name in ("lantrn", "Torhc", "Aline", "Sam")] == ["lantern", "lantern", None, None]
