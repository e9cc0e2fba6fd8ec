"""Ways to forge a record: each changes the data of one."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any

from lampion.games import registry
from lampion.games.editions import canonical, standard
from lampion.play.fair import commitment, promise
from lampion.play.recorded_chance import MOST_UNDOS

Data = dict[str, Any]


def swap_draws(data: Data) -> None:
    draws = [move for who, move in data["moves"] if who == "chance" and move["kind"] == "draw"]
    other = next(move for move in draws if move != draws[0])
    draws[0]["token"], other["token"] = other["token"], draws[0]["token"]


def change_last_draw(data: Data) -> None:
    """Keep the game up to its first draw, which is another one."""
    cut = next(i for i, (_, move) in enumerate(data["moves"]) if move["kind"] == "draw")
    del data["moves"][cut + 1 :], data["milliseconds"][cut + 1 :], data["result"], data["chance"]["undos"]
    data["moves"][cut][1]["token"] = (data["moves"][cut][1]["token"] + 1) % 3


def change_move(data: Data) -> None:
    [*_, last] = [move for who, move in data["moves"] if who != "chance"]
    last["x"], last["y"] = 0, 0


def drop_undos(data: Data) -> None:
    del data["chance"]["undos"]


def swap_undos(data: Data) -> None:
    data["chance"]["undos"].reverse()


def epochs_for_undos(data: Data) -> None:
    data["chance"]["epochs"] = [[undo["to"], i] for i, undo in enumerate(data["chance"].pop("undos"), start=1)]


def epochs_beside_undos(data: Data) -> None:
    data["chance"]["epochs"] = [[90, 4]]


def undo_by(seat: int) -> Callable[[Data], None]:
    """Return a forgery that names another seat in the first undo."""

    def change(data: Data) -> None:
        data["chance"]["undos"][0]["seat"] = seat

    return change


def undo_of(before: Any, after: Any) -> Callable[[Data], None]:
    """Return a forgery that puts other moves into the last undo."""

    def change(data: Data) -> None:
        data["chance"]["undos"][-1] |= {"from": before, "to": after}

    return change


def undo_of_a_draw(data: Data) -> None:
    to = next(i for i in range(30, 97) if data["moves"][i][0] == "chance")
    data["chance"]["undos"].append({"seat": 0, "from": to + 2, "to": to})


def undo_of_the_deal(data: Data) -> None:
    data["chance"]["undos"] = [{"seat": 0, "from": 4, "to": 0}]


def set_nonces(*nonces: Any) -> Callable[[Data], None]:
    """Return a forgery that writes these nonces."""

    def change(data: Data) -> None:
        data["chance"]["nonces"] = list(nonces)

    return change


def permute(data: Data) -> None:
    data["chance"]["nonces"].reverse()


def permute_with_commits(data: Data) -> None:
    data["chance"]["nonces"].reverse()
    data["chance"]["commits"].reverse()


def drop_commits(data: Data) -> None:
    data["chance"]["commits"].pop()


def other_secret(data: Data) -> None:
    data["chance"]["secret"] = "11" * 32


def other_promise(data: Data) -> None:
    data["chance"] |= {"secret": "11" * 32, "promise": promise("11" * 32)}


def more_chance(**fields: Any) -> Callable[[Data], None]:
    """Return a forgery that writes these fields of chance."""

    def change(data: Data) -> None:
        data["chance"] |= fields

    return change


def person_to_bot(data: Data) -> None:
    data["seats"][1] = {"name": "Ben", "kind": "bot", "level": "spark"}


def other_result(data: Data) -> None:
    data["result"]["scores"][0] += 1


def blame_the_other(data: Data) -> None:
    undo = data["chance"]["undos"][-1]
    undo["seat"] = 1 - undo["seat"]


def chance_by_nobody(data: Data) -> None:
    data["moves"] = [[None if who == "chance" else who, move] for who, move in data["moves"]]


def other_hash(data: Data) -> None:
    data["edition"]["hash"] = "0" * 64


A, B = ("01" * 32, "02" * 32)


FORGERIES: dict[str, tuple[Callable[[Data], None], str]] = {
    "another secret": (other_secret, "record.promise"),
    "another secret and its promise": (other_promise, "record.chance"),
    "a promise of 63 digits": (more_chance(promise="0" * 63), "record.wrong"),
    "a secret with a newline": (more_chance(secret="11" * 32 + "\n"), "bounds.letters"),
    "draws swapped": (swap_draws, "record.move"),
    "a draw changed": (change_last_draw, "record.chance"),
    "a move changed": (change_move, "record.move"),
    "the result changed": (other_result, "record.result"),
    "a nonce changed": (set_nonces(A, "03" * 32), "record.commit"),
    "a nonce added": (set_nonces(A, B, "03" * 32), "record.nonces"),
    "a nonce removed": (set_nonces(A), "record.nonces"),
    "no nonces": (set_nonces(), "record.nonces"),
    "a nonce not revealed after all": (set_nonces(A, ""), "record.chance"),
    "nonces permuted": (permute, "record.commit"),
    "nonces and commitments permuted": (permute_with_commits, "record.chance"),
    "a nonce of two lines": (set_nonces(A + "\n" + B, ""), "bounds.letters"),
    "a nonce that ends its line": (set_nonces(A, B + "\n"), "bounds.letters"),
    "a short nonce": (set_nonces(A, "ab"), "record.commit"),
    "a nonce of an odd number of digits": (set_nonces(A, "abc"), "record.commit"),
    "a nonce that is a number": (set_nonces(A, 2), "record.wrong"),
    "a nonce in capitals": (set_nonces(A, "AB" * 32), "record.wrong"),
    "a commitment removed": (drop_commits, "record.nonces"),
    "a commitment emptied": (more_chance(commits=["", commitment(B)]), "record.commit"),
    "a person made a bot": (person_to_bot, "record.nonces"),
    "undos dropped": (drop_undos, "record.chance"),
    "undos in another order": (swap_undos, "record.chance"),
    "epochs in place of undos": (epochs_for_undos, "record.epochs"),
    "epochs beside undos": (epochs_beside_undos, "record.epochs"),
    "another hash of the components": (other_hash, "record.edition"),
    "chance moved by nobody": (chance_by_nobody, "record.wrong"),
    "an undo blamed on the other seat": (blame_the_other, "record.undo_other"),
    "an undo of nobody": (undo_by(2), "record.undo_seat"),
    "an undo of a negative seat": (undo_by(-1), "record.wrong"),
    "an undo forward": (undo_of(17, 21), "record.undo"),
    "an undo of one move": (undo_of(18, 17), "record.undo"),
    "an undo from beyond the game": (undo_of(9_999, 17), "record.undo"),
    "an undo to beyond the record": (undo_of(110, 98), "record.undo"),
    "an undo of fractions": (undo_of(21.5, 17), "record.wrong"),
    "an undo of half a draw": (undo_of_a_draw, "record.undo"),
    "an undo of the first deal": (undo_of_the_deal, "record.undo"),
    "more undos than a table holds": (
        more_chance(undos=[{"seat": 0, "from": 21, "to": 17}] * (MOST_UNDOS + 1)), "record.wrong",
    ),
    "a seed as well": (more_chance(seed=7), "record.not_promised"),
    "never begun": (more_chance(aborted=True), "record.aborted"),
    "chance of another kind": (more_chance(kind="entropy"), "record.not_promised"),
    "an unknown field": (more_chance(luck=1), "record.wrong"),
}  # fmt: skip
"""By what was done: the forgery of a sealed game of Lumens, and the key of the reason why it is refused."""


def other_components(data: Data) -> None:
    """Exchange tiles under their numbers, and write the hash that fits."""
    components = data["edition"]["components"]
    components["tiles"]["lake"].reverse()
    data["edition"]["hash"] = hashlib.sha256(canonical(components)).hexdigest()


def other_first(data: Data) -> None:
    data["options"]["first"] = 1


def other_rules(data: Data) -> None:
    data["rules"] = 0


def bot_added(data: Data) -> None:
    data["players"] = 3
    data["seats"].append({"name": "spark", "kind": "bot", "level": "spark"})


def other_game(data: Data) -> None:
    data["game"] = "lumens"
    data["options"] = registry.game("lumens").read_options(2, None)
    data["edition"] = {"hash": standard("lumens").hash, "components": copy.deepcopy(dict(standard("lumens").data))}
