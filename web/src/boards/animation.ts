/** Animations of the boards, as fast as the person likes and with the easings of the design tokens. */
import { settings } from "../settings.svelte";

/** Durations in milliseconds at normal speed, as in the tokens `--calm` and `--drift`. */
export const CALM = 240;
export const DRIFT = 420;

const easings = new Map<string, string>();

/** Return an easing of the design tokens, such as `--ease-out`; anything else is returned as it is. */
function easingOf(name: string): string {
  if (!name.startsWith("--")) return name;
  const known = easings.get(name) ?? getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  easings.set(name, known);
  return known;
}

interface Options {
  /** A token or an easing of CSS. */
  easing?: string;
  delay?: number;
  fill?: FillMode;
}

/** Animate an element, if there is one, and resolve when that is over or was cancelled. */
export async function animate(
  element: Element | null | undefined,
  frames: Keyframe[],
  duration: number,
  { easing = "--ease-out", delay = 0, fill = "backwards" }: Options = {},
): Promise<void> {
  const { factor } = settings;
  const timing = { duration: duration * factor, delay: delay * factor, easing: easingOf(easing), fill };
  await element?.animate(frames, timing).finished.catch(() => undefined);
}
