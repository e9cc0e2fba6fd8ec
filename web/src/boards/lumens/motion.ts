/** A token slides along the line by which it was reached; the room's light and sums change when it lands. */
import { tick } from "svelte";
import type { Event, LumensView } from "../../messages";
import type { Animator } from "../../play.svelte";
import { animate, CALM, DRIFT } from "../animation";
import { sources, spotOf, type LumensInteraction } from "./interaction.svelte";
import { middle } from "./plan";

export function motion(interaction: LumensInteraction): Animator {
  return async (update, before) => {
    const events = update.changes.flatMap((change) => (change.kind === "moved" ? change.events : []));
    const placed = events.find((event) => event.kind === "placed");
    const spot = spotOf(placed?.thing);
    if (!placed || spot === null || before === null) return;
    const target = interaction.plan.at(spot.x, spot.y)!;
    const from = placed.why === "line" ? sources(before.view as LumensView, spot) : [];
    const isMine = placed.seat === interaction.play.seat;
    const trace = { seat: placed.seat!, target, sources: from.map(({ x, y }) => interaction.plan.at(x, y)!) };
    interaction.trace = isMine ? null : trace;
    // The own token lay there as a ghost already.
    const source = isMine ? undefined : trace.sources[0];
    const flight = { to: update.view, from: before };
    interaction.flight = flight;
    await tick();
    const token = document.querySelector(`[data-token="${spot.x},${spot.y}"]`);
    const [a, b] = [middle(source ?? target), middle(target)];
    const frames = source
      ? [{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px) scale(1.12)` }, { transform: "none" }]
      : [
          { transform: "scale(1.3)", opacity: 0.4 },
          { transform: "none", opacity: 1 },
        ];
    await animate(token, frames, source ? DRIFT : CALM, { easing: "--ease-float" });
    if (interaction.flight !== flight) return;
    interaction.flight = null;
    void changeHands(interaction, events);
  };
}

/** A room that has another leader than before flashes in the new leader's colour, and its sign leaps. */
async function changeHands(interaction: LumensInteraction, events: Event[]): Promise<void> {
  const leads = events.filter((event) => event.kind === "leads");
  if (leads.length === 0) return;
  const letter = leads[0]!.thing!;
  const flash = { letter, light: leads.length > 1 ? "var(--tie)" : `var(--seat${leads[0]!.seat})` };
  interaction.flash = flash;
  await tick();
  const leap = [{ transform: "none" }, { transform: "scale(1.7)", offset: 0.35 }, { transform: "none" }];
  await Promise.all([
    animate(
      document.querySelector("[data-flash]"),
      [
        { opacity: 0.9, strokeWidth: "8px" },
        { opacity: 0, strokeWidth: "80px" },
      ],
      2 * DRIFT,
    ),
    animate(document.querySelector(`[data-room="${letter}"]`), leap, 2 * DRIFT),
  ]);
  if (interaction.flash === flash) interaction.flash = null;
}
