/** What moves would do, as the server says: asked for once and kept until the table moves on. */
import { Refused } from "./http";
import type { Outlook, Word } from "./messages";

type Key = (move: unknown) => string;

/** The most moves that are asked for in one wish. */
const MOST = 200;

/** Where answers come from. */
interface Source<Move> {
  ask: (moves: Move[], views: boolean) => Promise<Word>;
  /** The number of the last event, and the language in which the server answers. */
  now: () => { seq: number; language: string };
  /** The moves that are offered by the newest update. */
  offered: () => unknown[];
}

export class Outlooks<Move> {
  readonly #source: Source<Move>;
  #known = new Map<string, Outlook>();
  #at = -1;
  #language = "";

  constructor(source: Source<Move>) {
    this.#source = source;
  }

  /**
   * Return what moves would do, in their order, with the view after each if `views`. If the table moves on meanwhile,
   * moves that are still offered are asked for once more; of moves without an answer only the move is returned.
   */
  async of(moves: Move[], views: boolean): Promise<Outlook[]> {
    const key: Key = (move) => `${views ? "v" : ""}${JSON.stringify(move)}`;
    await this.#learn(moves, views, key);
    if (moves.some((move) => !this.#known.has(key(move)))) {
      const offered = new Set(this.#source.offered().map(key));
      const again = moves.filter((move) => offered.has(key(move)));
      await this.#learn(again, views, key);
    }
    return moves.map((move) => this.#known.get(key(move)) ?? { move });
  }

  /** Ask for what is not known, unless the table moves on meanwhile. */
  async #learn(moves: Move[], views: boolean, key: Key): Promise<void> {
    const { seq, language } = this.#source.now();
    if (this.#at !== seq || this.#language !== language) {
      this.#known.clear();
      this.#language = language;
      this.#at = seq;
    }
    const missing = moves.filter((move) => !this.#known.has(key(move)));
    for (let i = 0; i < missing.length; i += MOST) {
      const part = missing.slice(i, i + MOST);
      const word = await this.#source.ask(part, views).catch((error: unknown) => {
        if (error instanceof Refused && error.code === "stale") return null;
        throw error;
      });
      if (word?.say !== "previews" || word.seq !== this.#at) return;
      word.outlooks.forEach((found, j) => this.#known.set(key(part[j]), found));
    }
  }
}
