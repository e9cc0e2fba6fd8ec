/** Where the buttons lie that zoom the lake: in a corner where they cover nothing. */
import { meet, type Rectangle } from "./gifts";

const SIZE = { width: 46, height: 134 };
const EDGE = 14;

/** Return the first corner that nothing lies in; where there is none, none. */
export function cornerFor({ width, height }: { width: number; height: number }, taken: Rectangle[]): Rectangle | null {
  const [right, bottom] = [width - EDGE - SIZE.width, height - EDGE - SIZE.height];
  const corners = [
    { x: right, y: bottom },
    { x: right, y: EDGE },
    { x: EDGE, y: EDGE },
    { x: EDGE, y: bottom },
  ].map((corner) => ({ ...corner, ...SIZE }));
  return corners.find((box) => !taken.some((one) => meet(one, box))) ?? null;
}
