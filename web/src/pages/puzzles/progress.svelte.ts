/** Which puzzles and exercises somebody has solved, and on how many days in a row: kept in this browser. */
import type { PuzzleInfo } from "../../messages";

/** A puzzle or an exercise. */
type Solved = Pick<PuzzleInfo, "game" | "id">;

/** How a puzzle ended: found at once, found after other tries, or shown. */
export type Result = "first" | "later" | "shown";

interface Kept {
  /** By puzzle, how it ended the first time. */
  results: Record<string, Result>;
  /** The days on which a puzzle of that day was solved, the oldest first. */
  days: number[];
}

const PLACE = "lampion.puzzles";
const DAY = 86_400_000;
const MOST_DAYS = 4000;

/** Return the number of a day as the calendar of this place has it. */
export function dayNumber(at = new Date()): number {
  return Math.round(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY);
}

/** How many puzzles lie between those of two days, which mixes easy and hard ones. */
const STRIDE = 29;

/** Return the puzzle of a day among those of a game: the same for everybody, and each in its turn. */
export function puzzleOfDay(all: PuzzleInfo[], game: string, day = dayNumber()): PuzzleInfo | undefined {
  const own = all.filter((one) => one.game === game);
  return own.find((one) => one.number === ((day * STRIDE) % own.length) + 1);
}

function kept(): Kept {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Kept>;
    return {
      results: typeof found.results === "object" ? found.results : {},
      days: Array.isArray(found.days) ? found.days.filter((day) => typeof day === "number") : [],
    };
  } catch {
    return { results: {}, days: [] };
  }
}

class Progress {
  #kept = $state.raw<Kept>(kept());

  constructor() {
    // What is solved in another tab counts here too.
    addEventListener("storage", (event) => {
      if (event.key === PLACE) this.#kept = kept();
    });
  }

  of(puzzle: Solved): Result | undefined {
    return this.#kept.results[`${puzzle.game}/${puzzle.id}`];
  }

  isSolved(puzzle: Solved): boolean {
    const result = this.of(puzzle);
    return result === "first" || result === "later";
  }

  /** The days in a row up to today, or up to yesterday as long as today can still be solved. */
  get streak(): number {
    const days = new Set(this.#kept.days);
    const today = dayNumber();
    let last = days.has(today) ? today : today - 1;
    let count = 0;
    while (days.has(last--)) count++;
    return count;
  }

  /** Note how a puzzle ended; what was noted before stays, but a puzzle of the day counts for its day all the same. */
  note(puzzle: Solved, result: Result, isOfDay: boolean): void {
    const { results, days } = this.#kept;
    const today = dayNumber();
    const counts = isOfDay && result !== "shown" && this.of(puzzle) !== "shown" && !days.includes(today);
    this.#kept = {
      results: { [`${puzzle.game}/${puzzle.id}`]: result, ...results },
      days: counts ? [...days, today].slice(-MOST_DAYS) : days,
    };
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.#kept));
    } catch {
      // Where the browser stores nothing, puzzles can still be solved.
    }
  }
}

export const progress = new Progress();
