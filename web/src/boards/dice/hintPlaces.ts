/** Where on this board the number of a hint stands. */
import type { DiceAnyMove } from "../../messages";

/** Return what finds the place or the piece of a move; null where it has none. */
export function placeOf(move: DiceAnyMove): string | null {
  switch (move.kind) {
    case "shade":
      return `[data-large] [data-zone="${move.zone}"]`;
    case "launch":
      return `[data-stack="${move.shape}"]`;
    case "emperor":
      return `[data-emperor="${move.card}"]`;
    case "turn":
      return "[data-tray]";
    default:
      return null;
  }
}
