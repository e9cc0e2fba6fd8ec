"""The `chance` section of a record: where its chance came from, and checks that it agrees with the moves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from lampion.games.core import MOST_SEATS, Game
from lampion.games.move_types import Plain
from lampion.locale import Problem
from lampion.play.chance import Chance, Seeded
from lampion.play.fair import Promised, commitment, promise

MOST_UNDOS = 10_000
"""More than a table can hold: a server lets each of at most eight seats cause 1,000 events that are no moves."""
MOST_PLIES = 100_000

# `$` alone also matches before a final newline, which would shift the lines that are hashed.
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)", max_length=64)]
DigestOrNone = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$(?!\n)", max_length=64)]
Digits = Annotated[str, Meta(pattern=r"^[0-9a-f]*$(?!\n)", max_length=64)]
Ply = Annotated[int, Meta(ge=0, le=MOST_PLIES)]


class BadRecord(Problem):
    """A file that is not the record of a game, or not one that we can replay."""


class Undo(Plain, frozen=True, rename={"before": "from", "after": "to"}):
    """An undo that is recorded: the seat that asked, and how many moves there were before and after it."""

    seat: Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
    before: Ply
    after: Ply


class ChanceInfo(Plain, frozen=True, omit_defaults=True):
    """Where chance came from; typed-in chance says so."""

    kind: Literal["seeded", "entropy", "manual", "promised"]
    seed: int | None = None
    promise: Digest | None = None
    """Of promised chance: the hash of the secret, shown when the table was made."""
    secret: Digest | None = None
    commits: Annotated[tuple[DigestOrNone, ...], Meta(max_length=MOST_SEATS)] = ()
    """By person's seat the commitment that was sealed; records made before there were any have none at all."""
    nonces: Annotated[tuple[Digits, ...], Meta(max_length=MOST_SEATS)] = ()
    """By person's seat what was revealed; "" where nothing was."""
    undos: Annotated[tuple[Undo, ...], Meta(max_length=MOST_UNDOS)] = ()
    """Undos that took back a draw, in order, and those that went back further than the last of them. The epoch rises
    by one with each."""
    epochs: Annotated[tuple[tuple[Ply, Ply], ...], Meta(max_length=MOST_UNDOS)] = ()
    """Of older records, in place of `undos`: from which move on which epoch held, where it was not 0."""
    aborted: bool = False
    """Whether the commitments were sealed and the table closed before the game began."""

    def epoch_starts(self) -> list[tuple[int, int]]:
        """Return pairs of a move's number and the epoch that holds from it on, both rising; before the first it is 0.

        The epoch of move i is the largest j such that the j-th undo went back to i or fewer moves.
        """
        if self.epochs:
            return list(self.epochs)
        starts: list[tuple[int, int]] = []
        for epoch in range(len(self.undos), 0, -1):
            after = self.undos[epoch - 1].after
            if not starts or after < starts[-1][0]:
                starts.append((after, epoch))
        return starts[::-1]

    def stream(self, epoch: int = 0) -> Chance | None:
        """Return the stream that made the draws of an epoch; None where it is not known."""
        if self.kind == "seeded" and self.seed is not None:
            return Seeded(self.seed)
        if self.kind == "promised" and self.secret is not None:
            return Promised(self.secret, self.nonces, epoch)
        return None

    def check(self, people: Sequence[int], actors: Sequence[int], game: Game) -> None:
        """Raise BadRecord where the fields contradict each other, the seats or the moves.

        `people` are the seats of people. `actors` are the actor of each move and the one after the last: a seat, or a
        negative number.
        """
        if self.kind != "promised":
            if self != ChanceInfo(self.kind, self.seed if self.kind == "seeded" else None):
                raise BadRecord("record.not_promised", kind=self.kind)
            return
        if self.promise is None or (self.secret is not None and promise(self.secret) != self.promise):
            raise BadRecord("record.promise")
        if self.seed is not None:
            raise BadRecord("record.not_promised", kind=self.kind)
        self._check_nonces(people)
        self._check_epochs()
        self._check_undos(people, actors, game)
        if self.aborted and (len(actors) > 1 or not any(self.commits)):
            raise BadRecord("record.aborted")

    def _check_nonces(self, people: Sequence[int]) -> None:
        if len(self.nonces) != len(people) or len(self.commits) not in (0, len(people)):
            raise BadRecord("record.nonces", people=len(people), nonces=len(self.nonces), commits=len(self.commits))
        # An older record has no commitments.
        for seat, commit, nonce in zip(people, self.commits, self.nonces, strict=False):
            if nonce and (len(nonce) != 64 or commitment(nonce) != commit):
                raise BadRecord("record.commit", seat=seat + 1)

    def _check_epochs(self) -> None:
        if self.epochs:
            if self.commits or self.undos:
                raise BadRecord("record.epochs")
            pairs = [(0, 0), *self.epochs]
            if any(b[0] < a[0] or b[1] <= a[1] for a, b in pairwise(pairs)):
                raise BadRecord("record.epochs")

    def _check_undos(self, people: Sequence[int], actors: Sequence[int], game: Game) -> None:
        last: int | None = None
        for number, undo in enumerate(self.undos, start=1):
            if undo.seat not in people:
                raise BadRecord("record.undo_seat", number=number, seat=undo.seat + 1)
            # The seat's own move and the draw after it; the move alone where the undo before did not go back as far.
            goes_further = not game.simultaneous and last is not None and undo.after < last
            if not undo.after + (1 if goes_further else 2) <= undo.before <= game.longest:
                raise BadRecord("record.undo", number=number, before=undo.before, after=undo.after)
            last = undo.after
        if not self.undos:
            return
        for after, number in self.epoch_starts():
            seat, before = self.undos[number - 1].seat, self.undos[number - 1].before
            # What a person takes back is a decision: the first deal cannot be drawn anew, nor half of a roll.
            if after >= len(actors) or actors[after] < 0:
                raise BadRecord("record.undo", number=number, before=before, after=after)
            # No later undo went back as far, so the position there is the one it was, and the same seat decides.
            if not game.simultaneous and actors[after] != seat:
                raise BadRecord("record.undo_other", number=number, seat=seat + 1, other=actors[after] + 1)


def epoch_at(starts: Sequence[tuple[int, int]], ply: int) -> int:
    """Return the epoch of the move after `ply` others."""
    place = bisect_right(starts, ply, key=lambda pair: pair[0])
    return starts[place - 1][1] if place else 0


__all__ = ["BadRecord", "ChanceInfo", "Undo", "epoch_at"]
