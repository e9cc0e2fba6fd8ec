/** The settings of a person, kept in this browser. */
export type Theme = "system" | "night" | "day";
export type Speed = "off" | "fast" | "normal" | "slow";

interface Chosen {
  language: "en" | "fr";
  theme: Theme;
  speed: Speed;
  sounds: boolean;
  confirm: boolean;
  notices: boolean;
  turning: boolean;
  notation: boolean;
  name: string;
  /** The games whose goal need not be shown again, with spaces between. */
  known: string;
}

const PLACE = "lampion.settings";
const FACTORS: Record<Speed, number> = { off: 0, fast: 0.5, normal: 1, slow: 1.8 };

function first(): Chosen {
  const language = navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
  return {
    language,
    theme: "system",
    speed: "normal",
    sounds: true,
    confirm: true,
    notices: false,
    turning: true,
    notation: false,
    name: "",
    known: "",
  };
}

/** Read what was kept; what another version wrote and this one does not know is left out. */
function kept(): Chosen {
  const chosen = first();
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Chosen>;
    for (const key of Object.keys(chosen) as (keyof Chosen)[]) {
      if (typeof found[key] === typeof chosen[key]) Object.assign(chosen, { [key]: found[key] });
    }
  } catch {
    // Nothing stored, or nothing that can be read: keep the defaults.
  }
  if (chosen.language !== "fr") chosen.language = "en";
  if (!(chosen.speed in FACTORS)) chosen.speed = "normal";
  return chosen;
}

class Settings {
  #chosen = $state<Chosen>(kept());
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #light = matchMedia("(prefers-color-scheme: light)");
  #systemNight = $state(true);
  #systemStill = $state(false);

  constructor() {
    this.#systemNight = !this.#light.matches;
    this.#systemStill = this.#still.matches;
    this.#light.addEventListener("change", () => (this.#systemNight = !this.#light.matches));
    this.#still.addEventListener("change", () => (this.#systemStill = this.#still.matches));
    // What is chosen in another tab holds here too.
    addEventListener("storage", (event) => {
      if (event.key === PLACE) this.#chosen = kept();
    });
  }

  get language(): "en" | "fr" {
    return this.#chosen.language;
  }
  set language(value: "en" | "fr") {
    this.#set("language", value);
  }
  get theme(): Theme {
    return this.#chosen.theme;
  }
  set theme(value: Theme) {
    this.#set("theme", value);
  }
  get speed(): Speed {
    return this.#chosen.speed;
  }
  set speed(value: Speed) {
    this.#set("speed", value);
  }
  get sounds(): boolean {
    return this.#chosen.sounds;
  }
  set sounds(value: boolean) {
    this.#set("sounds", value);
  }
  get confirm(): boolean {
    return this.#chosen.confirm;
  }
  set confirm(value: boolean) {
    this.#set("confirm", value);
  }
  get notices(): boolean {
    return this.#chosen.notices;
  }
  set notices(value: boolean) {
    this.#set("notices", value);
  }
  /** Whether a shared screen turns to the active seat. */
  get turning(): boolean {
    return this.#chosen.turning;
  }
  set turning(value: boolean) {
    this.#set("turning", value);
  }
  /** Whether the log shows the notation of moves and boards show their coordinates. */
  get notation(): boolean {
    return this.#chosen.notation;
  }
  set notation(value: boolean) {
    this.#set("notation", value);
  }
  get name(): string {
    return this.#chosen.name;
  }
  set name(value: string) {
    this.#set("name", value);
  }

  /** Whether the goal of a game need not be shown again. */
  knowsGoal(game: string): boolean {
    return this.#chosen.known.split(" ").includes(game);
  }
  rememberGoal(game: string): void {
    if (!this.knowsGoal(game)) this.#set("known", `${this.#chosen.known} ${game}`.trim());
  }

  /** The theme that is shown. */
  get shown(): "night" | "day" {
    if (this.#chosen.theme !== "system") return this.#chosen.theme;
    return this.#systemNight ? "night" : "day";
  }

  /** What a duration is multiplied by; 0: nothing moves. */
  get factor(): number {
    return this.#systemStill ? 0 : FACTORS[this.#chosen.speed];
  }

  #set<K extends keyof Chosen>(key: K, value: Chosen[K]): void {
    this.#chosen[key] = value;
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.#chosen));
    } catch {
      // Where the browser stores nothing, settings last as long as the page.
    }
  }
}

export const settings = new Settings();
