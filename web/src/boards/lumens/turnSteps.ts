/** The steps of a turn for the bar above the board, and how far the game has come. */
import type { LumensAnyMove, LumensEvent, LumensView } from "../../messages";
import type { Play } from "../../play.svelte";
import { say } from "../../words.svelte";
import { stepsUpTo, type Step } from "../turnSteps";
import { boardFor, type Box } from "./plan";

export type LumensPlay = Play<LumensView, LumensAnyMove>;

export function steps(play: LumensPlay): Step[] {
  const turn = [say("lumens.web.step.place"), say("lumens.web.step.draw")];
  if (play.view.step === "face") return stepsUpTo([say("lumens.web.step.face"), ...turn], 0);
  return stepsUpTo(turn, play.view.step === "draw" ? 1 : 0);
}

/** How many tokens the seat at the bottom has placed. */
export function progress(play: LumensPlay): string {
  const box = play.box as unknown as Box | null;
  const seat = play.view.seats[play.bottom];
  if (box === null || seat === undefined) return "";
  const all = box.tokens.each_colour.reduce((sum, [, , count]) => sum + count, 0);
  const left = seat.left.reduce((sum, count) => sum + count, 0);
  const values = { number: Math.min(all - left + 1, all), count: all };
  return say(play.seat !== null && left === 1 ? "lumens.web.progress.last" : "lumens.web.progress", values);
}

export const headline: ReadonlySet<string> = new Set(["placed", "covered", "leads", "out", "first", "end"]);

export const joys: ReadonlySet<string> = new Set(["leads"]);

/** Return the letter of the room that an event is about; null where it is about a passage or about no place. */
export function roomOf(play: LumensPlay, event: LumensEvent): string | null {
  if (event.x === undefined || event.y === undefined)
    return event.thing !== null && event.kind !== "drew" ? event.thing : null;
  const letter = boardFor(play.box as unknown as Box, play.info!.players).rows[event.y]![event.x]!;
  return letter === "." ? null : letter;
}
