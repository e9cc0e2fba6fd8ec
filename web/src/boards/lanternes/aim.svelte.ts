/** What the person is about to lay where: the tile in hand, its turn, the place under the pointer, what it would do. */
import type { LanternesPlace, Outlook } from "../../messages";
import { settings } from "../../settings.svelte";
import { nameOf, quartersFor, sums, total, type Box, type Cell, type Sums } from "./lake";
import type { LanternesPlay } from "./steps";

const keyOf = ({ tile, turn, x, y }: LanternesPlace): string => `${tile}/${turn}@${x},${y}`;

export class Aim {
  readonly play: LanternesPlay;
  #pointed = $state.raw<Cell | null>(null);
  /** A place where no tile may go, and why. */
  refused = $state.raw<(Cell & { reason: string }) | null>(null);
  #tile = $state<number | null>(null);
  #turns = $state.raw<Record<number, number>>({});
  #outlooks = $state.raw(new Map<string, Outlook>());
  #at = 0;

  constructor(play: LanternesPlay) {
    this.play = play;
  }

  get box(): Box {
    return this.play.box as unknown as Box;
  }

  /** The legal place under the pointer or the keyboard. */
  get pointed(): Cell | null {
    return this.#pointed;
  }

  /** A pointer that moves within a place changes nothing. */
  set pointed(cell: Cell | null) {
    const now = this.#pointed;
    if (cell === null ? now !== null : now === null || nameOf(now) !== nameOf(cell)) this.#pointed = cell;
  }

  /** Clockwise quarters by which all is turned, so that the own side is down. */
  get quarters(): number {
    return quartersFor(this.play.view.players, this.play.bottom);
  }

  get hand(): number[] {
    return this.play.view.seats[this.play.bottom]?.hand ?? [];
  }

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

  /** The placement to show: under the pointer, else the chosen one. */
  get ghost(): LanternesPlace | null {
    return this.moveAt(this.pointed) ?? this.chosen;
  }

  /** What the ghost, or whatever else is chosen, would do. */
  get outlook(): Outlook | null {
    const ghost = this.ghost;
    if (ghost === null) return this.play.outlook;
    return this.#outlooks.get(keyOf(ghost)) ?? null;
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
      const [found] = await this.play.outlooks([wanted]);
      if (found?.reason) this.refused = { ...cell, reason: found.reason };
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

  leave(): void {
    this.pointed = null;
    this.refused = null;
    this.play.choose(null);
  }

  /** Ask ahead what the tile would do, turned as it is, on all places: showing it then takes no time. */
  async lookAhead(): Promise<void> {
    const turn = this.turn;
    const at = this.#at;
    const found = await this.play.outlooks(this.moves.filter((move) => move.turn === turn));
    if (at !== this.#at) return;
    const known = found.filter((one) => one.events).map((one) => [keyOf(one.move as LanternesPlace), one] as const);
    this.#outlooks = new Map([...this.#outlooks, ...known]);
  }

  /** The table has moved on: nothing that was seen before holds. */
  forget(): void {
    this.#at += 1;
    this.#outlooks = new Map();
    this.#pointed = null; // not read here: what reads it would forget at every move of the pointer
    this.refused = null;
  }
}

/** How long something lasts at the speed the person likes, in milliseconds. */
export const lasting = (ms: number): number => Math.max(1, ms * settings.factor);
