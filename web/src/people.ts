/** Who is meant: "you" for the one person at this page, else a name. */
import type { Play } from "./play.svelte";
import { say } from "./words.svelte";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyPlay = Play<any, any>;

/** Whether a seat is that of the reader; at a screen that several people share nobody is "you". */
export const isMe = (play: AnyPlay, seat: number | null): boolean => play.seats.length === 1 && play.seats[0] === seat;

/** Whether moves are made at this page: at a seat of its own, while the game goes on. */
export const canPlay = (play: AnyPlay): boolean =>
  play.seat !== null && play.seats.length > 0 && play.info?.status === "playing";

/** Return "you", or the name of somebody else. */
export const callName = (play: AnyPlay, seat: number): string => (isMe(play, seat) ? say("web.you") : play.name(seat));

/** Return whose turn it is where it is that of a seat at this page. */
export const ownTurn = (play: AnyPlay, seat: number): string =>
  isMe(play, seat) ? say("web.turn.you") : say("web.turn.yours", { who: play.name(seat) });

/** As many hints as one likes. */
export const MANY_HINTS = 1000;

/** The hints that each person was given, in words. */
export const hintsUsed = (people: { name: string; hints: number }[]): string =>
  say("web.hint.used", { list: people.map(({ name, hints }) => `${name} ${hints}`).join(", ") });
