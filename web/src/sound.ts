/** Small sounds, made here and quiet: wood for a move, glass for a turn, bells for what is worth celebrating. */
import { settings } from "./settings.svelte";

interface Tone {
  /** Seconds after the first. */
  at?: number;
  pitch: number;
  lasts: number;
  loud?: number;
  shape?: OscillatorType;
}

const LOUDNESS = 0.09;
const MOVE: Tone[] = [{ pitch: 196, lasts: 0.09, loud: 0.8, shape: "triangle" }];
const TURN: Tone[] = [
  { pitch: 659.3, lasts: 0.7 },
  { at: 0.16, pitch: 880, lasts: 0.7 },
];
const JOY: Tone[] = [
  { pitch: 784, lasts: 0.5 },
  { at: 0.09, pitch: 987.8, lasts: 0.5 },
  { at: 0.18, pitch: 1174.7, lasts: 0.9 },
];
const END: Tone[] = [
  { pitch: 523.3, lasts: 1.2 },
  { at: 0.14, pitch: 659.3, lasts: 1.2 },
  { at: 0.28, pitch: 784, lasts: 1.2 },
  { at: 0.42, pitch: 1046.5, lasts: 1.8 },
];

let context: AudioContext | null = null;
/** A browser plays no sound before the first touch or key. */
let isTouched = false;
for (const gesture of ["pointerdown", "keydown"])
  addEventListener(gesture, () => (isTouched = true), { capture: true, once: true });

/** Play a sound; where the page is hidden, only one that calls back to it. */
function play(tones: Tone[], isCall = false): void {
  if (!settings.sounds || !isTouched || (document.hidden && !isCall)) return;
  try {
    context ??= new AudioContext();
    for (const { at = 0, pitch, lasts, loud = 1, shape = "sine" } of tones) {
      const begin = context.currentTime + at;
      const gain = context.createGain();
      const voice = context.createOscillator();
      voice.type = shape;
      voice.frequency.value = pitch;
      gain.gain.setValueAtTime(0, begin);
      gain.gain.linearRampToValueAtTime(LOUDNESS * loud, begin + 0.015);
      gain.gain.exponentialRampToValueAtTime(0.0005, begin + lasts);
      voice.connect(gain).connect(context.destination);
      voice.start(begin);
      voice.stop(begin + lasts + 0.05);
    }
  } catch {
    context = null;
  }
}

export const sound = {
  /** Something was laid down. */
  move: (): void => play(MOVE),
  /** It is your turn. */
  turn: (): void => play(TURN, true),
  /** Something worth celebrating. */
  joy: (): void => play(JOY),
  /** The game is over. */
  end: (): void => play(END),
};
