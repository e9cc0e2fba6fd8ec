/** What things at the lake are and what they are worth now, for the small cards that explain them. */
import type { Explanation } from "../../explain.svelte";
import { capital, say, translate, words } from "../../words.svelte";
import { colourWords, tileWords } from "./labels";
import { cards, points, type Box, type Laid } from "./lake";
import { progressOf, takenBy, topOf, type Combination } from "./rewards";
import type { LanternesPlay } from "./turnSteps";

const SIDES = [
  "lanternes.web.about.across",
  "lanternes.web.about.right",
  "lanternes.web.about.own",
  "lanternes.web.about.left",
] as const;
const boxOf = (play: LanternesPlay): Box => play.box as unknown as Box;

/** The lantern cards of a colour: in front of a seat, or in the supply. */
export function aboutCards(play: LanternesPlay, letter: string, seat: number | null): Explanation {
  const supply = say("lanternes.web.about.in_supply", { count: play.view.supply[letter]! });
  const held =
    seat === null
      ? []
      : [
          say("lanternes.web.about.holds", {
            who: play.name(seat),
            count: play.view.seats[seat]!.cards[letter]!,
          }),
        ];
  return {
    title: say("lanternes.web.about.cards", { colour: capital(colourWords(letter)) }),
    lines: [...held, supply, say("lanternes.web.about.cards.use")],
    section: "reward",
  };
}

export function aboutBoats(play: LanternesPlay, seat: number): Explanation {
  return {
    title: say("lanternes.web.about.boats"),
    lines: [
      say("lanternes.web.about.boats.has", { who: play.name(seat), count: play.view.seats[seat]!.boats }),
      say("lanternes.web.about.boats.use"),
      say("lanternes.web.about.boats.earn"),
    ],
    section: "exchange",
  };
}

/** A stack of rewards: its set, the top, what lies under it, how far the own cards go. */
export function aboutReward(play: LanternesPlay, name: Combination): Explanation {
  const [top, ...under] = play.view.stacks[name]!;
  const neutral = topOf(boxOf(play), play.view, name);
  const stack =
    top === undefined
      ? [say("lanternes.web.about.stack.empty", { count: neutral })]
      : [
          say("lanternes.web.about.stack.top", { count: top }),
          under.length > 0
            ? say("lanternes.web.about.stack.under", { points: under.join(", ") })
            : say("lanternes.web.about.stack.last"),
        ];
  const { count, of } = progressOf(name, play.view.seats[play.bottom]!.cards);
  const have = say("lanternes.web.about.progress", { who: play.name(play.bottom), count, of });
  return {
    title: capital(translate(`lanternes.category.${name}`)),
    lines: [say(`lanternes.web.about.pay.${name}`), ...stack, have],
    section: "reward",
  };
}

export function aboutNeutral(count: number): Explanation {
  return {
    title: capital(say("lanternes.category.neutral")),
    lines: [say("lanternes.web.about.neutral", { count })],
    section: "reward",
  };
}

/** The rewards that a seat has taken, by set. */
export function aboutTaken(play: LanternesPlay, seat: number): Explanation {
  const taken = takenBy(play, seat);
  const names = [...Object.keys(play.view.stacks), "neutral"].filter((name) => taken.some((one) => one.name === name));
  const lines = names.map((name) =>
    say("lanternes.web.about.taken.set", {
      name: capital(translate(`lanternes.category.${name}`)),
      points: words.list(taken.filter((one) => one.name === name).map((one) => String(one.points))),
    }),
  );
  return {
    title: say("lanternes.web.about.taken", { who: play.name(seat) }),
    lines: [
      ...(lines.length > 0 ? lines : [say("lanternes.web.about.taken.none")]),
      say("lanternes.web.about.taken.total", { count: points(play.view, seat) }),
    ],
    section: "scoring",
  };
}

/** A player: side, points, cards, boats and rewards. */
export function aboutSeat(play: LanternesPlay, seat: number, side: number): Explanation {
  const { boats, tiles } = play.view.seats[seat]!;
  const where = SIDES[side]!;
  const taken = aboutTaken(play, seat).lines!;
  return {
    title: play.name(seat),
    lines: [
      say(where),
      [
        say("lanternes.web.points", { count: points(play.view, seat) }),
        say("lanternes.web.about.seat.cards", { count: cards(play.view, seat) }),
        say("lanternes.web.about.seat.boats", { count: boats }),
        say("lanternes.web.about.seat.tiles", { count: tiles }),
      ].join(" · "),
      ...(takenBy(play, seat).length > 0 ? taken.slice(0, -1) : []),
      ...(play.view.first === seat ? [aboutFirst(play).lines![0]!] : []),
    ],
    section: "place",
  };
}

export function aboutFirst(play: LanternesPlay): Explanation {
  const key =
    play.view.distribution === "first" ? "lanternes.web.about.first.gives" : "lanternes.web.about.first.began";
  return {
    title: capital(say("lanternes.web.first")),
    lines: [say(key, { who: play.name(play.view.first ?? 0) })],
    section: "setup",
  };
}

export function aboutHeld(count: number, limit: number): Explanation {
  return {
    title: say("lanternes.web.held", { count, limit }),
    lines: [say("lanternes.web.about.limit", { limit })],
    section: "discard",
  };
}

export const aboutSupply = (): Explanation => ({
  title: say("lanternes.web.supply"),
  lines: [say("lanternes.web.about.supply")],
  section: "place",
});

export const aboutPile = (play: LanternesPlay): Explanation => ({
  title: say("lanternes.web.pile", { count: play.view.pile }),
  lines: [say("lanternes.web.about.pile")],
  section: "end",
});

/** A tile of the lake. */
export function aboutTile(laid: Laid): Explanation {
  const hasSymbol = laid.code.endsWith("*");
  return {
    title: say(hasSymbol ? "lanternes.web.about.tile.symbol" : "lanternes.web.about.tile"),
    lines: [
      tileWords(laid.sides, laid.code),
      say("lanternes.web.about.tile.gives"),
      ...(hasSymbol ? [say("lanternes.web.about.symbol")] : []),
    ],
    section: "place",
  };
}
