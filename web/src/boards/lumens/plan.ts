/** The board for a number of players, turned so that the viewer's start is below. */
import type { Spot } from "../../arrowKeys";

/** The side of a cell in the drawing. */
export const CELL = 48;
/** The width of the margin between the cells and the frame, and of that outside the frame for ribbons. */
export const FRAME = 18;
export const RIBBONS = 27;

interface Board {
  players: number[];
  central: string;
  rows: string[];
  starts: Record<string, [number, number][]>;
}

export interface Box {
  tokens: { each_colour: [number, number, number][] };
  boards: Record<string, Board>;
  scoring: { first: number; second: number; second_from_players: number };
}

/** Return the board for a number of players. */
export const boardFor = (box: Box, players: number): Board =>
  Object.values(box.boards).find((one) => one.players.includes(players))!;

/** A cell: `x`, `y` as the rules count, `left`, `top` as it is seen. */
export interface Cell extends Spot {
  left: number;
  top: number;
  room: string | null;
  /** The seat that starts here. */
  start: number | null;
}

export interface Room {
  letter: string;
  isCentral: boolean;
  /** The squares of its cells. */
  path: string;
  /** The middle of its cells. */
  centre: Spot;
  /** The middle of its sign, on a corner of cells, where no token reaches. */
  sign: Spot;
  /** The middles of the seats' sums, on corners around the sign. */
  sums: Spot[];
}

export class Plan {
  readonly columns: number;
  readonly rows: number;
  /** All cells as they are seen, row by row. */
  readonly cells: Cell[][];
  readonly rooms: Room[];
  readonly starts: Cell[];
  readonly #turned: boolean;

  constructor(box: Box, players: number, bottom: number) {
    const board = boardFor(box, players);
    const starts = board.starts[players]!;
    this.columns = board.rows[0]!.length;
    this.rows = board.rows.length;
    this.#turned = starts[bottom]![1] < (this.rows - 1) / 2;
    this.cells = Array.from({ length: this.rows }, (_, top) =>
      Array.from({ length: this.columns }, (_, left) => {
        const x = this.#turned ? this.columns - 1 - left : left;
        const y = this.#turned ? this.rows - 1 - top : top;
        const letter = board.rows[y]![x]!;
        const start = starts.findIndex(([column, row]) => column === x && row === y);
        return { x, y, left, top, room: letter === "." ? null : letter, start: start < 0 ? null : start };
      }),
    );
    const all = this.cells.flat();
    this.starts = starts.map(([x, y]) => this.at(x, y)!);
    const letters = [...new Set(all.map((cell) => cell.room))].filter((letter) => letter !== null).sort();
    this.rooms = letters.map((letter) =>
      this.#room(
        letter,
        all.filter((cell) => cell.room === letter),
        board.central,
      ),
    );
  }

  at(x: number, y: number): Cell | undefined {
    return this.seen(this.#turned ? this.columns - 1 - x : x, this.#turned ? this.rows - 1 - y : y);
  }

  /** The cell that is seen in a column and a row. */
  seen(left: number, top: number): Cell | undefined {
    return this.cells[top]?.[left];
  }

  /**
   * The room nearest to a cell, counted in steps from cell to cell; of rooms as near, the one that the box draws first:
   * the one that the server's sentences name a passage by.
   */
  nearestRoom(spot: Spot): string {
    const steps = (cell: Cell): number => Math.abs(cell.x - spot.x) + Math.abs(cell.y - spot.y);
    const inRooms = this.cells.flat().filter((cell) => cell.room !== null);
    return inRooms.sort((a, b) => steps(a) - steps(b) || a.y - b.y || a.x - b.x)[0]!.room!;
  }

  #room(letter: string, cells: Cell[], central: string): Room {
    const mean = (of: (cell: Cell) => number): number => cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length;
    const centre = { x: (mean((cell) => cell.left) + 0.5) * CELL, y: (mean((cell) => cell.top) + 0.5) * CELL };
    const [sign, ...sums] = corners(cells, centre);
    return {
      centre,
      letter,
      isCentral: letter === central,
      path: cells.map((cell) => `M${cell.left * CELL} ${cell.top * CELL}h${CELL}v${CELL}h-${CELL}z`).join(""),
      sign: sign!,
      sums,
    };
  }
}

/** Return the corners of a room's cells: the one deepest inside the room, then the others, the nearest to it first. */
function corners(cells: Cell[], centre: Spot): Spot[] {
  const found = new Map<string, Spot & { inside: number }>();
  for (const { left, top } of cells)
    for (const [x, y] of [
      [left, top],
      [left + 1, top],
      [left, top + 1],
      [left + 1, top + 1],
    ] as const) {
      const inside = (found.get(`${x},${y}`)?.inside ?? 0) + 1;
      found.set(`${x},${y}`, { x: x * CELL, y: y * CELL, inside });
    }
  const all = [...found.values()];
  const far = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);
  const sign = all.toSorted((a, b) => b.inside - a.inside || far(a, centre) - far(b, centre))[0]!;
  const rest = all.filter((one) => one !== sign);
  return [sign, ...rest.sort((a, b) => far(a, sign) - far(b, sign) || Math.abs(a.y - sign.y) - Math.abs(b.y - sign.y))];
}

export const middle = (cell: Cell): Spot => ({ x: (cell.left + 0.5) * CELL, y: (cell.top + 0.5) * CELL });
