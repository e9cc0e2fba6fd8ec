import type { LumensAnyMove, LumensView } from "../../messages";
import type { Play } from "../../play.svelte";
import type { Step } from "../index";

export type LumensPlay = Play<LumensView, LumensAnyMove>;

export function steps(_play: LumensPlay): Step[] {
  return [];
}

export function progress(_play: LumensPlay): string {
  return "";
}
