/**
 * A board that somebody explores alone, with all seats. The server answers questions about a line and keeps nothing; here
 * are the tree, the position that is looked at and what it is worth.
 */
import { untrack } from "svelte";
import { boardOf } from "../../boards";
import { post, Refused } from "../../http";
import type {
  BoardWorth,
  ExploreOutlooks,
  Explored,
  MovedChange,
  Outlook,
  SavedBoard,
  SetUpBoard,
  Wish,
  Word,
} from "../../messages";
import { Play } from "../../play.svelte";
import { tableOf } from "../../replayed";
import { settings } from "../../settings.svelte";
import { Tree, type GameRecord, type Move, type TreeNode } from "./tree.svelte";

/** What the browser remembers of a board that was not shared, until its tab is closed. */
const KEPT = "lampion.board";
/** Lines whose words are asked for when a tree is opened. */
const MOST_LINES = 40;
const PAUSE = 150;

/** What a game that was played has, and a line that is explored has not. */
const OF_A_GAME = new Set(["milliseconds", "result", "after", "continues", "hints", "notes"]);

/** Return where a game begins, without its moves and without what proves its chance. */
export function bare(record: GameRecord): GameRecord {
  const kept = Object.entries(record).filter(([field]) => !OF_A_GAME.has(field));
  return { ...Object.fromEntries(kept), chance: { kind: "manual" }, moves: [] } as unknown as GameRecord;
}

/** Return the tree of one game after a number of moves: it can be followed to its end. */
export function treeOf(record: GameRecord, ply: number): SavedBoard {
  const nodes = record.moves.map(([seat, move], i) => ({ parent: i - 1, seat: seat === "chance" ? -1 : seat, move }));
  return { record: bare(record), nodes, at: Math.min(ply, nodes.length) - 1 };
}

/** Return the board that this tab was left with. */
export function remembered(): SavedBoard | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as SavedBoard | null;
  } catch {
    return null;
  }
}

export const forget = (): void => sessionStorage.removeItem(KEPT);

export class Exploration {
  record: GameRecord;
  tree = $state.raw<Tree>(new Tree());
  /** Whose eyes look; null sees everything. */
  eyes = $state<number | null>(null);
  now = $state.raw<Explored | null>(null);
  worth = $state.raw<BoardWorth | null>(null);
  isJudging = $state(false);
  /** What can be changed by hand, while that is open. */
  setup = $state.raw<SetUpBoard | null>(null);
  problem = $state("");
  readonly play: Play;
  /** What the board was before each change by hand. */
  #before = $state.raw<SavedBoard[]>([]);
  #asked = 0;
  #seq = 0;
  readonly #seen = new Map<string, Explored>();
  readonly #judged = new Map<string, BoardWorth>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(board: SavedBoard) {
    this.record = board.record as GameRecord;
    this.tree = Tree.from(board);
    this.play = new Play("", {
      ask: (wish) => this.#answer(wish as Wish),
      reconnect: () => undefined,
      close: () => undefined,
    });
    this.play.onjump = (ply) => this.go(this.tree.path()[ply - 1] ?? this.tree.root);
    this.play.headline = boardOf(this.record.game).headline;
  }

  get names(): string[] {
    return this.now?.names ?? this.record.seats.map((seat) => seat.name);
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  /** The language and the viewer for which moves are put into words. */
  get #audience(): string {
    return `${settings.language} ${this.eyes ?? "all"}`;
  }

  /** The line to a node as a record. */
  line(node: TreeNode = this.tree.at): GameRecord {
    const moves = this.tree.path(node).map(({ seat, move }) => [seat < 0 ? "chance" : seat, move]);
    return { ...this.record, moves } as unknown as GameRecord;
  }

  #question(node?: TreeNode): { record: GameRecord; seat?: number } {
    return { record: this.line(node), ...(this.eyes === null ? {} : { seat: this.eyes }) };
  }

  // Going through the tree

  /** Look at a node. */
  go(node: TreeNode): void {
    this.tree.at = node;
    void this.look();
  }

  back(): void {
    if (this.tree.at.parent !== null) this.go(this.tree.at.parent);
  }

  on(): void {
    const next = this.tree.at.children[0];
    if (next !== undefined) this.go(next);
  }

  beside(way: 1 | -1): void {
    this.tree.beside(way);
    void this.look();
  }

  /** Go on by a move of a seat, or of chance. */
  make(seat: number, move: Move): void {
    this.tree.add(seat, move);
    void this.look();
  }

  /** Remove a node with what follows. */
  remove(node: TreeNode): void {
    this.tree.remove(node);
    void this.look();
  }

  /** Let chance move: once, or until somebody decides. */
  async draw(which: "one" | "all"): Promise<void> {
    const { at } = this.tree;
    await this.#try(async () => {
      const since = this.tree.path().length;
      const found = await post<Explored>("explore", { ...this.#question(), since, draw: which });
      if (this.tree.at !== at) return;
      for (const step of found.steps) {
        const node = this.tree.add(step.seat, step.move as Move);
        [node.step, node.audience] = [step, this.#audience];
      }
      await this.look();
    });
  }

  /** Ask for the position that is looked at, unless it is known, and show it. */
  async look(): Promise<void> {
    const number = ++this.#asked;
    const node = this.tree.at;
    const audience = this.#audience;
    const key = `${node.id} ${audience}`;
    await this.#try(async () => {
      const found = this.#seen.get(key) ?? (await this.#explore(node, audience));
      this.#seen.set(key, found);
      if (number !== this.#asked) return;
      this.now = found;
      this.#present(found);
      this.worth = this.#judged.get(key) ?? null;
      this.#keep();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#judge(), PAUSE);
    });
  }

  /** Ask about a line, with the words of all its moves that are not known. */
  async #explore(node: TreeNode, audience: string): Promise<Explored> {
    const path = this.tree.path(node);
    const known = path.findIndex((one) => one.audience !== audience);
    const since = known < 0 ? path.length : known;
    const found = await post<Explored>("explore", { ...this.#question(node), since });
    found.steps.forEach((step, i) => Object.assign(path[since + i]!, { step, audience }));
    this.tree.version++;
    return found;
  }

  /** Ask for the words of the branches that were not looked at. */
  async tell(): Promise<void> {
    const audience = this.#audience;
    for (const leaf of this.tree.leaves().slice(0, MOST_LINES)) {
      if (audience !== this.#audience) return;
      if (leaf.audience !== audience) await this.#explore(leaf, audience).catch(() => undefined);
    }
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      this.problem = "";
      await work();
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  // The board

  #present(found: Explored): void {
    const { record } = this;
    const seats = record.seats.map((seat, i) => ({
      ...seat,
      name: found.names[i] ?? seat.name,
      kind: "human" as const,
    }));
    const story = { ...record, edition: record.edition.hash, standard: found.standard, seats };
    const table = tableOf("", story, found.ply, found.pending);
    // Where chance moves the board stays turned to who moved last.
    const seat = found.seat ?? this.eyes ?? this.tree.path().findLast((node) => node.seat >= 0)?.seat ?? null;
    const { view, asked, moves, standing } = found;
    const log = this.tree.path().map((node, i): MovedChange => ({
      kind: "moved",
      seq: i + 1,
      at: 0,
      seat: node.seat,
      by: "player",
      move: node.move,
      notation: null,
      events: node.step?.events ?? [],
      told: node.step?.told ?? [],
    }));
    untrack(() => {
      this.play.choose(null);
      this.play.seats = seat === null ? [] : [seat];
      this.play.present(table, { seat, view, asked, moves, standing }, log, record.edition.components, ++this.#seq);
      this.play.here = seats.map((_, i) => i);
    });
  }

  /** Answer in the place of a table. */
  async #answer(wish: Wish): Promise<Word> {
    const seq = this.#seq;
    if (wish.do === "speak") return { say: "done", seq };
    if (wish.do === "preview") {
      const { moves, views } = wish;
      const asked = { ...this.#question(), moves, views: views ?? false };
      const { outlooks } = await post<ExploreOutlooks>("explore/preview", asked);
      return { say: "previews", seat: wish.seat, seq, outlooks: outlooks as Outlook[] };
    }
    if (wish.do !== "move") throw new Refused("offline", "", 0);
    this.tree.add(wish.seat, wish.move);
    await this.look();
    return { say: "done", seq };
  }

  // What it is worth: one question at a time, and the next is about what is looked at then.

  async #judge(): Promise<void> {
    if (this.isJudging) return;
    const { tree } = this;
    const node = tree.at;
    const key = `${node.id} ${this.#audience}`;
    if (this.#judged.has(key)) return;
    const isShown = (): boolean => tree === this.tree && key === `${tree.at.id} ${this.#audience}`;
    this.isJudging = true;
    let isBusy = false;
    try {
      const found = await post<BoardWorth>("explore/worth", this.#question(node));
      if (tree === this.tree) this.#judged.set(key, found);
      if (isShown()) this.worth = found;
    } catch (error) {
      isBusy = error instanceof Refused && error.code === "busy";
      if (!isBusy) this.problem = (error as Error).message;
    }
    this.isJudging = false;
    if (isBusy || !isShown()) this.#timer = setTimeout(() => void this.#judge(), isBusy ? 20 * PAUSE : 0);
  }

  // Set up by hand

  /** Open what can be changed. */
  async openSetup(): Promise<void> {
    await this.#try(async () => {
      this.setup = await post<SetUpBoard>("explore/setup", { record: this.line() });
    });
  }

  closeSetup(): void {
    this.setup = null;
    this.#before = [];
  }

  /** Change the position: the board begins anew from there. Where that cannot be, nothing changes. */
  async change(change: { name: string; value: string | number } | { view: Record<string, unknown> }): Promise<boolean> {
    let isDone = false;
    await this.#try(async () => {
      const found = await post<SetUpBoard>("explore/setup", { record: this.line(), ...change });
      this.#before = [...this.#before, this.tree.saved(this.record)];
      this.setup = found;
      isDone = true;
      await this.#begin({ record: found.record, nodes: [], at: -1 });
    });
    // A control that was refused shows again what it was.
    if (!isDone && "name" in change && this.setup !== null) this.setup = { ...this.setup };
    return isDone;
  }

  /** Return to the board before the last change. */
  async undoChange(): Promise<void> {
    const last = this.#before.at(-1);
    if (last === undefined) return;
    this.#before = this.#before.slice(0, -1);
    await this.#begin(last);
    await this.openSetup();
  }

  async #begin(board: SavedBoard): Promise<void> {
    this.#seen.clear();
    this.#judged.clear();
    this.worth = null;
    this.record = board.record as GameRecord;
    this.tree = Tree.from(board);
    await this.look();
  }

  /** Remember the board for this tab. */
  #keep(): void {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(this.tree.saved(this.record)));
    } catch {
      // A browser that keeps nothing: the board lasts as long as the page.
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.play.close();
  }
}
