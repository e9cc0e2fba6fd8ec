/** The lake on the screen: the side at which a seat sits, where a cell lies when the own side is down, what moves change. */
import type { Event, LanternesLakeTile, LanternesSeat, LanternesView } from "../../messages";

export const LETTERS = ["W", "O", "R", "P", "B", "G", "K"] as const;
export type Letter = (typeof LETTERS)[number];

/** What of the box the board draws from. */
export interface Box {
  tiles: { start: string; lake: string[] };
  setup: Record<string, { tiles_removed: number; cards_per_colour: number }>;
  rewards: { neutral: number[][] };
}

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

/** Return the clockwise quarters by which the lake is turned so that a seat's side is down. */
export const quartersFor = (seat: LanternesSeat): number => (BOTTOM - seat.side! + 4) & 3;

/** Return the side of the screen at which a seat sits. */
export const sideOf = (seat: LanternesSeat, quarters: number): number => (seat.side! + quarters) & 3;

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

export const points = (view: LanternesView, seat: number): number =>
  Object.values(view.seats[seat]!.points).reduce((sum, number) => sum + number, 0);
export const cards = (view: LanternesView, seat: number): number =>
  Object.values(view.seats[seat]!.cards).reduce((sum, number) => sum + number, 0);
