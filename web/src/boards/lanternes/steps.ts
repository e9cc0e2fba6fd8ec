import type { LanternesAnyMove, LanternesView } from "../../messages";
import type { Play } from "../../play.svelte";
import type { Step } from "../index";

export type LanternesPlay = Play<LanternesView, LanternesAnyMove>;

export function steps(_play: LanternesPlay): Step[] {
  return [];
}

export function progress(_play: LanternesPlay): string {
  return "";
}
