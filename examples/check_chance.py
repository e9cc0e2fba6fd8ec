"""Was the chance of this game what was promised? A second opinion that shares no code with the server.

    python examples/check_chance.py RECORD.json [SEAL]

SEAL is what was shown at the table when the game began, whole or its first 16 digits. The program is written from
docs/fair-play.md alone and imports the standard library alone. It asks `lampion stdio` for the rules: a process that is
told the moves and says what could be drawn next, and never sees the secret. The exit status is 0 where every draw is
accounted for, else 1.
"""

import hashlib
import hmac
import json
import re
import subprocess
import sys
from itertools import pairwise

DIGEST, DIGITS = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{0,64}")
FIELDS = {"kind", "promise", "secret", "commits", "nonces", "undos", "epochs", "aborted"}
MOST_UNDOS = 10_000


class Forged(Exception):
    """What is wrong with a record."""


def must(is_so, reason):
    """Refuse a record."""
    if not is_so:
        raise Forged(reason)


def sha256(text):
    """The SHA-256 of bytes in hexadecimal, in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


def canonical(data):
    """Data as JSON in the one layout that is hashed."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def seal_of(data, people):
    """The hash of the promise, of what is played, and of the seats with their commitments."""
    commits = dict(zip(people, data["chance"]["commits"], strict=True))
    seats = [commits[seat] or "-" if seat in commits else "bot" for seat in range(data["players"])]
    terms = [data["game"], data["rules"], data["players"], canonical(data["options"]), data["edition"]["hash"]]
    lines = ["lampion seal 2", data["chance"]["promise"], *terms, *seats]
    return hashlib.sha256("\n".join(map(str, lines)).encode()).hexdigest()


def is_count(number):
    """Whether something is a whole number from 0 on."""
    return type(number) is int and number >= 0


def check_promise(chance, people):
    """The secret is the one that was promised, the nonces those that were committed to."""
    must(set(chance) <= FIELDS, "The chance has a field that promised chance has not.")
    texts = [chance["promise"], chance["secret"]]
    must(all(type(one) is str and DIGEST.fullmatch(one) for one in texts), "A promise or a secret has 64 digits.")
    must(sha256(chance["secret"]) == chance["promise"], "The secret is not the one that was promised.")
    nonces, commits = chance.get("nonces", []), chance.get("commits", [])
    must(type(nonces) is list and type(commits) is list, "Nonces and commitments are lists.")
    must(len(nonces) == len(people), f"There are {len(people)} people and {len(nonces)} nonces.")
    must(len(commits) in (0, len(people)), f"There are {len(people)} people and {len(commits)} commitments.")
    must(all(type(one) is str and DIGITS.fullmatch(one) for one in nonces), "A nonce has up to 64 digits.")
    must(
        all(type(one) is str and (one == "" or DIGEST.fullmatch(one)) for one in commits),
        "A commitment has 64 digits, or none.",
    )
    for seat, commit, nonce in zip(people, commits, nonces, strict=False):  # an older record has no commitments
        is_kept = nonce == "" or (len(nonce) == 64 and sha256(nonce) == commit)
        must(is_kept, f"The nonce of seat {seat + 1} is not the one it committed to.")


def check_terms(data):
    """The game begins at its set-up, and its components are those of the hash."""
    must(data.get("start") is None, "A game whose chance was promised begins at its set-up, not at a position.")
    must(type(data["game"]) is str and is_count(data["rules"]) and is_count(data["players"]), "A game, a version of "
         "its rules and a number of players are a text and whole numbers.")  # fmt: skip
    found = hashlib.sha256(canonical(data["edition"]["components"]).encode()).hexdigest()
    must(found == data["edition"]["hash"], f"The hash of the components is {found}.")
    kinds = {seat.get("kind", "human") for seat in data["seats"]}
    must(kinds <= {"human", "bot"}, "At a seat is a human or a bot.")
    must(len(data["seats"]) == data["players"], "There are not as many seats as players.")


def epochs_of(chance, people, movers, game):
    """By number of a move the epoch it was drawn in. `movers` has who made each move, and who acts after the last."""
    undos, epochs = chance.get("undos", []), chance.get("epochs", [])
    must(not epochs or not (undos or chance.get("commits")), "The epochs are not those of undos in the record.")
    must(type(undos) is list and len(undos) <= MOST_UNDOS, "No table holds so many undos.")
    is_in_turn = not game["simultaneous"]
    last = -1
    for undo in undos:
        must(type(undo) is dict and set(undo) == {"seat", "from", "to"}, "An undo has seat, from and to.")
        must(all(map(is_count, undo.values())), "An undo has whole numbers.")
        must(undo["seat"] in people, f"An undo was asked by seat {undo['seat'] + 1}, where no person sits.")
        least = 1 if is_in_turn and undo["to"] < last else 2
        is_possible = undo["to"] + least <= undo["from"] <= game["longest"]
        must(is_possible, f"No undo goes from {undo['from']} back to {undo['to']}.")
        last = undo["to"]
    starts = [(since, epoch) for since, epoch in epochs]
    lowest = len(movers)
    for number in range(len(undos), 0, -1):
        to = undos[number - 1]["to"]
        if to < lowest:  # a later undo that went back further has taken the moves after it away
            must(movers[to] not in ("chance", None), f"Undo {number} goes back to where nobody decides.")
            is_own = not is_in_turn or movers[to] == undos[number - 1]["seat"]
            must(is_own, f"Undo {number} goes back to a decision of another seat.")
            starts.insert(0, (to, number))
            lowest = to
        must(number < len(undos) or to == lowest, f"Undo {number} goes back to a move that is not in the record.")
    pairs = [(0, 0), *starts]
    is_rising = all(a[0] <= b[0] and a[1] < b[1] for a, b in pairwise(pairs))
    must(is_rising, "The epochs do not rise.")
    return lambda move: max([epoch for since, epoch in starts if since <= move], default=0)


def drawn(secret, nonces, epoch, source, k, weights):
    """Which outcome the k-th draw from a source must have had, as a place in the list of weights."""
    total = sum(weights)
    for block in range(1000):
        text = "\n".join(["lampion 1", *nonces, f"{epoch} {source} {k} {block}"])
        digest = hmac.new(bytes.fromhex(secret), text.encode(), hashlib.sha256).digest()
        for i in range(0, 32, 8):
            number = int.from_bytes(digest[i : i + 8], "big")
            if number < 2**64 - 2**64 % total:
                point = number % total
                return next(at for at in range(len(weights)) if sum(weights[: at + 1]) > point)


class Rules:
    """`lampion stdio`, which knows what could be drawn."""

    def __init__(self, command=(sys.executable, "-m", "lampion", "--lang", "en", "stdio")):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, **request):
        """The answer to a request; Forged where it is refused."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        must(answer["ok"], answer.get("reason"))
        return answer

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def check_draws(data, people, rules):
    """Replay the game and compute every draw; the number of draws."""
    chance, moves = data["chance"], data["moves"]
    game = {one["name"]: one for one in rules.ask(do="games")["games"]}[data["game"]]
    must(data["rules"] <= game["rules"], f"These rules are of version {game['rules']}.")
    begin = {"game": data["game"], "players": data["players"], "options": data["options"]}
    answer = rules.ask(do="new", **begin, components=data["edition"]["components"], chance="manual")
    asked, draws = [], {}
    for who, move in moves:  # once to see who decides when, once with the epochs that follow from it
        is_drawn = answer["actor"] == "chance"
        must(who == "chance" if is_drawn else is_count(who), f"Move {len(asked) + 1} is not one of {who}.")
        asked.append(rules.ask(do="legal", seat="chance") if is_drawn else None)
        answer = rules.ask(do="play", move=move, seat=who)
    epoch_of = epochs_of(chance, people, [*(who for who, _ in moves), answer["actor"]], game)
    for number, (possible, (_, move)) in enumerate(zip(asked, moves, strict=True)):
        if possible is not None:
            source = possible["source"]
            k = draws[source] = draws.get(source, -1) + 1
            outcomes = sorted(possible["moves"], key=lambda one: one["id"])
            weights = [one["weight"] for one in outcomes]
            due = outcomes[drawn(chance["secret"], chance["nonces"], epoch_of(number), source, k, weights)]["move"]
            must(due == move, f"Move {number + 1} was not drawn as promised: it must have been {due}.")
    must(data.get("result") in (None, rules.ask(do="result")["result"]), "The result is not that of the moves.")
    return sum(draws.values()) + len(draws), answer["actor"] is None


def check(data, seal, rules):
    """What to tell of a record, line by line, and whether every draw is accounted for."""
    chance, names = data["chance"], [ascii(seat["name"]) for seat in data["seats"]]
    must(chance["kind"] == "promised" and "secret" in chance, f"Nothing to check: chance was {chance['kind']}, or its "
         "secret is not in the file.")  # fmt: skip
    check_terms(data)
    people = [number for number, seat in enumerate(data["seats"]) if seat.get("kind", "human") == "human"]
    check_promise(chance, people)
    found = seal_of(data, people) if any(chance.get("commits", [])) else "none"
    if seal is not None:
        must(len(seal) >= 16 and found.startswith(seal), f"The seal of this record is {found}, not {seal}.")
    must(not chance.get("aborted") or not data["moves"], "A game that never began has no moves.")
    draws, is_over = check_draws(data, people, rules)
    commits, nonces = chance.get("commits") or [""] * len(people), chance["nonces"]
    rows = list(zip(people, commits, nonces, strict=True))
    added = [names[seat] for seat, _, nonce in rows if nonce]
    missing = [names[seat] for seat, commit, nonce in rows if commit and not nonce]
    lines = [f"{draws} draws follow from the secret that was promised.", f"Seal: {found}"]
    lines += [f"Added to the chance: {', '.join(added) or 'nobody, so the server alone chose it'}."]
    lines += [f"Committed and did not reveal: {', '.join(missing)}."] if missing else []
    if added and not any(commits):
        lines.append("Not proven: the nonces were not committed to, so the last of them could be chosen for its deal.")
    if chance.get("epochs"):
        lines.append("Not proven: no undo in the record accounts for its epochs.")
    undos = chance.get("undos", [])
    lines += [f"Draws were taken back {len(undos)} times."]
    lines += [f"  {names[undo['seat']]} asked: from move {undo['from']} back to move {undo['to']}" for undo in undos]
    if chance.get("aborted"):
        lines.append("The start was broken off: the table was sealed, and closed before the game began.")
    elif not is_over:
        lines.append("The table was closed before the end of the game.")
    return lines, not chance.get("epochs")


def main(file, seal=None):
    """Check a file; the exit status."""
    with open(file, encoding="utf-8") as text:
        data = json.load(text)
    rules = Rules()
    try:
        lines, is_proven = check(data, seal, rules)
    except (Forged, AttributeError, LookupError, TypeError, ValueError) as problem:
        lines, is_proven = [f"Refused: {problem}"], False
    finally:
        rules.close()
    print("\n".join(lines))
    return 0 if is_proven else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
