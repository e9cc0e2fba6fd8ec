/** What things are and what they are worth now, in the words of the cards that explain them. */
import type { Explanation } from "../../explain.svelte";
import type { IlesCell } from "../../messages";
import { plainly, signed } from "../../signedNumbers";
import { capital, say, translate, words } from "../../words.svelte";
import { categoryLines, type Counting, dreamLines, dreamRule } from "./scoringWords";
import type { IlesInteraction } from "./interaction.svelte";
import {
  type Box,
  codeOf,
  type DreamName,
  inSightOf,
  isRow,
  type PileName,
  type Row,
  SYMBOLS,
  tileWords,
} from "./tiles";

const GEMS = "RED";

/** What an element is worth, and how many of it are in sight on an island where that matters. */
function elementLines(interaction: IlesInteraction, letter: string, seat: number): string[] {
  const { box, view, play } = interaction;
  const its = view.seats[seat]!;
  const count = inSightOf(box, its, letter);
  switch (letter) {
    case "p":
      return [say("iles.web.about.p", { count: box.scoring.palm })];
    case "b":
      return categoryLines(interaction, seat, "brigands");
    case "l":
      return [say("iles.web.about.l"), ...(count > 0 ? [say("iles.web.about.lamps", { count })] : [])];
    case "r":
    case "o":
      return categoryLines(interaction, seat, "pairs");
  }
  if (GEMS.includes(letter)) return [say("iles.web.about.gem")];
  const name = SYMBOLS[letter] as DreamName;
  const dream = translate(`iles.dream.${name}`);
  return [
    say("iles.web.about.dream", {
      things: capital(translate(`iles.category.${name}`)),
      dream,
      rule: dreamRule(box, name),
    }),
    ...(its.dreams.includes(name) ? [] : [say("iles.web.about.no_dream", { who: play.name(seat), dream })]),
  ];
}

/** An island tile that lies open: each element on it. */
function openTile(interaction: IlesInteraction, row: Row, code: string, seat: number): Explanation {
  const lines = [...new Set(code)].flatMap((letter) => elementLines(interaction, letter, seat));
  return {
    title: capital(tileWords(row, code)),
    lines: [...new Set(lines)],
    section: code.includes("l") ? "lamps" : "scoring",
  };
}

/** A cell of an island; null for a free one. */
export function aboutCell(
  interaction: IlesInteraction,
  seat: number,
  row: Row,
  cell: IlesCell | null,
): Explanation | null {
  if (cell === null) return null;
  const code = codeOf(interaction.box, row, cell.tile);
  if (!cell.down) return openTile(interaction, row, code, seat);
  return {
    title: capital(say("iles.picture.down")),
    lines: [say("iles.web.about.turned"), say("iles.web.about.face", { tile: tileWords(row, code) })],
    section: "lamps",
  };
}

/** A dream; with what it is worth to whoever has it. */
export function aboutDream(
  interaction: IlesInteraction,
  name: DreamName,
  worth: number | null,
  seat = interaction.me,
): Explanation {
  const points = worth === null ? null : (interaction.play.standing?.categories[seat]?.[name] ?? worth);
  return {
    title: capital(translate(`iles.dream.${name}`)),
    lines: dreamLines(interaction, seat, name, points),
    section: "scoring",
  };
}

/** What is on tiles that are not seen yet: elements, the most frequent first, or dreams. */
function listOf(box: Box, pile: PileName, tiles: (number | DreamName)[]): string {
  const counts = new Map<string, number>();
  for (const tile of tiles) {
    const code = codeOf(box, pile, tile);
    for (const one of isRow(pile) ? [...code] : [code]) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return words.list(
    sorted.map(([one, count]) =>
      isRow(pile)
        ? translate(`iles.element.${one}`, { count })
        : say("iles.web.about.times", { count, things: translate(`iles.category.${one}`) }),
    ),
  );
}

/** A tile on the table whose face this page may not see: what it could be. */
export function aboutHidden(interaction: IlesInteraction, pile: PileName): Explanation {
  const { unseen } = interaction.view.piles[pile]!;
  const [count, list] = [unseen.length, listOf(interaction.box, pile, unseen)];
  const isDream = pile === "dream";
  return {
    title: isDream ? say("iles.web.hidden.dream") : say("iles.web.hidden"),
    lines: isDream
      ? [say("iles.web.about.one_of.dream", { count }), say("iles.web.about.among.dream", { list })]
      : [say("iles.web.about.one_of", { count }), say("iles.web.about.among", { list })],
    section: "lay",
  };
}

/** A tile on the table: what it is, and what it gives the viewer now. */
export function aboutSlot(interaction: IlesInteraction, slot: number): Explanation | null {
  const { open, table } = interaction.view;
  const lying = table[slot];
  if (open === null || lying == null) return null;
  if (lying.tile === null) return aboutHidden(interaction, open);
  const code = codeOf(interaction.box, open, lying.tile);
  const about = isRow(open)
    ? openTile(interaction, open, code, interaction.me)
    : aboutDream(interaction, lying.tile as DreamName, null);
  const gains = interaction.gains(slot);
  if (gains === null) return about;
  const points = signed(gains.most);
  const line =
    gains.most === gains.least ? say("iles.web.about.gain", { points }) : say("iles.web.about.best", { points });
  return { ...about, lines: [line, ...about.lines!] };
}

/** A pile: how many tiles are left, where they go, and what nobody has seen of its kind. */
export function aboutPile(interaction: IlesInteraction, pile: PileName): Explanation {
  const { tiles, rounds, unseen } = interaction.view.piles[pile]!;
  const count = interaction.width - rounds;
  return {
    title: capital(translate(`iles.pile_of.${pile}`)),
    lines: [
      count > 0 ? say("iles.web.about.pile", { count, tiles }) : say("iles.web.about.exhausted"),
      isRow(pile) ? say("iles.web.why.row", { row: translate(`iles.pile.${pile}`) }) : say("iles.web.about.dreams"),
      ...(unseen.length > 0 && count > 0
        ? [
            say(isRow(pile) ? "iles.web.about.unseen" : "iles.web.about.unseen.dream", {
              list: listOf(interaction.box, pile, unseen),
            }),
          ]
        : []),
    ],
    section: "pile",
  };
}

/** A category of the score of a seat. */
export function aboutCategory(counting: Counting, name: string, seat: number): Explanation {
  const isDream = name in counting.box.dreams;
  return {
    title: capital(translate(isDream ? `iles.dream.${name}` : `iles.category.${name}`)),
    lines: categoryLines(counting, seat, name),
    section: "scoring",
  };
}

export function aboutLookout({ view }: IlesInteraction): string {
  return say(view.players === 2 ? "iles.web.about.lookout.two" : "iles.web.about.lookout.many");
}

/** A player: points, and where they stand in the round. */
export function aboutSeat(interaction: IlesInteraction, seat: number): Explanation {
  const { view, play } = interaction;
  const score = play.standing?.scores[seat];
  const isRound = view.open !== null && view.step !== "ended";
  return {
    title: play.name(seat) + (score === undefined ? "" : ` · ${plainly(score)}`),
    lines: [
      say("iles.web.about.score"),
      ...(view.lookout === seat ? [aboutLookout(interaction)] : []),
      ...(isRound ? [say(view.waiting.includes(seat) ? "iles.web.about.waiting" : "iles.web.about.taken")] : []),
    ],
    section: "scoring",
  };
}

/** The character board of a seat. */
export function aboutCharacter(interaction: IlesInteraction, seat: number): Explanation {
  const name = interaction.box.characters.names[seat % interaction.box.characters.names.length]!;
  return {
    title: name,
    lines: [say("iles.web.about.character", { who: interaction.play.name(seat), name })],
    section: "setup",
  };
}
