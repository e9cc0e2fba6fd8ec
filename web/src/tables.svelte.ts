/** The tables that this browser knows: their tokens are here and nowhere else. */
export interface Known {
  id: string;
  game: string;
  /** The tokens of seats held here, and the host's. */
  tokens: string[];
  host: string | null;
  /** The seats held here. */
  seats?: number[];
  /** What the server promised when this browser first saw the table. */
  promise?: string;
  /** The nonces that seats held here committed to, and those of them that the server has taken. */
  nonces?: string[];
  revealed?: string[];
  /** The seats held here whose commitments the server has acknowledged. */
  committed?: number[];
  /** Whether such a commitment was missing when the game was sealed or began. */
  excluded?: boolean;
  /** The seal as it was when they were revealed. */
  seal?: string;
  /** Whether it is a guided game. */
  lesson?: boolean;
  /** When it was last looked at. */
  at: number;
}

const PLACE = "lampion.tables";
const MOST = 100;

function read(): Known[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? (found as Known[]).filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
}

class Tables {
  #all = $state<Known[]>(read());

  constructor() {
    // Another tab may have sat down somewhere.
    addEventListener("storage", (event) => {
      if (event.key === PLACE) this.#all = read();
    });
  }

  /** The last looked at first. */
  get all(): Known[] {
    return [...this.#all].sort((a, b) => b.at - a.at);
  }

  get(id: string): Known | undefined {
    return this.#all.find((one) => one.id === id);
  }

  /** Remember a table, with more tokens where there are, and the seats held here where they are known. */
  keep(id: string, game: string, tokens: string[] = [], host: string | null = null, seats?: number[]): void {
    const before = this.get(id);
    const one: Known = {
      ...before,
      id,
      game,
      tokens: [...new Set([...(before?.tokens ?? []), ...tokens])].slice(-8),
      host: host ?? before?.host ?? null,
      seats: seats ?? before?.seats ?? [],
      at: Date.now(),
    };
    this.#write([one, ...this.#all.filter((other) => other.id !== id)]);
  }

  /** Remember more of a table that is known: for fair play, what was promised and committed to. */
  remember(id: string, more: Partial<Omit<Known, "id" | "game" | "tokens" | "host" | "at">>): void {
    this.#write(this.#all.map((one) => (one.id === id ? { ...one, ...more } : one)));
  }

  /** Read what other tabs have stored, before the browser sends its storage event. */
  refresh(): void {
    const found = read();
    if (found.length > 0) this.#all = found; // else the browser keeps nothing
  }

  /** A token that is worth nothing any more. */
  drop(id: string, token: string): void {
    this.#write(
      this.#all.map((one) => (one.id === id ? { ...one, tokens: one.tokens.filter((t) => t !== token) } : one)),
    );
  }

  forget(id: string): void {
    this.#write(this.#all.filter((one) => one.id !== id));
  }

  #write(all: Known[]): void {
    this.#all = all.sort((a, b) => b.at - a.at).slice(0, MOST);
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.#all));
    } catch {
      // A browser that keeps nothing still plays, until the page is closed.
    }
  }
}

export const tables = new Tables();
