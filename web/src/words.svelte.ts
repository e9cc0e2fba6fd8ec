/** The words people read, by key: the same catalogue as the server's and the terminal's. */
import type common from "../../src/lampion/locale/en.json";
import type web from "../../src/lampion/locale/web/en.json";
import { settings } from "./settings.svelte";
import { transport } from "./transport";

type Shared = typeof common & typeof web;
/** The keys of all words and their English; `translationKeys.ts` in the folder of a board adds those of its game. */
export interface Catalogue extends Shared {}
type Plural<K> = K extends `${infer Stem}.other` ? Stem : never;
/** A key of the catalogue; of words with a number, without its `.one` or `.other`. */
export type Key = (keyof Catalogue & string) | Plural<keyof Catalogue>;
export type Values = Record<string, string | number>;
export type Language = "en" | "fr";

class Words {
  #catalogue = $state.raw<Record<string, string>>({});
  #loaded = "";
  // Made with the catalogue: the first of them takes so long that a drag would stumble.
  #plurals = new Intl.PluralRules("en");
  #lists = new Intl.ListFormat("en");

  get language(): Language {
    return settings.language;
  }

  /** Fetch the catalogue of the language in use; the last one stays until the new one is there. */
  async load(): Promise<void> {
    const language = settings.language;
    document.documentElement.lang = language;
    if (this.#loaded === language) return;
    const answer = await transport.ask(`words/${language}`);
    if (!answer.ok) throw new Error(`words: ${answer.status}`);
    const catalogue = (await answer.json()) as Record<string, string>;
    if (settings.language !== language) return;
    this.#loaded = language;
    this.#plurals = new Intl.PluralRules(language);
    this.#lists = new Intl.ListFormat(language);
    this.#catalogue = catalogue;
    document.documentElement.dataset["words"] = language;
  }

  /** "a, b and c". */
  list(parts: string[]): string {
    void this.#catalogue;
    return this.#lists.format(parts);
  }

  /** Whether the catalogue has a key that is put together from data. */
  has(key: string): boolean {
    return key in this.#catalogue || `${key}.other` in this.#catalogue;
  }

  /** Return the text of a key with its values filled in, or the key itself where the catalogue has none. */
  translate(key: string, values: Values = {}): string {
    let text = this.#catalogue[key];
    if (text === undefined && "count" in values) {
      const rule = this.#plurals.select(Number(values["count"]));
      text = this.#catalogue[`${key}.${rule === "one" ? "one" : "other"}`];
    }
    if (text === undefined) return key;
    return text.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name: string | undefined) =>
      name === undefined ? found[0]! : String(values[name] ?? found),
    );
  }
}

export const words = new Words();
/** Return the text of a key with its values filled in; with `count`, singular or plural. */
export const say = (key: Key, values: Values = {}): string => words.translate(key, values);
/** Say a thing in the words of one game where it has its own, else in the usual ones. */
export const sayOf = (own: string, usual: Key, values: Values = {}): string =>
  words.translate(words.has(own) ? own : usual, values);
/** A text that begins with a capital letter. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(words.language) + text.slice(1);
/** Do what `say` does for a key that is put together from data, which the compiler cannot check. */
export const translate = (key: string, values: Values = {}): string => words.translate(key, values);
