/** The connection to a table. When it breaks it is opened again, and the room sends what was missed. */
import { VERSION, type Hello, type No, type Wish, type Word } from "./messages";
import { Refused } from "./http";
import { transport, type Pipe } from "./transport";

export type LinkState = "connecting" | "open" | "lost" | "gone";
type WishWithout = Wish extends infer W ? (W extends Wish ? Omit<W, "id"> : never) : never;

interface Wires {
  hello: () => Omit<Hello, "do" | "id" | "version">;
  heard: (word: Word) => void;
  changed: (state: LinkState) => void;
}

const PING_EVERY = 15_000;
const PING_PATIENCE = 8_000;

/** What answers the wishes of a page: a table, or what takes its place. */
export type Answering = Pick<Link, "ask" | "reconnect" | "close">;

export class Link {
  #socket: Pipe | null = null;
  #waiting = new Map<number, { done: (word: Word) => void; failed: (error: Error) => void }>();
  #next = 1;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #alive: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #closed = false;
  state: LinkState = "connecting";

  constructor(
    readonly table: string,
    readonly wires: Wires,
  ) {
    addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
    this.#open();
  }

  /** Send a wish; resolve with the answer that has its number, or reject with the refusal. */
  ask(wish: WishWithout): Promise<Word> {
    const socket = this.#socket;
    if (this.state !== "open" || socket === null) return Promise.reject(new Refused("offline", "", 0));
    const id = this.#next++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      socket.send(JSON.stringify({ ...wish, id }));
    });
  }

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
    clearTimeout(this.#timer);
    clearInterval(this.#alive);
    this.#socket?.close();
    this.#fail();
  }

  /** Connect again, with the tokens as they are now. */
  reconnect(): void {
    this.#tries = 0;
    this.#socket?.close();
  }

  #wake = (): void => {
    if (document.hidden || this.#closed) return;
    if (this.state === "lost") {
      this.#tries = 0;
      clearTimeout(this.#timer);
      this.#open();
    } else if (this.state === "open") {
      this.#check();
    }
  };

  #open(): void {
    const socket = transport.connect(this.table);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ do: "hello", version: VERSION, ...this.wires.hello() }));
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      this.#heardAt = Date.now();
      this.#hear(JSON.parse(String((event as MessageEvent).data)) as Word);
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost();
    });
  }

  #hear(word: Word): void {
    if (word.say === "welcome") {
      this.#tries = 0;
      this.#set("open");
      clearInterval(this.#alive);
      this.#alive = setInterval(() => this.#check(), PING_EVERY);
    }
    if (word.say === "no" && word.code === "no_table") this.#set("gone");
    if ("id" in word && word.id != null) {
      const waiting = this.#waiting.get(word.id);
      this.#waiting.delete(word.id);
      if (word.say === "no") waiting?.failed(new Refused((word as No).code, (word as No).reason, 0));
      else waiting?.done(word);
    }
    this.wires.heard(word);
  }

  /** A connection can be dead and look alive: ask, and give up on silence. */
  #check(): void {
    const socket = this.#socket;
    const asked = Date.now();
    this.ask({ do: "ping" }).catch(() => undefined);
    setTimeout(() => {
      if (socket === this.#socket && this.#heardAt < asked && this.state === "open") {
        this.#lost();
        socket?.close();
      }
    }, PING_PATIENCE);
  }

  #lost(): void {
    clearInterval(this.#alive);
    this.#socket = null;
    this.#fail();
    if (this.#closed || this.state === "gone") return;
    this.#set("lost");
    const wait = Math.min(8000, 250 * 2 ** this.#tries++) * (0.7 + 0.6 * Math.random());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), wait);
  }

  #fail(): void {
    for (const { failed } of this.#waiting.values()) failed(new Refused("offline", "", 0));
    this.#waiting.clear();
  }

  #set(state: LinkState): void {
    this.state = state;
    this.wires.changed(state);
  }
}
