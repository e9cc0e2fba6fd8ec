/** Sparks of a firework that was just launched: they fly from the middle of each of its ponds, fall and go out. */
import { animate } from "../animation";
import { cellsOf, S } from "./lake";

const COLOURS = ["#ffd489", "#ff9db4", "#8fd8ff", "#b8f0c9", "#d7b8ff"];
const EACH = 14;
const LASTS = 1100;
const BETWEEN = 130;

/** Let sparks fly over some ponds of a sheet, after a delay in milliseconds. `sky` is empty again afterwards. */
export function launchSparks(sky: Element, ponds: number[], delay: number): void {
  cellsOf(ponds).forEach(([x, y], i) => {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("transform", `translate(${(x + 0.5) * S} ${(y + 0.5) * S})`);
    sky.append(group);
    const flights = Array.from({ length: EACH }, (_, k) => {
      const spark = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      spark.setAttribute("r", k % 2 ? "4.5" : "3");
      spark.setAttribute("fill", COLOURS[(i + k) % COLOURS.length]!);
      group.append(spark);
      const angle = (k * 2 * Math.PI) / EACH;
      const far = S * (k % 2 ? 1.05 : 0.75);
      const [across, down] = [far * Math.cos(angle), far * Math.sin(angle)];
      const frames = [
        { opacity: 0, transform: "translate(0, 0)" },
        { opacity: 1, transform: `translate(${across * 0.8}px, ${down * 0.8}px)`, offset: 0.4 },
        { opacity: 0, transform: `translate(${across}px, ${down + S * 0.5}px)` },
      ];
      return animate(spark, frames, LASTS, { delay: delay + i * BETWEEN, fill: "both" });
    });
    void Promise.all(flights).then(() => group.remove());
  });
}
