/** What the others did to the person at the page since their last move: what hurt first. */
import type { MovedChange } from "../../messages";
import type { Spot } from "../../arrowKeys";
import { say, translate, words } from "../../words.svelte";
import { spotOf, type LumensInteraction } from "./interaction.svelte";
import { thePlace, theRoom } from "./names";
import type { LumensPlay } from "./turnSteps";

export interface News {
  text: string;
  /** Whether something was taken from the person. */
  hurts: boolean;
}

interface Line {
  text: string;
  /** 0 where it takes nothing from the person; the more it takes, the larger. */
  harm: number;
}

/** A move of somebody else: its cell, and its sums in the room there, before and after; no room for a passage. */
interface Turn {
  move: MovedChange;
  letter: string | null;
  at: Spot;
  before: number[];
  after: number[];
}

/** The most sentences about what hurt; the log has the rest. */
const MOST = 2;

const leaders = (sums: number[]): number[] => {
  const most = Math.max(0, ...sums);
  return most === 0 ? [] : sums.flatMap((sum, seat) => (sum === most ? [seat] : []));
};

/** Return the moves of others since the own last one, without what was taken back. */
function turnsOf(play: LumensPlay, me: number): Turn[] {
  const { log, plies } = play;
  const sums = new Map<string, number[]>();
  let found: Turn[] = [];
  for (const move of log) {
    if (move.kind !== "moved" || !plies.has(move.seq)) continue;
    const changes = move.events.filter((event) => event.kind === "sum");
    const letter = changes[0]?.thing ?? null;
    const before = (letter === null ? undefined : sums.get(letter)) ?? play.info!.seats.map(() => 0);
    const after = [...before];
    for (const { seat, number } of changes) after[seat!] = number;
    if (letter !== null) sums.set(letter, after);
    const placed = move.events.find((event) => event.kind === "placed");
    if (move.seat === me) found = [];
    else if (placed !== undefined && placed.why !== "setup") {
      const at = spotOf(placed.thing);
      if (at !== null) found.push({ move, letter, at, before, after });
    }
  }
  return found;
}

function tell({ play, plan }: LumensInteraction, me: number, { move, letter, at, before, after }: Turn): Line {
  const covered = move.events.find((event) => event.kind === "covered" && event.seat === me);
  const who = play.name(move.seat);
  const covers = { who, face: covered?.number ?? 0, place: thePlace(plan, at) };
  if (letter === null) {
    if (covered) return { text: say("lumens.web.news.covers", covers), harm: 2 };
    const number = move.events.find((event) => event.kind === "placed")?.number ?? 0;
    return { text: say("lumens.web.news.passage", { ...covers, number }), harm: 0 };
  }
  const [had, has] = [leaders(before), leaders(after)];
  const leads = has.includes(move.seat);
  const values = { who, face: covers.face, room: theRoom(letter), number: Math.max(...after), mine: after[me]! };
  const how = covered ? "covers_" : "";
  if (had.includes(me) && !has.includes(me)) {
    const other = words.list(has.map((seat) => play.name(seat)));
    const text = leads
      ? translate(`lumens.web.news.${how}takes_yours`, values)
      : say("lumens.web.news.covers_other", { ...values, other });
    return { text, harm: 4 };
  }
  if (had.length === 1 && had[0] === me && has.length > 1 && leads)
    return { text: translate(`lumens.web.news.${how}level_yours`, values), harm: 3 };
  if (covered) return { text: say("lumens.web.news.covers", covers), harm: 2 };
  const now = { ...values, number: after[move.seat]! };
  if (after[me]! > 0 && before[move.seat]! <= before[me]! && after[move.seat]! > after[me]!)
    return { text: say("lumens.web.news.passes", now), harm: 1 };
  const isNew = move.events.some((event) => event.kind === "leads" && event.seat === move.seat);
  return { text: translate(`lumens.web.news.${isNew ? (has.length > 1 ? "level" : "takes") : "now"}`, now), harm: 0 };
}

/** Return what there is to know before the own turn; null where the others did nothing. */
export function news(interaction: LumensInteraction): News | null {
  const { play } = interaction;
  const me = play.seat;
  if (me === null || play.past !== null) return null;
  const found = turnsOf(play, me).map((turn) => tell(interaction, me, turn));
  const hurt = found.filter((one) => one.harm > 0).sort((a, b) => b.harm - a.harm);
  if (hurt.length > 0) {
    const text = hurt
      .slice(0, MOST)
      .map((one) => one.text)
      .join(" ");
    return { text, hurts: true };
  }
  const last = found.at(-1);
  return last === undefined ? null : { text: last.text, hurts: false };
}
