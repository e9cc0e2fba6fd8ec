/** The log as turns: what one player did in a row, and what chance did in between. */
import type { Change } from "./changeLog";
import type { Event, MovedChange, TableChange } from "./messages";

export interface Line {
  text: string;
  event: Event | undefined;
}

export interface Turn {
  kind: "turn";
  seq: number;
  /** Null before anybody has moved. */
  seat: number | null;
  moves: MovedChange[];
}

/** Anything else that happened at the table. */
export interface Happening {
  kind: "table";
  seq: number;
  change: TableChange;
}

/** Return the turns and happenings of a log, the oldest first. */
export function turnsOf(log: Change[]): (Turn | Happening)[] {
  const found: (Turn | Happening)[] = [];
  for (const change of log) {
    const last = found.at(-1);
    if (change.kind === "table") found.push({ kind: "table", seq: change.seq, change });
    else if (change.told.length === 0) continue;
    else if (last?.kind === "turn" && (change.seat < 0 || change.seat === last.seat)) last.moves.push(change);
    else found.push({ kind: "turn", seq: change.seq, seat: change.seat < 0 ? null : change.seat, moves: [change] });
  }
  return found;
}

/** Return the sentences of moves, each with its event. */
export function linesOf(moves: MovedChange[]): Line[] {
  return moves.flatMap((move) => move.told.map((text, i) => ({ text, event: move.events[i] })));
}

/** Return the sentences that tell the most about moves: those of the given kinds of events, or else the first one. */
export function headlines(moves: MovedChange[], kinds: ReadonlySet<string>): Line[] {
  const lines = linesOf(moves);
  const found = lines.filter((line) => line.event !== undefined && kinds.has(line.event.kind));
  return found.length > 0 ? found : lines.slice(0, 1);
}
