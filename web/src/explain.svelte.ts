/**
 * What things are, for whoever points at them, touches them or asks by key. Anything on a page may carry
 * `use:explain={...}`. A mouse that came to it and rests, a tap on what does nothing else, a long touch on what does, or
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
const TOUCH = 450;
/** How far a finger that asks may slip. */
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
  let isAnswered = false;
  let from = { x: 0, y: 0 };
  const stop = (): void => clearTimeout(timer);

  function move(event: Event): void {
    const { pointerType, clientX, clientY } = event as PointerEvent;
    if (pointerType !== "mouse") {
      if (Math.hypot(clientX - from.x, clientY - from.y) > SLIP) stop();
      return;
    }
    stop();
    if (explanations.shown?.pinned !== true)
      timer = setTimeout(() => what !== null && explanations.show(what, element, false), REST);
  }
  function leave(event: Event): void {
    stop();
    const to = (event as PointerEvent).relatedTarget;
    if (!(to instanceof Element && to.closest(CARD))) explanations.leave();
  }
  function down(event: Event): void {
    stop();
    isAnswered = false;
    explanations.leave();
    const { pointerType, clientX: x, clientY: y } = event as PointerEvent;
    from = { x, y };
    if (pointerType === "mouse" || what === null) return;
    timer = setTimeout(() => {
      isAnswered = true;
      if (what !== null) explanations.show(what, element, true);
    }, TOUCH);
  }
  function click(event: Event): void {
    stop();
    if (isAnswered) {
      // The long touch was a question, not an order.
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
    ["pointerup", stop, false],
    ["pointercancel", stop, false],
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
