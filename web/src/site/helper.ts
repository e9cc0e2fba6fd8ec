/** Another worker that does jobs one after another; it starts when it is first asked. */
import type { RoomFiles } from "./files";

export interface HelperWord {
  say: "progressed" | "done" | "failed";
  body: Uint8Array;
}

interface Waiting {
  body: Uint8Array;
  progressed: (body: Uint8Array) => void;
  done: (body: Uint8Array) => void;
  failed: (error: Error) => void;
}

export class Helper {
  #worker: Worker | null = null;
  #waiting: Waiting[] = [];

  constructor(
    readonly files: RoomFiles,
    readonly base: string,
  ) {}

  /** Start it before it is needed. */
  start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL("./helperWorker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (event: MessageEvent<HelperWord>) => this.#hear(event.data);
    worker.onerror = () => this.stop();
    worker.postMessage({ files: this.files, base: this.base });
    this.#worker = worker;
    return worker;
  }

  ask(body: Uint8Array, progressed: (body: Uint8Array) => void): Promise<Uint8Array> {
    return new Promise((done, failed) => {
      this.#waiting.push({ body, progressed, done, failed });
      if (this.#waiting.length === 1) this.#next();
    });
  }

  /** Stop at once: all that wait are rejected. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    const gone = this.#waiting;
    this.#waiting = [];
    for (const one of gone) one.failed(new Error("stopped"));
  }

  #next(): void {
    const one = this.#waiting[0];
    if (one !== undefined) this.start().postMessage({ body: one.body });
  }

  #hear(word: HelperWord): void {
    const one = this.#waiting[0];
    if (one === undefined) return;
    if (word.say === "progressed") {
      one.progressed(word.body);
      return;
    }
    this.#waiting.shift();
    if (word.say === "done") one.done(word.body);
    else one.failed(new Error("fault"));
    this.#next();
  }
}
