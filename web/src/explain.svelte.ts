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

/** Give a thing an explanation; null: none for now. */
export const explain: Action<Element, Explanation | null> = (element, first) => {
  let what = first ?? null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Where a pointer is down on it. */
  let from: { x: number; y: number } | null = null;
  let isAnswered = false;
  const stop = (): void => clearTimeout(timer);
  function release(): void {
    stop();
    from = null;
  }

  /** Take a press as a question, not as an order. */
  function answer(): void {
    stop();
    if (what === null || isAnswered) return;
    isAnswered = true;
    explanations.show(what, element, true);
  }
  function move(event: Event): void {
    const { pointerType, clientX, clientY } = event as PointerEvent;
    if (from !== null) {
      if (Math.hypot(clientX - from.x, clientY - from.y) > SLIP) release();
      return;
    }
    stop();
    if (pointerType === "mouse" && explanations.shown?.pinned !== true)
      timer = setTimeout(() => what !== null && explanations.show(what, element, false), REST);
  }
  function leave(event: Event): void {
    release();
    const to = (event as PointerEvent).relatedTarget;
    if (!(to instanceof Element && to.closest(CARD))) explanations.leave();
  }
  function down(event: Event): void {
    release();
    isAnswered = false;
    explanations.leave();
    const { button, clientX: x, clientY: y } = event as PointerEvent;
    if (button !== 0 || what === null) return;
    from = { x, y };
    timer = setTimeout(answer, PRESS);
  }
  /** Phones call a long press this, some of them before our time is up, and would take the finger away from us. */
  function menu(event: Event): void {
    if (from === null) return;
    answer();
    event.preventDefault();
  }
  function click(event: Event): void {
    release();
    // A press of a key is no pointer's.
    if (isAnswered && (event as MouseEvent).detail !== 0) {
      event.preventDefault();
      event.stopPropagation();
      isAnswered = false;
    } else if (what !== null && !(event.target as Element).closest(ACTIVE)) {
      explanations.show(what, element, true);
      event.stopPropagation();
    }
  }
  function key(event: Event): void {
    const { key: name, ctrlKey, metaKey, altKey } = event as KeyboardEvent;
    if (name.toLowerCase() !== "i" || ctrlKey || metaKey || altKey || what === null) return;
    explanations.show(what, element, true);
    event.preventDefault();
    event.stopPropagation();
  }
  const heard: [string, (event: Event) => void, boolean][] = [
    ["pointermove", move, false],
    ["pointerleave", leave, false],
    ["pointerdown", down, false],
    ["pointerup", release, false],
    ["pointercancel", release, false],
    ["contextmenu", menu, false],
    ["click", click, true],
    ["keydown", key, false],
  ];
  for (const [name, listener, capture] of heard) element.addEventListener(name, listener, { capture });
  return {
    update: (next) => {
      what = next;
    },
    destroy: () => {
      stop();
      explanations.leave();
      for (const [name, listener, capture] of heard) element.removeEventListener(name, listener, { capture });
    },
  };
};
