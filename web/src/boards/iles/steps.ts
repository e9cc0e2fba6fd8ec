import type { IlesAnyMove, IlesView } from "../../messages";
import type { Play } from "../../play.svelte";
import type { Step } from "../index";

export type IlesPlay = Play<IlesView, IlesAnyMove>;

export function steps(_play: IlesPlay): Step[] {
  return [];
}

export function progress(_play: IlesPlay): string {
  return "";
}
