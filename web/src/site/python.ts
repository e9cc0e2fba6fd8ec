/** Python in a worker: Pyodide and our own code, all from the site itself and kept by the browser. */
import type { PyodideInterface } from "pyodide";
import type { RoomFiles } from "./files";

/** The cache of the large files; their names change with what is in them. */
const KEPT = "lampion-runtime";

const TYPES: Record<string, string> = { wasm: "application/wasm", json: "application/json" };

/** Return a file of the site: what the browser kept, or else fetched now and kept. */
async function fetched(address: string, heard: (bytes: number) => void): Promise<Response> {
  const cache = await caches.open(KEPT).catch(() => null); // not every browser keeps anything
  const kept = await cache?.match(address);
  if (kept !== undefined) return kept;
  const answer = await plainFetch(address);
  if (!answer.ok || answer.body === null) throw new Error(`${address}: ${answer.status}`);
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        heard(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );
  const type = TYPES[address.split(".").pop() ?? ""] ?? "application/octet-stream";
  const found = new Response(counted, { headers: { "content-type": type } });
  if (cache !== null) void cache.put(address, found.clone()).catch(() => undefined); // no space: it plays all the same
  return found;
}

const plainFetch = globalThis.fetch.bind(globalThis);

/** Start Python with our code on its path; `heard` is told the bytes that came over the network. */
export async function startPython(
  files: RoomFiles,
  base: string,
  heard: (bytes: number) => void = () => undefined,
): Promise<PyodideInterface> {
  const folder = new URL(files.pyodide, base).href;
  // Pyodide fetches its parts by itself: let them come the same way.
  globalThis.fetch = (asked, init) => {
    const address = asked instanceof Request ? asked.url : String(asked);
    return address.startsWith(folder) ? fetched(address, heard) : plainFetch(asked, init);
  };
  const archives = files.archives.map(async (name) => (await fetched(new URL(name, base).href, heard)).arrayBuffer());
  const modules = Object.entries(files.modules).map(
    async ([game, name]) => [game, await (await fetched(new URL(name, base).href, heard)).arrayBuffer()] as const,
  );
  const { loadPyodide } = (await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as typeof import("pyodide");
  const python = await loadPyodide({ indexURL: folder });
  for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: "/lampion" });
  python.FS.mkdirTree("/modules");
  for (const module of modules) {
    const [game, body] = await module;
    python.FS.writeFile(`/modules/${game}.wasm`, new Uint8Array(body));
  }
  python.runPython("import sys; sys.path.insert(0, '/lampion')");
  return python;
}
