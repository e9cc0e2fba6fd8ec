/** What of the endless lake is in the window: panned and zoomed by the person, until then all of it. */
import { untrack } from "svelte";
import { settings } from "../../settings.svelte";
import { CALM } from "../animation";
import { BOTTOM, LEFT, RIGHT, TOP, type Cell } from "./lake";

/** Sizes of a tile: the least when zoomed, the least when all is shown, the least for a finger, the largest. */
const LEAST = 24;
const TINY = 10;
export const TAP = 44;
const MOST = 170;
/** Where all is shown, the largest size lies between these two, so that ACROSS tiles fit across the window. */
const FITTING = [80, 140] as const;
const ACROSS = 6;
/** The lake stays where it is while all of it is in the window, with tiles of at least this part of the best size. */
const GOOD = 0.82;

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
  /** How much water to show around the tiles, in tiles: one as long as tiles are placed. */
  around: number;
}

export class Camera {
  readonly #scene: () => Scene;
  /** Where the person has moved it; null: all of the lake is shown. */
  #moved = $state.raw<Shot | null>(null);
  readonly #fitting: Shot = $derived.by(() => this.#fit());
  /** What is shown; null before anything is. */
  #shown = $state.raw<Shot | null>(null);
  /** On its way to a shot. */
  #glide: { frame: number; done: () => void } | null = null;
  #arrival: Promise<void> = Promise.resolve();

  constructor(scene: () => Scene) {
    this.#scene = scene;
  }

  get #now(): Shot {
    return this.#shown ?? this.#moved ?? this.#fitting;
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

  /** Resolves when it stands still. */
  get arrival(): Promise<void> {
    return this.#arrival;
  }

  /** Stand still, wherever it is: a finger is down. */
  stop(): void {
    if (this.#glide === null) return;
    cancelAnimationFrame(this.#glide.frame);
    this.#glide.done();
    this.#glide = null;
  }

  /** Glide to a shot; jump there the first time, and where animations are off. */
  #goTo(to: Shot): void {
    this.stop();
    const from = this.#shown;
    const duration = 2 * CALM * settings.factor;
    if (from === null || duration === 0) {
      this.#shown = to;
      return;
    }
    this.#arrival = new Promise((done) => {
      const start = performance.now();
      const step = (now: number): void => {
        const part = Math.min(1, Math.max(0, (now - start) / duration));
        const eased = 1 - (1 - part) ** 3;
        const between = (a: number, b: number): number => a + (b - a) * eased;
        this.#shown =
          part === 1 ? to : { x: between(from.x, to.x), y: between(from.y, to.y), size: between(from.size, to.size) };
        if (part < 1) this.#glide = { frame: requestAnimationFrame(step), done };
        else {
          this.#glide = null;
          done();
        }
      };
      this.#glide = { frame: requestAnimationFrame(step), done };
    });
  }

  /** Follow the lake as it grows, unless the person has moved it; where all of it is in sight, stay. */
  follow(): void {
    const fitting = this.#fitting;
    if (this.#moved !== null) {
      if (untrack(() => this.#shown) === null) this.#shown = this.#moved;
      return;
    }
    untrack(() => {
      if (this.#shown === null || !this.#isGood(this.#shown, fitting)) this.#goTo(fitting);
    });
  }

  /** Return whether a shot shows all of the lake and its border about as large as it can be. */
  #isGood(shot: Shot, fitting: Shot): boolean {
    const { width, height, margins, clear } = this.#scene();
    const { west, east, top, bottom } = this.#borders();
    if (shot.x === fitting.x && shot.y === fitting.y && shot.size === fitting.size) return true;
    const leftOf = (one: Shot): number => one.x + west * one.size;
    return (
      shot.size >= GOOD * fitting.size &&
      shot.size <= fitting.size / GOOD &&
      leftOf(shot) >= Math.min(clear, leftOf(fitting)) - 1 &&
      shot.x + west * shot.size >= margins[LEFT]! - 1 &&
      shot.y + top * shot.size >= margins[TOP]! - 1 &&
      shot.x + east * shot.size <= width - margins[RIGHT]! + 1 &&
      shot.y + bottom * shot.size <= height - margins[BOTTOM]! + 1
    );
  }

  /** The transformation of a drawing in which a tile is 100 wide. */
  get transform(): string {
    return `translate(${this.x} ${this.y}) scale(${this.size / 100})`;
  }

  /** The outermost cells of the lake and of the places around it. */
  #borders(): { west: number; east: number; top: number; bottom: number } {
    const { cells, around } = this.#scene();
    const shown: Cell[] = cells.length > 0 ? cells : [{ x: 0, y: 0 }];
    const xs = shown.map((cell) => cell.x);
    const ys = shown.map((cell) => cell.y);
    return {
      west: Math.min(...xs) - around,
      east: Math.max(...xs) + 1 + around,
      top: Math.min(...ys) - around,
      bottom: Math.max(...ys) + 1 + around,
    };
  }

  /** Return the shot that shows all of the lake and its border, however small its tiles get. */
  #fit(): Shot {
    const { width, height, margins, clear } = this.#scene();
    const { west, east, top, bottom } = this.#borders();
    const free = { x: width - margins[LEFT]! - margins[RIGHT]!, y: height - margins[TOP]! - margins[BOTTOM]! };
    const most = Math.min(FITTING[1], Math.max(FITTING[0], Math.min(width, height) / ACROSS));
    const size = Math.max(TINY, Math.min(most, free.x / (east - west), free.y / (bottom - top)));
    const half = ((east - west) / 2) * size;
    const room = Math.max(0, free.x / 2 - half);
    const aside = Math.max(0, Math.min(room, clear - (margins[LEFT]! + free.x / 2 - half)));
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
    const size = Math.min(MOST, Math.max(Math.min(LEAST, this.size), this.size * by));
    const scale = size / this.size;
    this.#put({ size, x: x - (x - this.x) * scale, y: y - (y - this.y) * scale });
  }

  pan(x: number, y: number): void {
    this.#put({ size: this.size, x: this.x + x, y: this.y + y });
  }

  /** Put it where the person moves it. */
  #put(shot: Shot): void {
    this.stop();
    this.#moved = this.#shown = shot;
  }

  /** Show all of the lake, and follow it again. */
  showAll(): void {
    this.#moved = null;
    this.#goTo(this.#fitting);
  }

  /** Come near to a cell of the screen where tiles are small, until the lake is followed again. */
  approach(cell: Cell): void {
    const { width, height } = this.#scene();
    const size = 1.4 * TAP;
    if (this.size < TAP)
      this.#goTo({ size, x: width / 2 - (cell.x + 0.5) * size, y: height / 2 - (cell.y + 0.5) * size });
  }

  /** Bring a cell of the screen into sight; unless `isKept`, the lake is followed again after that. */
  reveal(cell: Cell, isKept = true): void {
    const { width, height, margins } = this.#scene();
    const { x, y, size } = this.#moved ?? this.#now;
    const into = (from: number, least: number, most: number): number =>
      from < least ? least - from : from + size > most ? most - from - size : 0;
    const by = {
      x: into(x + cell.x * size, margins[LEFT]!, width - margins[RIGHT]!),
      y: into(y + cell.y * size, margins[TOP]!, height - margins[BOTTOM]!),
    };
    if (by.x === 0 && by.y === 0) return;
    const shot = { size, x: x + by.x, y: y + by.y };
    if (isKept || this.#moved !== null) this.#moved = shot;
    this.#goTo(shot);
  }

  /** Return the part of the window that a cell of the screen takes. */
  boxOf(cell: Cell): { x: number; y: number; width: number; height: number } {
    return { ...this.pointIn(cell, 0, 0), width: this.size, height: this.size };
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
