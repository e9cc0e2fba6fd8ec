/** What the things of this board are and what they are worth now, for whoever points at them. */
import type { Explanation } from "../../explain.svelte";
import { capital, say, words } from "../../words.svelte";
import type { LumensInteraction } from "./interaction.svelte";
import { roomName, theRoom, tokenName } from "./names";
import type { Cell } from "./plan";
import { placesLines, tieLine } from "./scoringWords";

/** Return who leads in a room, and what the person at the page needs to. */
export function leadLines({ play, count }: LumensInteraction, letter: string): string[] {
  const { sums } = count(letter);
  const most = Math.max(...sums);
  if (most === 0) return [say("lumens.learn.room.empty")];
  const leaders = sums.flatMap((sum, seat) => (sum === most ? [seat] : []));
  const who = words.list(leaders.map((seat) => play.name(seat)));
  const lines = [say(leaders.length > 1 ? "lumens.learn.room.tied" : "lumens.learn.room.leads", { who, number: most })];
  if (play.seat === null) return lines;
  const mine = sums[play.seat]!;
  const others = Math.max(0, ...sums.filter((_, seat) => seat !== play.seat));
  if (mine > others) lines.push(say("lumens.learn.room.ahead", { count: mine - others }));
  else lines.push(say("lumens.learn.room.more", { count: others - mine + 1 }));
  return lines;
}

export function roomCard(interaction: LumensInteraction, letter: string): Explanation {
  const { box, plan, view } = interaction;
  const isCentral = plan.rooms.find((room) => room.letter === letter)!.isCentral;
  return {
    title: capital(roomName(letter)),
    lines: [
      ...leadLines(interaction, letter),
      ...placesLines(box, view.players),
      ...(isCentral ? [tieLine(box, view.players)] : []),
    ],
    section: isCentral ? "ties" : "scoring",
  };
}

/** Return what lies on a cell; null where there is nothing, or where a token may go and its preview says more. */
export function cellCard(interaction: LumensInteraction, cell: Cell): Explanation | null {
  const { play } = interaction;
  const tokens = interaction.tokens(cell);
  const top = tokens.at(-1);
  const start =
    cell.start === null
      ? []
      : [
          cell.start === play.seat
            ? say("lumens.learn.start.own")
            : say("lumens.learn.start", { who: play.name(cell.start) }),
        ];
  if (cell.start === null && (top === undefined || interaction.spots.includes(cell))) return null;
  if (top === undefined)
    return { title: capital(say("lumens.web.start", { who: play.name(cell.start!) })), lines: start };
  const [number, who] = [top.face, play.name(top.seat)];
  return {
    title: tokenName(play, top),
    lines: [
      cell.room === null
        ? say("lumens.learn.token.passage")
        : say("lumens.learn.token.room", { number, room: theRoom(cell.room) }),
      say("lumens.learn.token.reach", { who, count: number }),
      ...(tokens.length > 1 ? [say("lumens.learn.token.closed", { under: tokenName(play, tokens[0]!) })] : start),
    ],
    section: "place",
  };
}

/** Return what to do where nothing is chosen: at first what it is about, then where to tap or point. */
export function hint({ box, faces, play, view }: LumensInteraction, isTapped = false): string {
  const [one, other] = faces;
  if (!play.isMyTurn) return isTapped ? "" : say("lumens.web.look_here");
  if (view.step === "face") {
    const { first, second, second_from_players: least } = box.scoring;
    const values = { first, second, one: one ?? 0, other: other ?? 0 };
    return view.players < least ? say("lumens.web.begin", values) : say("lumens.web.begin.both", values);
  }
  return say(isTapped ? "lumens.web.tap_here" : "lumens.web.point_here");
}

/** Whether the person at the page is to place the last token, and the first two may be level after it. */
export function mayEndLevel({ box, play, view }: LumensInteraction): boolean {
  const isLast =
    play.isMyTurn && play.seat !== null && view.seats[play.seat]!.left.reduce((sum, each) => sum + each, 0) === 1;
  const [most, next] = [...(play.standing?.scores ?? [])].sort((a, b) => b - a);
  // A room that changes hands takes from one what it gives to the other.
  return isLast && most !== undefined && next !== undefined && most - next <= 2 * box.scoring.first;
}

/** Return what decides between players who are level at the end, with the sums as they stand. */
export function tieNow({ count, play, plan }: LumensInteraction): string {
  const { letter } = plan.rooms.find((room) => room.isCentral)!;
  const { sums } = count(letter);
  const list = play.around.map((seat) => say("lumens.learn.room.sum", { who: play.name(seat), number: sums[seat]! }));
  return say("lumens.learn.tie.now", { room: theRoom(letter), list: words.list(list) });
}

export function handCard({ faces }: LumensInteraction): Explanation | null {
  const [one, other] = faces;
  if (one === undefined || other === undefined) return null;
  return {
    title: say("lumens.web.hand"),
    lines: [say("lumens.learn.hand", { one, other }), say("lumens.learn.hand.why")],
    section: "place",
  };
}

export const bagCard = (): Explanation => ({
  title: say("lumens.web.bag"),
  lines: [say("lumens.learn.bag")],
  section: "draw",
});

export const coveredCard = (): Explanation => ({
  title: say("lumens.web.covered"),
  lines: [say("lumens.learn.covered")],
  section: "place",
});

/** Return what a seat has scored and has left. */
export function seatCard({ box, counted, play, view }: LumensInteraction, seat: number): Explanation {
  const { left, out } = view.seats[seat]!;
  const kinds = box.tokens.each_colour.map(([one, other], kind) =>
    say("lumens.learn.seat.kind", { count: left[kind]!, faces: say("lumens.faces", { one, other }) }),
  );
  const isDone = left.every((each) => each === 0);
  return {
    title: play.name(seat),
    lines: [
      say("lumens.learn.seat.points", { count: counted?.standing?.scores[seat] ?? 0 }),
      out
        ? say("lumens.learn.seat.out")
        : isDone
          ? say("lumens.learn.seat.finished")
          : say("lumens.learn.seat.left", { kinds: kinds.join(", ") }),
      tieLine(box, view.players),
    ],
    section: out ? "place" : "scoring",
  };
}
