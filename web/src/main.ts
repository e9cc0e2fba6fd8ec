/** The start of the page: fonts, styles, and the app. */
import "@fontsource-variable/alegreya/wght.css";
import "@fontsource/alegreya-sans/500.css";
import "@fontsource/alegreya-sans/700.css";
import "@fontsource/alegreya-sans/800.css";
import "./art/tokens.css";
import "./art/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import shared from "./art/symbols.svg?url";
import { isSite, reachBy } from "./transport";
import { words } from "./words.svelte";

/** The symbols that only one game uses, from the folder of its board. */
const ownSymbols = import.meta.glob<string>("./boards/*/symbols.svg", {
  eager: true,
  query: "?url",
  import: "default",
});

/** Fetch symbols into the page, trying again until they are there: every drawing can use them by name. */
async function addSymbols(file: string): Promise<void> {
  const answer = await fetch(file).catch(() => null);
  if (answer?.ok !== true) {
    setTimeout(() => void addSymbols(file), 2000);
    return;
  }
  const holder = document.createElement("div");
  holder.hidden = true;
  holder.className = "symbols";
  holder.innerHTML = await answer.text();
  document.body.prepend(holder);
}

/** Open the page. */
async function open(): Promise<void> {
  if (isSite) {
    await (await import("./site/update")).takeOver();
    reachBy((await import("./site/inPage")).inPage);
  }
  // Without a server nothing loads: the page says so and tries again.
  const files = [shared, ...Object.values(ownSymbols)];
  await Promise.all([...files.map(addSymbols), words.load().catch(() => undefined)]);
  mount(App, { target: document.getElementById("app")! });
  // Where the browser allows it (https, or this machine), a page says so when the server cannot be reached; a static
  // site is kept whole.
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("./worker.js").catch(() => undefined);
}

// Waited for here, so that no part which is loaded later is bundled with this file.
await open();
