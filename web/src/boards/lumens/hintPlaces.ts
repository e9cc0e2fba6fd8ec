/** Where on this board the number of a hint stands. */
import type { LumensAnyMove } from "../../messages";

/** Return what finds the place or the piece of a move; null where it has none. */
export function placeOf(move: LumensAnyMove): string | null {
  if (move.kind === "place") return `[data-place="${move.x},${move.y}"]`;
  return move.kind === "face" ? `button[data-face="${move.face}"]` : null;
}
