/** The steps of a turn for the bar above the board, and how far the game has come. */
import type { LanternesAnyMove, LanternesView } from "../../messages";
import type { Play } from "../../play.svelte";
import { say } from "../../words.svelte";
import { stepsUpTo, type Step } from "../turnSteps";
import type { Box } from "./lake";

export type LanternesPlay = Play<LanternesView, LanternesAnyMove>;

/** Return the steps of the turn: discarding only where it is due, no tile in the last turn. */
export function steps(play: LanternesPlay): Step[] {
  const { step, final } = play.view;
  const mustDiscard = step === "discard" || play.movesOf("discard").length > 0;
  const shown = [
    { step: "exchange", name: say("lanternes.web.step.exchange") },
    { step: "reward", name: say("lanternes.web.step.reward") },
    ...(mustDiscard ? [{ step: "discard", name: say("lanternes.web.step.discard") }] : []),
    ...(final ? [] : [{ step: "place", name: say("lanternes.web.step.place") }]),
  ];
  return stepsUpTo(
    shown.map((one) => one.name),
    shown.findIndex((one) => one.step === step),
  );
}

export function progress(play: LanternesPlay): string {
  const { players, lake, final } = play.view;
  if (final) return say("lanternes.web.last_turn");
  const box = play.box as Box | null;
  if (box === null) return "";
  const number = (box.tiles.lake.length - box.setup[players]!.tiles_removed) / players;
  return say("lanternes.web.progress", { tile: Math.max(1, Math.ceil(lake.length / players)), of: number });
}

export const headline: ReadonlySet<string> = new Set([
  "placed",
  "missed",
  "rewarded",
  "gave",
  "discarded",
  "first",
  "last_turn",
  "end",
]);

export const joys: ReadonlySet<string> = new Set(["rewarded"]);
