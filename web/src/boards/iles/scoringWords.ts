/** How each category of the score is counted on an island, in sentences with the numbers as they stand now. */
import type { IlesView } from "../../messages";
import { plainly } from "../../signedNumbers";
import { capital, say, translate, words } from "../../words.svelte";
import { type Box, codeOf, type DreamName, inSightOf, ROWS, SYMBOLS } from "./tiles";
import type { IlesPlay } from "./turnSteps";

/** Where the words for counting come from: the board of a game that is played, or its end. */
export interface Counting {
  box: Box;
  view: IlesView;
  play: IlesPlay;
}

const GEMS = "RED";
export const pointsWords = (count: number): string => say("iles.web.points", { count, points: plainly(count) });
const elements = (letter: string, count: number): string => translate(`iles.element.${letter}`, { count });
const makes = (points: number): string => say("iles.web.about.makes", { points: pointsWords(points) });

/** The letter of what a dream is about; undefined for gems and genies. */
const letterOf = (name: DreamName): string | undefined => Object.keys(SYMBOLS).find((one) => SYMBOLS[one] === name);

const row = (letter: string, count: number, points: number): string =>
  capital(say("iles.web.rule.so_many", { things: elements(letter, count), points: pointsWords(points) }));

/** The rule of a dream in a sentence or two. */
export function dreamRule(box: Box, name: DreamName): string {
  const rule = box.dreams[name];
  if (rule.each !== undefined)
    return say("iles.web.rule.each", { number: rule.each, things: translate(`iles.category.${name}`) });
  if (rule.each_tile_face_down !== undefined) return say("iles.web.rule.genie", { number: rule.each_tile_face_down });
  const letter = letterOf(name);
  if (rule.exactly !== undefined && letter !== undefined)
    return rule.exactly.flatMap((points, count) => (count > 0 ? row(letter, count, points) : [])).join(" ");
  const [, one, two, three] = (rule.distinct_gems_per_column ?? rule.distinct_gems_per_row)!;
  return translate(`iles.web.rule.${name}`, { one: one!, two: two!, three: three! });
}

/** What else there is to know about the rule of a dream: a few numbers, or what too few and too many bring. */
function dreamRest(box: Box, name: DreamName): string[] {
  const { each, exactly } = box.dreams[name];
  const letter = letterOf(name);
  if (each !== undefined && letter !== undefined)
    return [[1, 2, 3].map((count) => row(letter, count, count * each)).join(" ")];
  if (name === "lamp") return [say("iles.web.rule.lamp")];
  if (exactly !== undefined) return [say("iles.web.rule.else", { count: exactly.length })];
  return name === "genie" ? [] : [say("iles.web.rule.gem_twice")];
}

/** The gems of an island, a sentence for each column or row that shows any. */
function gemLines({ box, view }: Counting, seat: number, name: DreamName): string[] {
  const { island } = view.seats[seat]!;
  const cells = island.map((its, y) =>
    its.map((cell) => (cell === null || cell.down ? "" : codeOf(box, ROWS[y]!, cell.tile))),
  );
  const lines =
    name === "gem_rows"
      ? cells.map((its, y) => ({ where: say("iles.web.about.row", { row: translate(`iles.pile.${ROWS[y]!}`) }), its }))
      : cells[0]!.map((_, x) => ({
          where: say("iles.web.about.column", { number: x + 1 }),
          its: cells.map((all) => all[x]!),
        }));
  return lines.flatMap(({ where, its }) => {
    const found = [...GEMS].flatMap((gem) => {
      const count = [...its.join("")].filter((one) => one === gem).length;
      return count > 0 ? [elements(gem, count)] : [];
    });
    const values = { where: capital(where), list: words.list(found), count: found.length };
    return found.length > 0 ? [say("iles.web.about.gems", values)] : [];
  });
}

/** What a dream finds on an island now. */
function dreamFinds(counting: Counting, seat: number, name: DreamName): string {
  const { box, view } = counting;
  const its = view.seats[seat]!;
  const none = say("iles.web.about.none");
  if (name === "genie") {
    const count = its.island.flat().filter((cell) => cell?.down).length;
    return count > 0 ? say("iles.web.about.genies", { count }) : say("iles.web.about.no_genies");
  }
  const letter = letterOf(name);
  if (letter === undefined) return gemLines(counting, seat, name).join(" ") || none;
  const count = inSightOf(box, its, letter);
  return count > 0 ? say("iles.web.about.in_sight", { list: elements(letter, count) }) : none;
}

/** A dream: its rule, and what it finds on an island; with `points` also what that makes there. */
export function dreamLines(counting: Counting, seat: number, name: DreamName, points: number | null): string[] {
  const copies = counting.view.seats[seat]!.dreams.filter((dream) => dream === name).length;
  const now = [
    dreamFinds(counting, seat, name),
    ...(points !== null && copies > 1 ? [say("iles.web.about.twice")] : []),
    ...(points === null ? [] : [makes(points)]),
  ];
  return [dreamRule(counting.box, name), ...dreamRest(counting.box, name), now.join(" ")];
}

function pairLines({ box, view }: Counting, seat: number, points: number | null): string[] {
  const [rokhs, eggs] = [..."ro"].map((letter) => inSightOf(box, view.seats[seat]!, letter)) as [number, number];
  const found = [...(rokhs > 0 ? [elements("r", rokhs)] : []), ...(eggs > 0 ? [elements("o", eggs)] : [])];
  const now =
    found.length > 0 ? say("iles.web.about.in_sight", { list: words.list(found) }) : say("iles.web.about.none");
  const next =
    rokhs > eggs
      ? "iles.web.about.pairs.egg"
      : eggs > rokhs
        ? "iles.web.about.pairs.rokh"
        : "iles.web.about.pairs.both";
  return [
    say("iles.web.about.pairs", { points: box.scoring.rokh_and_egg }),
    [now, ...(points === null ? [] : [makes(points)])].join(" "),
    ...(view.step === "ended" ? [] : [say(next)]),
  ];
}

function brigandLines({ box, view, play }: Counting, seat: number, points: number | null): string[] {
  const counts = view.seats.map((one) => inSightOf(box, one, "b"));
  const [mine, most] = [counts[seat]!, Math.max(...counts)];
  const who = words.list(
    counts.flatMap((count, other) => (count === most && other !== seat ? [play.name(other)] : [])),
  );
  const lost = pointsWords(points ?? 0);
  const now =
    most === 0
      ? say("iles.web.about.brigands.none")
      : mine < most
        ? say("iles.web.about.brigands.fewer", { mine, most, who })
        : who === ""
          ? say("iles.web.about.brigands.most", { mine, points: lost })
          : say("iles.web.about.brigands.tied", { mine, who, points: lost });
  return [say("iles.web.about.b", { count: -box.scoring.brigand_if_most }), now];
}

/** How a category is counted for a seat, and what it makes now. */
export function categoryLines(counting: Counting, seat: number, name: string): string[] {
  const { box, view, play } = counting;
  const points = play.standing?.categories[seat]?.[name] ?? null;
  if (name === "pairs") return pairLines(counting, seat, points);
  if (name === "brigands") return brigandLines(counting, seat, points);
  if (name !== "palms") {
    const dream = name as DreamName;
    if (view.seats[seat]!.dreams.includes(dream)) return dreamLines(counting, seat, dream, points);
    const missing = { who: play.name(seat), dream: translate(`iles.dream.${dream}`) };
    return [dreamRule(box, dream), ...dreamRest(box, dream), say("iles.web.about.no_dream", missing)];
  }
  const count = inSightOf(box, view.seats[seat]!, "p");
  const now = count > 0 ? say("iles.web.about.in_sight", { list: elements("p", count) }) : say("iles.web.about.none");
  return [
    say("iles.web.about.p", { count: box.scoring.palm }),
    [now, ...(points === null ? [] : [makes(points)])].join(" "),
  ];
}
