/** Rewards: what the next one of a set is worth, how far cards go towards the set, and who has taken which. */
import type { LanternesView } from "../../messages";
import { COPIES, KINDS, type Combination } from "./choosing.svelte";
import { LETTERS, type Box } from "./lake";
import type { LanternesPlay } from "./turnSteps";

/** Return the points of the reward that a set takes now. */
export const topOf = (box: Box, view: LanternesView, name: string): number =>
  view.stacks[name]![0] ?? box.rewards.neutral[0]![0]!;

/** A lantern of a set: its colour, null for any, and whether it is there. */
export interface Lantern {
  letter: string | null;
  has: boolean;
}

/** Return the lanterns of a set: those chosen, or else how far cards go towards it. */
export function recipeOf(name: Combination, cards: Record<string, number>, chosen: string[] = []): Lantern[] {
  if (chosen.length > 0) return chosen.map((letter) => ({ letter, has: true }));
  if (name === "seven") return LETTERS.map((letter) => ({ letter, has: cards[letter]! > 0 }));
  const [copies, kinds] = [COPIES[name], KINDS[name]];
  const most = [...LETTERS].sort((a, b) => cards[b]! - cards[a]!);
  const near = name === "four" ? most.slice(0, 1) : most.filter((letter) => cards[letter]! >= copies).slice(0, kinds);
  const own = near.flatMap((letter) => Array<string>(Math.min(copies, cards[letter]!)).fill(letter));
  const all: (string | null)[] = [...own, ...Array<null>(copies * kinds - own.length).fill(null)];
  return all.map((letter) => ({ letter, has: letter !== null }));
}

/** How many parts of a set are there, and of how many: cards of four of a kind, pairs, colours. */
export function progressOf(name: Combination, cards: Record<string, number>): { count: number; of: number } {
  const counts = LETTERS.map((letter) => cards[letter]!);
  if (name === "four") return { count: Math.min(COPIES.four, Math.max(...counts)), of: COPIES.four };
  const kinds = counts.filter((count) => count >= COPIES[name]).length;
  return { count: Math.min(KINDS[name], kinds), of: KINDS[name] };
}

/** A reward that somebody has taken. */
export interface Taken {
  name: string;
  points: number;
}

/** Return the rewards that a seat has taken until what is shown, the oldest first. */
export function takenBy(play: LanternesPlay, seat: number): Taken[] {
  const plies = play.plies;
  const now = play.past?.ply ?? Infinity;
  return play.log.flatMap((change) =>
    change.kind === "moved" &&
    change.seat === seat &&
    (plies.get(change.seq) ?? Infinity) <= now &&
    plies.has(change.seq)
      ? change.events
          .filter((event) => event.kind === "rewarded" && event.seat === seat)
          .map((event) => ({ name: event.thing!, points: event.number }))
      : [],
  );
}
