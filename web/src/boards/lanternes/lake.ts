/** The lake as one looks at it: which side is whose, where a cell lies when the own side is down, what moves change. */
import type { Event, LanternesLakeTile, LanternesView } from "../../messages";

export const LETTERS = ["W", "O", "R", "P", "B", "G", "K"] as const;
export type Letter = (typeof LETTERS)[number];

/** What of the box the board draws from. */
export interface Box {
  tiles: { start: string; lake: string[] };
  setup: Record<string, { tiles_removed: number; cards_per_colour: number }>;
  rewards: { neutral: number[][] };
}

/** The side of the lake that a seat faces (north, east, south, west), by number of players. */
const SIDES: Record<number, number[]> = { 2: [2, 0], 3: [2, 3, 0], 4: [2, 3, 0, 1] };
export const TOP = 0;
export const RIGHT = 1;
export const BOTTOM = 2;
export const LEFT = 3;
/** One step to each side on the screen. */
export const STEPS: readonly [number, number][] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** Clockwise quarters by which the lake is turned so that a seat's side is down. */
export const quartersFor = (players: number, seat: number): number => (BOTTOM - SIDES[players]![seat]! + 4) & 3;

/** The side of the screen at which a seat sits. */
export const sideOf = (players: number, seat: number, quarters: number): number =>
  (SIDES[players]![seat]! + quarters) & 3;

/** The seat at a side of the screen. */
export function seatAt(players: number, side: number, quarters: number): number | null {
  const found = SIDES[players]!.indexOf((side - quarters + 4) & 3);
  return found < 0 ? null : found;
}

export interface Cell {
  x: number;
  y: number;
}

/** From the lake's cells (y to the north) to the screen's (y downwards), turned. */
export function onScreen(cell: Cell, quarters: number): Cell {
  let { x, y } = { x: cell.x, y: -cell.y };
  for (let i = 0; i < quarters; i++) [x, y] = [-y, x];
  return { x, y };
}

/** Back from the screen to the lake. */
export function onLake(cell: Cell, quarters: number): Cell {
  let { x, y } = cell;
  for (let i = quarters; i < 4; i++) [x, y] = [-y, x];
  return { x, y: y === 0 ? 0 : -y };
}

export const nameOf = ({ x, y }: Cell): string => `${x},${y}`;

/** A tile's code: its sides clockwise from the north, a star for a symbol. The start tile is the last. */
export const codeOf = (box: Box, tile: number): string => box.tiles.lake[tile] ?? box.tiles.start;

/** Return the colours of a tile's sides, clockwise from the top, after `turn` clockwise quarter turns. */
export const sidesOf = (code: string, turn: number): Letter[] =>
  [0, 1, 2, 3].map((side) => code[(side - turn + 8) & 3] as Letter);

/** A tile where it lies on the screen. */
export interface Laid extends Cell {
  tile: number;
  at: Cell;
  code: string;
  turn: number;
  sides: Letter[];
}

export function lay(box: Box, tile: LanternesLakeTile, quarters: number): Laid {
  const code = codeOf(box, tile.tile);
  const turn = (tile.turn + quarters) & 3;
  const at = { x: tile.x, y: tile.y };
  return { ...onScreen(at, quarters), at, tile: tile.tile, code, turn, sides: sidesOf(code, turn) };
}

/** An oval made whole by two equal sides: its centre in tiles, and whether it stands upright. */
export interface Oval extends Cell {
  side: number;
  upright: boolean;
}

/** The ovals of a tile with its neighbours, in the order of the sides of the lake, which is that of the cards. */
export function ovals(
  tile: { x: number; y: number; sides: Letter[] },
  lake: Map<string, Laid>,
  quarters: number,
): Oval[] {
  const found: Oval[] = [];
  for (let i = 0; i < 4; i++) {
    const side = (i + quarters) & 3;
    const [dx, dy] = STEPS[side]!;
    const beside = lake.get(nameOf({ x: tile.x + dx, y: tile.y + dy }));
    if (beside !== undefined && beside.sides[(side + 2) & 3] === tile.sides[side]) {
      found.push({ side, x: tile.x + 0.5 + dx / 2, y: tile.y + 0.5 + dy / 2, upright: dx !== 0 });
    }
  }
  return found;
}

/** What events add to counters, by the counter's name: `0R` cards, `0boats`, `0points`, `supplyR`. */
export type Sums = Record<string, number>;

/** The counters that one event changes, and by how much. */
export function sums(event: Event): Sums {
  const { kind, seat, thing, number } = event;
  switch (kind) {
    case "received":
    case "took":
      return { [`${seat}${thing}`]: 1, [`supply${thing}`]: -1 };
    case "gave":
    case "discarded":
    case "paid":
      return { [`${seat}${thing}`]: -number, [`supply${thing}`]: number };
    case "boats":
      return { [`${seat}boats`]: number };
    case "rewarded":
      return { [`${seat}points`]: number };
  }
  return {};
}

export function total(all: Sums[]): Sums {
  const sum: Sums = {};
  for (const one of all) for (const [name, number] of Object.entries(one)) sum[name] = (sum[name] ?? 0) + number;
  return sum;
}

/** A number with its sign; the minus is a minus. */
export const signed = (number: number): string => (number < 0 ? `−${-number}` : `+${number}`);

export const points = (view: LanternesView, seat: number): number =>
  Object.values(view.seats[seat]!.points).reduce((sum, number) => sum + number, 0);
export const cards = (view: LanternesView, seat: number): number =>
  Object.values(view.seats[seat]!.cards).reduce((sum, number) => sum + number, 0);
