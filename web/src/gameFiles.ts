/** Games as files: one is taken along from a table, and opened again in this room or another. */
import { request } from "./http";
import type { MadeTable } from "./messages";
import { router, tableLink } from "./router.svelte";
import { settings } from "./settings.svelte";
import { tables } from "./tables.svelte";
import { isSite, transport } from "./transport";

/** A game that is over has a table, but nobody sits at it. */
type Made = Pick<MadeTable, "table"> & Partial<MadeTable>;

/** Let the browser save a file. */
export function save(body: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(body);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Save an unfinished game as a file, for whoever holds all seats of people at its table; return why not. */
export async function takeAlong(id: string, game: string): Promise<string> {
  const answer = await transport.ask(`tables/${encodeURIComponent(id)}/unfinished`, {
    method: "POST",
    body: JSON.stringify({ tokens: tables.get(id)?.tokens ?? [] }),
    headers: { "accept-language": settings.language, "content-type": "application/json" },
  });
  if (!answer.ok) return ((await answer.json()) as { reason: string }).reason;
  save(await answer.blob(), `${game}-${id}.json`);
  return "";
}

/** Open a game that was saved as a file, an unfinished one to play on; return why not. */
export async function openGame(files: FileList): Promise<string> {
  for (const file of files) {
    const body = await file.text();
    const path = isSite && /"result"\s*:/.test(body) ? "records" : "tables/unfinished";
    try {
      const { table, tokens = {}, host = null } = await request<Made>(path, { method: "POST", body });
      tables.keep(table, "", Object.values(tokens), host, Object.keys(tokens).map(Number));
      router.go(tableLink(table));
    } catch (error) {
      return (error as Error).message;
    }
  }
  return "";
}
