/** Requests over HTTP; what changes while a table is open comes through `connection.ts`. */
import type { MadeTable, NewTable } from "./messages";
import { settings } from "./settings.svelte";
import { transport } from "./transport";
import { say } from "./words.svelte";

/** The server said no, and why, in the reader's language. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    reason: string,
    readonly status: number,
  ) {
    super(reason);
  }
}

export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const answer = await transport
    .ask(path, {
      ...init,
      headers: { "accept-language": settings.language, ...init.headers },
    })
    .catch(() => {
      throw new Refused("offline", say("web.link.offline"), 0);
    });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as T;
  throw refusal(text, answer.status);
}

/** Return the refusal in an answer: JSON from a route, or the plain text of the guard before the routes. */
function refusal(text: string, status: number): Refused {
  try {
    const no = JSON.parse(text) as { code: string; reason: string };
    return new Refused(no.code, no.reason, status);
  } catch {
    return new Refused("fault", text.startsWith("<") ? say("server.fault") : text.slice(0, 300), status);
  }
}

export const post = <T>(path: string, body: unknown): Promise<T> =>
  request<T>(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });

/** A game that can be played here. */
export interface GameInfo {
  game: string;
  name: string;
  about: string;
  players: number[];
  /** Whether there is a guided game of it. */
  tutorial: boolean;
  /** How many exercises it brings. */
  exercises: number;
  hidden: boolean;
  simultaneous: boolean;
  ready: boolean;
  /** Whether its bots are ready too. */
  bots: boolean;
  edition: string;
  options: Record<string, Record<string, { default: unknown; choices: unknown[] }>>;
}

export const games = (): Promise<GameInfo[]> => request("games");
export const makeTable = (wanted: NewTable): Promise<MadeTable> => post("tables", wanted);
