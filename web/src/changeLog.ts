/** Readers of the list of changes of a table, oldest first: the ply of each, and what is new. */
import type { MovedChange, TableChange, Update } from "./messages";

export type Change = MovedChange | TableChange;

/** Return by the number of an event how many moves had been made after it; moves that were taken back have none. */
export function pliesOf(log: Change[]): Map<number, number> {
  const line: number[] = [];
  for (const change of log) {
    if (change.kind === "moved") line.push(change.seq);
    else if (change.what === "undone" && change.ply != null) line.splice(change.ply, change.whole ? line.length : 1);
  }
  return new Map(line.map((seq, i) => [seq, i + 1]));
}

/** Return the changes of an update that are not in the log, or of which it knows only that there was one. */
export function newsOf(update: Update, log: Change[]): Change[] {
  const known = new Set(log.filter((change) => change.kind !== "moved" || !change.held).map((change) => change.seq));
  return update.changes.filter((change) => !known.has(change.seq));
}
