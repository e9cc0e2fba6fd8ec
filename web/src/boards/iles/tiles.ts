/** Tiles, dreams and piles as the drawings need them, read from the edition, the view and the log. */
import type { IlesAnyMove, IlesCell, IlesEvent, IlesSeat, IlesSlot, IlesView, MovedChange } from "../../messages";
import { say, translate, words } from "../../words.svelte";

export type Tile = NonNullable<IlesSlot["tile"]>;
export type DreamName = IlesSeat["dreams"][number];
export type PileName = NonNullable<IlesView["open"]>;
export const ROWS = ["top", "centre", "bottom"] as const;
export const PILES: readonly PileName[] = [...ROWS, "dream"];
export type Row = (typeof ROWS)[number];

type DreamRule = Partial<
  Record<"each" | "each_tile_face_down", number> &
    Record<"exactly" | "distinct_gems_per_column" | "distinct_gems_per_row", number[]>
>;
/** The components of the game: components.toml. */
export interface Box {
  islands: Record<Row, string[]>;
  dreams: Record<DreamName, DreamRule>;
  scoring: { palm: number; rokh_and_egg: number; brigand_if_most: number };
  characters: { names: string[] };
}

/** The symbol of each letter by which the box writes a tile. */
export const SYMBOLS: Record<string, string> = {
  p: "palm",
  b: "brigand",
  l: "lamp",
  r: "rokh",
  o: "egg",
  m: "monkey",
  f: "fennec",
  c: "camel",
  e: "elephant",
  s: "snake",
  R: "ruby",
  E: "emerald",
  D: "diamond",
};
/** The symbol of each category of points. */
export const CATEGORY_SYMBOLS: Record<string, string> = {
  gem_columns: "ruby",
  gem_rows: "emerald",
  palms: "palm",
  pairs: "egg",
  brigands: "brigand",
};
export const symbolOf = (category: string): string => CATEGORY_SYMBOLS[category] ?? category;

export const isRow = (pile: PileName | null): pile is Row => pile !== null && pile !== "dream";

/** A tile as the box writes it: letters, or the name of a dream. */
export function codeOf(box: Box, pile: PileName, tile: Tile): string {
  return typeof tile === "number" && isRow(pile) ? (box.islands[pile][tile] ?? "") : String(tile);
}

/** What is on a tile, in words: "2 palms and a lamp". */
export function tileWords(pile: PileName, code: string): string {
  if (pile === "dream") return translate(`iles.dream.${code}`);
  const letters = [...code];
  return words.list(
    [...new Set(letters)].map((letter) =>
      translate(`iles.element.${letter}`, { count: letters.filter((one) => one === letter).length }),
    ),
  );
}

/** What lies on a cell, in words. */
export function cellWords(box: Box, row: Row, cell: IlesCell | null): string {
  if (cell === null) return say("iles.web.free");
  const shown = tileWords(row, codeOf(box, row, cell.tile));
  return cell.down ? `${shown}, ${say("iles.picture.down")}` : shown;
}

/** How often an element is in sight on an island. */
export function inSightOf(box: Box, { island }: IlesSeat, letter: string): number {
  const codes = island.flatMap((cells, y) =>
    cells.map((cell) => (cell === null || cell.down ? "" : codeOf(box, ROWS[y]!, cell.tile))),
  );
  return [...codes.join("")].filter((one) => one === letter).length;
}

/** A whole island in words, row by row. */
export function islandWords(box: Box, seat: IlesSeat): string {
  return ROWS.map((row, y) => {
    const cells = seat.island[y]!.filter((cell) => cell !== null).map((cell) => cellWords(box, row, cell));
    return `${translate(`iles.pile.${row}`)}: ${cells.join("; ") || say("iles.web.free")}`;
  }).join(". ");
}

/** What a dream gives, as numbers: a fixed number each, or by how many there are. */
export function ruleOf(box: Box, name: DreamName): string {
  const rule = box.dreams[name];
  const each = rule.each ?? rule.each_tile_face_down;
  if (each !== undefined) return say("iles.picture.each", { number: each });
  const byCount = rule.exactly ?? rule.distinct_gems_per_column ?? rule.distinct_gems_per_row ?? [];
  return byCount.flatMap((points, count) => (count > 0 ? `${count}→${points}` : [])).join(", ");
}

/** What the moves so far tell about what lies on the table. */
export interface Story {
  /** Who took the tile of a slot of this round. */
  takers: Map<number, number>;
  /** The cell that was laid last. */
  last: { seat: number; row: Row; column: number } | null;
  /** The dream that was laid last, where that was later than any cell. */
  lastDream: { seat: number; dream: string } | null;
  /** Each seat's dreams in the order of keeping them. */
  dreams: Map<number, string[]>;
}

export function storyOf(line: MovedChange[]): Story {
  const story: Story = { takers: new Map(), last: null, lastDream: null, dreams: new Map() };
  for (const change of line) {
    const move = change.move as IlesAnyMove | null | undefined;
    if (move?.kind === "pile") story.takers.clear();
    else if (move?.kind === "take") story.takers.set(move.slot, change.seat);
    for (const event of change.events as IlesEvent[]) {
      if (event.kind === "laid" && isRow(event.pile ?? null) && event.column !== undefined) {
        story.last = { seat: change.seat, row: event.pile as Row, column: event.column };
        story.lastDream = null;
      }
      if (event.kind !== "dreamt" || event.seat === null || event.thing === null) continue;
      story.dreams.set(event.seat, [...(story.dreams.get(event.seat) ?? []), event.thing]);
      story.lastDream = { seat: event.seat, dream: event.thing };
      story.last = null;
    }
  }
  return story;
}

/** A seat's dreams in the order they came. */
export function dreamsInOrder(seat: IlesSeat, order: string[]): DreamName[] {
  const left = [...seat.dreams];
  const sorted: DreamName[] = [];
  for (const name of order) {
    const at = left.indexOf(name as DreamName);
    if (at >= 0) sorted.push(...left.splice(at, 1));
  }
  return [...sorted, ...left];
}

/** What one tile of a dream is worth now: equal dreams share their category. */
export function worthOf(
  dreams: readonly string[],
  name: string,
  categories: Record<string, number> | undefined,
): number | null {
  if (categories === undefined) return null;
  return (categories[name] ?? 0) / Math.max(1, dreams.filter((dream) => dream === name).length);
}

/** The cells, as "row,column", whose tile lies face down after and not before. */
export function turnedOver(before: IlesSeat | undefined, after: IlesSeat | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  return after.island.flatMap((row, y) =>
    row.flatMap((cell, x) => (cell?.down && before.island[y]![x]?.down === false ? [`${y},${x}`] : [])),
  );
}
