/** The board for a number of players, turned so that the viewer's start is below. */
import type { Spot } from "../../arrowKeys";

/** The side of a cell in the drawing. */
export const CELL = 48;
/** What lies between the cells and the frame, and outside the frame for ribbons. */
export const FRAME = 18;
export const RIBBONS = 27;

export interface Box {
  tokens: { each_colour: [number, number, number][] };
  boards: Record<
    string,
    { players: number[]; central: string; rows: string[]; starts: Record<string, [number, number][]> }
  >;
}

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
  /** The middle of its pill, on the edge that looks towards the middle of the board. */
  pill: Spot;
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
    const board = Object.values(box.boards).find((one) => one.players.includes(players))!;
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

  #room(letter: string, cells: Cell[], central: string): Room {
    const lefts = cells.map((cell) => cell.left);
    const tops = cells.map((cell) => cell.top);
    const edge = Math.min(...tops) === 0 ? Math.max(...tops) + 1 : Math.min(...tops);
    return {
      letter,
      isCentral: letter === central,
      path: cells.map((cell) => `M${cell.left * CELL} ${cell.top * CELL}h${CELL}v${CELL}h-${CELL}z`).join(""),
      pill: { x: ((Math.min(...lefts) + Math.max(...lefts) + 1) / 2) * CELL, y: edge * CELL },
    };
  }
}

export const middle = (cell: Cell): Spot => ({ x: (cell.left + 0.5) * CELL, y: (cell.top + 0.5) * CELL });
