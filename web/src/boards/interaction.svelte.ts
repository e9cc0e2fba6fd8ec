/** What the person at a board is about to do: the part that all boards share. */
import { untrack } from "svelte";
import type { Outlook } from "../messages";
import type { AnyMove, Play } from "../play.svelte";

/** A move as a key. */
export const keyOf = (move: unknown): string => JSON.stringify(move);

/**
 * What is pointed at, what was refused and why, and what each move would do. `Pointed` is what a pointer or the
 * keyboard points at, `Place` is where a refusal is shown.
 */
export abstract class Interaction<View, Move extends AnyMove, Box, Pointed, Place extends object> {
  readonly play: Play<View, Move>;
  #pointed = $state.raw<Pointed | null>(null);
  /** What cannot be done, and why. */
  refused = $state.raw<(Place & { reason: string }) | null>(null);
  #outlooks = $state.raw<ReadonlyMap<string, Outlook>>(new Map());

  constructor(play: Play<View, Move>) {
    this.play = play;
  }

  get box(): Box {
    return this.play.box as Box;
  }

  get view(): View {
    return this.play.view;
  }

  /** What is under the pointer or the keyboard's focus. */
  get pointed(): Pointed | null {
    return this.#pointed;
  }

  /** Set it; the same again changes nothing. An effect that sets it does not depend on it. */
  set pointed(value: Pointed | null) {
    if (untrack(() => keyOf(this.#pointed)) !== keyOf(value)) this.#pointed = value;
  }

  isChosen(move: Move | null): boolean {
    return move !== null && keyOf(move) === keyOf(this.play.choice);
  }

  /** Return what a move would do, or null while that is not known. */
  outlookOf(move: Move | null): Outlook | null {
    return move === null ? null : (this.#outlooks.get(keyOf(move)) ?? null);
  }

  /** Keep what moves would do, in place of what was known or in addition to it. */
  protected keepOutlooks(moves: Move[], outlooks: Outlook[], isAdded = false): void {
    const found = moves.map((move, i) => [keyOf(move), outlooks[i]!] as const);
    this.#outlooks = new Map(isAdded ? [...untrack(() => this.#outlooks), ...found] : found);
  }

  protected forgetOutlooks(): void {
    this.#outlooks = new Map();
  }

  /** Ask the server why a move cannot be made; return null if it can. */
  protected async reasonAgainst(move: Move): Promise<string | null> {
    const [found] = await this.play.outlooks([move]);
    return found?.reason ?? null;
  }

  /** Ask what moves would do before they are pointed at, so that showing it takes no time. */
  abstract lookAhead(): unknown;

  /** Let go of what is chosen, pointed at or explained. */
  abstract leave(): void;

  /** Drop what belongs to a question that is answered. */
  forget(): void {
    this.pointed = null;
    this.refused = null;
  }
}
