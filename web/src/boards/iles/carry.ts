/** Carrying a tile with the pointer: a copy follows it, and lies down where it is let go. */
import type { IlesAnyMove } from "../../messages";
import { startDrag } from "../drag";
import type { IlesInteraction } from "./interaction.svelte";

const FAR = 7;

export class Carry {
  readonly #interaction: IlesInteraction;
  #from: { slot: number } | null = null;
  #wasCarried = false;

  constructor(interaction: IlesInteraction) {
    this.#interaction = interaction;
  }

  /** Whether a click was one, and not the end of a way. */
  isClick(event: MouseEvent): boolean {
    return event.detail === 0 || !this.#wasCarried;
  }

  start(event: PointerEvent, slot: number): void {
    this.#wasCarried = false;
    if (event.button !== 0 || this.#interaction.takes.every((move) => move.slot !== slot)) return;
    this.#from = { slot };
    startDrag(event, FAR, {
      move: (now) => this.#move(now),
      end: (_, isDrop) => {
        const target = isDrop ? this.#interaction.pointed : null;
        this.#interaction.drag = null;
        this.#interaction.pointed = null;
        if (target !== null) void this.#interaction.play.play(target);
      },
    });
  }

  #move(event: PointerEvent): void {
    const interaction = this.#interaction;
    const from = this.#from!;
    if (interaction.drag === null) {
      this.#wasCarried = true;
      interaction.stopAsking();
      if (interaction.picked !== from.slot) interaction.play.choose(null);
      interaction.slot = from.slot;
    }
    interaction.drag = { slot: from.slot, x: event.clientX, y: event.clientY };
    interaction.pointed = this.#target(event);
  }

  /** The move of letting go here. */
  #target(event: PointerEvent): IlesAnyMove | null {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    if (under?.closest("[data-mine]") == null) return null;
    const { slot } = this.#from!;
    const whole = this.#interaction.takes.find((move) => move.slot === slot && move.column === null);
    if (whole !== undefined) return whole;
    const cell = under.closest<HTMLElement>("[data-cell]")?.dataset["cell"];
    const [row, column] = (cell ?? "").split(",").map(Number);
    const isRow = row === ["top", "centre", "bottom"].indexOf(this.#interaction.row ?? "");
    return isRow ? (this.#interaction.places.get(column!) ?? null) : null;
  }
}
