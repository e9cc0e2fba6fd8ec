/** What happened, shown in its order: tiles are drawn, fly to their place, and lamps turn tiles over. */
import { tick } from "svelte";
import type { IlesAnyMove, IlesView, SeatView, Update } from "../../messages";
import { settings } from "../../settings.svelte";
import { inSight, type Hand } from "./hand.svelte";
import { turnedOver } from "./island";

const FLY = "cubic-bezier(.45,.05,.25,1)";
const SETTLE = "cubic-bezier(.2,.7,.2,1)";
const LARGEST = 124;

async function moved(
  element: Element | null,
  frames: Keyframe[],
  duration: number,
  easing: string,
  delay = 0,
): Promise<void> {
  const { factor } = settings;
  const animation = element?.animate(frames, {
    duration: duration * factor,
    delay: delay * factor,
    easing,
    fill: "backwards",
  });
  await animation?.finished.catch(() => undefined);
}

/** A copy of what lies at a place now flies to it from its slot, over everything; to the seat, where no island is in sight. */
async function fly(place: string, seat: number, slot: number | null): Promise<void> {
  const art = document.querySelector(`${place} svg`);
  const to = inSight(place) ?? inSight(`[data-seat="${seat}"]`);
  const from = inSight(`[data-slot="${slot}"] .face`) ?? inSight("[data-table]");
  if (art === null || to === null || from === null) return;
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const size = Math.min(b.width, b.height);
  const flyer = document.createElement("div");
  flyer.className = "iles-flyer";
  Object.assign(flyer.style, {
    left: `${b.left + (b.width - size) / 2}px`,
    top: `${b.top + (b.height - size) / 2}px`,
    width: `${size}px`,
    height: `${size}px`,
  });
  flyer.append(art.cloneNode(true));
  document.body.append(flyer);
  const way = `translate(${a.left + a.width / 2 - b.left - b.width / 2}px, ${a.top + a.height / 2 - b.top - b.height / 2}px)`;
  const start = `${way} scale(${Math.min(a.width, a.height, LARGEST) / size})`;
  if (to.matches(place)) void moved(to.firstElementChild, [{ opacity: 0 }, { opacity: 0 }], 420, FLY);
  await moved(flyer, [{ transform: start }, { transform: "none" }], 420, FLY);
  flyer.remove();
}

export async function animate(hand: Hand, update: Update, before: SeatView | null): Promise<void> {
  const old = before?.view as IlesView | undefined;
  const view = update.view.view as IlesView;
  if (old === undefined) return;
  const turned = view.seats.flatMap((seat, number) =>
    turnedOver(old.seats[number], seat).map((cell) => `${number}:${cell}`),
  );
  hand.stillUp = new Set(turned);
  await tick();
  let drawn = 0;
  for (const change of update.changes) {
    if (change.kind !== "moved") continue;
    const move = change.move as IlesAnyMove | null | undefined;
    const slot = move?.kind === "take" ? move.slot : old.turned_up;
    for (const { kind, seat, thing, number } of change.events) {
      if (kind === "drew") {
        const face = inSight(`[data-slot="${drawn}"] .face`);
        void moved(
          face,
          [
            { transform: "scaleX(0)", opacity: 0 },
            { transform: "none", opacity: 1 },
          ],
          240,
          SETTLE,
          drawn++ * 90,
        );
      } else if (kind === "laid" && seat !== null) {
        const row = view.seats[seat]!.island.findIndex(
          (cells, y) => cells[number] != null && old.seats[seat]!.island[y]![number] == null,
        );
        await fly(`[data-fly="${seat}:${row},${number}"]`, seat, slot);
      } else if (kind === "dreamt" && seat !== null) {
        await fly(`[data-fly="${seat}:${thing}"]`, seat, slot);
      } else if (kind === "named") {
        void moved(inSight(`[data-island="${seat}"] header`), [{ opacity: 0.2 }, { opacity: 1 }], 420, SETTLE);
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
