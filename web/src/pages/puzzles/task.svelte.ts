/**
 * A position in which one move is asked for, on the board of its game: a puzzle or an exercise. All that is needed came
 * with it; nothing more is asked of the server.
 */
import { untrack } from "svelte";
import { Refused, request } from "../../http";
import type { BoardTask, MovedChange, Outlook, Wish, Word } from "../../messages";
import { Play } from "../../play.svelte";
import { tableOf } from "../../replayed";
import { settings } from "../../settings.svelte";
import { say } from "../../words.svelte";
import type { Result } from "./progress.svelte";

/** Return a move as text that is the same for equal moves, whoever wrote them. */
function written(move: unknown): string {
  return JSON.stringify(Object.entries(move as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Made by a component, with which it lives; another task needs another component. */
export class Task<Scene extends BoardTask> {
  readonly play: Play;
  readonly #game: string;
  readonly #isRight: (scene: Scene, place: number) => boolean;
  readonly #onend: (result: Result) => void;

  scene = $state.raw<Scene | null>(null);
  #box = $state.raw<Record<string, unknown> | null>(null);
  problem = $state("");
  /** The place of the move that was tried last. */
  tried = $state<number | null>(null);
  #misses = 0;
  isShown = $state(false);
  /** The place of the move after which the board is shown; null: before any. */
  after = $state<number | null>(null);
  readonly isFound = $derived.by(
    () => this.scene !== null && this.tried !== null && this.#isRight(this.scene, this.tried),
  );
  readonly isOver = $derived.by(() => this.isFound || this.isShown);
  readonly #places = $derived.by(() => new Map((this.scene?.before.moves ?? []).map((move, i) => [written(move), i])));

  constructor(
    kind: "puzzles" | "exercises",
    task: { game: string; id: string },
    isRight: (scene: Scene, place: number) => boolean,
    onend: (result: Result) => void,
  ) {
    this.#game = task.game;
    this.#isRight = isRight;
    this.#onend = onend;
    const nothing = (): undefined => undefined;
    this.play = new Play(`${task.game}/${task.id}`, {
      ask: (wish) => this.#ask(wish),
      reconnect: nothing,
      close: nothing,
    });
    $effect(() => {
      void settings.language;
      Promise.all([
        request<Scene>(`${kind}/${encodeURIComponent(task.game)}/${encodeURIComponent(task.id)}`),
        request<Record<string, unknown>>(`games/${encodeURIComponent(task.game)}/components`),
      ]).then(
        (found) => ([this.scene, this.#box] = found),
        (error: Error) => (this.problem = error.message),
      );
    });
    $effect(() => this.#present());
  }

  #present(): void {
    if (this.scene === null || this.#box === null) return;
    const { play, after } = this;
    const { seat, before, options, edition, names, pending, outlooks } = this.scene;
    const seats = names.map((name, i) =>
      i === seat ? { name } : { name, kind: "bot" as const, level: "lighthouse" as const },
    );
    const setting = { game: this.#game, players: names.length, options, edition, standard: true, seats };
    const now = tableOf(play.id, setting, after === null ? 0 : 1, after === null ? pending : []);
    let [mine, log]: [typeof before, MovedChange[]] = [this.isOver ? { ...before, moves: [] } : before, []];
    if (after !== null) {
      const { move, notation, events, told, view, standing } = outlooks[after]!;
      const made = { seq: 1, at: 0, seat, by: "player" as const, move, notation: notation ?? null };
      log = [{ kind: "moved", ...made, events: events ?? [], told: told ?? [] }];
      mine = { seat, view, standing: standing ?? null };
    }
    const inside = this.#box;
    untrack(() => {
      play.seats = [seat];
      play.choose(null);
      play.present(now, mine, log, inside);
      play.here = names.map((_, i) => i);
    });
  }

  /** Answer in the place of a table: what moves would do, and how good the one is that is made. */
  async #ask(wish: Omit<Wish, "id">): Promise<Word> {
    const asked = wish as Wish;
    if (this.scene === null) throw new Refused("offline", "", 0);
    const { outlooks, seat } = this.scene;
    const illegal = (move: unknown): Outlook => ({ move, reason: say("web.puzzles.illegal") });
    if (asked.do === "preview") {
      const found = asked.moves.map((move) => outlooks[this.#places.get(written(move)) ?? -1] ?? illegal(move));
      return { say: "previews", seat, seq: 0, outlooks: found };
    }
    const place = asked.do === "move" ? this.#places.get(written(asked.move)) : undefined;
    if (place === undefined) throw new Refused("illegal", say("web.puzzles.illegal"), 0);
    this.tried = place;
    if (this.isFound) this.#end(this.#misses === 0 ? "first" : "later", place);
    else this.#misses++;
    return { say: "done", seq: 0 };
  }

  #end(result: Result, place: number): void {
    this.after = place;
    this.#onend(result);
  }

  /** Show the answer. */
  show(): void {
    this.isShown = true;
    this.#end("shown", this.scene!.best);
  }
}
