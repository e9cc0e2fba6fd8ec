/** The turning points of a finished game: the moves that gained most or changed who leads. */
import type { Story } from "./messages";

/** A move that made a difference. */
export interface Turn {
  ply: number;
  seat: number;
  gain: number;
  /** Whether its player led alone after it and had not before. */
  leads: boolean;
  /** The sentence of the event that brought just these points, or all sentences of the move. */
  sentence: string;
}

const MOST = 3;

/** Return the seat that is ahead of all others, or -1. */
function leader(scores: number[]): number {
  const best = Math.max(...scores);
  return scores.filter((score) => score === best).length === 1 ? scores.indexOf(best) : -1;
}

/** Return the move that last changed the lead and those that brought the most points, in the order of the game. */
export function turningPoints(story: Story): Turn[] {
  const found: Turn[] = [];
  let before = story.steps[0]?.scores.map(() => 0) ?? [];
  let ahead = -1;
  story.steps.forEach((step, i) => {
    const [seat, now] = [step.seat, leader(step.scores)];
    const gain = seat < 0 ? 0 : step.scores[seat]! - before[seat]!;
    if (gain > 0) {
      const sentence = step.told[step.gains?.indexOf(gain) ?? -1] ?? step.told.join(" ");
      found.push({ ply: i + 1, seat, gain, leads: now === seat && ahead !== seat, sentence });
    }
    before = step.scores;
    if (now >= 0) ahead = now;
  });
  const last = found.findLast((turn) => turn.leads);
  const most = found.filter((turn) => turn !== last).sort((a, b) => b.gain - a.gain);
  const chosen = [...(last === undefined ? [] : [last]), ...most].slice(0, MOST);
  return chosen.sort((a, b) => a.ply - b.ply);
}
