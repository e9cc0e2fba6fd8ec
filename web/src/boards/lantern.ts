/** How a lantern of a colour is drawn: by its shape; for experts also with the letter of its notation. */
import { settings } from "../settings.svelte";

/** Return the symbol of a lantern. */
export const lantern = (letter: string | null): string => `${settings.notation ? "l" : "n"}${letter}`;
