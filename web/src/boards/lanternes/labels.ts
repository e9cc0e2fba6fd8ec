/** Tiles and cells in words, as they lie on the screen. */
import { say, translate, words } from "../../words.svelte";
import { nameOf, STEPS, type Cell, type Laid, type Letter } from "./lake";

export const colourWords = (letter: string | null): string => translate(`lanternes.colour.${letter}`);

/** A tile by its sides, clockwise from the top. */
export function tileWords(sides: Letter[], code: string): string {
  const [top, right, bottom, left] = sides.map(colourWords) as [string, string, string, string];
  const text = say("lanternes.web.tile", { top, right, bottom, left });
  return code.endsWith("*") ? `${text} ${say("lanternes.web.symbol")}` : text;
}

/** Where a cell of the screen lies, counted from the start tile. */
function whereWords({ x, y }: Cell): string {
  if (x === 0 && y === 0) return say("lanternes.web.where_start");
  const steps = [
    x > 0 ? say("lanternes.web.to_right", { count: x }) : x < 0 ? say("lanternes.web.to_left", { count: -x }) : "",
    y > 0 ? say("lanternes.web.to_bottom", { count: y }) : y < 0 ? say("lanternes.web.to_top", { count: -y }) : "",
  ];
  return say("lanternes.web.where", { steps: words.list(steps.filter(Boolean)) });
}

/** A tile of the lake, and where it lies. */
export function laidWords(laid: Laid): string {
  const tile = tileWords(laid.sides, laid.code);
  if (laid.x === 0 && laid.y === 0) return say("lanternes.web.tile_start", { tile });
  return say("lanternes.web.tile_where", { tile, where: whereWords(laid) });
}

/** A free cell: where it lies, and the colours that a tile there would touch. */
export function placeWords(cell: Cell, lake: Map<string, Laid>): string {
  const colours = STEPS.flatMap(([dx, dy], side) => {
    const beside = lake.get(nameOf({ x: cell.x + dx, y: cell.y + dy }));
    return beside === undefined ? [] : [colourWords(beside.sides[(side + 2) & 3]!)];
  });
  return say("lanternes.web.place", { where: whereWords(cell), colours: words.list(colours) });
}

/** A cell where no tile may lie. */
export const elsewhereWords = (cell: Cell): string => say("lanternes.web.elsewhere", { where: whereWords(cell) });
