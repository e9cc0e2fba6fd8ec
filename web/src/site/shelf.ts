/** What a room keeps in the browser: bytes under names, in IndexedDB; tabs of one browser share it. */
const NAME = "lampion";
const KEPT = "kept";

type Row = [name: string, body: Uint8Array];

function asPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("IndexedDB"));
  });
}

export class Shelf {
  readonly #channel = new BroadcastChannel("lampion-shelf");

  private constructor(readonly database: IDBDatabase) {}

  static async open(): Promise<Shelf> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(KEPT);
    return new Shelf(await asPromise(request));
  }

  /** Return what has a name from the first to the last, in order. */
  async read(first: string, last: string): Promise<Row[]> {
    const store = this.database.transaction(KEPT).objectStore(KEPT);
    const range = IDBKeyRange.bound(first, last);
    const [names, bodies] = await Promise.all([
      asPromise(store.getAllKeys(range)),
      asPromise<Uint8Array[]>(store.getAll(range)),
    ]);
    return names.map((name, i) => [String(name), bodies[i]!]);
  }

  /** Write all or nothing; return false where a new name is taken or a needed one missing. */
  write(fresh: Row[], put: Row[], needed: string[], gone: string[]): Promise<boolean> {
    return new Promise((done, failed) => {
      const change = this.database.transaction(KEPT, "readwrite");
      const store = change.objectStore(KEPT);
      let isRefused = false;
      const refuse = (): void => {
        if (isRefused) return;
        isRefused = true;
        change.abort();
      };
      change.oncomplete = () => done(true);
      change.onabort = () => (isRefused ? done(false) : failed(change.error ?? new Error("IndexedDB")));
      for (const [name, exists] of [
        ...needed.map((name) => [name, true] as const),
        ...fresh.map(([name]) => [name, false] as const),
      ]) {
        const found = store.getKey(name);
        found.onsuccess = () => {
          if ((found.result !== undefined) !== exists) refuse();
        };
      }
      for (const [name, body] of [...fresh, ...put]) store.put(body, name);
      for (const name of gone) store.delete(name);
    });
  }

  /** Hear the news of every tab, this one included. */
  listen(heard: (news: string) => void): void {
    this.#heard = heard;
    this.#channel.onmessage = (event) => heard(String(event.data));
  }

  #heard: (news: string) => void = () => undefined;

  tell(news: string): void {
    this.#channel.postMessage(news);
    setTimeout(() => this.#heard(news), 0);
  }
}
