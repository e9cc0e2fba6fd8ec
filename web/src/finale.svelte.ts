/**
 * The end of a game that was followed on this page: a last look at the board, then the points counted up category by
 * category, then the winner. The page of the result comes after it.
 */
import type { Play } from "./play.svelte";
import { scoring } from "./result";
import { settings } from "./settings.svelte";

/** Milliseconds at normal pace: for a last look, for a look that goes on, for all categories together, for the winner. */
const LOOKING = 3200;
const STAYING = 6000;
const COUNTING = 9000;
const WINNING = 3600;
/** The least and the most for one category. */
const [LEAST, MOST] = [650, 1500];

type Phase = "look" | "count" | "won" | "over";

export class Finale {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly #play: Play<any, any>;
  /** Whether this page has seen the game while it was played. */
  #isFollowed = $state(false);
  phase = $state<Phase>("look");
  /** How many categories are counted, the one that is being counted included. */
  counted = $state(0);
  /** How often the board was touched during the last look. */
  #touches = $state(0);

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  constructor(play: Play<any, any>) {
    this.#play = play;
  }

  /** Whether it is being shown. */
  get isOn(): boolean {
    const info = this.#play.info;
    const isOver = info?.status === "over" && info.result != null;
    return isOver && this.#isFollowed && this.phase !== "over" && settings.factor > 0;
  }

  /** The categories that anybody has points in. */
  get categories(): string[] {
    return scoring(this.#play.info!.result!).categories;
  }

  /** The points of all seats as far as they are counted. */
  get totals(): number[] {
    const counted = this.categories.slice(0, this.counted);
    const { categories, scores } = this.#play.info!.result!;
    if (this.phase === "won" || this.phase === "over") return scores;
    return categories.map((its) => counted.reduce((sum, name) => sum + its[name]!, 0));
  }

  /** Remember that the game is followed here; a game that goes on has its finale before it. */
  follow(): void {
    if (this.#play.info?.status !== "playing") return;
    this.#isFollowed = true;
    this.phase = "look";
    this.counted = 0;
  }

  /** Go on after a while, in an effect; returns what stops it. */
  run(): (() => void) | undefined {
    const category = this.phase === "count" ? this.categories[this.counted - 1] : undefined;
    this.#play.counting = category === undefined ? null : { category, totals: this.totals };
    if (!this.isOn || this.#play.story.showing !== null) return undefined;
    const count = Math.max(1, this.categories.length);
    const pause = {
      look: this.#touches > 0 ? STAYING : LOOKING,
      count: Math.min(MOST, Math.max(LEAST, COUNTING / count)),
      won: WINNING,
      over: 0,
    }[this.phase];
    void this.counted;
    // While the page is hidden the finale waits.
    const next = (): void => {
      if (document.hidden) document.addEventListener("visibilitychange", next, { once: true });
      else this.#next();
    };
    const timer = setTimeout(next, pause * settings.factor);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", next);
    };
  }

  #next(): void {
    if (this.phase === "won") this.skip();
    else if (this.counted < this.categories.length) {
      this.phase = "count";
      this.counted++;
    } else this.phase = "won";
  }

  /** Stay longer: somebody looks at the board. */
  stay(): void {
    if (this.phase === "look") this.#touches++;
  }

  /** Show the result at once. */
  skip(): void {
    this.phase = "over";
    this.#play.counting = null;
  }
}
