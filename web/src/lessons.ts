/** Guided games: one of a game at a time, taken up again where it was left. */
import { post } from "./http";
import type { MadeTable, TableSummary } from "./messages";
import { router, tableLink } from "./router.svelte";
import { settings } from "./settings.svelte";
import { tables } from "./tables.svelte";

/** Go to the guided game of a game: to the one that was left, or to a new one. */
export async function learn(game: string): Promise<void> {
  const left = tables.all.filter((table) => table.lesson && table.game === game).slice(0, 5);
  if (left.length > 0) {
    const found = await post<TableSummary[]>("tables/look", { tables: left.map((table) => table.id) });
    const open = found.find((table) => table.status === "playing");
    if (open !== undefined) return router.go(tableLink(open.id));
  }
  const made = await post<MadeTable>(`tutorials/${game}`, settings.name ? { name: settings.name } : {});
  tables.keep(made.table, game, Object.values(made.tokens), made.host, Object.keys(made.tokens).map(Number));
  tables.remember(made.table, { lesson: true, promise: made.promise });
  router.go(tableLink(made.table));
}
