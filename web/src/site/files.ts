/** Where the files of a static site lie; `lampion site` writes this into its page. */
export interface RoomFiles {
  /** Distinguishes this version of the site from all others. */
  version: string;
  /** The folder of Pyodide, with a slash at its end. */
  pyodide: string;
  /** The archive with our Python code and what that needs. */
  archive: string;
  /** The compiled module of each game. */
  modules: Record<string, string>;
  /** Bytes of all that is fetched before the room can be played in. */
  bytes: number;
  /** Answers that lie there as files: the path of the question, with the language before it. */
  answers: Record<string, string>;
}

/** The messages from the page to its room. */
export type ToRoom =
  | { do: "open"; files: RoomFiles; base: string }
  | { do: "ask"; id: number; method: string; path: string; headers: Record<string, string>; body: Uint8Array }
  | { do: "connect"; pipe: number; table: string; language: string }
  | { do: "say"; pipe: number; text: string }
  | { do: "close"; pipe: number };

/** The messages from the room to its page. */
export type FromRoom =
  | { say: "fetched"; bytes: number }
  | { say: "ready" }
  | { say: "failed"; why: string }
  | { say: "answer"; id: number; status: number; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> }
  | { say: "word"; pipe: number; text: string | null };
