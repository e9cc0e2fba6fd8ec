/** Where on this board the number of a hint stands. */
import type { IlesAnyMove } from "../../messages";

/** Return what finds the place or the piece of a move; null where it has none. */
export function placeOf(move: IlesAnyMove): string | null {
  switch (move.kind) {
    case "pile":
      return `[data-pile="${move.pile}"]`;
    case "take":
    case "hide":
      return `[data-slot="${move.slot}"]`;
    case "name":
      return `[data-island="${move.seat}"], .strip [data-seat="${move.seat}"]`;
    default:
      return null;
  }
}
