/** Cards and boats that fly in the order in which they are given, and count when they land. */
import type { Event, LanternesSeat } from "../../messages";
import { animate, DRIFT } from "../animation";
import { lantern } from "../lantern";
import { ovals, sideOf, sums, type Cell, type Laid } from "./lake";

const APART = 90;
const SIZE = 30;

/** Where things start and land, in points of the window. */
export interface Ground {
  /** A point of the tile that was laid: its middle, or one of its sides. */
  tile: (side: number | null) => Cell | null;
  /** The middle of a counter, or of what is shown in its place. */
  counter: (name: string) => Cell | null;
  /** The pile of rewards of a seat. */
  rewards: (seat: number) => Cell | null;
}

export interface Flight {
  symbol: string;
  from: Cell;
  to: Cell;
  event: Event;
  /** A reward: the points on its card. */
  points?: number;
}

/** The flights of a move's events. The cards of matches come from the ovals in their order. */
export function flightsOf(
  events: Event[],
  laid: Laid | null,
  lake: Map<string, Laid>,
  seats: LanternesSeat[],
  quarters: number,
  ground: Ground,
): Flight[] {
  const meeting = laid === null ? [] : ovals(laid, lake, quarters).map((oval) => oval.side);
  return events.flatMap((event) => {
    const { kind, seat, thing, why } = event;
    const own =
      seat === null
        ? null
        : ground.counter(kind === "boats" ? `${seat}boats` : kind === "rewarded" ? `${seat}points` : `${seat}${thing}`);
    const pool = ground.counter(`supply${thing}`);
    let path: [Cell | null, Cell | null] = [null, null];
    let symbol = lantern(thing);
    if (kind === "received" || kind === "missed") {
      const side = why === "match" ? meeting.shift() : sideOf(seats[seat!]!, quarters);
      if (kind === "received") path = [side === undefined || laid === null ? pool : ground.tile(side), own];
    } else if (kind === "boats") {
      symbol = "boat";
      path = why === "exchange" ? [own, ground.counter("supplyW")] : [ground.tile(null), own];
    } else if (kind === "took") {
      path = [pool, own];
    } else if (kind === "gave" || kind === "discarded" || kind === "paid") {
      path = [own, pool];
    } else if (kind === "rewarded") {
      const [from, to] = [ground.counter(`reward-${stackOf(events)}`), ground.rewards(seat!) ?? own];
      return from === null || to === null ? [] : [{ symbol: "", from, to, event, points: event.number }];
    }
    const [from, to] = path;
    return from === null || to === null ? [] : [{ symbol, from, to, event }];
  });
}

/** Return the stack that a set belongs to: also where it earned a neutral reward. */
function stackOf(events: Event[]): string {
  const paid = events.filter((event) => event.kind === "paid");
  return paid.length === 1 ? "four" : paid.length === 3 ? "pairs" : "seven";
}

const SVG = "http://www.w3.org/2000/svg";

/** Return what flies: a symbol, or the card of a reward. */
function pieceOf({ symbol, points }: Flight): SVGSVGElement {
  const piece = document.createElementNS(SVG, "svg");
  piece.setAttribute("width", String(SIZE));
  piece.setAttribute("height", String(SIZE));
  if (points === undefined) {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${symbol}`);
    piece.append(use);
    return piece;
  }
  piece.setAttribute("class", "reward-card");
  piece.setAttribute("viewBox", "0 0 30 30");
  const card = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x: 4, width: 22, height: 30, rx: 4 }))
    card.setAttribute(name, String(value));
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("x", "15");
  text.setAttribute("y", "20");
  text.textContent = String(points);
  piece.append(card, text);
  return piece;
}

/** Fly, one after another; each calls `landed` as it lands. A reward flies last and largest. */
export async function fly(flights: Flight[], over: HTMLElement, landed: (event: Event) => void): Promise<void> {
  await Promise.all(
    flights.map(async (flight, i) => {
      const { from, to, event } = flight;
      const isReward = flight.points !== undefined;
      const piece = pieceOf(flight);
      over.append(piece);
      const at = ({ x, y }: Cell, scale: number): string =>
        `translate(${x - SIZE / 2}px, ${y - SIZE / 2}px) scale(${scale})`;
      const frames = [
        { transform: at(from, 0.6), opacity: 0 },
        { transform: at(from, isReward ? 2.4 : 1.25), opacity: 1, offset: isReward ? 0.3 : 0.18 },
        { transform: at(to, 0.9), opacity: 1 },
      ];
      const duration = isReward ? 2.5 * DRIFT : DRIFT;
      await animate(piece, frames, duration, { easing: "--ease-float", delay: APART * i, fill: "both" });
      piece.remove();
      landed(event);
    }),
  );
}

/** What has not landed yet does not count. */
export const still = (flights: Flight[]) => flights.map((flight) => sums(flight.event));
