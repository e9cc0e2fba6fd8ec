/** Carrying a tile with the pointer: a copy follows it, and lies down where it is let go. */
import type { IlesAnyMove } from "../../messages";
import type { Hand } from "./hand.svelte";

const FAR = 7;

export class Carry {
  readonly #hand: Hand;
  #from: { slot: number; x: number; y: number } | null = null;
  #wasCarried = false;

  constructor(hand: Hand) {
    this.#hand = hand;
  }

  /** Whether a click was one, and not the end of a way. */
  isClick(): boolean {
    const was = this.#wasCarried;
    this.#wasCarried = false;
    return !was;
  }

  start(event: PointerEvent, slot: number): void {
    this.#wasCarried = false;
    if (event.button !== 0 || this.#hand.takes.every((move) => move.slot !== slot)) return;
    this.#from = { slot, x: event.clientX, y: event.clientY };
    const piece = event.currentTarget as HTMLElement;
    const move = (next: PointerEvent): void => this.#move(next, piece);
    const stop = (): void => {
      piece.removeEventListener("pointermove", move);
      this.#from = null;
      this.#hand.drag = null;
    };
    const end = (): void => {
      const target = this.#hand.drag === null ? null : this.#hand.pointed;
      stop();
      this.#hand.pointed = null;
      if (target !== null) void this.#hand.play.play(target);
    };
    piece.addEventListener("pointermove", move);
    piece.addEventListener("pointerup", end, { once: true });
    piece.addEventListener("pointercancel", stop, { once: true });
  }

  #move(event: PointerEvent, piece: HTMLElement): void {
    const from = this.#from;
    if (from === null) return;
    const hand = this.#hand;
    if (hand.drag === null) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return;
      piece.setPointerCapture(event.pointerId);
      this.#wasCarried = true;
      hand.stopAsking();
      if (hand.picked !== from.slot) hand.play.choose(null);
      hand.slot = from.slot;
    }
    hand.drag = { slot: from.slot, x: event.clientX, y: event.clientY };
    hand.pointed = this.#target(event);
  }

  /** The move of letting go here. */
  #target(event: PointerEvent): IlesAnyMove | null {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    if (under?.closest("[data-mine]") == null) return null;
    const { slot } = this.#from!;
    const whole = this.#hand.takes.find((move) => move.slot === slot && move.column === null);
    if (whole !== undefined) return whole;
    const cell = under.closest<HTMLElement>("[data-cell]")?.dataset["cell"];
    const [row, column] = (cell ?? "").split(",").map(Number);
    const isRow = row === ["top", "centre", "bottom"].indexOf(this.#hand.row ?? "");
    return isRow ? (this.#hand.places.get(column!) ?? null) : null;
  }
}
