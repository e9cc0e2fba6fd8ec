/** The steps of a turn for the bar above the board, and how far the game has come. */
import type { IlesAnyMove, IlesView } from "../../messages";
import type { Play } from "../../play.svelte";
import { say } from "../../words.svelte";
import { type Step, stepsUpTo } from "../turnSteps";

export type IlesPlay = Play<IlesView, IlesAnyMove>;

/** Two players hide a tile; three and more name the next player instead. */
export function steps(play: IlesPlay): Step[] {
  const { step, players } = play.view;
  if (step === "ended") return [];
  const isTaking = step === "take" || step === "lay" || step === "turn_up";
  if (players === 2) {
    const names = [say("iles.web.step.pile"), say("iles.web.step.hide"), say("iles.web.step.take")];
    return stepsUpTo(names, isTaking ? 2 : step === "hide" || step === "draw" ? 1 : 0);
  }
  const names = [say("iles.web.step.pile"), say("iles.web.step.take"), say("iles.web.step.name")];
  return stepsUpTo(names, step === "name" ? 2 : isTaking ? 1 : 0);
}

export function progress(play: IlesPlay): string {
  const { piles, seats, open } = play.view;
  const each = Object.values(piles);
  const rounds = each.length * (seats[0]?.island[0]?.length ?? 0);
  const played = each.reduce((sum, pile) => sum + pile.rounds, 0);
  return say("iles.web.progress", { round: Math.min(rounds, played + (open === null ? 1 : 0)), rounds });
}

export const headline: ReadonlySet<string> = new Set(["laid", "dreamt", "flipped", "opened", "first", "end"]);

export const joys: ReadonlySet<string> = new Set(["dreamt"]);
