/**
 * Which board draws which game. A game that has a folder here brings `Board.svelte` and, as far as it wants, `turnSteps.ts`,
 * `vignette.svg`, `symbols.svg`, `NewGameOptions.svelte`, `categoryCard.ts`, `guidePlaces.ts`, `hintPlaces.ts` and
 * `finalColours.ts`. A game without one is played through its picture and the list of its moves.
 */
import type { Component } from "svelte";
import type { Explanation } from "../explain.svelte";
import type { Play } from "../play.svelte";
import type { Step } from "./turnSteps";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyPlay = Play<any, any>;
type Board = Component<{ play: AnyPlay }>;

interface Turns {
  /** The steps of the turn that is shown. */
  steps: (play: AnyPlay) => Step[];
  /** How far the game is, in a few words: "tile 4 of 8". */
  progress: (play: AnyPlay) => string;
  /** The kinds of events that tell most about a turn: the log shows their sentences, and the others on demand. */
  headline: ReadonlySet<string>;
  /** The kinds of events that are worth celebrating. */
  joys: ReadonlySet<string>;
}

interface BoardKind extends Turns {
  load: () => Promise<{ default: Board }>;
}

/** What a drawing of a game's options is given; it reports each choice as its text. */
export interface OptionsProps {
  choices: Record<string, { default: unknown; choices: unknown[] }>;
  /** What was chosen, by the name of the option, as text. */
  values: Record<string, string>;
  /** Who sits where. */
  names: string[];
  onchange: (name: string, value: string) => void;
}
type Options = Component<OptionsProps>;

/** How a category of the score was counted for a seat. */
export type CategoryCard = (play: AnyPlay, category: string, seat: number) => Explanation;

const drawings = import.meta.glob<{ default: Board }>("./*/Board.svelte");
const turns = import.meta.glob<Turns>("./*/turnSteps.ts", { eager: true });
const vignettes = import.meta.glob<string>("./*/vignette.svg", { eager: true, query: "?raw", import: "default" });
const choosers = import.meta.glob<{ default: Options }>("./*/NewGameOptions.svelte");
const counters = import.meta.glob<{ categoryCard: CategoryCard }>("./*/categoryCard.ts");
const finalColours = import.meta.glob<{ colours: Record<string, string> }>("./*/finalColours.ts", { eager: true });
const withoutTurns: Turns = { steps: () => [], progress: () => "", headline: new Set(), joys: new Set() };

/** Whether a game has a board of its own. */
export const hasBoard = (game: string): boolean => `./${game}/Board.svelte` in drawings;

/** Return the colours that only this game has in the server's drawings, and what they are on a page. */
export const finalColoursOf = (game: string): Record<string, string> =>
  finalColours[`./${game}/finalColours.ts`]?.colours ?? {};

/** Return games as lists show them: those with a board of their own first, names with a number last. */
export function inOrder<T extends { game: string; name: string }>(games: T[]): T[] {
  const rank = ({ game, name }: T): number => (hasBoard(game) ? 0 : 2) + (/^\d/.test(name) ? 1 : 0);
  return [...games].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** Return the board of a game, or the plain one. */
export function boardOf(game: string): BoardKind {
  const load = drawings[`./${game}/Board.svelte`] ?? drawings["./plain/Board.svelte"]!;
  return { load, ...withoutTurns, ...turns[`./${game}/turnSteps.ts`] };
}

/** Return the drawing of a game for the list of games, as the text of an SVG file. */
export const vignetteOf = (game: string): string | null => vignettes[`./${game}/vignette.svg`] ?? null;

/** Load what draws the options of a game, where it draws them itself. */
export const optionsOf = (game: string): (() => Promise<{ default: Options }>) | null =>
  choosers[`./${game}/NewGameOptions.svelte`] ?? null;

/** Load what explains how the categories of a game's score were counted, where the game brings it. */
export const categoryCardOf = (game: string): (() => Promise<{ categoryCard: CategoryCard }>) | null =>
  counters[`./${game}/categoryCard.ts`] ?? null;
