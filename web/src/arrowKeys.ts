/** Moving between places on a board by the arrow keys: one tab stop, then from place to place. */
export interface Spot {
  x: number;
  y: number;
}

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest place in the direction of an arrow key, as the person sees it; none: the same. */
export function next<T extends Spot>(places: T[], from: T | null, key: string): T | null {
  const way = WAYS[key];
  if (way === undefined) return from;
  if (from === null) return places[0] ?? null;
  let best: T | null = null;
  let least = Infinity;
  for (const place of places) {
    const along = (place.x - from.x) * way[0] + (place.y - from.y) * way[1];
    const aside = Math.abs((place.x - from.x) * way[1]) + Math.abs((place.y - from.y) * way[0]);
    if (along <= 1e-9) continue;
    const far = along + 2.5 * aside;
    if (far < least) [best, least] = [place, far];
  }
  return best ?? from;
}

export const isArrow = (key: string): boolean => key in WAYS;
