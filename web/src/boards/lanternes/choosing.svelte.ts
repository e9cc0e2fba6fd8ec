/** What is chosen piece by piece before it is a move: the cards of an exchange, the set that a reward costs. */
import { LETTERS, type Letter } from "./lake";
import { SETS, type Combination } from "./rewards";
import type { LanternesPlay } from "./turnSteps";

/** The chooser, the rewards in the rail and the cards in the dock all act on this. */
export class Choosing {
  readonly #play: LanternesPlay;
  given = $state<Letter | null>(null);
  taken = $state<Letter | null>(null);
  combination = $state<Combination | null>(null);
  paid = $state.raw<Letter[]>([]);

  constructor(play: LanternesPlay) {
    this.#play = play;
  }

  get exchanges() {
    return this.#play.movesOf("exchange");
  }

  get rewards() {
    return this.#play.movesOf("reward");
  }

  get discards() {
    return this.#play.movesOf("discard");
  }

  /** Whether what is chosen is a whole move. */
  get isWhole(): boolean {
    if (this.given !== null && this.taken !== null) return true;
    return this.paid.length > 0 && this.paid.length === this.colours;
  }

  /** The sets that can be paid now. */
  readonly payable: ReadonlySet<Combination> = $derived.by(() => new Set(this.rewards.map((move) => move.combination)));

  /** The cards that are paid so far, each of them. */
  get spread(): Letter[] {
    const { combination } = this;
    if (combination === null) return [];
    return this.paid.flatMap((letter) => Array<Letter>(SETS[combination].copies).fill(letter));
  }

  /** How many colours the chosen set is paid with, as the moves have it; 0 where it cannot be paid. */
  get colours(): number {
    return this.rewards.find((move) => move.combination === this.combination)?.colours.length ?? 0;
  }

  /** The colours that a set can be paid with. */
  kindsOf(name: string | null): Letter[] {
    const found = this.rewards.filter((move) => move.combination === name);
    return [...new Set(found.flatMap((move) => [...move.colours] as Letter[]))];
  }

  /** Show the pieces of the move that is chosen, or none. */
  start(): void {
    const { choice } = this.#play;
    [this.given, this.taken] = choice?.kind === "exchange" ? [choice.give, choice.take] : [null, null];
    const reward = choice?.kind === "reward" ? choice : null;
    this.combination = reward?.combination ?? null;
    this.paid = [...(reward?.colours ?? [])] as Letter[];
  }

  canGive = (letter: Letter): boolean => this.exchanges.some((move) => move.give === letter);

  canTake = (letter: Letter): boolean =>
    this.exchanges.some(
      (move) => move.take === letter && (this.given === null || move.give === this.given || move.take === this.taken),
    );

  give = (letter: Letter): void => {
    this.given = letter;
    if (!this.exchanges.some((move) => move.give === letter && move.take === this.taken)) this.taken = null;
    this.#exchange();
  };

  take = (letter: Letter): void => {
    this.taken = letter;
    if (!this.exchanges.some((move) => move.take === letter && move.give === this.given)) this.given = null;
    this.#exchange();
  };

  #exchange(): void {
    const { given, taken } = this;
    if (given !== null && taken !== null) void this.#play.play({ kind: "exchange", give: given, take: taken });
    else this.#play.choose(null);
  }

  /** Choose the set to pay; where it can be paid in one way only, it is paid so. */
  aimAt(name: Combination): void {
    if (name === this.combination) return;
    this.combination = name;
    const all = this.rewards.filter((move) => move.combination === name);
    this.paid = all.length === 1 ? ([...all[0]!.colours] as Letter[]) : [];
    this.#pay();
  }

  /** Pay with a colour of the chosen set, or not with it after all. */
  toggle = (letter: Letter): void => {
    const { colours, combination, paid } = this;
    if (combination === null) return;
    if (!paid.includes(letter)) this.paid = [...paid, letter].slice(-colours);
    else if (colours > 1) this.paid = paid.filter((one) => one !== letter);
    this.#pay();
  };

  #pay(): void {
    const colours = LETTERS.filter((letter) => this.paid.includes(letter)).join("");
    const move = this.rewards.find(
      (one) => one.combination === this.combination && [...one.colours].join("") === colours,
    );
    if (move === undefined) this.#play.choose(null);
    else void this.#play.play(move);
  }

  discard = (letter: Letter): void => void this.#play.play({ kind: "discard", colour: letter });

  isDiscarded = (letter: Letter): boolean => {
    const { choice } = this.#play;
    return choice?.kind === "discard" && choice.colour === letter;
  };

  // The own cards in the dock: one tap does what the step asks of a card.

  /** Return what a tap on an own card does now; null: nothing. */
  useOf(letter: Letter): ((letter: Letter) => void) | null {
    if (this.canGive(letter)) return this.give;
    if (this.combination !== null) return this.kindsOf(this.combination).includes(letter) ? this.toggle : null;
    const set = (Object.keys(this.#play.view.stacks) as Combination[]).find((name) =>
      this.kindsOf(name).includes(letter),
    );
    if (set !== undefined)
      return () => {
        this.aimAt(set);
        if (!this.paid.includes(letter)) this.toggle(letter);
      };
    const canDiscard = this.rewards.length === 0 && this.discards.some((move) => move.colour === letter);
    return canDiscard ? this.discard : null;
  }

  /** Whether an own card is part of what is chosen. */
  isUsed(letter: Letter): boolean {
    return this.given === letter || this.paid.includes(letter) || this.isDiscarded(letter);
  }
}
