/** The strengths of the bots, from the weakest to the strongest, in words. */
import { say, translate } from "./words.svelte";

export const LEVELS = ["spark", "candle", "lantern", "lighthouse", "sun"] as const;
export type Level = (typeof LEVELS)[number];

/** The strengths as a list to choose from: a name, and how hard it is to beat. */
export const levelOptions = (): { value: Level; label: string }[] =>
  LEVELS.map((value) => ({
    value,
    label: say("web.level", { name: translate(`bot.${value}`), strength: translate(`web.level.${value}`) }),
  }));

/** Return how a bot of a strength plays, in a sentence. */
export const aboutLevel = (level: string): string => translate(`web.level.${level}.about`);
