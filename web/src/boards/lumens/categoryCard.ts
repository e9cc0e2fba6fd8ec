/** How a room was counted, for the end of a game. */
import type { Explanation } from "../../explain.svelte";
import { capital, say, words } from "../../words.svelte";
import { roomName } from "./names";
import type { Box } from "./plan";
import { placesLines, tieLine } from "./scoringWords";
import { boardFor } from "./plan";
import type { LumensPlay } from "./turnSteps";

export function categoryCard(play: LumensPlay, category: string, seat: number): Explanation {
  const letter = category.replace("room_", "");
  const box = play.box as unknown as Box;
  const { sums, points } = play.view.rooms[letter]!;
  const order = sums.map((_, one) => one).sort((a, b) => sums[b]! - sums[a]!);
  const list = words.list(
    order.map((one) => say("lumens.learn.room.sum", { who: play.name(one), number: sums[one]! })),
  );
  const isCentral = boardFor(box, play.info!.players).central === letter;
  return {
    title: capital(roomName(letter)),
    lines: [
      say("lumens.learn.room.sums", { list }),
      say("lumens.learn.room.brings", { who: play.name(seat), count: points[seat]! }),
      ...placesLines(box, play.info!.players),
      ...(isCentral ? [tieLine(box, play.info!.players)] : []),
    ],
    section: isCentral ? "ties" : "scoring",
  };
}
