/** Take the last move back; a refusal is said for a while and goes by itself. */
import type { Play } from "./play.svelte";

const SAID = 5000;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function takeBack(play: Play<any, any>): Promise<void> {
  await play.undo();
  const { problem } = play;
  if (problem === "") return;
  setTimeout(() => {
    if (play.problem === problem) play.problem = "";
  }, SAID);
}
