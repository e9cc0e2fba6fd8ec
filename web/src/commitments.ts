/**
 * This browser's side of fair play, as docs/fair-play.md describes it: before the game own seats are committed to
 * nonces; once all is sealed, the seal is checked and the nonces are revealed.
 */
import { commitmentOf, isExcluded, isFixed, isSealGood, newNonce, nonceOf } from "./fair";
import type { TableInfo, Word } from "./messages";
import { tables } from "./tables.svelte";
import { say } from "./words.svelte";

/** How often a page commits a seat in place of commitments that it does not know: two devices must not go on for ever. */
const MOST = 3;

type FairWish = { do: "commit"; seat: number; commit: string } | { do: "reveal"; seat: number; nonce: string };

/** What a page knows of its table, and how it asks and complains. */
interface Page {
  id: string;
  seats: () => number[];
  /** The last view from the server, perhaps not shown yet. */
  table: () => TableInfo | null;
  ask: (wish: FairWish) => Promise<Word>;
  complain: (problem: string) => void;
}

export class Commitments {
  readonly #page: Page;
  /** How often each seat was committed. */
  #counts = new Map<number, number>();
  /** The seats whose commitment is on its way, and those whose nonce was sent. */
  #committing = new Set<number>();
  #revealed = new Set<number>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Return the commitment to a new nonce, which is kept before it is sent. */
  make(): string {
    const { id } = this.#page;
    const nonce = newNonce();
    tables.refresh(); // another tab may have committed the same seat
    tables.remember(id, { nonces: [...(tables.get(id)?.nonces ?? []), nonce].slice(-16) });
    return commitmentOf(nonce);
  }

  /** Remember whether the server has acknowledged a commitment of a seat that is held here. */
  setCommitted(seat: number, isCommitted: boolean): void {
    const { id } = this.#page;
    const before = tables.get(id)?.committed ?? [];
    if (before.includes(seat) === isCommitted) return;
    tables.remember(id, { committed: isCommitted ? [...before, seat] : before.filter((one) => one !== seat) });
  }

  /** Forget a seat that was lost. */
  drop(seat: number): void {
    this.setCommitted(seat, false);
    this.#counts.delete(seat);
  }

  /** Do what the table asks of own seats now. */
  update(): void {
    const { id, seats } = this.#page;
    const table = this.#page.table();
    const known = tables.get(id);
    if (table === null || known === undefined) return;
    if (known.promise === undefined && table.status === "open") tables.remember(id, { promise: table.promise });
    for (const seat of seats()) {
      if (isFixed(table)) this.#reveal(table, seat);
      else if (table.status === "open") this.#commit(table, seat);
    }
  }

  /** Commit a seat to a nonce, unless it is committed to one of this browser. */
  #commit(table: TableInfo, seat: number): void {
    if (nonceOf(table, seat, tables.get(this.#page.id)!) !== undefined) {
      this.setCommitted(seat, true);
      return;
    }
    const count = this.#counts.get(seat) ?? 0;
    if (count === MOST || this.#committing.has(seat)) return;
    this.#committing.add(seat);
    this.#page.ask({ do: "commit", seat, commit: this.make() }).then(
      () => {
        this.#counts.set(seat, count + 1);
        this.setCommitted(seat, true);
        this.update();
        this.#committing.delete(seat);
      },
      () => this.#committing.delete(seat),
    );
  }

  /** Reveal the nonce of a seat, if the seal is of what was promised and committed to; else say what is wrong. */
  #reveal(table: TableInfo, seat: number): void {
    const { id, ask, complain } = this.#page;
    if (isExcluded(table, seat, tables.get(id)!)) tables.refresh();
    const known = tables.get(id)!;
    if (isExcluded(table, seat, known)) {
      if (known.excluded && table.status !== "open") return; // it was said
      tables.remember(id, { excluded: true });
      if (table.status !== "over") complain(say("web.fair.commit_missing")); // the last page says it itself
    }
    if (table.seal == null || table.status !== "open") return;
    const nonce = nonceOf(table, seat, known);
    if (!isSealGood(table, known)) {
      complain(say("web.fair.seal_bad"));
    } else if (nonce !== undefined && !table.seats[seat]!.nonce && !this.#revealed.has(seat)) {
      this.#revealed.add(seat);
      tables.remember(id, { seal: table.seal });
      ask({ do: "reveal", seat, nonce }).then(
        () => tables.remember(id, { revealed: [...(tables.get(id)?.revealed ?? []), nonce] }),
        () => this.#revealed.delete(seat),
      );
    }
  }
}
