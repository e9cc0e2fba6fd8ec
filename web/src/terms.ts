/** What was agreed on at a table, in words: another box, hints, and options that are not the usual ones. */
import { games, type GameInfo } from "./http";
import type { TableInfo } from "./messages";
import { say, translate, words } from "./words.svelte";

/** Return what everybody at a table should know of it in short: that its box is another one, that there are hints. */
export const termsOf = (info: TableInfo): string[] => [
  ...(info.standard ? [] : [say("web.edition.sign")]),
  ...(info.hints ? [say("web.hint.sign")] : []),
];

/** Return a choice of an option in words; `names` are those of the seats. */
export function choiceName(game: string, option: string, choice: unknown, names: string[]): string {
  const key = `${game}.option.${option}.${String(choice)}`;
  if (words.has(key)) return translate(key);
  if (option === "first" && typeof choice === "number") return names[choice] ?? "";
  if (words.has(`web.option.${String(choice)}`)) return translate(`web.option.${String(choice)}`);
  return String(choice);
}

type Usual = GameInfo["options"][string];

/** Return the options of a table that are not the usual ones, each with what was chosen. */
export async function variantsOf({ game, players, options }: TableInfo, names: string[]): Promise<string[]> {
  const usual: Usual = (await games()).find((one) => one.game === game)?.options[String(players)] ?? {};
  return Object.entries(options)
    .filter(([name, value]) => name in usual && JSON.stringify(usual[name]!.default) !== JSON.stringify(value))
    .map(([name, value]) =>
      say("web.option.chosen", {
        option: translate(`${game}.option.${name}`),
        choice: choiceName(game, name, value, names),
      }),
    );
}
