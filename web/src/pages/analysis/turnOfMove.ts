/** When a move was made, as people count: by turns, or by rounds where a game has them. */
import type { Story } from "../../messages";
import { turnNumbers } from "../../pointsByTurn";
import { capital, say, sayOf } from "../../words.svelte";

export class WhenPlayed {
  readonly game: string;
  /** The turn of every move, counted from 1; 0 before anybody has moved. */
  readonly turns: number[];

  constructor(story: Story) {
    this.game = story.game;
    this.turns = turnNumbers(story);
  }

  /** Return the turn of a move in words; the moment before the first one is the start. */
  at(ply: number): string {
    const number = this.turns[ply - 1] ?? 0;
    if (number === 0) return say("analysis.head.start");
    const text = sayOf(`${this.game}.web.end.turn_number`, "web.end.turn_number", { number });
    return capital(text);
  }

  /** Return the moves with which turns begin, `step` turns apart, for the axis of a graph. */
  beginnings(step: number): { ply: number; turn: number }[] {
    const last = Math.max(0, ...this.turns);
    const wanted = Array.from({ length: Math.floor(last / step) }, (_, i) => (i + 1) * step);
    return wanted.flatMap((turn) => {
      const ply = this.turns.indexOf(turn) + 1;
      return ply > 0 ? [{ ply, turn }] : [];
    });
  }
}
