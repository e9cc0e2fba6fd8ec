/** Where the buttons lie that zoom the lake: in a corner where they cover nothing. */
import { meet, type Rectangle } from "./gifts";

export type Corner = Rectangle;

const EDGE = 14;

/** Return the first corner that nothing lies in; where there is none, none. */
export function cornerFor(
  small: boolean,
  window: { width: number; height: number },
  taken: Rectangle[],
): Corner | null {
  const size = small ? { width: 134, height: 46 } : { width: 46, height: 134 };
  const edge = small ? 4 : EDGE;
  for (const [isLeft, isTop] of [
    [false, false],
    [false, true],
    [true, true],
    [true, false],
  ] as const) {
    const x = isLeft ? edge : window.width - edge - size.width;
    const y = isTop ? edge : window.height - edge - size.height;
    const box = { x, y, ...size };
    if (!taken.some((one) => meet(one, box))) return box;
  }
  return null;
}
