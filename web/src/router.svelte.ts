/** Routing by the part of the address behind the #, so that a code in a link never reaches a server's log. */
import { tick } from "svelte";
import { leaveTo } from "./back.svelte";

export type Place =
  | { page: "room" }
  | { page: "table"; id: string; code: string | null }
  | { page: "replay"; id: string; ply: number | null; eyes: string }
  | { page: "analysis"; id: string; ply: number | null; tries: boolean }
  | { page: "puzzles" | "exercises"; game: string | null; id: string | null }
  | { page: "board"; id: string; table: string; ply: number }
  | { page: "rules"; game: string }
  | { page: "host" };

/** What cannot be read stays as it is: no table has such a name. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parse(hash: string): Place {
  const [page, id, more, last] = hash.replace(/^#\/?/, "").split("/").map(decode);
  if (page === "t" && id) return { page: "table", id, code: more ?? null };
  if (page === "replay" && id)
    return { page, id, ply: more === undefined ? null : Number(more) || 0, eyes: last ?? "all" };
  if (page === "analysis" && id)
    return { page, id, ply: more === undefined ? null : Number(more) || 0, tries: last === "try" };
  if (page === "puzzles" || page === "exercises") return { page, game: id ?? null, id: more ?? null };
  if (page === "board") return { page, id: id ?? "", table: more ?? "", ply: Number(last) || 0 };
  if (page === "rules" && id) return { page: "rules", game: id };
  if (page === "host" || page?.startsWith("admin=")) return { page: "host" };
  return { page: "room" };
}

class Router {
  place = $state<Place>(parse(location.hash));
  /** How far down each page was when it was left. */
  readonly #left = new Map<Place["page"], number>();

  constructor() {
    addEventListener("hashchange", () => this.#change(parse(location.hash)));
  }

  #change(place: Place): void {
    const isOther = place.page !== this.place.page;
    if (isOther) this.#left.set(this.place.page, scrollY);
    this.place = place;
    if (isOther && place.page !== "room") void tick().then(() => scrollTo(0, 0));
  }

  /** Return how far down a page was when it was left. */
  leftAt(page: Place["page"]): number {
    return this.#left.get(page) ?? 0;
  }

  go(hash: string): void {
    leaveTo(hash);
  }
}

export const router = new Router();
/** The analysis board: a new one, one that was kept, or one from a moment of a finished game. */
export const boardLink = (id = "", table?: string, ply = 0): string =>
  `#board/${encodeURIComponent(id)}${table === undefined ? "" : `/${encodeURIComponent(table)}/${ply}`}`;
export const tableLink = (id: string): string => `#t/${encodeURIComponent(id)}`;
/** A moment of a finished game; through the eyes of a seat, where given. */
export const replayLink = (id: string, ply: number, eyes = "all"): string =>
  `#replay/${encodeURIComponent(id)}/${ply}${eyes === "all" ? "" : `/${eyes}`}`;
/** The page that tells what decided a game; one of its decisions on the board, or as an exercise. */
export const analysisLink = (id: string, ply?: number, tries = false): string =>
  `#analysis/${encodeURIComponent(id)}${ply === undefined ? "" : `/${ply}`}${tries ? "/try" : ""}`;
/** The page of puzzles, or one of them. */
export const puzzleLink = (game?: string, id?: string): string => (game ? `#puzzles/${game}/${id}` : "#puzzles");
/** The exercises of a game, or one of them. */
export const exerciseLink = (game: string, id = ""): string => `#exercises/${game}${id && `/${id}`}`;
