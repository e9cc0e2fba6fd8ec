/** What the person at the lake is about to do: the tile in hand, its turn, the place under the pointer. */
import type { LanternesAnyMove, LanternesPlace, LanternesView, Outlook } from "../../messages";
import { Interaction } from "../interaction.svelte";
import { Choosing } from "./choosing.svelte";
import { nameOf, quartersFor, sums, total, type Box, type Cell, type Sums } from "./lake";

/** What is pointed at is a legal place; a refusal is shown on a cell. */
export class LanternesInteraction extends Interaction<LanternesView, LanternesAnyMove, Box, Cell, Cell> {
  #tile = $state<number | null>(null);
  #turns = $state.raw<Record<number, number>>({});
  /** How often the table has moved on: answers about an earlier table are dropped. */
  #tables = 0;

  /** A finger or a button is down on the lake, or carries a tile over it. */
  isTouching = $state(false);

  /** What is chosen of an exchange, a reward or cards to put back. */
  readonly choosing = new Choosing(this.play);

  /** Clockwise quarters by which all is turned, so that the own side is down. */
  get quarters(): number {
    return quartersFor(this.play.view.seats[this.play.bottom]!);
  }

  #slots: (number | null)[] = [];
  /** The tiles in hand in the order in which they came: a new one lies where the last one was taken from. */
  readonly hand: number[] = $derived.by(() => {
    const now = this.play.view.seats[this.play.bottom]?.hand ?? [];
    const fresh = now.filter((tile) => !this.#slots.includes(tile));
    const kept = this.#slots.map((tile) => (tile !== null && now.includes(tile) ? tile : (fresh.shift() ?? null)));
    this.#slots = [...kept, ...fresh];
    return this.#slots.filter((tile) => tile !== null);
  });

  /** The tile that is taken up: the first until another is. */
  get tile(): number | null {
    if (this.#tile !== null && this.hand.includes(this.#tile)) return this.#tile;
    return this.hand[0] ?? null;
  }

  /** What may be done with the tile that is taken up. */
  readonly moves: LanternesPlace[] = $derived.by(() =>
    this.play.movesOf("place").filter((move) => move.tile === this.tile),
  );
  /** The turns of it that look different. */
  readonly turns: number[] = $derived([...new Set(this.moves.map((move) => move.turn))]);
  readonly places: Cell[] = $derived(
    this.moves.filter((move) => move.turn === this.turns[0]).map(({ x, y }) => ({ x, y })),
  );

  get canPlace(): boolean {
    return this.moves.length > 0;
  }

  turnOf(tile: number): number {
    return this.#turns[tile] ?? 0;
  }

  get turn(): number {
    const turn = this.tile === null ? 0 : this.turnOf(this.tile);
    return this.turns.length === 0 || this.turns.includes(turn) ? turn : this.turns[0]!;
  }

  moveAt(cell: Cell | null): LanternesPlace | null {
    if (cell === null) return null;
    return this.moves.find((move) => move.turn === this.turn && move.x === cell.x && move.y === cell.y) ?? null;
  }

  /** The placement that is chosen, not yet made. */
  get chosen(): LanternesPlace | null {
    const choice = this.play.choice;
    return choice?.kind === "place" ? choice : null;
  }

  /** Whether somebody aims at a place: then the lake stays where it is. */
  get isAiming(): boolean {
    return this.isTouching || this.ghost !== null || this.refused !== null;
  }

  /** The placement to show: under the pointer, else the chosen one. */
  get ghost(): LanternesPlace | null {
    return this.moveAt(this.pointed) ?? this.chosen;
  }

  /** What the ghost, or whatever else is chosen, would do. */
  get outlook(): Outlook | null {
    const ghost = this.ghost;
    if (ghost === null) return this.play.outlook;
    return this.outlookOf(ghost);
  }

  /** How the counters would change. */
  readonly sums: Sums = $derived(total((this.outlook?.events ?? []).map(sums)));

  take(tile: number): void {
    if (tile === this.tile && this.canPlace) {
      this.turnOn();
      return;
    }
    this.#tile = tile;
    this.#follow();
  }

  /** Take the tile up, as it lies, of a placement that was chosen elsewhere: by a guide or a hint. */
  adopt({ tile, turn }: LanternesPlace): void {
    this.#tile = tile;
    this.#turns = { ...this.#turns, [tile]: turn };
  }

  /** Take a tile up without turning it: a drag begins. */
  hold(tile: number): void {
    if (tile !== this.tile) this.take(tile);
  }

  /** One quarter on, clockwise or back; a tile that looks the same after a half turn has two turns. */
  turnOn(by = 1): void {
    if (this.tile === null) return;
    const turns = this.turns.length > 0 ? this.turns : [0, 1, 2, 3];
    const at = turns.indexOf(this.turn);
    this.#turns = { ...this.#turns, [this.tile]: turns[(at + by + turns.length) % turns.length]! };
    this.#follow();
  }

  /** A chosen place stays chosen for another tile or turn. */
  #follow(): void {
    this.refused = null;
    if (this.chosen !== null) this.play.choose(this.moveAt(this.chosen));
  }

  /** Lay the tile here; on the chosen place again, turn it; elsewhere, ask why not. */
  async point(cell: Cell): Promise<void> {
    if (!this.canPlace || this.tile === null) return;
    this.refused = null;
    const move = this.moveAt(cell);
    if (move === null) {
      const wanted: LanternesPlace = { kind: "place", tile: this.tile, ...cell, turn: this.turn };
      const reason = await this.reasonAgainst(wanted);
      if (reason) this.refused = { ...cell, reason };
    } else if (this.chosen !== null && nameOf(this.chosen) === nameOf(cell)) {
      this.turnOn();
    } else {
      await this.play.play(move);
    }
  }

  /** The same by the keyboard: on the chosen place again, it is made. */
  async press(cell: Cell): Promise<void> {
    if (this.chosen !== null && nameOf(this.chosen) === nameOf(cell)) await this.play.commit();
    else await this.point(cell);
  }

  override leave(): void {
    this.pointed = null;
    this.refused = null;
    this.play.choose(null);
    this.choosing.start();
  }

  /** Ask ahead what the tile would do, turned as it is, on all places. */
  override async lookAhead(): Promise<void> {
    const tables = this.#tables;
    const turn = this.turn;
    const moves = this.moves.filter((move) => move.turn === turn);
    const found = await this.play.outlooks(moves);
    const isKnown = (_: unknown, i: number): boolean => Boolean(found[i]?.events);
    if (tables === this.#tables) this.keepOutlooks(moves.filter(isKnown), found.filter(isKnown), true);
  }

  /** Drop everything that was known of the table as it was. */
  override forget(): void {
    this.#tables += 1;
    this.forgetOutlooks();
    this.choosing.start();
    super.forget();
    // A placement that was chosen before an undo may be legal after it, for a tile that is not taken up.
    const { chosen, play } = this;
    if (chosen !== null && (chosen.tile !== this.tile || chosen.turn !== this.turn)) play.choice = play.outlook = null;
  }
}
