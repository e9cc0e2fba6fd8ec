/** It is your turn: in the title, in the icon, by a sound, and by a notification where the page is hidden. */
import { sound } from "./sound";
import { settings } from "./settings.svelte";
import { say } from "./words.svelte";

export class TurnNotice {
  #isCalling = false;
  #shown: Notification | null = null;

  call(title: string): void {
    if (this.#isCalling) return;
    this.#isCalling = true;
    this.#icon("icon-turn.svg");
    sound.turn();
    if (document.hidden && settings.notices && "Notification" in window && Notification.permission === "granted") {
      try {
        this.#shown = new Notification("Lampion", { body: say("web.notice", { game: title }), tag: "lampion-turn" });
        this.#shown.addEventListener("click", () => window.focus());
      } catch {
        // Some browsers have notifications for installed pages alone.
      }
    }
  }

  clear(): void {
    this.#isCalling = false;
    this.#icon("icon.svg");
    this.#shown?.close();
    this.#shown = null;
  }

  #icon(name: string): void {
    document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute("href", `./${name}`);
  }
}
