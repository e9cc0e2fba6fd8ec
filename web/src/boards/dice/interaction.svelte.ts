/** What the player has selected on the Dice board; it survives the moves of others. */
import type { DiceAnyMove, DiceLaunch, DiceSeat, DiceView, MovedChange, Outlook } from "../../messages";
import { say, translate, words } from "../../words.svelte";
import { Interaction, keyOf } from "../interaction.svelte";
import { lakeOf, middle, type Box, type Effect, type Pond, type Shape, type Zone } from "./lake";
import { isPlaced } from "./motion";
import type { DicePlay } from "./turnSteps";

/** What is pointed at is a move; a refusal is shown on a zone, or on none. */
export class DiceInteraction extends Interaction<DiceView, DiceAnyMove, Box, DiceAnyMove, { zone: number | null }> {
  readonly lake: Pond[];
  readonly zones: Zone[];
  /** The sheet that is shown large instead of the own one. */
  enlarged = $state<number | null>(null);
  #shape = $state<Shape | null>(null);
  #shownSeat = $state<number | null>(null);
  #dial = $state.raw({ dice: "", quarters: 0 });

  constructor(play: DicePlay) {
    super(play);
    this.lake = lakeOf(this.box);
    this.zones = this.lake.flatMap((pond) => pond.zones);
  }

  get seat(): number {
    return this.play.bottom;
  }

  get mine(): DiceSeat {
    return this.play.view.seats[this.seat]!;
  }

  /** The seat whose move is being shown on its sheet. */
  get storySeat(): number | null {
    const showing = this.play.story.showing;
    if (showing === null || this.isBusy) return null;
    return this.#shownSeat ?? (showing.events.some(isPlaced) ? showing.seat : null);
  }

  /** Whether the person is about to do something, or looks at a sheet of their own choice. */
  get isBusy(): boolean {
    return this.play.choice !== null || this.pointed !== null || this.enlarged !== null;
  }

  /** Show a move on the sheet of its seat, or none; false where the person has begun something. */
  tell(change: MovedChange | null): boolean {
    const { story } = this.play;
    this.#shownSeat = change?.seat ?? null;
    // Moves of a step that all play at once come together: each is shown in its time.
    if (change !== null && story.showing !== null) story.showing = change;
    return !this.isBusy;
  }

  /** The seat whose sheet is shown large. */
  get shown(): number {
    return this.enlarged ?? this.storySeat ?? this.seat;
  }

  /** Whether a seat of this page is asked something: where several people share a screen, each in their own time. */
  canAct(seat: number): boolean {
    const its = this.play.info?.seats[seat];
    return this.play.seats.includes(seat) && its?.level == null && (this.play.info?.pending.includes(seat) ?? false);
  }

  /** Look at a sheet; one of this page's own that is asked something is then played on. */
  look(seat: number): void {
    if (this.play.story.showing !== null) this.play.skip();
    if (seat !== this.play.seat && this.canAct(seat)) {
      this.enlarged = null;
      void this.play.curtain(seat);
    } else this.enlarged = seat === this.seat ? null : seat;
  }

  /** Whether the large sheet is the one that is played on. */
  get isOwn(): boolean {
    return this.shown === this.play.seat;
  }

  /** All that may be done, as text: what other people do leaves it the same. */
  get asked(): string {
    return keyOf([this.play.seat, this.mine.step, this.mine.platform, this.play.moves]);
  }

  get legal(): Set<number> {
    return new Set(this.isOwn ? this.play.movesOf("shade").map((move) => move.zone) : []);
  }

  /** The move that is shown before it is made. */
  get target(): DiceAnyMove | null {
    return this.pointed ?? this.play.choice;
  }

  /** What it would do; nothing of a move that cannot be made any more. */
  get outlook(): Outlook | null {
    const { target } = this;
    if (target === null) return null;
    const key = keyOf(target);
    return this.play.moves.some((move) => keyOf(move) === key) ? this.outlookOf(target) : null;
  }

  /** What an emperor card lets one do, as its side says. */
  effectOf(card: number): Effect | null {
    const side = this.play.view.sides[card - 1];
    return side == null ? null : (this.box.emperor[card]?.[side] ?? null);
  }

  wordsOf(card: number): string {
    const effect = this.effectOf(card);
    if (effect === null) return "";
    const { zones, colour, where } = effect;
    const key = `dice.effect.${zones}.${colour}.${where}`;
    if (words.has(key)) return translate(key);
    return translate("dice.action", {
      count: zones,
      number: zones,
      colour: translate(`dice.asks.${colour}`),
      where: translate(`dice.asks.${where}`),
    });
  }

  // The tray

  get #dice(): string {
    return `${this.play.view.turn} ${this.play.view.dice.join("")}`;
  }

  get isTurning(): boolean {
    return this.play.movesOf("turn").length > 0;
  }

  /** By how many quarters the tray is shown turned; it may go round more than once. */
  get quarters(): number {
    return this.isTurning && this.#dial.dice === this.#dice ? this.#dial.quarters : 0;
  }

  get turned(): number {
    return ((this.quarters % 4) + 4) % 4;
  }

  turn(by: number): void {
    if (!this.isTurning) return;
    this.#dial = { dice: this.#dice, quarters: this.quarters + by };
    this.play.choose({ kind: "turn", r: this.turned });
  }

  /** The die that a corner would face with the tray as it is shown. */
  dieAt(corner: number): string | null {
    return this.play.view.dice[(corner + this.turned) % 4] ?? null;
  }

  // Fireworks

  /** The shapes that can be launched. */
  get shapes(): Set<Shape> {
    return new Set(this.play.movesOf("launch").map((move) => move.shape));
  }

  /** The shape in hand: the one that was taken, or the one that fits and is worth most. */
  get shape(): Shape | null {
    const shapes = this.shapes;
    if (this.#shape !== null && shapes.has(this.#shape)) return this.#shape;
    const fitting = this.play.view.stacks.filter((stack) => shapes.has(stack.shape));
    return fitting.sort((a, b) => (b.left[0] ?? 0) - (a.left[0] ?? 0))[0]?.shape ?? null;
  }

  take(shape: Shape | null): void {
    this.#shape = shape;
    this.pointed = null;
    if (this.play.choice?.kind === "launch" && this.play.choice.shape !== shape) this.play.choose(null);
  }

  /** Where the shape in hand fits. */
  get launches(): DiceLaunch[] {
    const shape = this.shape;
    return this.isOwn && shape !== null ? this.play.movesOf("launch").filter((move) => move.shape === shape) : [];
  }

  /** Where it would snap from a point, the nearest first: what covers the pond there, or else what lies near. */
  around(x: number, y: number): DiceLaunch[] {
    const pond = Math.floor(y) * 9 + Math.floor(x);
    const far = (move: DiceLaunch): number => {
      const at = middle(move.ponds);
      return Math.hypot(at.x - x, at.y - y) + (move.ponds.includes(pond) ? 0 : 100);
    };
    const sorted = this.launches.map((move) => ({ move, far: far(move) })).sort((a, b) => a.far - b.far);
    const covering = sorted.filter((one) => one.far < 100);
    return (covering.length > 0 ? covering : sorted.filter((one) => one.far < 102).slice(0, 1)).map((one) => one.move);
  }

  /** The next way to lay the shape in hand on about the same ponds. */
  flip(by = 1): void {
    const now = this.target?.kind === "launch" ? this.target : this.launches[0];
    if (now === undefined) return;
    const at = middle(now.ponds);
    const near = this.launches.filter((move) => {
      const there = middle(move.ponds);
      return Math.hypot(there.x - at.x, there.y - at.y) < 1.01;
    });
    const i = near.findIndex((move) => keyOf(move) === keyOf(now));
    const next = near[(i + by + near.length) % near.length]!;
    if (this.pointed !== null) this.pointed = next;
    else this.play.choose(next);
  }

  // What would happen

  /** Ask what every move would do; until the answer is there the last one stays. */
  override async lookAhead(): Promise<void> {
    const asked = this.asked;
    for (let tries = 0; tries < 5 && this.asked === asked; tries++) {
      const { moves } = this.play;
      const found = await this.play.outlooks(moves);
      // Somebody moved while we asked: the answer is of another moment.
      if (found.some((one) => one.events === undefined && one.reason == null)) continue;
      if (this.asked !== asked) return;
      this.keepOutlooks(moves, found);
      const completing = moves.filter((_, i) => found[i]!.events?.some((event) => event.kind === "completed"));
      if (completing.length === 0 || (await this.#lookAtGroups(completing))) return;
    }
  }

  /** Of moves that complete a pond, ask for the sheet too, which has the sizes of the groups; false to ask again. */
  async #lookAtGroups(moves: DiceAnyMove[]): Promise<boolean> {
    const { asked } = this;
    const found = await this.play.outlooks(moves, true);
    if (found.some((one) => one.view == null)) return false;
    if (this.asked === asked) this.keepOutlooks(moves, found, true);
    return true;
  }

  /** Return how many complete ponds hang together with the one that a move completes; null while that is not known. */
  grownGroup(outlook: Outlook): number | null {
    const after = (outlook.view as DiceView | null | undefined)?.seats[this.seat]?.groups;
    if (after == null) return null;
    const before = [...(this.mine.groups ?? [])];
    // The other groups have the sizes that they had.
    const isNew = (size: number): boolean => {
      const at = before.indexOf(size);
      if (at >= 0) before.splice(at, 1);
      return at < 0;
    };
    return after.find(isNew) ?? null;
  }

  /** What to do now and what for, in plain words, where nothing is chosen yet. */
  get hint(): string {
    const { active } = this.view;
    const { step, platform } = this.mine;
    if (!this.play.isMyTurn || platform !== null) return "";
    const key = `dice.web.hint.${step === "die" && active !== this.seat ? "along" : this.isTurning ? "turn" : step}`;
    return words.has(key) ? translate(key, { who: active === null ? "" : this.play.name(active) }) : "";
  }

  /** Say why a zone cannot be shaded now, and what is asked instead. */
  refuse(zone: Zone): void {
    const asked = this.play.mine?.asked ?? "";
    const { step, platform, shaded } = this.mine;
    const isColour = platform === null && (step === "die" || step === "bonus");
    const reason = shaded.includes(zone.id)
      ? say("dice.web.refused.shaded")
      : isColour
        ? say("dice.web.refused.colour", { zone: translate(`dice.zone.${zone.colour}`) })
        : platform !== null || step === "action"
          ? say("dice.web.refused.place")
          : step === "launch"
            ? say("dice.web.refused.launch")
            : "";
    this.pointed = null;
    this.refused = { zone: zone.id, reason: `${reason} ${asked}`.trim() };
  }

  /** Let go of one thing after another. */
  override leave(): void {
    if (this.refused !== null) this.refused = null;
    else if (this.enlarged !== null) this.enlarged = null;
    else {
      this.play.choose(null);
      this.#shape = null;
      this.#dial = { dice: "", quarters: 0 };
    }
    this.pointed = null;
  }

  override forget(): void {
    super.forget();
    this.#shape = null;
  }
}
