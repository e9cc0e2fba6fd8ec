/** Games as files: one is taken along from a table, and opened again in this room or another. */
import { request } from "./http";
import type { MadeTable } from "./messages";
import { settings } from "./settings.svelte";
import { tables } from "./tables.svelte";
import { isSite, transport } from "./transport";

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

/** Open a game that was saved as a file; return its table. An unfinished one is played on. */
export async function openGame(file: File): Promise<string> {
  const text = await file.text();
  const isOver = /"result"\s*:/.test(text);
  const made = await request<Partial<MadeTable> & { table: string }>(
    isSite && isOver ? "records" : "tables/unfinished",
    {
      method: "POST",
      body: text,
      headers: { "content-type": "application/json" },
    },
  );
  const { tokens = {}, host = null } = made;
  tables.keep(made.table, "", Object.values(tokens), host, Object.keys(tokens).map(Number));
  return made.table;
}
