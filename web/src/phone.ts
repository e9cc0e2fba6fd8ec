/** A screen too narrow or too low for rails: a phone, upright or on its side. The styles repeat this query. */
import { MediaQuery } from "svelte/reactivity";

export const phone = new MediaQuery("(max-width: 759px), (max-height: 500px)");
