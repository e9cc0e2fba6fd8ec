/** What is said of a game in a line: what one does in it, for how many it is, and how long it takes. */
import { say, translate, words } from "./words.svelte";

/** Return what one does in a game; a game that the pages do not know says it itself. */
export function aboutGame(game: string, own = ""): string {
  if (words.has(`web.about.${game}`)) return translate(`web.about.${game}`);
  return own || translate(`${game}.about`);
}

/** Return for how many players a game is and how long it takes: "2 to 4 players · 30 minutes". */
export function factsOf(game: string, players: number[]): string {
  const facts = [say("web.room.players", { least: players[0]!, most: players.at(-1)! })];
  if (words.has(`web.minutes.${game}`)) facts.push(translate(`web.minutes.${game}`));
  return facts.join(" · ");
}
