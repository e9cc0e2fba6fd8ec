/** What a finished game looks like from afar: the points turn by turn, and the moves that made a difference. */
import type { Event, Step, Story } from "./messages";

/** The scores at the end of a turn of everybody. */
export interface Moment {
  turn: number;
  scores: number[];
}

/** A move that made a difference. */
export interface Turn {
  ply: number;
  /** The turn it was made in, counted from 1. */
  turn: number;
  seat: number;
  gain: number;
  /** Whether its player led alone after it and had not before. */
  leads: boolean;
  /** Whether that player had led alone at some time before. */
  again: boolean;
  /** The sentences that tell of the points, each with its event. */
  lines: { text: string; event: Event | undefined }[];
}

const MOST = 5;
/** How many of them change the lead; the others are the moves that changed most. */
const LEADS = 4;
/** As many as are worth a list. */
const ENOUGH = 3;
/** The most sentences that tell of one of them. */
const LINES = 2;
/** The events that carry the number of the turn that they begin. Elsewhere a turn is over when everybody had one. */
const BEGINNINGS = new Set(["began", "lookout"]);

/** Return the seat that is ahead of all others, or -1. */
function leader(scores: number[]): number {
  const best = Math.max(...scores);
  return scores.filter((score) => score === best).length === 1 ? scores.indexOf(best) : -1;
}

/** Return the turn of each step; 0 before anybody has moved. */
export function turnNumbers(story: Story): number[] {
  const begun = (events: Event[]): number => events.findLast((event) => BEGINNINGS.has(event.kind))?.number ?? 0;
  const hasTurnNumbers = [story.opening, ...story.steps.map((step) => step.events)].some((events) => begun(events) > 0);
  const own = new Array<number>(story.players).fill(0);
  let [turn, last] = [0, -1];
  return story.steps.map((step) => {
    if (step.seat < 0) return turn;
    if (step.seat !== last) own[step.seat]!++;
    last = step.seat;
    const now = hasTurnNumbers ? Math.max(1, turn) : Math.max(turn, own[step.seat]!);
    turn = Math.max(now, hasTurnNumbers ? begun(step.events) : 0);
    return now;
  });
}

/** Return the scores before the first move and at the end of each turn. */
export function scoresByTurn(story: Story): Moment[] {
  const numbers = turnNumbers(story);
  const found: Moment[] = [{ turn: 0, scores: new Array<number>(story.players).fill(0) }];
  story.steps.forEach((step, i) => {
    const turn = numbers[i]!;
    if (found.at(-1)!.turn === turn) found.pop();
    found.push({ turn, scores: step.scores });
  });
  return found;
}

/** Return the sentence of the event that brought just these points, or else those that tell most about the move. */
function linesOf(step: Step, gain: number, headline: ReadonlySet<string>, most: number): Turn["lines"] {
  const lines = step.told.map((text, i) => ({ text, event: step.events[i] }));
  const at = step.gains?.indexOf(gain) ?? -1;
  if (at >= 0) return lines.slice(at, at + 1);
  const own = lines.filter((line) => line.event?.seat === step.seat);
  const heads = own.filter((line) => headline.has(line.event!.kind));
  return (heads.length > 0 ? heads : own.length > 0 ? own : lines).slice(0, most);
}

/** Return what a move changed between its player and the best of the others. */
function swingOf(seat: number, before: number[], after: number[]): number {
  const lead = (scores: number[]): number =>
    scores[seat]! - Math.max(...scores.map((score, other) => (other === seat ? -Infinity : score)));
  return lead(after) - lead(before);
}

/**
 * Return the moves that last changed the lead, none of them left out in between, and those that changed most, in the
 * order of the game.
 *
 * Moves of the first turn are never turning points. `headline` names the kinds of events that tell most about a move.
 */
export function turningPoints(story: Story, headline: ReadonlySet<string>): Turn[] {
  const found: (Turn & { swing: number })[] = [];
  const numbers = turnNumbers(story);
  let before = story.steps[0]?.scores.map(() => 0) ?? [];
  let ahead = -1;
  const led = new Set<number>();
  story.steps.forEach((step, i) => {
    const [seat, now] = [step.seat, leader(step.scores)];
    const gain = seat < 0 ? 0 : step.scores[seat]! - before[seat]!;
    if (gain > 0 && numbers[i]! > 1) {
      const leads = now === seat && ahead !== seat;
      // With the last move comes the final count, which is not about the move.
      const most = i === story.steps.length - 1 ? 1 : LINES;
      const [swing, lines] = [swingOf(seat, before, step.scores), linesOf(step, gain, headline, most)];
      found.push({ ply: i + 1, turn: numbers[i]!, seat, gain, leads, again: led.has(seat), lines, swing });
    }
    before = step.scores;
    if (now < 0) return;
    ahead = now;
    led.add(now);
  });
  const leads = found.filter((turn) => turn.leads).slice(-LEADS);
  const others = found.filter((turn) => !leads.includes(turn)).sort((a, b) => b.swing - a.swing || b.ply - a.ply);
  const chosen = [...leads, ...others].slice(0, Math.min(MOST, Math.max(ENOUGH, leads.length + 1)));
  return chosen.sort((a, b) => a.ply - b.ply);
}
