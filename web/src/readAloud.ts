/** What a letter key lets a screen reader say again: the last move, what one has, the points. */
import { plain } from "./sentences";
import type { Play } from "./play.svelte";
import { say } from "./words.svelte";

/** The last move of a player and what followed from it, in words. */
function lastMove(play: Play): string {
  const moves = play.log.filter((change) => change.kind === "moved");
  const last = moves.findLastIndex((move) => move.seat >= 0);
  return moves
    .slice(Math.max(last, 0))
    .flatMap((move) => move.told.map(plain))
    .join(" ");
}

/** The names of what lies before the player: the board marks it with data-own. */
function ownThings(): string {
  return [...document.querySelectorAll("[data-own]")]
    .flatMap((own) => [own, ...own.querySelectorAll("button, [role=img], [role=gridcell]")])
    .filter((thing) => thing.checkVisibility())
    .map((thing) => thing.getAttribute("aria-label"))
    .filter((name) => name !== null)
    .join(", ");
}

/** Everybody's points, as far as they are known. */
function points(play: Play): string {
  const scores = play.standing?.scores ?? [];
  return scores.map((score, seat) => say("web.heard.points", { who: play.name(seat), score })).join(", ");
}

/** What is said on a key: null where it asks for nothing. */
export function textForKey(key: string, play: Play): string | null {
  switch (key.toLowerCase()) {
    case "l":
      return lastMove(play) || say("web.heard.nothing");
    case "h":
      return ownThings() || say("web.heard.nothing");
    case "p":
      return points(play) || say("web.heard.nothing");
    default:
      return null;
  }
}
