/** What a placement brings to the seats around the lake, and where on its border that is drawn. */
import type { Event, LanternesSeat } from "../../messages";
import type { Camera } from "./camera.svelte";
import { BOTTOM, LEFT, RIGHT, sideOf, STEPS, TOP, type Cell } from "./lake";

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The card that a seat receives from the side of the tile that faces it. */
export interface Gift {
  side: number;
  seat: number;
  colour: string;
  /** Whether the supply still has one. */
  comes: boolean;
  /** The middle of the tile's side. */
  from: Cell;
  /** The middle of the chip on the border. */
  chip: Cell;
}

/** The window in which chips lie, what else lies in it, and the scale of a chip. */
export interface Border {
  width: number;
  height: number;
  obstacles: Rectangle[];
  scale: number;
}

/** Return the gifts of a tile that lies in a cell of the screen, by what the server says that it brings. */
export function giftsOf(
  cell: Cell,
  events: Event[],
  camera: Camera,
  border: Border,
  seats: LanternesSeat[],
  quarters: number,
): Gift[] {
  const corner = camera.pointIn(cell, 0, 0);
  const middle = camera.pointIn(cell);
  const taken = [...border.obstacles, { ...corner, width: camera.size, height: camera.size }];
  return [TOP, RIGHT, BOTTOM, LEFT].flatMap((side) => {
    const seat = seats.findIndex((one) => sideOf(one, quarters) === side);
    const event = events.find((one) => one.seat === seat && one.why === "facing");
    if (event === undefined) return [];
    const [dx, dy] = STEPS[side]!;
    const from = { x: middle.x + (dx * camera.size) / 2, y: middle.y + (dy * camera.size) / 2 };
    const chip = chipAt(side, middle, taken, border);
    return [{ side, seat, colour: event.thing!, comes: event.kind === "received", from, chip }];
  });
}

/** Return whether two rectangles have a point in common. */
export const meet = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Return a point on the border straight ahead of a side; where that is taken, as near to it as there is room. */
function chipAt(side: number, from: Cell, taken: Rectangle[], { width, height, scale }: Border): Cell {
  const [dx, dy] = STEPS[side]!;
  const size = { width: 94 * scale, height: 42 * scale };
  const most = { x: width - size.width / 2 - 4, y: height - size.height / 2 - 3 };
  const hold = (at: Cell): Cell => ({
    x: Math.max(width - most.x, Math.min(most.x, at.x)),
    y: Math.max(height - most.y, Math.min(most.y, at.y)),
  });
  const boxAt = ({ x, y }: Cell): Rectangle => ({ x: x - size.width / 2, y: y - size.height / 2, ...size });
  const ahead = hold({ x: from.x + dx * width, y: from.y + dy * height });
  let best = ahead;
  let least = Infinity;
  for (let back = 0; back <= 400 && back < least; back += 8) {
    for (let aside = -160; aside <= 160; aside += 8) {
      const cost = back + 8 * Math.abs(aside);
      if (cost >= least) continue;
      const chip = hold({ x: ahead.x - dx * back + dy * aside, y: ahead.y - dy * back + dx * aside });
      const box = boxAt(chip);
      // On the border is ahead also of a tile that lies there.
      const isAhead = back === 0 || (chip.x - from.x) * dx + (chip.y - from.y) * dy >= 0;
      if (isAhead && !taken.some((one) => meet(one, box))) [best, least] = [chip, cost];
    }
  }
  taken.push(boxAt(best));
  return best;
}
