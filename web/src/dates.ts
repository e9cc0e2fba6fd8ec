/** Days and times as the reader writes them: in the language of the page, as their browser's region has it. */
import { words } from "./words.svelte";

const DAY = 86_400_000;

/** The browser's own variety of the page's language, such as en-GB, where it has one. */
function locale(): string {
  return navigator.languages.find((one) => one.toLowerCase().startsWith(words.language)) ?? words.language;
}

const midnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** Return the day of a moment: "today", "yesterday", "3 days ago", and the date where that is longer ago. */
export function dayOf(at: number): string {
  const days = Math.round((midnight(at) - midnight(Date.now())) / DAY);
  if (days <= 0 && days > -7) return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day");
  return new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(at);
}

/** Return the day and the time of a moment. */
export function momentOf(at: number): string {
  return `${dayOf(at)}, ${new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(at)}`;
}
