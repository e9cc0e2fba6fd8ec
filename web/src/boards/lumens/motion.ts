/** A token slides along the line by which it was reached; the room's light and sums change when it lands. */
import { tick } from "svelte";
import type { LumensView } from "../../messages";
import type { Animator } from "../../play.svelte";
import { animate, CALM, DRIFT } from "../animation";
import { sources, spotOf, type LumensInteraction } from "./interaction.svelte";
import { middle } from "./plan";

export function motion(interaction: LumensInteraction): Animator {
  return async (update, before) => {
    const placed = update.changes
      .flatMap((change) => (change.kind === "moved" ? change.events : []))
      .find((event) => event.kind === "placed");
    const spot = spotOf(placed?.thing);
    if (!placed || spot === null || before === null) return;
    const target = interaction.plan.at(spot.x, spot.y)!;
    const from = placed.why === "line" ? sources(before.view as LumensView, spot)[0] : undefined;
    // The own token lay there as a ghost already.
    const source = from && placed.seat !== interaction.play.seat ? interaction.plan.at(from.x, from.y)! : null;
    const flight = { to: update.view, from: before, seat: placed.seat!, source, target };
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
    if (interaction.flight === flight) interaction.flight = null;
  };
}
