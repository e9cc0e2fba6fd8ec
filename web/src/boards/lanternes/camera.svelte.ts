/** What of the endless lake is in the window: panned and zoomed by the person, until then all of it. */
import { BOTTOM, LEFT, RIGHT, TOP, type Cell } from "./lake";

/** The least and the greatest size of a tile, the least that a finger meets, and the greatest when all is shown. */
export const LEAST = 24;
export const TAP = 44;
const FITTING = 92;
const MOST = 150;

/** Where the corner of the start tile is, and the size of a tile. */
interface Shot extends Cell {
  size: number;
}

/** What there is to show, and where. */
export interface Scene {
  /** The cells of the screen that have a tile. */
  cells: Cell[];
  width: number;
  height: number;
  /** How much of each border (top, right, bottom, left) to keep free of the lake. */
  margins: number[];
  /** How far from the left the window is covered: the lake makes way if it can. */
  clear: number;
  /** The least size of a tile when all is shown. */
  least: number;
}

export class Camera {
  readonly #scene: () => Scene;
  /** Where the person has moved it; null: all of the lake is shown. */
  #moved = $state.raw<Shot | null>(null);
  readonly #fitting: Shot = $derived.by(() => this.#fit(this.#scene().least));
  readonly #now: Shot = $derived(this.#moved ?? this.#fitting);

  constructor(scene: () => Scene) {
    this.#scene = scene;
  }

  get x(): number {
    return this.#now.x;
  }

  get y(): number {
    return this.#now.y;
  }

  get size(): number {
    return this.#now.size;
  }

  get isMoved(): boolean {
    return this.#moved !== null;
  }

  /** The transformation of a drawing in which a tile is 100 wide. */
  get transform(): string {
    return `translate(${this.x} ${this.y}) scale(${this.size / 100})`;
  }

  /** Return the shot that shows all of the lake and its border, in tiles no smaller than `least`. */
  #fit(least: number): Shot {
    const { cells, width, height, margins, clear } = this.#scene();
    const shown: Cell[] = cells.length > 0 ? cells : [{ x: 0, y: 0 }];
    const xs = shown.map((cell) => cell.x);
    const ys = shown.map((cell) => cell.y);
    const [west, east] = [Math.min(...xs) - 1, Math.max(...xs) + 2];
    const [top, bottom] = [Math.min(...ys) - 1, Math.max(...ys) + 2];
    const free = { x: width - margins[LEFT]! - margins[RIGHT]!, y: height - margins[TOP]! - margins[BOTTOM]! };
    const size = Math.max(least, Math.min(FITTING, free.x / (east - west), free.y / (bottom - top)));
    const half = ((east - west) / 2) * size;
    const room = Math.max(0, free.x / 2 - half);
    const aside = Math.max(0, Math.min(room, clear - (margins[LEFT]! + free.x / 2 - half + size)));
    return {
      x: margins[LEFT]! + free.x / 2 + aside - ((west + east) / 2) * size,
      y: margins[TOP]! + free.y / 2 - ((top + bottom) / 2) * size,
      size,
    };
  }

  /** Zoom around a point of the window, or around its middle. */
  zoom(by: number, around?: Cell): void {
    const { width, height } = this.#scene();
    const { x, y } = around ?? { x: width / 2, y: height / 2 };
    const size = Math.min(MOST, Math.max(LEAST, this.size * by));
    const scale = size / this.size;
    this.#moved = { size, x: x - (x - this.x) * scale, y: y - (y - this.y) * scale };
  }

  pan(x: number, y: number): void {
    this.#moved = { size: this.size, x: this.x + x, y: this.y + y };
  }

  /** Show all of the lake, in tiles that can be tapped. */
  reset(): void {
    this.#moved = null;
  }

  /** Show all of the lake, however small its tiles get. */
  showAll(): void {
    const all = this.#fit(LEAST);
    this.#moved = all.size < this.#fitting.size ? all : null;
  }

  /** Bring a cell of the screen into sight. */
  reveal(cell: Cell): void {
    const { width, height, margins } = this.#scene();
    const { x, y, size } = this;
    const into = (from: number, least: number, most: number): number =>
      from < least ? least - from : from + size > most ? most - from - size : 0;
    const by = {
      x: into(x + cell.x * size, margins[LEFT]!, width - margins[RIGHT]!),
      y: into(y + cell.y * size, margins[TOP]!, height - margins[BOTTOM]!),
    };
    if (by.x !== 0 || by.y !== 0) this.pan(by.x, by.y);
  }

  /** Return the cell of the screen at a point of the window. */
  cellAt({ x, y }: Cell): Cell {
    return { x: Math.floor((x - this.x) / this.size), y: Math.floor((y - this.y) / this.size) };
  }

  /** Return the point of the window in a cell of the screen; `across` and `down` are parts of its size. */
  pointIn(cell: Cell, across = 0.5, down = 0.5): Cell {
    return { x: this.x + (cell.x + across) * this.size, y: this.y + (cell.y + down) * this.size };
  }
}
