/** What happened, shown in its true order: dice fall, the tray turns, zones are pencilled in, fireworks burst. */
import { tick } from "svelte";
import type { DiceEvent, MovedChange, SeatView, Update } from "../../messages";
import { settings } from "../../settings.svelte";
import { animate, CALM, DRIFT } from "../animation";
import { launchSparks } from "./sparks";

/** An animation that starts `at` milliseconds after the beginning; `sparks` are those of a firework over these ponds. */
interface Beat {
  at: number;
  selector: string;
  frames: Keyframe[];
  duration: number;
  easing?: string;
  sparks?: number[];
}

/** From when on somebody's sheet is shown large, with what they did. */
interface Scene {
  at: number;
  change: MovedChange;
}

/** What the board does for a story. */
export interface Stage {
  /** Around all that may move. */
  root: Element;
  /** By how many quarter turns this page shows the tray turned already. */
  dial: number;
  /** Whether a seat is played from this page, so that its sheet need not be shown. */
  isHere: (seat: number) => boolean;
  /** Tell a move on its sheet, shown large; false where the person has begun something else. */
  tell: (change: MovedChange) => boolean;
  /** Whether the story was ended. */
  isOver: () => boolean;
}

/** Time to find a sheet that was just opened, and to look at what was done. */
const FINDING = 420;
const LOOKING = 380;

const APPEARS: Keyframe[] = [
  { opacity: 0, transform: "scale(.1)" },
  { opacity: 1, transform: "none" },
];
const GLOWS: Keyframe[] = [
  { opacity: 0, stroke: "#ffd489", strokeWidth: "12" },
  { opacity: 1, stroke: "#ffcb6b", strokeWidth: "9", offset: 0.35 },
  { opacity: 1 },
];

/** Whether an event is seen on a sheet. */
export const isPlaced = (event: { kind: string }): boolean => event.kind === "shaded" || event.kind === "launched";

const keyOf = (ponds: number[]): string => [...ponds].sort((a, b) => a - b).join();

/** Return the animations of an event, all from its own beginning, and how long it takes. */
function beatsOf(event: DiceEvent, dial: number): { beats: Beat[]; takes: number } {
  const { kind, number } = event;
  const sheet = `[data-sheet="${event.seat}"]`;
  const beat = (selector: string, frames: Keyframe[], duration: number): Beat => ({
    at: 0,
    selector,
    frames,
    duration,
  });
  if (kind === "rolled") {
    const falls = [
      { opacity: 0, transform: "scale(1.5) rotate(-50deg)" },
      { opacity: 1, transform: "none" },
    ];
    return { beats: [beat(`[data-die="${number}"]`, falls, CALM)], takes: 90 };
  }
  if (kind === "turned" && number !== 0 && number !== dial) {
    const angle = number > 2 ? -90 : number * 90;
    const turn = (by: number): Keyframe[] => [{ transform: `rotate(${by}deg)` }, { transform: "rotate(0deg)" }];
    const beats = [beat("[data-tray]", turn(angle), DRIFT), beat("[data-die]", turn(-angle), DRIFT)];
    return { beats: beats.map((one) => ({ ...one, easing: "--ease-float" })), takes: DRIFT };
  }
  if (kind === "shaded") return { beats: [beat(`${sheet} [data-ink="${event.zone}"]`, APPEARS, CALM)], takes: 200 };
  if (kind === "completed")
    return { beats: [beat(`${sheet} [data-frame="${event.pond}"]`, GLOWS, 2 * DRIFT)], takes: CALM };
  if (kind === "gift" || kind === "paid") {
    const swells = [{ transform: "scale(1)" }, { transform: "scale(1.35)" }, { transform: "scale(1)" }];
    return { beats: [beat(`[data-gifts="${event.seat}"]`, swells, DRIFT)], takes: 0 };
  }
  if (kind === "launched" && event.ponds !== undefined) {
    const firework = `${sheet} [data-firework="${keyOf(event.ponds)}"]`;
    const bursts = [{ transform: "scale(0)" }, { transform: "scale(1.25)", offset: 0.7 }, { transform: "scale(1)" }];
    return {
      beats: [
        { ...beat(firework, [{ opacity: 0 }, { opacity: 1 }], CALM), sparks: event.ponds },
        beat(`${firework} [data-burst]`, bursts, DRIFT),
      ],
      takes: 2 * DRIFT,
    };
  }
  return { beats: [], takes: 0 };
}

/** Return everything that is to be seen of some changes, with its time. */
function score(changes: MovedChange[], stage: Stage): { beats: Beat[]; scenes: Scene[]; takes: number } {
  const beats: Beat[] = [];
  const scenes: Scene[] = [];
  let at = 0;
  for (const change of changes) {
    const isShownLarge = change.seat >= 0 && !stage.isHere(change.seat) && change.events.some(isPlaced);
    if (isShownLarge) {
      const isOpen = scenes.at(-1)?.change.seat === change.seat;
      scenes.push({ at, change });
      if (!isOpen) at += FINDING;
    }
    for (const event of change.events as DiceEvent[]) {
      const found = beatsOf(event, stage.dial);
      beats.push(...found.beats.map((beat) => ({ ...beat, at })));
      at += found.takes;
    }
    if (isShownLarge) at += LOOKING;
  }
  return { beats, scenes, takes: at };
}

function run(beats: Beat[], within: Element | null, now: number): void {
  if (within === null) return;
  for (const { at, selector, frames, duration, easing, sparks } of beats) {
    if (at < now) continue;
    for (const element of within.querySelectorAll(selector)) {
      void animate(element, frames, duration, { delay: at - now, ...(easing === undefined ? {} : { easing }) });
      const sky = element.closest("svg")?.querySelector("[data-sky]");
      if (sparks !== undefined && sky) launchSparks(sky, sparks, at - now);
    }
  }
}

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms * settings.factor));

/** Show what an update brought, on the sheets where it happened. */
export async function show(stage: Stage, update: Update, before: SeatView | null): Promise<void> {
  if (settings.factor === 0 || before === null) return;
  const changes = update.changes.filter((change): change is MovedChange => change.kind === "moved");
  const { beats, scenes, takes } = score(changes, stage);
  // The first sheet is opened at once, so that nothing of it is seen too early.
  let open = scenes[0]?.change.seat;
  let isTelling = scenes[0] === undefined || stage.tell(scenes[0].change);
  await tick();
  run(beats, stage.root, 0);
  let now = 0;
  for (const { at, change } of scenes) {
    if (at > now) await wait(at - now);
    now = at;
    isTelling = isTelling && !stage.isOver() && stage.tell(change);
    if (!isTelling) break;
    if (change.seat === open) continue;
    open = change.seat;
    await tick();
    run(beats, stage.root.querySelector("[data-large]"), now);
  }
  if (takes > now) await wait(takes - now + 120);
}

/** The ponds of an event that is seen on a sheet. */
function pondsOf(event: DiceEvent): number[] {
  if (event.kind === "launched") return event.ponds ?? [];
  return event.kind === "shaded" && event.zone !== undefined ? [event.zone >> 1] : [];
}

/** What each seat did last: the ponds of its last zone or firework, as far as they are still so. */
export function lastOf(
  log: readonly Update["changes"][number][],
  seats: { shaded: number[]; fireworks: { ponds: number[] }[] }[],
): Set<number>[] {
  const found: (Set<number> | null)[] = seats.map(() => null);
  for (let i = log.length - 1; i >= 0 && found.includes(null); i--) {
    const change = log[i]!;
    if (change.kind !== "moved" || change.seat < 0 || found[change.seat] !== null) continue;
    const seat = seats[change.seat]!;
    const isStill = (event: DiceEvent): boolean =>
      event.kind === "launched"
        ? seat.fireworks.some((one) => keyOf(one.ponds) === keyOf(event.ponds ?? []))
        : seat.shaded.includes(event.zone ?? -1);
    const own = (change.events as DiceEvent[]).filter((event) => event.seat === change.seat);
    const ponds = own.flatMap((event) => (isPlaced(event) && isStill(event) ? pondsOf(event) : []));
    if (ponds.length > 0) found[change.seat] = new Set(ponds);
  }
  return found.map((one) => one ?? new Set());
}
