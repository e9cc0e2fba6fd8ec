"""Was the chance of this game what the server had promised? An answer that does not trust the server's own code.

    python examples/check_chance.py RECORD.json [PROMISE]

PROMISE is what was shown when the table was made, as you wrote it down. Lampion is asked only what the rules leave to
chance at every move: the number of the source, and what could be drawn with which weights. All the arithmetic is here,
as docs/fair-play.md tells it.
"""

import hashlib
import hmac
import json
import sys

from lampion.play import Record


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


def main(file, promise=None):
    """Go through the game, draw by draw."""
    with open(file, encoding="utf-8") as text:
        data = json.load(text)
    chance = data["chance"]
    if chance["kind"] != "promised" or "secret" not in chance:
        sys.exit(f"Nothing to check: chance was {chance['kind']}, or its secret is not in the file.")
    if hashlib.sha256(bytes.fromhex(chance["secret"])).hexdigest() != (promise or chance["promise"]):
        sys.exit("The secret is not the one that was promised.")
    position, epochs, draws = Record.from_data(data).opening(), dict(chance.get("epochs", [])), {}
    epoch = 0
    for number, (who, move) in enumerate(data["moves"]):
        epoch = epochs.get(number, epoch)
        if who == "chance":
            source, possible = position.source, position.chances()
            k = draws[source] = draws.get(source, -1) + 1
            weights = [weight for _, weight in possible]
            due = drawn(chance["secret"], chance.get("nonces", []), epoch, source, k, weights)
            if position.id_of(possible[due][0]) != position.id_of(move):
                sys.exit(f"Move {number + 1} was not drawn as promised: it must have been {possible[due][0]}.")
        position.push(move, -1 if who == "chance" else who)
    print(f"All {sum(draws.values()) + len(draws)} draws are as promised.")


if __name__ == "__main__":
    main(*sys.argv[1:])
