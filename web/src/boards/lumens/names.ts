/** How things on this board are called, and the signs of its rooms. */
import type { LumensToken } from "../../messages";
import { say, translate } from "../../words.svelte";
import type { Spot } from "../../arrowKeys";
import type { Cell, Plan } from "./plan";
import type { LumensPlay } from "./turnSteps";

const SIGNS: Record<string, string> = {
  1: "star",
  2: "bell",
  3: "key",
  4: "heart",
  5: "sun",
  6: "fish",
  7: "umbrella",
  8: "anchor",
  9: "pine",
  A: "hourglass",
  B: "crown",
};

/** The symbol of a room. */
export const signOf = (letter: string): string => `lumens-${SIGNS[letter]}`;

/** A room's name: "star room". */
export const roomName = (letter: string): string => translate(`lumens.category.room_${letter}`);

/** A room's name in a sentence: "the star room". */
export const theRoom = (letter: string): string => translate(`lumens.room.${letter}`);

/** Where a cell lies: its room or a passage. */
export const placeName = (cell: Cell): string => (cell.room === null ? say("lumens.web.passage") : roomName(cell.room));

/** Where a cell lies, in a sentence: "the star room", "the passage beside the star room". */
export function thePlace(plan: Plan, spot: Spot): string {
  const room = plan.at(spot.x, spot.y)!.room;
  return room !== null ? theRoom(room) : say("lumens.passage", { room: theRoom(plan.nearestRoom(spot)) });
}

export const tokenName = (play: LumensPlay, token: LumensToken): string =>
  say("lumens.web.token", { who: play.name(token.seat), number: token.face });
