import type { DiceAnyMove, DiceView } from "../../messages";
import type { Play } from "../../play.svelte";
import type { Step } from "../index";

export type DicePlay = Play<DiceView, DiceAnyMove>;

export function steps(_play: DicePlay): Step[] {
  return [];
}

export function progress(_play: DicePlay): string {
  return "";
}
