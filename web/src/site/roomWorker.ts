/** The worker that the room stands in: Python with the tables, and the page's messages to it. */
import type { FromRoom, RoomFiles, ToRoom } from "./files";
import { Helper } from "./helper";
import { startPython, type Browser } from "./python";
import { Shelf } from "./shelf";

type Answer = [status: number, headers: Record<string, string>, body: Uint8Array<ArrayBuffer>];

interface Room {
  open(): Promise<void>;
  ask(method: string, path: string, headers: Record<string, string>, body: Uint8Array): Promise<Answer>;
  connect(pipe: number, table: string, language: string): void;
  hear(pipe: number, text: string): void;
  disconnect(pipe: number): void;
}

interface RoomBrowser extends Browser {
  room(shelf: Shelf, thinker: Helper, analyst: Helper, send: (pipe: number, text: string | null) => void): Room;
}

const tell = (word: FromRoom): void => postMessage(word);

async function open(files: RoomFiles, base: string): Promise<Room> {
  const shelf = Shelf.open();
  const browser = await startPython<RoomBrowser>(files, base, (bytes) => tell({ say: "fetched", bytes }));
  const thinker = new Helper(files, base);
  const room = browser.room(await shelf, thinker, new Helper(files, base), (pipe, text) =>
    tell({ say: "word", pipe, text: text ?? null }),
  );
  await room.open();
  thinker.start();
  tell({ say: "ready" });
  return room;
}

let room: Promise<Room>;

async function hear(word: ToRoom): Promise<void> {
  if (word.do === "open") {
    room = open(word.files, word.base);
    room.catch((error: unknown) => {
      console.error(error);
      tell({ say: "failed", why: String(error) });
    });
    return;
  }
  const here = await room;
  if (word.do === "ask") {
    const [status, headers, body] = await here.ask(word.method, `/api/${word.path}`, word.headers, word.body);
    tell({ say: "answer", id: word.id, status, headers, body });
  } else if (word.do === "connect") here.connect(word.pipe, word.table, word.language);
  else if (word.do === "say") here.hear(word.pipe, word.text);
  else here.disconnect(word.pipe);
}

addEventListener("message", (event: MessageEvent<ToRoom>) => void hear(event.data));
