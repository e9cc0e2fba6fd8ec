/** Rewards: what the next one of a set is worth, how far cards go towards the set, and who has taken which. */
import type { LanternesReward, LanternesView } from "../../messages";
import { LETTERS, type Box } from "./lake";
import type { LanternesPlay } from "./turnSteps";

export type Combination = LanternesReward["combination"];

/** The cards of a set, for its picture: how many of a colour, and of how many colours. What can be paid, the moves say. */
export const SETS: Record<Combination, { copies: number; kinds: number }> = {
  four: { copies: 4, kinds: 1 },
  pairs: { copies: 2, kinds: 3 },
  seven: { copies: 1, kinds: 7 },
};

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
  const { copies, kinds } = SETS[name];
  const most = [...LETTERS].sort((a, b) => cards[b]! - cards[a]!);
  const near = name === "four" ? most.slice(0, 1) : most.filter((letter) => cards[letter]! >= copies).slice(0, kinds);
  const own = near.flatMap((letter) => Array<string>(Math.min(copies, cards[letter]!)).fill(letter));
  const all: (string | null)[] = [...own, ...Array<null>(copies * kinds - own.length).fill(null)];
  return all.map((letter) => ({ letter, has: letter !== null }));
}

/** How many parts of a set are there, and of how many: cards of four of a kind, pairs, colours. */
export function progressOf(name: Combination, cards: Record<string, number>): { count: number; of: number } {
  const counts = LETTERS.map((letter) => cards[letter]!);
  const { copies, kinds } = SETS[name];
  if (name === "four") return { count: Math.min(copies, Math.max(...counts)), of: copies };
  const whole = counts.filter((count) => count >= copies).length;
  return { count: Math.min(kinds, whole), of: kinds };
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
