/** What is said of a game in a line: what one does in it, for how many it is, and how long it takes. */
import { say, translate, words } from "./words.svelte";

/** Return what one does in a game: its line for the pages, or else what it says of itself everywhere. */
export function aboutGame(game: string, own = ""): string {
  if (words.has(`${game}.web.about`)) return translate(`${game}.web.about`);
  return own || translate(`${game}.about`);
}

/** Return how long a game takes, as a list; an empty one where the game does not say. */
export const minutesOf = (game: string): string[] =>
  words.has(`${game}.web.minutes`) ? [translate(`${game}.web.minutes`)] : [];

/** Return for how many players a game is and how long it takes: "2 to 4 players · 30 minutes". */
export function factsOf(game: string, players: number[]): string {
  return [say("web.room.players", { least: players[0]!, most: players.at(-1)! }), ...minutesOf(game)].join(" · ");
}
