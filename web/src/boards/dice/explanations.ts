/** What the things on the board are, what they are worth now and when they can be used: for the cards that explain. */
import type { DiceSeat } from "../../messages";
import type { Explanation } from "../../explain.svelte";
import { capital, say, translate, words } from "../../words.svelte";
import type { DiceInteraction } from "./interaction.svelte";
import type { Colour, Pond, Shape, Zone } from "./lake";

const colourOf = (colour: string): string => translate(`dice.colour.${colour}`);

/** A die, and whom it faces; -1: nobody. */
export function dieExplained(interaction: DiceInteraction, die: string | null, seat: number): Explanation {
  const who = seat < 0 ? "" : interaction.play.name(seat);
  return {
    title: die === null ? say("dice.web.explain.die.none") : say("dice.web.explain.die", { colour: colourOf(die) }),
    lines: [
      seat < 0 ? say("dice.web.explain.die.nobody") : say("dice.web.explain.die.faces", { who }),
      say("dice.web.explain.die.use"),
    ],
    section: "die",
  };
}

/** What stands in a pond: a platform or a boat, and how it is with it on a sheet. */
export function markExplained(pond: Pond, seat: DiceSeat): Explanation | null {
  if (pond.mark === null) return null;
  const shaded = pond.zones.filter((zone) => seat.shaded.includes(zone.id)).length;
  const missing = seat.boats?.find((boat) => boat.pond === pond.id)?.missing;
  const now =
    pond.mark === "platform"
      ? shaded === 2
        ? say("dice.web.explain.platform.done")
        : say("dice.web.explain.platform.lacks", { count: 2 - shaded })
      : missing === undefined
        ? say("dice.web.explain.boat.spoilt")
        : missing === 0
          ? say("dice.web.explain.boat.done")
          : say("dice.web.explain.boat.needs", { count: missing });
  return {
    title: capital(translate(`dice.web.mark.${pond.mark}`)),
    lines: [translate(`dice.web.explain.${pond.mark}`), now],
    section: pond.mark === "boat" ? "scoring" : "platform",
  };
}

export function pavilionExplained(isShaded: boolean): Explanation {
  return {
    title: capital(say("dice.web.pavilion")),
    lines: [say("dice.web.explain.pavilion"), ...(isShaded ? [say("dice.web.explain.pavilion.done")] : [])],
    section: "platform",
  };
}

export function zoneExplained(zone: Zone, pond: Pond, seat: DiceSeat): Explanation {
  const [isShaded, isOther] = [zone.half, 1 - zone.half].map((half) => seat.shaded.includes(zone.pond * 2 + half!));
  const state = seat.fireworks.some((one) => one.ponds.includes(zone.pond))
    ? "lit"
    : isShaded
      ? isOther
        ? "complete"
        : "shaded"
      : isOther
        ? "half"
        : "free";
  return {
    title: capital(translate(`dice.zone.${zone.colour}`)),
    lines: [
      translate(`dice.web.explain.zone.${state}`),
      ...(zone.hasPavilion && !isShaded ? [say("dice.web.explain.pavilion")] : []),
      ...(markExplained(pond, seat)?.lines ?? []),
    ],
    section: "die",
  };
}

export function giftsExplained(seat: DiceSeat): Explanation {
  return {
    title: say("dice.web.explain.gifts", { count: seat.gifts }),
    lines: [say("dice.web.explain.gifts.use"), say("dice.web.explain.gifts.from")],
    section: "emperor",
  };
}

export function bonusExplained(bonuses: string[], used: number, now: Colour | null): Explanation {
  const left = bonuses.slice(used + (now === null ? 0 : 1)).map(colourOf);
  return {
    title: say("dice.web.bonus"),
    lines: [
      say("dice.web.explain.bonus"),
      ...(now === null ? [] : [say("dice.web.explain.bonus.now", { zone: translate(`dice.zone.${now}`) })]),
      left.length > 0
        ? say("dice.web.explain.bonus.next", { list: words.list(left) })
        : say("dice.web.explain.bonus.none"),
    ],
    section: "bonus",
  };
}

/** An emperor card: what it does, what it costs, and whether or when it can be paid for. */
export function cardExplained(interaction: DiceInteraction, card: number): Explanation {
  const { mine, play } = interaction;
  const isLegal = play.movesOf("emperor").some((move) => move.card === card);
  const when =
    mine.action?.card === card
      ? say("dice.web.explain.card.now")
      : isLegal
        ? say("dice.web.explain.card.legal")
        : mine.gifts < card
          ? say("dice.web.explain.card.gifts", { count: card - mine.gifts })
          : play.isMyTurn && mine.step === "emperor"
            ? say("dice.web.explain.card.nowhere")
            : say("dice.web.explain.card.when");
  return {
    title: say("dice.web.explain.card", { count: card }),
    lines: [`${capital(interaction.wordsOf(card))}.`, when],
    section: "emperor",
  };
}

/** A stack of fireworks: what is on it, and what its next one still needs on a sheet. */
export function stackExplained(shape: Shape, left: number[], seat: DiceSeat, isLegal: boolean): Explanation {
  const lacks = seat.lacking?.[shape];
  const [top, ...rest] = left;
  return {
    title: capital(translate(`dice.firework.${shape}`)),
    lines:
      top === undefined
        ? [say("dice.web.explain.stack.empty")]
        : [
            say("dice.web.explain.stack.top", { count: top }),
            rest.length > 0
              ? say("dice.web.explain.stack.next", { list: words.list(rest.map(String)) })
              : say("dice.web.explain.stack.last"),
            lacks === undefined
              ? say("dice.web.explain.stack.nowhere")
              : lacks === 0
                ? say(isLegal ? "dice.web.explain.stack.legal" : "dice.web.explain.stack.fits")
                : say("dice.web.explain.stack.lacks", { count: lacks }),
          ],
    section: "launch",
  };
}

/** A category of points on a sheet, with how it is counted now. */
export function pointsExplained(category: "fireworks" | "second_group" | "boats", seat: DiceSeat): Explanation {
  const groups = seat.groups ?? [];
  const boats = (seat.boats ?? []).map((boat) => boat.missing).sort((a, b) => a - b);
  const near = boats.find((missing) => missing > 0);
  const now =
    category === "second_group"
      ? groups.length < 2
        ? say(groups.length === 0 ? "dice.web.explain.group.none" : "dice.web.explain.group.single", {
            size: groups[0] ?? 0,
          })
        : say("dice.web.explain.group.now", { first: groups[0]!, second: groups[1]! })
      : category === "boats"
        ? near === undefined
          ? ""
          : say("dice.web.explain.boats.near", { count: near })
        : "";
  return {
    title: capital(translate(`dice.category.${category}`)),
    lines: [translate(`dice.web.explain.points.${category}`), now].filter(Boolean),
    section: "scoring",
  };
}

/** All points of a sheet. */
export function totalExplained(seat: DiceSeat): Explanation {
  const points = seat.points ?? {};
  return {
    title: say("dice.web.explain.total"),
    lines: (["fireworks", "second_group", "boats"] as const).map((category) => {
      const { title, lines } = pointsExplained(category, seat);
      const now = lines![1] ?? "";
      return say("dice.web.explain.total.line", { name: title, points: points[category] ?? 0, now }).trim();
    }),
    section: "scoring",
  };
}
