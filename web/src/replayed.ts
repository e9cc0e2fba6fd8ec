/** A finished game that is looked at again, in the form in which a board is given a table. */
import type { MovedChange, Story, TableInfo } from "./messages";

/** What a table and a story have in common. */
type Begun = Pick<Story, "game" | "players" | "options" | "edition" | "standard" | "seats">;

/** Return the table as it was after a number of moves. */
export function tableOf(id: string, story: Begun, ply: number, pending: number[]): TableInfo {
  return {
    id,
    game: story.game,
    players: story.players,
    hidden: false,
    options: story.options,
    edition: story.edition,
    standard: story.standard,
    clock: {},
    absence: 0,
    promise: "",
    status: "playing",
    ply,
    pending,
    seats: story.seats.map((seat) => ({
      kind: seat.kind ?? "human",
      name: seat.name,
      level: seat.level ?? null,
      here: true,
    })),
  };
}

/** Return the moves of a game as a log has them. */
export function changesOf(story: Story): MovedChange[] {
  return story.steps.map((one, i) => ({
    kind: "moved",
    seq: i + 1,
    at: 0,
    seat: one.seat,
    by: "player",
    move: one.move,
    notation: one.notation ?? null,
    events: one.events,
    told: one.told,
  }));
}
