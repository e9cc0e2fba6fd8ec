/** What happened, shown in its order: tiles are drawn, fly to their place, and lamps turn tiles over. */
import { tick } from "svelte";
import type { IlesAnyMove, IlesView, SeatView, Update } from "../../messages";
import { settings } from "../../settings.svelte";
import { inSight, type Hand } from "./hand.svelte";
import { turnedOver } from "./island";

const FLY = "cubic-bezier(.45,.05,.25,1)";
const SETTLE = "cubic-bezier(.2,.7,.2,1)";

async function moved(element: Element | null, frames: Keyframe[], duration: number, easing: string, delay = 0): Promise<void> {
  if (element === null) return;
  const animation = element.animate(frames, { duration: duration * settings.factor, delay: delay * settings.factor, easing, fill: "backwards" });
  await animation.finished.catch(() => undefined);
}

/** From where another element is to where this one is. */
async function fly(to: HTMLElement | null, from: HTMLElement | null): Promise<void> {
  if (to === null || from === null) return;
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  if (b.width === 0) return;
  to.classList.add("flying");
  const way = `translate(${a.left + a.width / 2 - b.left - b.width / 2}px, ${a.top + a.height / 2 - b.top - b.height / 2}px) scale(${a.width / b.width})`;
  await moved(to, [{ transform: way }, { transform: "none" }], 420, FLY);
  to.classList.remove("flying");
}

export async function animate(hand: Hand, update: Update, before: SeatView | null): Promise<void> {
  const old = before?.view as IlesView | undefined;
  const view = update.view.view as IlesView;
  if (old === undefined) return;
  const turned = view.seats.flatMap((seat, number) => turnedOver(old.seats[number], seat).map((cell) => `${number}:${cell}`));
  hand.stillUp = new Set(turned);
  await tick();
  let slots = 0;
  for (const change of update.changes) {
    if (change.kind !== "moved") continue;
    const move = change.move as IlesAnyMove | null | undefined;
    for (const event of change.events) {
      if (event.kind === "drew" && view.open !== null) {
        const face = inSight(`[data-slot="${slots}"] .face`);
        slots += 1;
        void moved(face, [{ transform: "scaleX(0)", opacity: 0 }, { transform: "none", opacity: 1 }], 240, SETTLE, slots * 90);
      } else if (event.kind === "laid" && event.seat !== null) {
        const row = view.seats[event.seat]!.island.findIndex((cells, y) => {
          const was = old.seats[event.seat!]!.island[y]![event.number] ?? null;
          return cells[event.number] != null && was === null;
        });
        const slot = move?.kind === "take" ? move.slot : old.turned_up;
        await fly(inSight(`[data-fly="${event.seat}:${row},${event.number}"]`), inSight(`[data-slot="${slot}"]`));
      } else if (event.kind === "dreamt" && move?.kind === "take") {
        const own = inSight(`[data-mine] [data-dream="${event.thing}"]`);
        const to = event.seat === hand.me ? own : inSight(`[data-fly-dream="${event.seat}:${event.thing}"]`);
        await fly(to, inSight(`[data-slot="${move.slot}"]`));
      } else if (event.kind === "named" && event.seat !== null) {
        void moved(inSight(`[data-island="${event.seat}"] header`), [{ opacity: 0.2 }, { opacity: 1 }], 420, SETTLE);
      }
    }
  }
  await Promise.all(turned.map((cell, i) => turnOver(hand, cell, i * 90)));
}

async function turnOver(hand: Hand, cell: string, delay: number): Promise<void> {
  const element = inSight(`[data-fly="${cell}"]`);
  await moved(element, [{ transform: "none" }, { transform: "scaleX(0)" }], 210, "ease-in", delay);
  hand.stillUp = new Set([...hand.stillUp].filter((one) => one !== cell));
  await tick();
  await moved(element, [{ transform: "scaleX(0)" }, { transform: "none" }], 210, "ease-out");
}
