/** What the person at the board is about to do: the tile picked up, the place pointed at, and what would come of it. */
import { tick } from "svelte";
import type { IlesAnyMove, IlesEvent, IlesView, MovedChange } from "../../messages";
import { say, translate } from "../../words.svelte";
import { Interaction, keyOf } from "../interaction.svelte";
import { type Box, type PileName, ROWS, type Row, isRow, storyOf, turnedOver } from "./tiles";

/** Whether a move laid a tile or kept a dream. */
const isLaying = (change: MovedChange): boolean =>
  change.events.some((event) => event.kind === "laid" || event.kind === "dreamt");

/** What a seat gains or loses because brigands are counted anew. */
interface BrigandChange {
  seat: number;
  points: number;
}

/** What is pointed at is a move; a refusal is shown below the island. */
export class IlesInteraction extends Interaction<IlesView, IlesAnyMove, Box, IlesAnyMove, object> {
  /** The slot picked up and not yet placed. */
  slot = $state<number | null>(null);
  /** A line of the log that is pointed at. */
  moment = $state.raw<MovedChange | null>(null);
  /** A pile that is looked at. */
  pile = $state<PileName | null>(null);
  /** Whether the places where the tile may not lie show why. */
  asksWhy = $state(false);
  reasons = $state.raw<Record<number, string>>({});
  /** The place that the tab key stops at. */
  spot = $state("");
  /** A tile in the air. */
  drag = $state.raw<{ slot: number; x: number; y: number } | null>(null);
  /** Cells that are still drawn face up: their turning is yet to be seen. */
  stillUp = $state.raw<ReadonlySet<string>>(new Set());
  /** Whether the last thing used was the keyboard. */
  byKeys = false;
  /** Whether such a tile must be laid by hand after all. */
  isHeld = $state(false);
  /** Whether the sheet of islands begins with what the own one is worth. */
  isOwnFirst = $state(false);
  /** What a move that was shown took from others or gave them, by their brigands. */
  #robbed = $state.raw<{ at: unknown; seats: BrigandChange[] }>({ at: null, seats: [] });

  /** How many columns an island has, and dreams a player: one for each round of a pile. */
  width = $derived.by(() => this.view.seats[0]!.island[0]!.length);
  /** The moves that led to what is shown, without those taken back. */
  #line = $derived.by(() => {
    const { plies, past, log } = this.play;
    const isShown = (change: { seq: number }): boolean =>
      (plies.get(change.seq) ?? Infinity) <= (past?.ply ?? plies.size);
    return log.filter((change) => change.kind === "moved").filter(isShown);
  });
  story = $derived.by(() => storyOf(this.#line));
  /** What the line of the log that is pointed at tells of: a turn up to its last move. */
  #turn = $derived.by(() => {
    const { moment } = this;
    if (moment === null) return [];
    const until = this.#line.filter((change) => change.seq <= moment.seq);
    return until.slice(until.findLastIndex(({ seat }) => seat >= 0 && seat !== moment.seat) + 1);
  });
  #marked = $derived.by(() => {
    if (this.moment === null) return this.story;
    const last = this.#turn.findLast(isLaying);
    return last === undefined ? null : storyOf(this.#line.filter((change) => change.seq <= last.seq));
  });
  /** What else the line of the log that is pointed at speaks of: piles, seats, and tiles that were turned over. */
  #lit = $derived.by(() => {
    const events = this.#turn.flatMap((change) => change.events);
    const places = events.map((event: IlesEvent) => {
      if (event.kind === "opened") return `pile:${event.pile}`;
      if (event.kind === "named" || event.kind === "lookout" || event.kind === "first") return `seat:${event.seat}`;
      return event.kind === "flipped" ? `${event.seat}:${ROWS.indexOf(event.pile as Row)},${event.column}` : "";
    });
    return new Set(places);
  });
  /**
   * The island of another seat that is shown large: where the move that is shown, or pointed at in the log, laid a tile.
   * While the person chooses, nothing is put before the board.
   */
  storySeat = $derived.by(() => {
    const { story, bottom, choice } = this.play;
    const showing = this.slot === null && choice === null ? story.showing : null;
    const change = this.moment === null ? showing : this.#turn.findLast(isLaying);
    return change != null && change.seat !== bottom && isLaying(change) ? change.seat : null;
  });
  /** The seat whose island lies at the bottom; in a replay that of whoever has just moved. */
  me = $derived.by(() => {
    const { play } = this;
    const isReplay = play.onjump !== null && play.seat === null;
    return (isReplay ? this.#line.findLast(({ seat }) => seat >= 0)?.seat : undefined) ?? play.bottom;
  });
  others = $derived.by(() => this.play.around.filter((seat) => seat !== this.me));
  takes = $derived.by(() => this.play.movesOf("take"));
  /** What the button commits: what was chosen, or the only thing there is to do. */
  ready = $derived.by((): IlesAnyMove | null => {
    const { choice, moves, isMyTurn } = this.play;
    return choice ?? (isMyTurn && moves.length === 1 && this.falling === null ? moves[0]! : null);
  });
  /** The one slot that is left to take from. */
  #only = $derived.by(() => {
    const slots = new Set(this.takes.map((move) => move.slot));
    return slots.size === 1 ? [...slots][0]! : null;
  });
  /** The slot whose tile is in hand. */
  picked = $derived.by(() => {
    const { choice, isMyTurn } = this.play;
    if (!isMyTurn) return null;
    if (this.view.step === "lay") return this.view.turned_up;
    if (choice?.kind === "take" || choice?.kind === "hide") return choice.slot;
    const slot = this.slot ?? this.#only;
    return this.view.table[slot ?? -1] == null ? null : slot;
  });
  /** The one place of a tile that was just taken unseen: it goes there by itself, but after an undo it waits. */
  falling = $derived.by(() => {
    const { play } = this;
    const [only, ...more] = play.movesOf("lay");
    const isNew = play.latest.some(
      (change) => change.kind === "moved" && change.events.some(({ kind }) => kind === "turned_up"),
    );
    return only !== undefined && more.length === 0 && isNew && play.past === null && !this.isHeld ? only : null;
  });
  /** The legal places of the tile in hand, by column. */
  places = $derived.by(() => {
    const found = new Map<number, IlesAnyMove>();
    if (this.falling !== null) return found;
    for (const move of this.play.moves) {
      if (move.kind === "lay" || (move.kind === "take" && move.column !== null && move.slot === this.picked)) {
        found.set(move.column!, move);
      }
    }
    return found;
  });
  /** The row of the tiles on offer. */
  row = $derived.by((): Row | null => (isRow(this.view.open) ? this.view.open : null));
  /** What is shown as if it were made. */
  shown = $derived.by(() => {
    const { pointed } = this;
    if (pointed !== null && this.play.moves.some((move) => keyOf(move) === keyOf(pointed))) return pointed;
    return this.ready;
  });
  outlook = $derived.by(() => this.outlookOf(this.shown));
  /** The tile that the move shown would lay, and its column; null as column for a place among the dreams. */
  ghost = $derived.by(() => {
    const move = this.shown;
    if (move === null || (move.kind !== "take" && move.kind !== "lay")) return null;
    const slot = move.kind === "take" ? move.slot : (this.view.turned_up ?? -1);
    return { tile: this.view.table[slot]?.tile ?? null, column: move.column };
  });
  /** What the move shown would do to others by their brigands, or else what the last one did. */
  robbed = $derived.by((): BrigandChange[] => {
    const [now, after] = [this.play.standing, this.outlook?.standing];
    if (now === null || after == null) return this.#robbed.at === this.play.mine ? this.#robbed.seats : [];
    return this.others
      .map((seat) => ({ seat, points: after.scores[seat]! - now.scores[seat]! }))
      .filter(({ points }) => points !== 0);
  });
  /** Whether somebody may ask why a tile cannot lie in a cell. */
  canAsk = $derived.by(
    () => this.play.isMyTurn && this.row !== null && (this.view.step === "take" || this.view.step === "lay"),
  );
  /** Whether the move shown takes a tile whose face this page may not see. */
  isUnknown = $derived.by(() => this.shown?.kind === "take" && this.view.table[this.shown.slot]?.tile === null);
  isDreaming = $derived.by(() => this.ghost !== null && this.ghost.column === null && this.row === null);
  /** My cells that the move shown would turn over. */
  turning = $derived.by(() => {
    const after = this.outlook?.view as IlesView | undefined;
    return this.shown?.kind === "take" || this.shown?.kind === "lay"
      ? turnedOver(this.view.seats[this.me], after?.seats[this.me])
      : [];
  });
  /** Everything one can go to by the arrow keys. */
  spots = $derived.by(() => {
    const spots: string[] = [];
    for (const move of this.play.moves) {
      if (move.kind === "pile") spots.push(`pile:${move.pile}`);
      else if (move.kind === "hide") spots.push(`slot:${move.slot}`);
      else if (move.kind === "take" && !spots.includes(`slot:${move.slot}`)) spots.push(`slot:${move.slot}`);
      else if (move.kind === "name") spots.push(`seat:${move.seat}`);
    }
    ROWS.forEach((row, y) => {
      for (let x = 0; x < this.width; x++) {
        if (this.asksWhy || (row === this.row && this.places.has(x))) spots.push(`cell:${y},${x}`);
      }
    });
    return spots;
  });
  #stop = $derived.by(() => (this.spots.includes(this.spot) ? this.spot : this.spots[0]));

  /** What makes an element a place for the arrow keys. */
  place(name: string, move: IlesAnyMove | null = null): Record<string, unknown> {
    return {
      "data-spot": name,
      "data-chosen": this.isChosen(move) || undefined,
      tabindex: name === this.#stop ? 0 : -1,
      onfocus: () => {
        this.spot = name;
      },
    };
  }

  /** Whether a cell was laid last of all, or by the line of the log that is pointed at. */
  isLast(seat: number, row: Row, column: number): boolean {
    const last = this.#marked?.last;
    return last?.seat === seat && last.row === row && last.column === column;
  }

  isLastDream(seat: number, dream: string): boolean {
    const last = this.#marked?.lastDream;
    return last?.seat === seat && last.dream === dream;
  }

  /** Whether the line of the log that is pointed at speaks of a place. */
  isLit(place: string): boolean {
    return this.#lit.has(place);
  }

  /** The most and the least that a tile on offer gives me, by where it is laid. */
  gains(slot: number): { most: number; least: number } | null {
    if (this.view.table[slot]?.tile === null) return null;
    const now = this.play.standing?.scores[this.me];
    const its =
      slot === this.view.turned_up ? this.play.movesOf("lay") : this.takes.filter((move) => move.slot === slot);
    const after = its
      .map((move) => this.outlookOf(move)?.standing?.scores[this.me])
      .filter((score) => score !== undefined);
    if (now === undefined || after.length === 0) return null;
    return { most: Math.max(...after) - now, least: Math.min(...after) - now };
  }

  override async lookAhead(): Promise<void> {
    const { moves } = this.play;
    this.forgetOutlooks();
    const found = await this.play.outlooks(moves, true).catch(() => []);
    if (moves === this.play.moves) this.keepOutlooks(moves.slice(0, found.length), found);
  }

  /** Take a tile of the offer into the hand; where it can go to one place only, there. */
  async pick(slot: number, byKey = false): Promise<void> {
    const { play } = this;
    this.stopAsking();
    const hide = play.movesOf("hide").find((move) => move.slot === slot);
    const its = this.takes.filter((move) => move.slot === slot);
    const { choice } = play;
    const column = choice?.kind === "take" ? choice.column : null;
    // Another tile for the place already chosen keeps the place: so tiles are compared.
    const move = hide ?? (its.length === 1 ? its[0] : its.find((one) => one.column !== null && one.column === column));
    this.slot = slot;
    if (move !== undefined) return await play.play(move);
    play.choose(null);
    if (!byKey) return;
    await tick();
    const [first] = [...this.places.keys()].sort();
    if (first !== undefined) focusSpot(`cell:${ROWS.indexOf(this.row!)},${first}`);
  }

  /** Lay the tile in hand in a column. */
  async lay(column: number): Promise<void> {
    const move = this.places.get(column);
    if (move !== undefined) await this.play.play(move);
  }

  override leave(): void {
    this.forget();
    this.play.choose(null);
  }

  override forget(): void {
    super.forget();
    this.asksWhy = this.isHeld = false;
    this.slot = null;
  }

  stopAsking(): void {
    this.asksWhy = false;
    this.refused = null;
  }

  /** Show why something cannot be done. */
  explain(reason: string): void {
    this.refused = { reason };
  }

  get reason(): string {
    return this.refused?.reason ?? "";
  }

  /** Remember what a move did to the others by their brigands, as long as nothing else is shown. */
  noteBrigandChanges(before: IlesView, after: IlesView, mover: number): void {
    const points = ({ seats }: IlesView, seat: number): number => seats[seat]?.points?.["brigands"] ?? 0;
    const seats = after.seats
      .map((_, seat) => ({ seat, points: points(after, seat) - points(before, seat) }))
      .filter((one) => one.points !== 0 && one.seat !== mover);
    this.#robbed = { at: this.play.mine, seats };
  }

  /** Show all cells where the tile in hand, or the first on offer, may not lie: each tells why. */
  async askWhy(): Promise<void> {
    if (this.asksWhy) return this.stopAsking();
    const slot = this.picked ?? this.takes[0]?.slot;
    if (slot === undefined) return;
    this.slot ??= slot;
    await this.#learnWhy(slot);
    this.asksWhy = true;
    this.explain(say("iles.web.why.point"));
  }

  /** Tell why the tile in hand cannot lie in a cell that was tapped. */
  async explainCell(row: Row, column: number): Promise<void> {
    const slot = this.picked;
    if (slot === null) return this.explain(say("iles.web.why.tile"));
    await this.#learnWhy(slot);
    if (this.picked === slot) this.explain(this.whyNot(row, column));
  }

  /** The server says why a tile may not lie in the columns of its row. */
  async #learnWhy(slot: number): Promise<void> {
    const moves = Array.from({ length: this.width }, (_, column): IlesAnyMove =>
      this.view.step === "lay" ? { kind: "lay", column } : { kind: "take", slot, column },
    );
    const found = await this.play.outlooks(moves).catch(() => []);
    this.reasons = Object.fromEntries(found.map((one, column) => [column, one.reason ?? ""]));
  }

  /** Why not in this cell. */
  whyNot(row: Row, column: number): string {
    if (this.row !== null && row !== this.row)
      return say("iles.web.why.row", { row: translate(`iles.pile.${this.row}`) });
    return this.reasons[column] ?? "";
  }
}

/** The element that can be seen, of those that a rail, a strip and a sheet may show. */
export function inSight(selector: string): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.offsetParent !== null) ?? null;
}

export function focusSpot(name: string): void {
  inSight(`[data-spot="${name}"]`)?.focus();
}
