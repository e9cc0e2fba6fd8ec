/** Python in a worker: Pyodide and our own code, all from the site itself and kept by the browser.
 *
 * The first start takes seconds, so its memory is kept, and later starts begin with that. Memory holds neither files nor
 * compiled code: the files are laid out again, and libraries are loaded before Python runs, in the same order, so that
 * they always lie in the same place.
 */
import type { PyodideInterface } from "pyodide";
import type { RoomFiles } from "./files";

const TYPES: Record<string, string> = { wasm: "application/wasm", json: "application/json" };
const CODE = "/lampion";
const BLOCK = 512;

const plainFetch = globalThis.fetch.bind(globalThis);

/** What a site's room keeps in the browser: large files, whose names change with what is in them, and its memory. */
class Keeper {
  readonly #cache: Promise<Cache | null>;

  constructor(
    readonly base: string,
    readonly heard: (bytes: number) => void,
  ) {
    const path = new URL("./", base).pathname; // a site beside this one keeps its own
    this.#cache = caches.open(`lampion-runtime ${path}`).catch(() => null); // not every browser keeps anything
  }

  async kept(name: string): Promise<Response | undefined> {
    return (await this.#cache)?.match(new URL(name, this.base).href);
  }

  async keep(name: string, body: Response): Promise<void> {
    await (await this.#cache)?.put(new URL(name, this.base).href, body).catch(() => undefined); // no space: it plays all the same
  }

  async forget(name: string): Promise<void> {
    await (await this.#cache)?.delete(new URL(name, this.base).href);
  }

  /** Return a file of the site: what the browser kept, or else fetched now and kept. */
  async file(name: string): Promise<Response> {
    const kept = await this.kept(name);
    if (kept !== undefined) return kept;
    const answer = await plainFetch(new URL(name, this.base).href);
    if (!answer.ok || answer.body === null) throw new Error(`${name}: ${answer.status}`);
    const { heard } = this;
    const counted = answer.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          heard(chunk.length);
          controller.enqueue(chunk);
        },
      }),
    );
    const type = TYPES[name.split(".").pop() ?? ""] ?? "application/octet-stream";
    const found = new Response(counted, { headers: { "content-type": type } });
    void this.keep(name, found.clone());
    return found;
  }

  async bytes(name: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.file(name)).arrayBuffer());
  }
}

/** Return the SHA-256 of bytes as text. */
async function mark(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join(" ");
}

/** The memory of a Python that has just started. A damaged one is worse than none: it is checked when it is read. */
class Memory {
  constructor(
    readonly keeper: Keeper,
    readonly name: string,
  ) {}

  async read(): Promise<Uint8Array | null> {
    const kept = await this.keeper.kept(this.name);
    if (kept === undefined) return null;
    const bytes = new Uint8Array(await kept.arrayBuffer());
    return (await mark(bytes)) === kept.headers.get("x-mark") ? bytes : null;
  }

  async keep(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.keeper.keep(this.name, new Response(bytes, { headers: { "x-mark": await mark(bytes) } }));
  }

  async forget(): Promise<void> {
    await this.keeper.forget(this.name);
  }
}

type Files = [path: string, body: Uint8Array][];

/** Return the files in a packed archive. */
async function unpacked(packed: Response): Promise<Files> {
  const opened = packed.body!.pipeThrough(new DecompressionStream("gzip"));
  const tar = new Uint8Array(await new Response(opened).arrayBuffer());
  const text = (from: number, length: number): string =>
    new TextDecoder().decode(tar.subarray(from, from + length)).replace(/\0.*$/s, "");
  const files: Files = [];
  for (let at = 0; tar[at];) {
    const size = parseInt(text(at + 124, 12), 8);
    files.push([`${CODE}/${text(at, 100)}`, tar.subarray(at + BLOCK, at + BLOCK + size)]);
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return files;
}

/** What Emscripten lets us do before Python runs; Pyodide does not declare it. */
interface Machine {
  FS: PyodideInterface["FS"];
  LDSO: { loadedLibsByName: Record<string, unknown> };
  loadWebAssemblyModule(body: Uint8Array, flags: object, path: string, scope: object): Record<string, unknown>;
  addFunction(made: unknown): number;
  growMemory(bytes: number): void;
}
type Create = (settings: { preRun: ((machine: Machine) => void)[] }) => Promise<Machine>;

/** Load a library as Python will ask for it: by its path, with the function that it begins with. */
function link(machine: Machine, path: string, body: Uint8Array): void {
  const exports = machine.loadWebAssemblyModule(body, { global: false, nodelete: true }, path, {});
  machine.LDSO.loadedLibsByName[path] = { name: path, exports, refcount: Infinity, global: false };
  for (const [name, made] of Object.entries(exports)) if (name.startsWith("PyInit_")) machine.addFunction(made);
}

interface Parts {
  pyodide: string;
  files: Files;
  create: Create;
}

/** Start Python, fresh or with a memory that was kept. */
async function start({ pyodide, files, create }: Parts, memory: Uint8Array | null): Promise<PyodideInterface> {
  const { loadPyodide } = (await import(/* @vite-ignore */ `${pyodide}pyodide.mjs`)) as typeof import("pyodide");
  const createPyodideModule: Create = async (settings) => {
    settings.preRun.push((machine) => {
      for (const [path, body] of files) {
        machine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
        machine.FS.writeFile(path, body);
        if (path.endsWith(".so")) link(machine, path, body);
      }
    });
    const machine = await create(settings);
    if (memory !== null) machine.growMemory(memory.length);
    return machine;
  };
  return loadPyodide({
    indexURL: pyodide,
    createPyodideModule: createPyodideModule as never,
    ...(memory === null ? { _makeSnapshot: true } : { _loadSnapshot: memory }),
  });
}

/** What our code does in a worker. */
export interface Browser {
  wake(): void;
}

/** Start Python with our code in it; `heard` is called with the bytes that came over the network. */
export async function startPython<B extends Browser>(
  site: RoomFiles,
  base: string,
  heard: (bytes: number) => void = () => undefined,
): Promise<B> {
  const keeper = new Keeper(base, heard);
  const pyodide = new URL(site.pyodide, base).href;
  // Pyodide fetches its parts by itself: let them come the same way.
  globalThis.fetch = (asked, init) => {
    const address = asked instanceof Request ? asked.url : String(asked);
    return address.startsWith(pyodide) ? keeper.file(address) : plainFetch(asked, init);
  };
  const memory = new Memory(keeper, `room/memory-${site.version}`);
  const creating = import(/* @vite-ignore */ `${pyodide}pyodide.asm.mjs`) as Promise<{ default: Create }>;
  const [remembered, files, modules, { default: create }] = await Promise.all([
    memory.read(),
    keeper.file(site.archive).then(unpacked),
    Promise.all(
      Object.entries(site.modules).map(async ([game, name]): Promise<Files[number]> => [
        `/modules/${game}.wasm`,
        await keeper.bytes(name),
      ]),
    ),
    creating,
  ]);
  const parts: Parts = { pyodide, files: [...files, ...modules], create };
  const awake = (python: PyodideInterface): B => {
    const browser = python.pyimport("lampion.page.browser") as B;
    browser.wake();
    return browser;
  };
  if (remembered !== null) {
    try {
      return awake(await start(parts, remembered));
    } catch (error) {
      console.warn("a kept memory is of no use", error);
      await memory.forget();
    }
  }
  const python = await start(parts, null);
  python.runPython(`import sys; sys.path.insert(0, "${CODE}"); import lampion.page.browser`);
  void memory.keep(python.makeMemorySnapshot() as Uint8Array<ArrayBuffer>).catch(() => undefined);
  return awake(python);
}
