/** Sentences of the server. What a sentence is about stands between Unicode's invisible marks, so that it can be drawn. */
import type { Component } from "svelte";
import type { Event, MovedChange } from "./messages";

const THING = /\u2068([^\u2069]*)\u2069/;

/** A sentence in parts: what comes before its thing, the thing in words, a full stop that stays with it, and the rest. */
export interface Parts {
  before: string;
  thing: string;
  end: string;
  after: string;
}

/** Return a sentence in parts, or null where it has no thing. */
export function partsOf(sentence: string): Parts | null {
  const found = THING.exec(sentence);
  if (found === null) return null;
  const rest = plain(sentence.slice(found.index + found[0].length));
  const end = stopOf(rest);
  return { before: sentence.slice(0, found.index), thing: found[1]!, end, after: rest.slice(end.length) };
}

/** Return the stop that a text begins with: it stays on the line of the drawing before it. */
export const stopOf = (text: string): string => /^[^ ]*/.exec(text)![0];

/** Return a sentence without marks. */
export const plain = (sentence: string): string => sentence.replace(/[\u2068\u2069]/g, "");

/** How a board draws what a sentence is about, in the line of text: a tile, a lantern, a firework. */
export interface Drawing {
  /** The kinds of events whose thing is drawn. */
  kinds: ReadonlySet<string>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  component: Component<{ play: any; event: Event; words: string }>;
  /** What else is drawn below the line of a turn. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  summary?: Component<{ play: any; moves: MovedChange[] }>;
}
