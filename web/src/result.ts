/** The result of a game, prepared for those who read it: who came where, what counted, and why the winner won. */
import type { Outcome } from "./messages";
import { callName, isMe } from "./people";
import type { Play } from "./play.svelte";
import { plainly } from "./signedNumbers";
import { say, translate, words } from "./words.svelte";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyPlay = Play<any, any>;

export interface Scoring {
  /** The seats, the best first. */
  places: number[];
  /** The categories in which anybody has points. */
  categories: string[];
  /** Which of the keys broke a tie for the victory; null where there was none, or where nothing broke it. */
  breaker: number | null;
}

/** Return the order of the seats, the categories that count and what broke a tie. */
export function scoring(result: Outcome): Scoring {
  const places = result.ranks.map((_, seat) => seat).sort((a, b) => result.ranks[a]! - result.ranks[b]! || a - b);
  const categories = Object.keys(result.categories[0] ?? {}).filter((name) =>
    result.categories.some((its) => its[name] !== 0),
  );
  const [winner, other] = places;
  const isTie = winner !== undefined && other !== undefined && result.scores[winner] === result.scores[other];
  const breaker =
    isTie && result.winners.length === 1
      ? result.keys[winner]!.findIndex((value, i) => value !== result.keys[other]![i])
      : null;
  return { places, categories, breaker };
}

/** Return who won, in a few words. */
export function headlineOf(play: AnyPlay, result: Outcome): string {
  if (result.winners.length > 1) return say("web.end.shared");
  const winner = result.winners[0]!;
  return isMe(play, winner) ? say("web.end.you_win") : say("web.end.wins", { who: play.name(winner) });
}

/** Return what broke a tie, in words: some games name it by how many play. */
export function keyName(play: AnyPlay, { decided_by: key }: Outcome): string {
  const { game, players } = play.info!;
  const own = `${game}.key.${key}.players_${players}`;
  return translate(words.has(own) ? own : `${game}.key.${key}`);
}

/** Return in words why the winner won: the lead and what made most of it, or what broke the tie. */
export function reason(play: AnyPlay, result: Outcome): string {
  const { places, categories, breaker } = scoring(result);
  const winner = places[0]!;
  const count = result.scores[winner]!;
  const named = (seats: number[]): string => words.list(seats.map((seat) => play.name(seat)));
  if (result.winners.length > 1) return say("outcome.shared", { who: named(result.winners), count });
  const other = places[1];
  if (other === undefined) return say("outcome.won", { who: play.name(winner), count });
  if (breaker !== null) {
    const tied = places.filter((seat) => result.scores[seat] === count);
    return say("web.end.tied", {
      who: named(tied),
      count,
      key: keyName(play, result),
      mine: Math.abs(result.keys[winner]![breaker]!),
      theirs: Math.abs(result.keys[other]![breaker]!),
    });
  }
  const seconds = places.filter((seat) => result.ranks[seat] === result.ranks[other]);
  const ahead = say("web.end.ahead", {
    count,
    lead: count - result.scores[other]!,
    who: words.list(seconds.map((seat) => callName(play, seat))),
  });
  const gap = (name: string): number => result.categories[winner]![name]! - result.categories[other]![name]!;
  const widest = categories.reduce((best, name) => (gap(name) > gap(best) ? name : best), categories[0]!);
  // A category is named only if it alone made the difference: not if several are equally wide.
  const lead = count - result.scores[other]!;
  const isOnlyReason = gap(widest) >= lead && categories.filter((name) => gap(name) === gap(widest)).length === 1;
  if (seconds.length > 1 || !isOnlyReason) return ahead;
  const most = say("web.end.widest", {
    what: translate(`${play.info!.game}.category.${widest}`),
    mine: plainly(result.categories[winner]![widest]!),
    theirs: plainly(result.categories[other]![widest]!),
  });
  return `${ahead} ${most}`;
}
