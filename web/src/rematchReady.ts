/** A rematch: the same people in the same seats of another table. */
import type { Play } from "./play.svelte";

/** Whether this page may start a rematch now: everybody is there, with their share in the fair play. */
export function isComplete(play: Play): boolean {
  const info = play.info;
  if (info === null || info.after == null || info.status !== "open" || info.seal != null) return false;
  if (play.link !== "open" || !play.isHost) return false;
  return info.seats.every(
    (seat, i) => seat.kind === "bot" || (seat.kind === "human" && !!seat.commit && play.here.includes(i)),
  );
}
