/** The steps of a turn for the bar above the board, and how far the game has come. */
import type { DiceAnyMove, DiceView } from "../../messages";
import type { Play } from "../../play.svelte";
import { say } from "../../words.svelte";
import { stepsUpTo, type Step } from "../turnSteps";

export type DicePlay = Play<DiceView, DiceAnyMove>;

/** The steps of the seat at the bottom: the bonus and the firework are the active player's alone. */
export function steps(play: DicePlay): Step[] {
  const view = play.view;
  const seat = view.seats[play.bottom];
  if (seat === undefined || view.step === "fireworks" || view.step === "sides" || view.step === "ended") return [];
  if (view.step === "final") return stepsUpTo([say("dice.web.step.final")], 0);
  const isActive = view.active === play.bottom;
  const all = [
    { is: ["turn"], name: say("dice.web.step.tray") },
    { is: ["die"], name: say("dice.web.step.shade") },
    ...(isActive ? [{ is: ["bonus"], name: say("dice.web.step.bonus") }] : []),
    { is: ["emperor", "action"], name: say("dice.web.step.emperor") },
    ...(isActive ? [{ is: ["launch"], name: say("dice.web.step.fireworks") }] : []),
  ];
  // A platform belongs to the zone that was shaded, whose step the seat has already left.
  const before: Record<string, string> = { bonus: "die", emperor: isActive ? "bonus" : "die" };
  const own = seat.step ?? "";
  const at = seat.platform === null ? own : (before[own] ?? own);
  const now = view.step !== "shade" ? 0 : all.findIndex((step) => step.is.includes(at));
  return stepsUpTo(
    all.map((step) => step.name),
    now < 0 ? all.length : now,
  );
}

export function progress(play: DicePlay): string {
  const { turn, players, turns, step } = play.view;
  if (step === "final" || step === "ended") return say("dice.web.step.final");
  return say("dice.web.progress", { number: Math.floor(turn / players) + 1, turns: turns ?? 0 });
}

export const headline: ReadonlySet<string> = new Set(["launched", "shaded", "turned", "began", "paid", "end", "final"]);

export const joys: ReadonlySet<string> = new Set(["launched"]);
