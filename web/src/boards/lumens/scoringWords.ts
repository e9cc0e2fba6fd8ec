/** What places in a room bring, and what decides between players who are level at the end, in sentences. */
import { say } from "../../words.svelte";
import { theRoom } from "./names";
import { boardFor, type Box } from "./plan";

/** Return what first and second place in a room bring, also where players are level. */
export function placesLines(box: Box, players: number): string[] {
  const { first, second, second_from_players: least } = box.scoring;
  const values = { first, second };
  return players >= least
    ? [say("lumens.learn.room.both", values), say("lumens.learn.room.level.both", values)]
    : [say("lumens.learn.room.first", values), say("lumens.learn.room.level", values)];
}

/** Return what decides between players who are level at the end. */
export function tieLine(box: Box, players: number): string {
  return say("lumens.learn.tie", { room: theRoom(boardFor(box, players).central) });
}
