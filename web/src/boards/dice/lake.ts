/** The lake as the box describes it, and where its ponds and zones lie on paper. Nothing here knows what may be done. */
import type { DiceLaunch, DiceSeat, DiceShade, DiceView } from "../../messages";

export type Colour = NonNullable<DiceView["bonus"]>;
export type Shape = DiceLaunch["shape"];
export interface Zone {
  id: number;
  pond: number;
  half: 0 | 1;
  colour: Colour;
  hasPavilion: boolean;
  diagonal: string;
  name: string;
  /** The middle of the triangle, counted in ponds. */
  x: number;
  y: number;
}
export interface Pond {
  id: number;
  x: number;
  y: number;
  diagonal: string;
  mark: "platform" | "boat" | null;
  zones: [Zone, Zone];
}
export interface Effect {
  zones: number;
  colour: string;
  where: string;
}
/** The parts of the box that are drawn. */
export interface Box {
  lake: { ponds: string[]; diagonals: string[] };
  gifts: { slots: number };
  fireworks: Record<Shape, { shape: string[] }>;
  emperor: Record<string, Record<"A" | "B", Effect>>;
}

/** The side of a pond, and how many there are. */
export const S = 82;
export const WIDTH = 9;
export const HEIGHT = 6;
export const pondName = (pond: number): string => `${"abcdefghi"[pond % WIDTH]}${Math.floor(pond / WIDTH) + 1}`;
export const cellsOf = (ponds: number[]): [number, number][] =>
  ponds.map((pond) => [pond % WIDTH, Math.floor(pond / WIDTH)]);

const lakes = new WeakMap<Box, Pond[]>();

/** Return the ponds of a box, the same ones every time. */
export function lakeOf(box: Box): Pond[] {
  const found = lakes.get(box) ?? read(box);
  lakes.set(box, found);
  return found;
}

function read(box: Box): Pond[] {
  const marks = { "#": "platform", "^": "boat" } as const;
  return box.lake.ponds.flatMap((row, y) =>
    row
      .trim()
      .split(/\s+/)
      .map((text, x): Pond => {
        const id = y * WIDTH + x;
        const diagonal = box.lake.diagonals[y]![x]!;
        const zone = (half: 0 | 1): Zone => {
          const letter = text[half]!;
          const [across, down] = spot(diagonal, half, 1, 1 / 3);
          return {
            id: id * 2 + half,
            pond: id,
            half,
            diagonal,
            name: pondName(id) + "ab"[half],
            colour: letter.toUpperCase() as Colour,
            hasPavilion: letter !== letter.toUpperCase(),
            x: x + across,
            y: y + down,
          };
        };
        return { id, x, y, diagonal, mark: marks[text[2] as "#" | "^"] ?? null, zones: [zone(0), zone(1)] };
      }),
  );
}

/** The ponds of a firework as the box draws it, as columns and rows. */
export const shapeOf = (box: Box, shape: Shape): [number, number][] =>
  box.fireworks[shape].shape.flatMap((row, y) =>
    [...row].flatMap((mark, x) => (mark === "X" ? [[x, y] as [number, number]] : [])),
  );

/** How many columns (0) or rows (1) some ponds at the upper left take. */
export const span = (cells: [number, number][], k: 0 | 1): number => Math.max(...cells.map((cell) => cell[k])) + 1;

/** Ponds moved to the upper left. */
export function atOrigin(cells: [number, number][]): [number, number][] {
  const least = (k: 0 | 1): number => Math.min(...cells.map((cell) => cell[k]));
  const [x, y] = [least(0), least(1)];
  return cells.map((cell) => [cell[0] - x, cell[1] - y]);
}

/** A triangle of a pond; `d` keeps it off the pond's sides. */
export function triangle(zone: { diagonal: string; half: 0 | 1 }, d = 0): string {
  const near = d;
  const cut = d * 2.6;
  const [far, end] = [S - near, S - cut];
  if (zone.diagonal === "/") {
    return zone.half === 0 ? `M${near} ${near}H${end}L${near} ${end}z` : `M${far} ${cut}V${far}H${cut}z`;
  }
  return zone.half === 0 ? `M${cut} ${near}H${far}V${end}z` : `M${near} ${cut}V${far}H${end}z`;
}

/** A point of a triangle, `f` of the side away from its right angle. */
export function spot(diagonal: string, half: 0 | 1, side: number, f: number): [number, number] {
  const near = side * f;
  const far = side - near;
  if (diagonal === "/") return half === 0 ? [near, near] : [far, far];
  return half === 0 ? [far, near] : [near, far];
}

/** The zone under a point that is counted in ponds. */
export function zoneAt(lake: Pond[], x: number, y: number): Zone | null {
  const pond = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT ? lake[Math.floor(y) * WIDTH + Math.floor(x)] : undefined;
  if (pond === undefined) return null;
  const [across, down] = [x - pond.x, y - pond.y];
  const isUpper = pond.diagonal === "/" ? across + down < 1 : down < across;
  return pond.zones[isUpper ? 0 : 1];
}

/** The middle of some ponds. */
export function middle(ponds: number[]): { x: number; y: number } {
  const cells = cellsOf(ponds);
  const mean = (k: 0 | 1): number => cells.reduce((sum, cell) => sum + cell[k] + 0.5, 0) / cells.length;
  return { x: mean(0), y: mean(1) };
}

/** The line around some ponds. */
export function outline(ponds: Iterable<number>): string {
  const inside = new Set(ponds);
  return [...inside]
    .map((pond) => {
      const [x, y] = [(pond % WIDTH) * S, Math.floor(pond / WIDTH) * S];
      const column = pond % WIDTH;
      const isOpen = (other: number): boolean => !inside.has(other);
      return [
        isOpen(pond - WIDTH) ? `M${x} ${y}h${S}` : "",
        isOpen(pond + WIDTH) ? `M${x} ${y + S}h${S}` : "",
        column === 0 || isOpen(pond - 1) ? `M${x} ${y}v${S}` : "",
        column === WIDTH - 1 || isOpen(pond + 1) ? `M${x + S} ${y}v${S}` : "",
      ].join("");
    })
    .join("");
}

/** The ponds of which both zones are shaded. */
export function completeOf(shaded: number[]): Set<number> {
  const zones = new Set(shaded);
  return new Set(shaded.filter((zone) => zone % 2 === 0 && zones.has(zone + 1)).map((zone) => zone / 2));
}

export const shadeOf = (zone: Zone): DiceShade => ({ kind: "shade", zone: zone.id });

/** Where on the lake of a drawing an event is, counted in ponds. */
export function pointOn(svg: SVGSVGElement, event: MouseEvent): [number, number] {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()!.inverse());
  return [at.x / S, at.y / S];
}

/** Return the SVG transform that moves a drawing to a pond. */
export const shiftTo = (pond: number): string => `translate(${(pond % WIDTH) * S} ${Math.floor(pond / WIDTH) * S})`;

/** What a sheet shows. Zones are named by their numbers. */
export interface SheetState {
  lake: Pond[];
  seat: DiceSeat;
  /** Larger lanterns, for small ponds. */
  bold: boolean;
  legal: Set<number>;
  chosen: number | null;
  hovered: number | null;
  refused: number | null;
  /** The firework that is shown before it is launched, and its points. */
  ghost: DiceLaunch | null;
  worth: number | null;
  /** The ponds over which the firework in hand could be launched. */
  open: Set<number>;
  /** The ponds of the seat's last move. */
  last: Set<number>;
}
