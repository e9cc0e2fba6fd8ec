/** It is your turn: in the title, in the icon, by a sound, and by a notification where the page is hidden. */
import { sound } from "./sound";
import { settings } from "./settings.svelte";
import { say } from "./words.svelte";

const TAG = "lampion-turn";

export class TurnNotice {
  #isCalling = false;
  #shown: Notification | null = null;

  call(title: string): void {
    if (this.#isCalling) return;
    this.#isCalling = true;
    this.#icon("icon-turn.svg");
    sound.turn();
    if (document.hidden && settings.notices && "Notification" in window && Notification.permission === "granted") {
      void this.#notify(say("web.notice", { game: title }));
    }
  }

  async #notify(body: string): Promise<void> {
    try {
      this.#shown = new Notification("Lampion", { body, tag: TAG });
      this.#shown.addEventListener("click", () => window.focus());
    } catch {
      // Phones show them by the page's worker alone.
      const worker = await navigator.serviceWorker?.getRegistration();
      await worker?.showNotification("Lampion", { body, tag: TAG }).catch(() => undefined);
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
