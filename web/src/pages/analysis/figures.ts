/** Chances as people read them, in their language. */
import { settings } from "../../settings.svelte";

/** Return a number with so many digits behind the point, and a minus that is one. */
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
