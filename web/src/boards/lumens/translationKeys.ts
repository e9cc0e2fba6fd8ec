/** Types only: adds the translation keys of this game to `Catalogue`, so that `say` accepts them. */
import type words from "../../../../src/lampion/games/lumens/en.json";

type Words = typeof words;

declare module "../../words.svelte" {
  interface Catalogue extends Words {}
}
