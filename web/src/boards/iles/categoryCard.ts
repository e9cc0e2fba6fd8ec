/** How a category of the score was counted, for the end of a game. */
import type { Explanation } from "../../explain.svelte";
import { aboutCategory } from "./explanations";
import type { Box } from "./tiles";
import type { IlesPlay } from "./turnSteps";

export function categoryCard(play: IlesPlay, name: string, seat: number): Explanation {
  const about = aboutCategory({ box: play.box as unknown as Box, view: play.view, play }, name, seat);
  return { ...about, title: `${about.title} · ${play.name(seat)}` };
}
