/** Which board draws which game. A game that is not here is played through its picture and the list of its moves. */
import type { Component } from "svelte";
import type { Play } from "../play.svelte";
import * as dice from "./dice/steps";
import * as iles from "./iles/steps";
import * as lanternes from "./lanternes/steps";
import * as lumens from "./lumens/steps";

/** A step of a turn for the bar of steps. */
export interface Step {
  name: string;
  state: "done" | "now" | "next";
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyPlay = Play<any, any>;
type Board = Component<{ play: AnyPlay }>;

interface BoardKind {
  load: () => Promise<{ default: Board }>;
  /** The steps of the turn that is shown. */
  steps: (play: AnyPlay) => Step[];
  /** How far the game is, in a few words: "tile 4 of 8". */
  progress: (play: AnyPlay) => string;
}

export const boards: Record<string, BoardKind> = {
  lanternes: { load: () => import("./lanternes/Board.svelte"), ...lanternes },
  dice: { load: () => import("./dice/Board.svelte"), ...dice },
  lumens: { load: () => import("./lumens/Board.svelte"), ...lumens },
  iles: { load: () => import("./iles/Board.svelte"), ...iles },
};
export const plain: BoardKind = { load: () => import("./plain/Board.svelte"), steps: () => [], progress: () => "" };
export const boardOf = (game: string): BoardKind => boards[game] ?? plain;

/** Steps by name, those before `now` done; none of them where `now` is not one of them. */
export function stepsUpTo(names: string[], now: number): Step[] {
  return names.map((name, i) => ({ name, state: i < now ? "done" : i === now ? "now" : "next" }));
}
