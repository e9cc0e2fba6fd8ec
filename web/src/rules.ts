/** The rules as data, fetched once a language. */
import { request } from "./http";

export type Run = { kind: "text"; text: string } | { kind: "bold"; text: string } | { kind: "glyph"; glyph: string };
export type Block =
  | { kind: "paragraph"; runs: Run[] }
  | { kind: "heading"; text: string }
  | { kind: "list"; ordered: boolean; items: Run[][] }
  | { kind: "table"; head: Run[][]; rows: Run[][][] };
export interface Section {
  id: string;
  title: string;
  steps: string[];
  blocks: Block[];
}
export interface RulesText {
  name: string;
  introduction: Block[];
  sections: Section[];
}

const known = new Map<string, Promise<RulesText>>();

export function rulesOf(game: string, language: string): Promise<RulesText> {
  const key = `${language} ${game}`;
  let found = known.get(key);
  if (found === undefined) {
    found = request<RulesText>(`rules/${encodeURIComponent(game)}/sections?lang=${language}`);
    found.catch(() => known.delete(key));
    known.set(key, found);
  }
  return found;
}

/** Letters alone, without accents: apostrophes and spaces have many forms. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, " ")
    .toLowerCase();

const textOf = (runs: Run[]): string => runs.map((run) => (run.kind === "glyph" ? run.glyph : run.text)).join("");

function blockText(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return textOf(block.runs);
    case "heading":
      return block.text;
    case "list":
      return block.items.map(textOf).join(" ");
    case "table":
      return [block.head, ...block.rows].flat().map(textOf).join(" ");
  }
}

/** The sections that have all the words that are looked for. */
export function search(sections: Section[], wanted: string): Section[] {
  const words = plain(wanted).split(" ").filter(Boolean);
  return sections.filter((section) => {
    const text = plain([section.title, ...section.blocks.map(blockText)].join(" "));
    return words.every((word) => text.includes(word));
  });
}
