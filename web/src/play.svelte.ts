/**
 * A table as this page knows it. The server decides; here is what it said, what is being shown of it, and what the
 * person is about to do. Boards draw `view`, offer `moves`, and call `choose` and `commit`.
 */
import { Commitments } from "./commitments";
import { randomHex } from "./fair";
import { request, Refused } from "./http";
import { newsOf, pliesOf, type Change } from "./changeLog";
import { Link, type Answering, type LinkState } from "./connection";
import type { Looked, MovedChange, Outlook, SeatView, Standing, TableInfo, Update, Wish, Word } from "./messages";
import { Outlooks } from "./outlooks";
import type { Drawing } from "./sentences";
import { settings } from "./settings.svelte";
import { Signs } from "./signs.svelte";
import { changesSince, movesOfOthers, Story } from "./story.svelte";
import { tables } from "./tables.svelte";
import { say } from "./words.svelte";

/** A typed move: `kind` and what belongs to it. */
export type AnyMove = { kind: string };
type Plain = Record<string, unknown>;
/** What a board does when something new is shown: it may animate, and resolves when it is through. */
export type Animator = (update: Update, before: SeatView | null) => Promise<void> | void;
type WishWithout = Wish extends infer W ? (W extends Wish ? Omit<W, "id"> : never) : never;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export class Play<View = unknown, Move extends AnyMove = AnyMove> {
  readonly id: string;
  readonly #link: Answering | null;

  /** The state of the connection. */
  link = $state<LinkState>("connecting");
  /** The table as everybody sees it. */
  info = $state.raw<TableInfo | null>(null);
  /** What this page's seat (or a spectator) sees now, and may do. */
  #now = $state.raw<SeatView | null>(null);
  /** An earlier moment that is looked at. */
  past = $state.raw<Looked | null>(null);
  /** What is in the box: the game's components, in the form of its components.toml. */
  box = $state.raw<Record<string, unknown> | null>(null);
  /** All that happened, the oldest first. */
  log = $state.raw<Change[]>([]);
  /** What came with the last update: for outlines of what just happened. */
  latest = $state.raw<Change[]>([]);
  /** Seats held by this page. */
  seats = $state.raw<number[]>([]);
  isHost = $state(false);
  here = $state.raw<number[]>([]);
  watchers = $state(0);
  /** A seat whose bot is at work, and whether it must hurry because many wait. */
  thinking = $state.raw<Extract<Word, { say: "thinking" }> | null>(null);
  readonly signs = new Signs();
  /** Why the last wish was not granted. */
  problem = $state("");
  /** The move that is chosen and not yet made. */
  choice = $state.raw<Move | null>(null);
  /** What it would do; null until the server has said so. */
  outlook = $state.raw<Outlook | null>(null);
  /** A move is on its way. */
  sending = $state(false);
  /** What is open beside the board, or over its lower half on a phone. */
  panel = $state<"supply" | "log" | "rules" | null>(null);
  /** The section of the rules that was asked for. */
  section = $state<string | null>(null);
  readonly story = new Story();
  // Set by the board, or by its page; `onjump` by that of a replay.
  onjump: ((ply: number) => void) | null = null;
  headline = $state.raw<ReadonlySet<string>>(new Set());
  animator: Animator | null = null;
  drawing = $state.raw<Drawing | null>(null);
  /** The category that is being counted at the end, for the board to show where it is, and all points so far. */
  counting = $state.raw<{ category: string; totals: number[] } | null>(null);

  #seq = 0;
  #sent = 0;
  #queue: Update[] = [];
  #showing = false;
  /** The last view from the server, perhaps not shown yet. */
  #table: TableInfo | null = null;
  /** The language that the server speaks with this page. */
  #spoken = $state<string>(settings.language);
  readonly #outlooks = new Outlooks<Move>({
    ask: (moves, views) => this.#ask({ do: "preview", seat: this.seat!, moves: moves as Plain[], views }),
    now: () => ({ seq: this.#seq, language: this.#spoken }),
    offered: () => (this.#queue.at(-1)?.view ?? this.#now)?.moves ?? [],
  });
  readonly #commitments: Commitments;

  /** A table that is played; with `live` false, one that is only shown, by `present`; or what answers in its place. */
  constructor(id: string, live: boolean | Answering = true) {
    this.id = id;
    this.#commitments = new Commitments({
      id,
      seats: () => this.seats,
      table: () => this.#table,
      ask: (wish) => this.#ask(wish),
      complain: (problem) => {
        this.problem = problem;
      },
    });
    this.#link = live === true ? this.#connect() : live || null;
  }

  #connect(): Link {
    return new Link(this.id, {
      hello: () => ({
        tokens: this.#tokens(),
        since: this.#seq,
        language: settings.language,
      }),
      heard: (word) => this.#hear(word),
      changed: (state) => {
        this.link = state;
        if (state === "lost") this.sending = false;
      },
    });
  }

  /** Show a moment of a game that is looked at again; `seq` tells moments apart in which moves do something else. */
  present(table: TableInfo, mine: SeatView, log: Change[], box: Record<string, unknown>, seq = 0): void {
    [this.#seq, this.box] = [seq, box];
    this.info = table;
    this.log = log;
    this.latest = log.slice(-1);
    this.#now = mine;
  }

  /** Show the table as it was after a number of moves; with null, as it is now. */
  async look(ply: number | null): Promise<void> {
    if (ply === null) {
      this.past = null;
      return;
    }
    this.#rush();
    const word = await this.wish({ do: "look", ply });
    if (word?.say === "looked") this.past = word;
  }

  /** Go to a moment; in a replay, its page decides how. */
  jump(ply: number): void {
    if (this.onjump !== null) this.onjump(ply);
    else void this.look(ply);
  }

  /** By the number of an event, how many moves had been made after it; moves that were taken back have none. */
  get plies(): Map<number, number> {
    return pliesOf(this.log);
  }

  /** The moves of others since the last one of this page, the oldest first. */
  get since(): MovedChange[] {
    return movesOfOthers(changesSince(this.log, this.plies, this.seats), this.seats, this.headline);
  }

  /** Show once more what the others did since the last move of this page. */
  async showAgain(): Promise<void> {
    this.choose(null);
    await this.story.showAgain(this.since, this.plies, this);
  }

  /** Show how things are now. */
  skip(): void {
    this.#rush();
    this.past = null;
  }

  close(): void {
    this.#link?.close();
    this.#rush();
  }

  // What is shown

  /** What is shown: the present, or the moment that is looked at. */
  get mine(): SeatView | null {
    return this.past?.view ?? this.#now;
  }

  get view(): View {
    return this.mine?.view as View;
  }

  /** The seat this page looks from; null for a spectator. */
  get seat(): number | null {
    return this.mine?.seat ?? null;
  }

  /** The seat whose side is at the bottom: the own one, or the first. */
  get bottom(): number {
    if (this.seat !== null) return this.seat;
    const mine = this.seats.find((seat) => this.info?.pending.includes(seat)) ?? this.seats[0];
    return (settings.turning ? mine : this.seats[0]) ?? 0;
  }

  get moves(): Move[] {
    return (this.mine?.moves ?? []) as Move[];
  }

  /** Whether this page's seat is asked for a move now. */
  get isMyTurn(): boolean {
    return this.moves.length > 0 && this.seat !== null;
  }

  /** Whether hands are hidden in this game: then people who share a screen need a curtain. */
  get hidden(): boolean {
    return this.info?.hidden ?? true;
  }
  /** The step that is played, as the rules name it: of the own seat where seats have steps of their own. */
  get step(): string | null {
    const view = this.mine?.view as { step?: string; seats?: { step?: string | null }[] } | null | undefined;
    return view?.seats?.[this.bottom]?.step ?? view?.step ?? null;
  }

  /** Open a panel, or none; the rules at a section of theirs, or at the step that is played. */
  open(panel: typeof this.panel, section: string | null = null): void {
    this.panel = panel;
    this.section = section;
  }

  get standing(): Standing | null {
    const standing = this.mine?.standing ?? null;
    return standing === null || this.counting === null ? standing : { ...standing, scores: this.counting.totals };
  }
  name(seat: number): string {
    return this.info?.seats[seat]?.name ?? "";
  }
  /** All seats from `bottom` on, clockwise. */
  get around(): number[] {
    const players = this.info?.players ?? 0;
    return Array.from({ length: players }, (_, i) => (this.bottom + i) % players);
  }

  /** The moves of one kind. */
  movesOf<K extends Move["kind"]>(kind: K): Extract<Move, { kind: K }>[] {
    return this.moves.filter((move): move is Extract<Move, { kind: K }> => move.kind === kind);
  }

  // What the person does

  /** Choose a move, or none: it is shown with what it would do, and made by `commit`. */
  choose(move: Move | null): void {
    this.#rush();
    this.past = null;
    this.problem = "";
    this.choice = move;
    this.outlook = null;
    if (move === null) return;
    void this.outlooks([move], true).then(
      ([found]) => {
        const isAnswered = found?.view != null || found?.reason != null;
        if (isAnswered && this.choice !== null && same(this.choice, move)) this.outlook = found;
      },
      () => undefined,
    );
  }

  /** Make the chosen move. */
  async commit(): Promise<boolean> {
    if (this.choice === null) return false;
    return await this.make(this.choice);
  }

  /** Make a move at once. */
  async make(move: Move): Promise<boolean> {
    this.#rush();
    const seat = this.seat;
    if (seat === null || this.sending) return false;
    this.sending = true;
    const sent = ++this.#sent;
    const done = await this.wish({ do: "move", seat, seq: this.#seq, move: move as Plain });
    if (sent === this.#sent) this.sending = false;
    if (done !== null && same(this.choice, move)) this.choice = this.outlook = null; // also where it could be made again
    return done !== null;
  }

  /** Choose and, where the person wants no confirmation, make it. */
  async play(move: Move): Promise<void> {
    if (settings.confirm) this.choose(move);
    else await this.make(move);
  }

  async undo(): Promise<void> {
    this.choose(null);
    if (this.seat !== null) await this.wish({ do: "undo", seat: this.seat, seq: this.#seq });
  }

  /** Return what moves would do, in their order, with the view after each if `views`. */
  async outlooks(moves: Move[], views = false): Promise<Outlook[]> {
    if (this.seat === null || moves.length === 0) return [];
    return await this.#outlooks.of(moves, views);
  }

  /** Any wish; null and a reason in `problem` where it is refused. */
  async wish(wish: WishWithout): Promise<Word | null> {
    this.problem = "";
    try {
      return await this.#ask(wish);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem = error.code === "offline" ? say("web.link.offline") : error.message;
      return null;
    }
  }

  /** Take a seat with a token that is kept before it is sent: it holds the seat even if the answer never comes. */
  async sit(wish: WishWithout & { do: "sit" | "claim" }): Promise<Word | null> {
    const token = randomHex(16);
    tables.keep(this.id, this.info?.game ?? "", [token]);
    const more = wish.do === "sit" ? { commit: this.#commitments.make() } : {};
    const word = await this.wish({ ...wish, ...more, token });
    if (word === null && this.link === "open") tables.drop(this.id, token);
    if (word?.say === "yours" && wish.do === "sit") this.#commitments.setCommitted(word.seat, true);
    return word;
  }

  #ask(wish: WishWithout): Promise<Word> {
    return this.#link?.ask(wish) ?? Promise.reject(new Refused("offline", "", 0));
  }

  /** What proves to plain HTTP which seat asks. */
  bearer(): Record<string, string> {
    const token = tables.get(this.id)?.tokens[0];
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** The seat's private view, or none, on a screen that several people share. */
  async curtain(seat: number | null): Promise<void> {
    this.choose(null);
    await this.wish({ do: "curtain", seat });
  }

  /** Switch the language, also of the log so far. */
  async speak(): Promise<void> {
    const language = settings.language;
    if ((await this.wish({ do: "speak", language })) !== null) this.#spoken = language;
    if (this.choice !== null) this.choose(this.choice); // what it would do is said in that language
  }

  // What the server says

  #tokens(): string[] {
    const known = tables.get(this.id);
    return known === undefined ? [] : [...known.tokens, ...(known.host === null ? [] : [known.host])];
  }

  #hear(word: Word): void {
    switch (word.say) {
      case "welcome":
        this.seats = word.seats;
        this.isHost = word.host;
        break;
      case "update":
        this.#take(word);
        break;
      case "yours":
        this.#commitments.setCommitted(word.seat, false); // its last holder may have committed it
        this.seats = [...new Set([...this.seats, word.seat])].sort();
        tables.keep(this.id, this.info?.game ?? "", [word.token]);
        this.#commitments.update();
        break;
      case "lost":
        this.seats = this.seats.filter((seat) => seat !== word.seat);
        this.problem = say("web.seat.lost");
        this.#commitments.drop(word.seat);
        break;
      case "presence":
        this.here = word.here;
        this.watchers = word.watchers;
        break;
      case "thinking":
        this.thinking = word;
        break;
      case "no":
        if (word.id == null) this.problem = word.reason;
        break;
    }
  }

  #take(update: Update): void {
    if (update.since > this.#seq) {
      this.#link?.reconnect(); // something was missed: greet anew and get the rest
      return;
    }
    // After a simultaneous step the server sends all its moves again, with what it held back: show them as new.
    const isFresh = this.info === null || update.since === 0 || update.changes.length === 0;
    this.#seq = update.seq;
    this.#table = update.table;
    if (this.story.isAgain) this.skip();
    this.#commitments.update();
    this.#queue.push(update);
    if (isFresh || document.hidden || settings.factor === 0) this.#rush();
    else void this.#showAll();
  }

  /** Show what waits, one update after another, as slowly as the person likes. */
  async #showAll(): Promise<void> {
    if (this.#showing) return;
    this.#showing = true;
    while (this.#queue.length > 0) {
      const update = this.#queue[0]!;
      const others = movesOfOthers(newsOf(update, this.log), this.seats, this.headline);
      if (others.length > 0) await this.story.begin();
      if (this.#queue[0] !== update) continue;
      this.#queue.shift();
      const before = this.mine;
      const changes = newsOf(update, this.log);
      this.#show(update);
      await this.story.show(others.at(-1) ?? null, this.animator?.({ ...update, changes }, before));
    }
    this.#showing = false;
  }

  /** Show everything at once: the person has begun to act, or wants no animation. */
  #rush(): void {
    while (this.#queue.length > 0) this.#show(this.#queue.shift()!);
    this.story.stop();
  }

  #show(update: Update): void {
    const isAnew = update.since === 0;
    const news = newsOf(update, this.log);
    if (update.changes.length > 0 || isAnew) {
      const known = isAnew ? [] : this.log.filter((change) => change.seq <= update.since);
      this.log = [...known, ...update.changes];
      this.latest = isAnew ? update.changes.slice(-1) : news; // a log that is sent again is not new
    }
    this.info = update.table;
    this.#now = update.view;
    // The view already has the move: allow the next one before the server has confirmed this one.
    if (news.some((change) => change.kind === "moved" && change.seat === this.seat)) this.sending = false;
    this.here = update.table.seats.flatMap((seat, number) => (seat.here ? [number] : []));
    this.watchers = update.table.watchers ?? 0;
    this.thinking = null;
    if (this.choice !== null && !this.moves.some((move) => same(move, this.choice))) {
      this.choice = null;
      this.outlook = null;
    }
    for (const change of news) {
      if (change.kind === "table" && change.what === "greeted" && !isAnew) this.signs.show(change.seat!, change.emoji!);
    }
    if (tables.get(this.id) !== undefined || this.seats.length > 0)
      tables.keep(this.id, update.table.game, [], null, this.seats);
    if (this.box === null) void this.#open(update.table);
  }

  async #open(table: TableInfo): Promise<void> {
    this.box = await request<Record<string, unknown>>(`tables/${encodeURIComponent(table.id)}/components`);
  }
}
