/** What happened, shown in its true order: dice fall, the tray turns, zones are pencilled in, fireworks burst. */
import { tick } from "svelte";
import type { SeatView, Update } from "../../messages";
import { settings } from "../../settings.svelte";
import { animate, CALM, DRIFT } from "../animation";
import { WIDTH } from "./lake";

const pondNamed = (name: string): number => (Number(name[1]) - 1) * WIDTH + "abcdefghi".indexOf(name[0]!);

/** `dial` is by how many quarters this page shows the tray turned already. */
export async function show(root: Element, update: Update, before: SeatView | null, dial: number): Promise<void> {
  const factor = settings.factor;
  if (factor === 0 || before === null) return;
  await tick();
  let at = 0;
  const play = (selector: string, frames: Keyframe[], duration: number, easing = "--ease-out"): void => {
    for (const element of root.querySelectorAll(selector))
      void animate(element, frames, duration, { easing, delay: at });
  };
  for (const change of update.changes) {
    if (change.kind !== "moved") continue;
    for (const { kind, seat, thing, number } of change.events) {
      const sheet = `[data-sheet="${seat}"]`;
      if (kind === "rolled") {
        play(
          `[data-die="${number}"]`,
          [
            { opacity: 0, transform: "scale(1.5) rotate(-50deg)" },
            { opacity: 1, transform: "none" },
          ],
          CALM,
        );
        at += 90;
      } else if (kind === "turned" && number !== dial) {
        const angle = number > 2 ? -90 : number * 90;
        play(
          "[data-tray]",
          [{ transform: `rotate(${angle}deg)` }, { transform: "rotate(0deg)" }],
          DRIFT,
          "--ease-float",
        );
        play(
          "[data-die]",
          [{ transform: `rotate(${-angle}deg)` }, { transform: "rotate(0deg)" }],
          DRIFT,
          "--ease-float",
        );
        at += DRIFT;
      } else if (kind === "shaded" && thing !== null) {
        const zone = pondNamed(thing) * 2 + (thing[2] === "b" ? 1 : 0);
        play(
          `${sheet} [data-ink="${zone}"]`,
          [
            { opacity: 0, transform: "scale(.1)" },
            { opacity: 1, transform: "none" },
          ],
          CALM,
        );
        at += 160;
      } else if (kind === "completed" && thing !== null) {
        play(`${sheet} [data-frame="${pondNamed(thing)}"]`, [{ opacity: 0 }, { opacity: 1 }], CALM);
      } else if (kind === "gift") {
        play(
          `[data-gifts="${seat}"]`,
          [{ transform: "scale(1)" }, { transform: "scale(1.35)" }, { transform: "scale(1)" }],
          DRIFT,
        );
      } else if (kind === "launched" && thing !== null) {
        const names = thing.split("@")[1]?.match(/../g) ?? [];
        const ponds = names
          .map(pondNamed)
          .sort((a, b) => a - b)
          .join();
        play(`${sheet} [data-firework="${ponds}"]`, [{ opacity: 0 }, { opacity: 1 }], CALM);
        play(
          `${sheet} [data-firework="${ponds}"] [data-burst]`,
          [{ transform: "scale(0)" }, { transform: "scale(1)" }],
          DRIFT,
        );
        at += DRIFT;
      }
    }
  }
  if (at > 0) await new Promise((done) => setTimeout(done, (at + 120) * factor));
}

/** What each seat did last: the ponds of its last zone or firework, as far as they are still so. */
export function lastOf(
  log: readonly unknown[],
  seats: { shaded: number[]; fireworks: { ponds: number[] }[] }[],
): Set<number>[] {
  const found: (Set<number> | null)[] = seats.map(() => null);
  for (let i = log.length - 1; i >= 0 && found.includes(null); i--) {
    const change = log[i] as Update["changes"][number];
    if (change.kind !== "moved" || change.seat < 0 || found[change.seat] !== null) continue;
    const seat = seats[change.seat]!;
    const ponds = change.events.flatMap((event) => {
      if (event.seat !== change.seat || event.thing === null) return [];
      if (event.kind === "shaded") {
        const pond = pondNamed(event.thing);
        return seat.shaded.includes(pond * 2 + (event.thing[2] === "b" ? 1 : 0)) ? [pond] : [];
      }
      const launched = event.kind === "launched" ? event.thing.split("@")[1] : undefined;
      const ponds = launched?.match(/../g)?.map(pondNamed) ?? [];
      return ponds.filter((pond) => seat.fireworks.some((one) => one.ponds.includes(pond)));
    });
    if (ponds.length > 0) found[change.seat] = new Set(ponds);
  }
  return found.map((one) => one ?? new Set());
}
