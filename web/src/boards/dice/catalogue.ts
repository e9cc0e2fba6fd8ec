/** The words of this game, known to `say`. */
import type words from "../../../../src/lampion/games/dice/en.json";

type Words = typeof words;

declare module "../../words.svelte" {
  interface Catalogue extends Words {}
}
