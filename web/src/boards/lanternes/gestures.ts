/** The gestures of pointers over the lake: pan, pinch, hover, tap, and the wheel. */
import type { Camera } from "./camera.svelte";
import type { LanternesInteraction } from "./interaction.svelte";
import { onLake, onScreen, type Cell } from "./lake";

interface Point {
  clientX: number;
  clientY: number;
}

/** How far a pointer may go before it drags. */
const SLACK = 6;
/** How far the wheel goes for a quarter turn of the tile. */
const NOTCH = 50;

export class Gestures {
  readonly #interaction: LanternesInteraction;
  readonly #camera: Camera;
  readonly #frame: () => DOMRect;
  /** Tells what lies in a cell; returns whether anything does. */
  readonly #ask: (cell: Cell) => boolean;
  readonly #fingers = new Map<number, Cell>();
  #start: Cell | null = null;
  /** The cell that a finger or a button went down on: it is meant, also where the lake moves before it goes up. */
  #pressed: Cell | null = null;
  #isDragging = false;
  #turned = 0;

  constructor(interaction: LanternesInteraction, camera: Camera, frame: () => DOMRect, ask: (cell: Cell) => boolean) {
    this.#interaction = interaction;
    this.#camera = camera;
    this.#frame = frame;
    this.#ask = ask;
  }

  #spot(event: Point): Cell {
    const frame = this.#frame();
    return { x: event.clientX - frame.x, y: event.clientY - frame.y };
  }

  /** Return the cell of the lake at a point of the window, or null outside. */
  cellAt(point: Point): Cell | null {
    const { width, height } = this.#frame();
    const spot = this.#spot(point);
    if (spot.x < 0 || spot.y < 0 || spot.x > width || spot.y > height) return null;
    return onLake(this.#camera.cellAt(spot), this.#interaction.quarters);
  }

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.#camera.stop();
    this.#interaction.isTouching = true;
    this.#fingers.set(event.pointerId, this.#spot(event));
    this.#start = this.#spot(event);
    this.#pressed = this.cellAt(event);
    this.#isDragging = this.#fingers.size > 1;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };

  readonly move = (event: PointerEvent): void => {
    const now = this.#spot(event);
    const before = this.#fingers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType === "mouse") this.#hover(event);
      return;
    }
    const start = this.#start;
    if (!this.#isDragging && start !== null && Math.hypot(now.x - start.x, now.y - start.y) < SLACK) return;
    this.#isDragging = true;
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) {
      this.#camera.pan(now.x - before.x, now.y - before.y);
    } else {
      const apart = (finger: Cell): number => Math.hypot(finger.x - other.x, finger.y - other.y);
      this.#camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      const between = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      this.#camera.zoom(apart(now) / Math.max(1, apart(before)), between);
    }
    this.#fingers.set(event.pointerId, now);
  };

  readonly up = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
    // The click that follows comes first.
    if (this.#fingers.size === 0) setTimeout(() => (this.#interaction.isTouching = this.#fingers.size > 0));
  };

  readonly out = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") this.#interaction.pointed = null;
  };

  #hover(event: PointerEvent): void {
    const cell = this.cellAt(event);
    this.#interaction.pointed = this.#interaction.moveAt(cell) === null ? null : cell;
  }

  readonly click = (event: MouseEvent): void => {
    const wasDragging = this.#isDragging;
    this.#isDragging = false;
    if (wasDragging) return;
    // A screen reader clicks on the place itself, without a point.
    const place = event.detail === 0 ? (event.target as Element).closest<SVGElement>("[data-place]") : null;
    const named = place?.dataset["place"];
    const cell = named === undefined ? (this.#pressed ?? this.cellAt(event)) : cellNamed(named);
    this.#pressed = null;
    if (cell === null) return;
    if (this.#ask(cell) || !this.#interaction.canPlace) return;
    void this.#interaction.point(cell);
    if (this.#interaction.moveAt(cell) !== null) this.#camera.approach(onScreen(cell, this.#interaction.quarters));
  };

  readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (event.ctrlKey) {
      this.#camera.zoom(Math.exp(-event.deltaY / 240), this.#spot(event));
    } else if (this.#interaction.pointed !== null && this.#interaction.ghost !== null) {
      this.#turned += event.deltaY;
      if (Math.abs(this.#turned) < NOTCH) return;
      this.#interaction.turnOn(Math.sign(this.#turned));
      this.#turned = 0;
    } else {
      this.#camera.pan(-event.deltaX, -event.deltaY);
    }
  };
}

function cellNamed(name: string): Cell {
  const [x, y] = name.split(",").map(Number);
  return { x: x!, y: y! };
}
