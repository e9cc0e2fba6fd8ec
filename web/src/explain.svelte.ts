/**
 * What things are, for whoever points at them, touches them or asks by key. Anything on a page may carry
 * `use:explain={...}`. A mouse that came to it and rests, a tap on what does nothing else, a long press on what does, or
 * the key I where the keyboard is shows a small card. A thing that appears under a pointer at rest was not asked about.
 */
import type { Action } from "svelte/action";

export interface Explanation {
  /** What it is. */
  title: string;
  /** What it does and what it is worth now, a paragraph each. */
  lines?: string[];
  /** Where the rules speak of it: the id of a section. */
  section?: string;
}

interface Shown extends Explanation {
  /** The thing, on the screen. */
  at: DOMRect;
  /** It stays until something else is touched. */
  pinned: boolean;
}

const REST = 500;
const PRESS = 450;
/** How far a pointer that presses may slip. */
const SLIP = 8;
const CARD = "[data-explanation]";
const ACTIVE = "button:not(:disabled, [aria-disabled=true]), a[href], input, select, summary, [data-active]";

class Explanations {
  shown = $state.raw<Shown | null>(null);

  show(what: Explanation, element: Element, pinned: boolean): void {
    this.shown = { ...what, at: element.getBoundingClientRect(), pinned };
  }

  hide(): void {
    this.shown = null;
  }

  /** Hide it unless it is pinned. */
  leave(): void {
    if (this.shown?.pinned === false) this.shown = null;
  }
}

export const explanations = new Explanations();

/** A thing with an explanation, and what pointers and keys do on it. */
class ExplainedThing {
  /** Its explanation; null: none for now. */
  what: Explanation | null;
  readonly #element: Element;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Where a pointer is down on it. */
  #from: { x: number; y: number } | null = null;
  #isAnswered = false;
  readonly #heard: [string, (event: Event) => void, boolean][] = [
    ["pointermove", (event) => this.#move(event as PointerEvent), false],
    ["pointerleave", (event) => this.#leave(event as PointerEvent), false],
    ["pointerdown", (event) => this.#down(event as PointerEvent), false],
    ["pointerup", () => this.#release(), false],
    ["pointercancel", () => this.#release(), false],
    ["contextmenu", (event) => this.#menu(event), false],
    ["click", (event) => this.#click(event as MouseEvent), true],
    ["keydown", (event) => this.#key(event as KeyboardEvent), false],
  ];

  constructor(element: Element, what: Explanation | null) {
    this.#element = element;
    this.what = what;
    for (const [name, listener, capture] of this.#heard) element.addEventListener(name, listener, { capture });
  }

  /** Hear nothing any more. */
  destroy(): void {
    this.#stop();
    explanations.leave();
    for (const [name, listener, capture] of this.#heard) this.#element.removeEventListener(name, listener, { capture });
  }

  #stop(): void {
    clearTimeout(this.#timer);
  }

  #release(): void {
    this.#stop();
    this.#from = null;
  }

  #show(pinned: boolean): void {
    if (this.what !== null) explanations.show(this.what, this.#element, pinned);
  }

  /** Take a press as a question, not as an order. */
  #answer(): void {
    this.#stop();
    if (this.what === null || this.#isAnswered) return;
    this.#isAnswered = true;
    this.#show(true);
  }

  #move({ pointerType, clientX, clientY }: PointerEvent): void {
    if (this.#from !== null) {
      if (Math.hypot(clientX - this.#from.x, clientY - this.#from.y) > SLIP) this.#release();
      return;
    }
    this.#stop();
    if (pointerType === "mouse" && explanations.shown?.pinned !== true)
      this.#timer = setTimeout(() => this.#show(false), REST);
  }

  #leave({ relatedTarget: to }: PointerEvent): void {
    this.#release();
    if (!(to instanceof Element && to.closest(CARD))) explanations.leave();
  }

  #down({ button, clientX: x, clientY: y }: PointerEvent): void {
    this.#release();
    this.#isAnswered = false;
    explanations.leave();
    if (button !== 0 || this.what === null) return;
    this.#from = { x, y };
    this.#timer = setTimeout(() => this.#answer(), PRESS);
  }

  /** Phones call a long press this, some of them before our time is up, and would take the finger away from us. */
  #menu(event: Event): void {
    if (this.#from === null) return;
    this.#answer();
    event.preventDefault();
  }

  #click(event: MouseEvent): void {
    this.#release();
    // A press of a key is no pointer's.
    if (this.#isAnswered && event.detail !== 0) {
      event.preventDefault();
      event.stopPropagation();
      this.#isAnswered = false;
    } else if (this.what !== null && !(event.target as Element).closest(ACTIVE)) {
      this.#show(true);
      event.stopPropagation();
    }
  }

  #key(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.toLowerCase() !== "i" || ctrlKey || metaKey || altKey || this.what === null) return;
    this.#show(true);
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Give a thing an explanation; null: none for now. */
export const explain: Action<Element, Explanation | null> = (element, first) => {
  const thing = new ExplainedThing(element, first ?? null);
  return {
    update: (next) => {
      thing.what = next;
    },
    destroy: () => thing.destroy(),
  };
};
