/** The moves of others, shown one after another, and once more on demand. */
import type { Change } from "./changeLog";
import type { Looked, MovedChange, SeatView, TableInfo, Update, Word } from "./messages";
import { settings } from "./settings.svelte";

/** Milliseconds at normal pace: before a move of somebody else is shown, and while it can be read. */
const BEFORE = 250;
const READING = 1700;
/** The pace of a story that is asked for where nothing moves. */
const STILL = 0.8;
/** The longest that an animation may take. */
const LONGEST = 8000;

/** What a story needs of the table that it shows. */
export interface Stage {
  past: Looked | null;
  readonly mine: SeatView | null;
  readonly info: TableInfo | null;
  readonly animator: ((update: Update, before: SeatView | null) => Promise<void> | void) | null;
  wish: (wish: { do: "look"; ply: number }) => Promise<Word | null>;
}

/** Return the moves of others than `seats` that have something to tell: one of `kinds` of events, where these are known. */
export function movesOfOthers(changes: Change[], seats: number[], kinds: ReadonlySet<string>): MovedChange[] {
  return changes.filter(
    (change): change is MovedChange =>
      change.kind === "moved" &&
      change.seat >= 0 &&
      !change.held &&
      !seats.includes(change.seat) &&
      (kinds.size === 0 || change.events.some((event) => kinds.has(event.kind))),
  );
}

/** Return the part of a log since the last move of `seats`, without what was taken back. */
export function changesSince(log: Change[], plies: Map<number, number>, seats: number[]): Change[] {
  const kept = log.filter((change) => plies.has(change.seq));
  return kept.slice(kept.findLastIndex((change) => change.kind === "moved" && seats.includes(change.seat)) + 1);
}

export class Story {
  /** The move of somebody else that is being shown. */
  showing = $state.raw<MovedChange | null>(null);
  /** Whether the story is shown once more, while the table has gone on. */
  isAgain = $state(false);
  #run = 0;
  #hurry: (() => void) | null = null;

  /** Wait before a move of somebody else is shown. */
  begin(): Promise<void> {
    return this.#pause(BEFORE * settings.factor);
  }

  /** Tell a move while it is animated, and long enough to be read. */
  async show(change: MovedChange | null, animation: Promise<void> | void): Promise<void> {
    const run = this.#run;
    this.showing = change;
    if (animation) await Promise.race([animation, this.#pause(LONGEST)]);
    if (change !== null && run === this.#run)
      await this.#pause(READING * (settings.factor || (this.isAgain ? STILL : 0)));
    if (run === this.#run) this.showing = null;
  }

  /** Tell moves once more, each of them at the ply after which it had been made. */
  async showAgain(moves: MovedChange[], plies: Map<number, number>, stage: Stage): Promise<void> {
    this.stop();
    const run = this.#run;
    const first = moves[0];
    if (first === undefined || !(await this.#look(stage, plies.get(first.seq)! - 1))) return;
    this.isAgain = true;
    for (const change of moves) {
      const before = stage.mine;
      if (run !== this.#run || !(await this.#look(stage, plies.get(change.seq)!))) break;
      await this.show(change, settings.factor === 0 ? undefined : this.#animate(stage, change, before));
    }
    if (run !== this.#run) return;
    this.isAgain = false;
    stage.past = null;
  }

  /** Show the table after a number of moves; return whether it can be shown. */
  async #look(stage: Stage, ply: number): Promise<boolean> {
    const run = this.#run;
    const word = await stage.wish({ do: "look", ply });
    if (run !== this.#run || word?.say !== "looked") return false;
    stage.past = word;
    return true;
  }

  #animate(stage: Stage, change: MovedChange, before: SeatView | null): Promise<void> | void {
    const [seq, table, view] = [change.seq, stage.info!, stage.mine!];
    return stage.animator?.({ say: "update", since: seq - 1, seq, table, changes: [change], view }, before);
  }

  /** Stop showing. */
  stop(): void {
    this.#run++;
    this.showing = null;
    this.isAgain = false;
    this.#hurry?.();
    this.#hurry = null;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.#hurry = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
