/** A dream comes true: its card grows for a moment, rays of light leave it, and what it gained rises from it. */
import { settings } from "../../settings.svelte";
import { animate, DRIFT } from "../animation";
import { signed } from "../../signedNumbers";

const RAYS = 12;

/** Celebrate what a dream gained, over the page and without taking the pointer. */
export async function celebrate(card: HTMLElement | null, gain: number): Promise<void> {
  if (card === null || settings.factor === 0) return;
  const at = card.getBoundingClientRect();
  const light = document.createElement("div");
  light.className = "iles-flyer iles-light";
  Object.assign(light.style, { left: `${at.left + at.width / 2}px`, top: `${at.top + at.height / 2}px` });
  const far = at.width * 0.85;
  const rays = Array.from({ length: RAYS }, (_, i) => {
    const ray = document.createElement("i");
    light.append(ray);
    const turn = `rotate(${(360 / RAYS) * i}deg)`;
    return animate(
      ray,
      [
        { transform: `${turn} translateY(${-at.width * 0.4}px) scaleY(0.2)`, opacity: 0 },
        { transform: `${turn} translateY(${-far}px) scaleY(1)`, opacity: 1, offset: 0.5 },
        { transform: `${turn} translateY(${-far * 1.2}px) scaleY(0.2)`, opacity: 0 },
      ],
      2 * DRIFT,
    );
  });
  const words = document.createElement("b");
  words.textContent = signed(gain);
  light.append(words);
  document.body.append(light);
  const rises = [
    { transform: "translate(-50%, -20%) scale(0.6)", opacity: 0 },
    { transform: "translate(-50%, -80%) scale(1.15)", opacity: 1, offset: 0.35 },
    { transform: "translate(-50%, -130%) scale(1)", opacity: 0 },
  ];
  const grows = [{ transform: "none" }, { transform: "scale(1.12)", offset: 0.35 }, { transform: "none" }];
  await Promise.all([...rays, animate(words, rises, 2.6 * DRIFT), animate(card, grows, 1.5 * DRIFT)]);
  light.remove();
}
