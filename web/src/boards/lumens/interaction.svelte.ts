/** What the person at the board is about to do: the face that is up, the place pointed at, the room looked into. */
import type { LumensAnyMove, LumensToken, LumensView, Outlook, SeatView } from "../../messages";
import type { Spot } from "../../arrowKeys";
import { Interaction, keyOf } from "../interaction.svelte";
import { Plan, type Box, type Cell } from "./plan";

/** A place where the token may go, with the face that it shows there. */
export interface Place extends Spot {
  face: number;
  move: LumensAnyMove;
}

export interface RoomCount {
  sums: number[];
  points: number[];
}

export const isAt = (a: Spot, b: Spot): boolean => a.x === b.x && a.y === b.y;

/** What is pointed at and where a refusal is shown are cells. */
export class LumensInteraction extends Interaction<LumensView, LumensAnyMove, Box, Spot, Spot> {
  /** The cell that the keyboard stands on. */
  focus = $state.raw<Spot | null>(null);
  /** The room whose majority is looked at. */
  room = $state<string | null>(null);
  /** Whether covered tokens are shown. */
  isLifted = $state(false);
  /** The cell of the move that is pointed at in the log. */
  marked = $state.raw<Spot | null>(null);
  /** A token on its way: sums change when it lands. */
  flight = $state.raw<{ to: SeatView; from: SeatView } | null>(null);
  /** Where somebody else placed last, and from which tokens: while that move is shown. */
  trace = $state.raw<{ seat: number; target: Cell; sources: Cell[] } | null>(null);
  /** A room that changes hands. */
  flash = $state.raw<{ letter: string; light: string } | null>(null);
  /** Where on the board a point of the screen is; set by the board. */
  locate: (clientX: number, clientY: number) => Cell | null = () => null;
  #wanted = $state(0);

  readonly plan: Plan = $derived.by(() => new Plan(this.box, this.play.info!.players, this.play.bottom));

  // What may be done

  readonly places: Place[] = $derived.by(() =>
    this.play.moves.flatMap((move): Place[] => {
      if (move.kind === "place") return [{ x: move.x, y: move.y, face: move.face, move }];
      const start = this.plan.starts[this.play.seat ?? 0]!;
      return move.kind === "face" ? [{ x: start.x, y: start.y, face: move.face, move }] : [];
    }),
  );

  /** The cells where the token may go, as they are seen. */
  readonly spots: Cell[] = $derived.by(() =>
    this.plan.cells.flat().filter((cell) => this.places.some((place) => isAt(place, cell))),
  );

  /** The two faces of the token in hand, the smaller first. */
  readonly faces: number[] = $derived.by(() => {
    const kind = this.play.seat === null ? null : this.view.seats[this.play.seat]!.hand;
    return kind === null ? [] : this.box.tokens.each_colour[kind]!.slice(0, 2);
  });

  get face(): number {
    return this.faces.includes(this.#wanted) ? this.#wanted : Math.max(...this.faces);
  }

  #place(spot: Spot | null): Place | null {
    if (spot === null) return null;
    return this.places.find((place) => isAt(place, spot) && place.face === this.face) ?? null;
  }

  /** What the button commits: what was chosen, or the only place there is. */
  readonly ready: Place | null = $derived.by(() => {
    const chosen = keyOf(this.play.choice);
    const only = this.spots.length === 1 ? this.spots[0]! : null;
    return this.places.find((place) => keyOf(place.move) === chosen) ?? this.#place(only);
  });

  /** The place whose ghost is shown, with what it would do. */
  readonly shown: Place | null = $derived.by(() => this.ready ?? this.#place(this.pointed));

  readonly shownCell: Cell | null = $derived.by(() =>
    this.shown === null ? null : this.plan.at(this.shown.x, this.shown.y)!,
  );

  readonly outlook: Outlook | null = $derived.by(() => {
    if (this.shown === null) return null;
    return this.outlookOf(this.shown.move) ?? (this.play.choice === null ? null : this.play.outlook);
  });

  /** Ask what every move would do; return a function that makes the answer unwanted. */
  override lookAhead(): () => void {
    const moves = this.play.moves;
    let isOld = false;
    void this.play.outlooks(moves).then(
      (found) => {
        if (!isOld) this.keepOutlooks(moves, found);
      },
      () => undefined,
    );
    return () => (isOld = true);
  }

  // What is counted

  /** The table as it is counted on the screen: what a token in flight does comes with its landing. */
  get counted(): SeatView | null {
    return this.flight !== null && this.flight.to === this.play.mine ? this.flight.from : this.play.mine;
  }

  readonly count = (letter: string): RoomCount => (this.counted!.view as LumensView).rooms[letter]!;

  /** A room as the shown move would leave it; null where it would not change. */
  after(letter: string): RoomCount | null {
    const changes = (this.outlook?.events ?? []).filter((event) => event.kind === "sum" && event.thing === letter);
    const standing = this.outlook?.standing;
    if (changes.length === 0 || !standing) return null;
    const sums = [...this.count(letter).sums];
    for (const change of changes) sums[change.seat!] = change.number;
    return { sums, points: standing.categories.map((seat) => seat[`room_${letter}`]!) };
  }

  /** How many points the shown move would give or take. */
  gain(seat: number): number {
    const before = this.counted?.standing?.scores[seat];
    return (this.outlook?.standing?.scores[seat] ?? before ?? 0) - (before ?? 0);
  }

  tokens(spot: Spot): LumensToken[] {
    return this.view.cells.find((cell) => isAt(cell, spot))?.tokens ?? [];
  }

  /** What was placed last, and what else since the own last move: the newest first. */
  readonly placed: (Spot & { seat: number })[] = $derived.by(() => {
    const found: (Spot & { seat: number })[] = [];
    const { plies } = this.play;
    for (let i = this.play.log.length - 1; i >= 0; i--) {
      const change = this.play.log[i]!;
      if (change.kind !== "moved" || !plies.has(change.seq)) continue;
      if (found.length > 0 && (change.seat === this.play.seat || found.some((one) => one.seat === change.seat))) break;
      const event = change.events.find((one) => one.kind === "placed");
      const spot = spotOf(event?.thing);
      const top = spot && this.tokens(spot).at(-1);
      if (spot && top && top.seat === event!.seat && top.face === event!.number)
        found.push({ ...spot, seat: top.seat });
    }
    return found;
  });

  // What the person does

  /** The room that is lit up: the one looked into, or the one counted at the end. */
  get looked(): string | null {
    return this.room ?? this.play.counting?.category.replace("room_", "") ?? null;
  }

  /** Show the face of a placement that was chosen elsewhere: by a guide or a hint. */
  adopt(): void {
    const choice = this.play.choice;
    if (choice?.kind === "place") this.#wanted = choice.face;
  }

  /** Turn the token, wherever it is shown. */
  turn(to = this.faces.find((face) => face !== this.face)): void {
    if (to === undefined) return;
    this.refused = null;
    const chosen = this.play.choice === null ? null : this.ready;
    this.#wanted = to;
    const turned = this.#place(chosen);
    if (turned !== null) this.play.choose(turned.move);
  }

  /** Tap on a cell: choose a place, commit the chosen one, or ask why it is none. */
  async tap(cell: Cell, isAgain = true): Promise<void> {
    this.refused = null;
    const place = this.#place(cell);
    if (place !== null && this.ready !== null && isAt(place, this.ready)) {
      if (isAgain) await this.commit();
    } else if (place !== null) {
      this.room = null;
      await this.play.play(place.move);
    } else {
      this.room = cell.room;
      this.play.choose(null);
      await this.#askWhy(cell);
    }
  }

  async commit(): Promise<void> {
    if (this.ready === null || this.play.sending) return;
    this.room = this.refused = this.pointed = null;
    await this.play.make(this.ready.move);
  }

  /** Let go, one thing after another. */
  override leave(): void {
    if (this.refused !== null || this.room !== null) this.refused = this.room = null;
    else if (this.play.choice !== null) this.play.choose(null);
    else this.pointed = null;
  }

  async #askWhy(cell: Cell): Promise<void> {
    // While the first number is chosen, no cell is: a tap only looks into the room.
    if (!this.play.isMyTurn || this.view.step !== "place") return;
    const reason = await this.reasonAgainst({ kind: "place", x: cell.x, y: cell.y, face: this.face });
    if (reason) this.refused = { x: cell.x, y: cell.y, reason };
  }
}

/** A place as events name it: "3,7". */
export function spotOf(thing: string | null | undefined): Spot | null {
  const found = /^(\d+),(\d+)$/.exec(thing ?? "");
  return found === null ? null : { x: Number(found[1]), y: Number(found[2]) };
}

/** Return the cells of the tokens from which a line leads the active player to a cell. */
export const sources = (view: LumensView, to: Spot): Spot[] =>
  view.targets.find((target) => isAt(target, to))?.sources ?? [];
