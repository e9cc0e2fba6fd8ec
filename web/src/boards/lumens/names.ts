/** How things on this board are called. */
import type { LumensToken } from "../../messages";
import { say } from "../../words.svelte";
import type { LumensInteraction } from "./interaction.svelte";
import type { LumensPlay } from "./turnSteps";

export const tokenName = (play: LumensPlay, token: LumensToken): string =>
  say("lumens.web.token", { who: play.name(token.seat), number: token.face });

export function roomName(interaction: LumensInteraction, letter: string | null): string {
  if (letter === null) return say("lumens.web.passage");
  const isCentral = interaction.plan.rooms.find((room) => room.letter === letter)?.isCentral;
  return say(isCentral ? "lumens.web.central" : "lumens.web.room", { room: letter });
}

/** A number with its sign. */
export const signed = (number: number): string => (number < 0 ? `−${-number}` : `+${number}`);
