/** Where on this board the number of a hint stands. */
import type { LanternesAnyMove } from "../../messages";

/** Return what finds the place or the piece of a move; null where it has none. */
export function placeOf(move: LanternesAnyMove): string | null {
  return move.kind === "place" ? `[data-place="${move.x},${move.y}"]` : null;
}
