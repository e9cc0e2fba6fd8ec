/** What happened, shown in its order: tiles are drawn, fly to their place, and lamps turn tiles over. */
import { tick } from "svelte";
import type { IlesAnyMove, IlesView, SeatView, Update } from "../../messages";
import { animate, CALM, DRIFT } from "../animation";
import { inSight, type IlesInteraction } from "./interaction.svelte";
import { celebrate } from "./celebrate";
import { turnedOver } from "./tiles";

const LARGEST = 124;
/** Half of turning a tile over. */
const TURN = 210;
/** Turning up a tile that was taken unseen, until it was looked at. */
const UNVEILED = 900;

/** The element of a place: on the island that is shown large, or else wherever it can be seen. */
const placeOf = (place: string): HTMLElement | null => inSight(`[data-told] ${place}`) ?? inSight(place);

/**
 * A copy of what lies at a place now flies to it from its slot, over everything; to the seat, where no island is in sight.
 * A tile that was taken unseen is turned up first.
 */
async function fly(place: string, seat: number, slot: number | null, isUnseen: boolean): Promise<void> {
  const art = document.querySelector(`${place} svg`);
  const to = placeOf(place) ?? inSight(`[data-seat="${seat}"]`);
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
  if (to.matches(place) && !isUnseen)
    void animate(to.firstElementChild, [{ opacity: 0 }, { opacity: 0 }], DRIFT, { easing: "--ease-float" });
  if (isUnseen) await unveil(flyer, start);
  await animate(flyer, [{ transform: start }, { transform: "none" }], DRIFT, { easing: "--ease-float" });
  flyer.remove();
}

/** Turn a tile up where it lies, and let it be seen. */
async function unveil(face: HTMLElement | null, at = ""): Promise<void> {
  const shown = [`${at} scaleX(0)`, `${at} scale(1.15)`, `${at} scale(1.15)`, at || "none"];
  await animate(
    face,
    shown.map((transform) => ({ transform })),
    UNVEILED,
  );
}

export async function show(interaction: IlesInteraction, update: Update, before: SeatView | null): Promise<void> {
  const old = before?.view as IlesView | undefined;
  const view = update.view.view as IlesView;
  if (old === undefined) return;
  const turned = view.seats.flatMap((seat, number) =>
    turnedOver(old.seats[number], seat).map((cell) => `${number}:${cell}`),
  );
  interaction.stillUp = new Set(turned);
  const mover = update.changes.find((change) => change.kind === "moved")?.seat ?? -1;
  interaction.noteBrigandChanges(old, view, mover);
  await tick();
  let drawn = 0;
  for (const change of update.changes) {
    if (change.kind !== "moved") continue;
    const move = change.move as IlesAnyMove | null | undefined;
    const slot = move?.kind === "take" ? move.slot : old.turned_up;
    const isUnseen = old.table[slot ?? -1]?.tile === null;
    for (const { kind, seat, thing, number } of change.events) {
      if (kind === "drew") {
        const face = inSight(`[data-slot="${drawn}"] .face`);
        void animate(
          face,
          [
            { transform: "scaleX(0)", opacity: 0 },
            { transform: "none", opacity: 1 },
          ],
          CALM,
          { delay: drawn++ * 90 },
        );
      } else if (kind === "laid" && seat !== null) {
        const row = view.seats[seat]!.island.findIndex(
          (cells, y) => cells[number] != null && old.seats[seat]!.island[y]![number] == null,
        );
        await fly(`[data-fly="${seat}:${row},${number}"]`, seat, slot, isUnseen);
      } else if (kind === "dreamt" && seat !== null) {
        await fly(`[data-fly="${seat}:${thing}"]`, seat, slot, isUnseen);
      } else if (kind === "turned_up") {
        await unveil(inSight(`[data-slot="${view.turned_up}"] .face`));
      } else if (kind === "named") {
        void animate(inSight(`[data-island="${seat}"] header`), [{ opacity: 0.2 }, { opacity: 1 }], DRIFT);
      }
    }
  }
  await Promise.all(turned.map((cell, i) => turnOver(interaction, cell, i * 90)));
  const isLaid = update.changes.some(
    (change) => change.kind === "moved" && change.events.some(({ kind }) => kind === "laid" || kind === "dreamt"),
  );
  if (isLaid) await Promise.all(gainsOf(old, view).map(({ place, gain }) => celebrate(placeOf(place), gain)));
}

/** The dreams that are worth more now: where they lie, and by how much. */
function gainsOf(old: IlesView, view: IlesView): { place: string; gain: number }[] {
  return view.seats
    .flatMap(({ dreams, points }, seat) =>
      [...new Set(dreams)].map((dream) => ({
        place: `[data-fly="${seat}:${dream}"]`,
        gain: (points?.[dream] ?? 0) - (old.seats[seat]?.points?.[dream] ?? 0),
      })),
    )
    .filter(({ gain }) => gain > 0);
}

async function turnOver(interaction: IlesInteraction, cell: string, delay: number): Promise<void> {
  const element = placeOf(`[data-fly="${cell}"]`);
  await animate(element, [{ transform: "none" }, { transform: "scaleX(0)" }], TURN, { easing: "ease-in", delay });
  interaction.stillUp = new Set([...interaction.stillUp].filter((one) => one !== cell));
  await tick();
  await animate(element, [{ transform: "scaleX(0)" }, { transform: "none" }], TURN, { easing: "ease-out" });
}
