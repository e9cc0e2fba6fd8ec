/** Chances as people read them, in their language. */
import { settings } from "../../settings.svelte";

/** Return a number with `digits` digits behind the point, and a true minus sign. */
export function number(value: number, digits = 0): string {
  const rounded = Number(value.toFixed(digits)) + 0;
  const format = new Intl.NumberFormat(settings.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(rounded === 0 ? 0 : rounded).replace("-", "−");
}

/** Return a part of 1 as percent. */
export const percent = (value: number, digits = 0): string => `${number(100 * value, digits)}\u202f%`;

/** Return a part of 1 as percent with its sign, plus too; zero has none. */
export function signedPercent(value: number, digits = 0): string {
  const text = percent(value, digits);
  return Number((100 * value).toFixed(digits)) > 0 ? `+${text}` : text;
}

/** Return parts of 1 rounded to whole percent so that they add up to `sum` percent: what is missing goes where most was cut. */
export function addingUp(parts: number[], sum: number): number[] {
  const exact = parts.map((part) => 100 * part);
  const shown = exact.map(Math.floor);
  const cut = exact.map((value, i) => value - shown[i]!);
  const order = cut.map((_, i) => i).sort((a, b) => cut[b]! - cut[a]!);
  const missing = sum - shown.reduce((all, one) => all + one, 0);
  for (let i = 0; i < missing; i++) shown[order[i % order.length]!]!++;
  return shown.map((one) => one / 100);
}
