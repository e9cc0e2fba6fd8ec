/** The start of the page: fonts, styles, and the app. */
import "@fontsource-variable/alegreya/wght.css";
import "@fontsource/alegreya-sans/500.css";
import "@fontsource/alegreya-sans/700.css";
import "@fontsource/alegreya-sans/800.css";
import "./art/tokens.css";
import "./art/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import symbols from "./art/symbols.svg?raw";
import { words } from "./words.svelte";

/** Symbols are in the page itself, so that every drawing can use them by name. */
function addSymbols(): void {
  const holder = document.createElement("div");
  holder.hidden = true;
  holder.className = "symbols";
  holder.innerHTML = symbols;
  document.body.prepend(holder);
}

addSymbols();
await words.load().catch(() => undefined); // the room tells when the server is away, and tries again
mount(App, { target: document.getElementById("app")! });

// Where the browser allows it (https, or this machine), a page says so when the server cannot be reached.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("./worker.js").catch(() => undefined);
