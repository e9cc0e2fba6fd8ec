/** The room in this page: the same requests and messages as to a server, answered by a worker. */
import type { Pipe, Transport } from "../transport";
import type { FromRoom, RoomFiles, ToRoom } from "./files";
import { save as saveFile } from "../gameFiles";
import { download } from "./download.svelte";

const files = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="lampion-room"]')!.content) as RoomFiles;
const worker = new Worker(new URL("./roomWorker.ts", import.meta.url), { type: "module" });
const tell = (word: ToRoom): void => worker.postMessage(word);

let next = 1;
const waiting = new Map<number, (answer: Response) => void>();
const pipes = new Map<number, RoomPipe>();

/** A connection to a table of the room. */
class RoomPipe extends EventTarget implements Pipe {
  readonly #number = next++;

  constructor(table: string) {
    super();
    pipes.set(this.#number, this);
    tell({ do: "connect", pipe: this.#number, table, language: document.documentElement.lang });
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }

  send(text: string): void {
    tell({ do: "say", pipe: this.#number, text });
  }

  close(): void {
    tell({ do: "close", pipe: this.#number });
  }

  heard(text: string | null): void {
    if (text !== null) this.dispatchEvent(new MessageEvent("message", { data: text }));
    else if (pipes.delete(this.#number)) this.dispatchEvent(new Event("close"));
  }
}

worker.addEventListener("message", (event: MessageEvent<FromRoom>) => {
  const word = event.data;
  if (word.say === "fetched") download.add(word.bytes);
  else if (word.say === "ready") download.isDone = true;
  else if (word.say === "failed") download.hasFailed = true;
  else if (word.say === "word") pipes.get(word.pipe)?.heard(word.text);
  else {
    const { id, status, headers, body } = word;
    waiting.get(id)?.(new Response(status === 204 ? null : body, { status, headers }));
    waiting.delete(id);
  }
});

async function bytesOf(body: BodyInit | null | undefined): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}

export const inPage: Transport = {
  async ask(path, init = {}) {
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = init.method ?? "GET";
    const ready = files.answers[`${document.documentElement.lang}/${path}`];
    if (method === "GET" && ready !== undefined) return fetch(ready);
    const body = await bytesOf(init.body);
    const id = next++;
    return new Promise((done) => {
      waiting.set(id, done);
      tell({ do: "ask", id, method, path, headers, body });
    });
  },
  connect: (table) => new RoomPipe(table),
};

/** Save what a link to the room's api leads to: no server answers it. */
async function save(link: HTMLAnchorElement): Promise<void> {
  const path = link.getAttribute("href")!.replace("./api/", "");
  const answer = await inPage.ask(path, { headers: { "accept-language": document.documentElement.lang } });
  const named = /filename="(.*)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  saveFile(await answer.blob(), link.download || named || "lampion");
}

document.addEventListener("click", (event) => {
  const link = (event.target as Element | null)?.closest<HTMLAnchorElement>('a[href^="./api/"]');
  if (link == null) return;
  event.preventDefault();
  void save(link);
});

/** For the console: what the room answers. */
Object.assign(globalThis, { lampion: inPage });
download.total = files.bytes;
tell({ do: "open", files, base: document.baseURI });
