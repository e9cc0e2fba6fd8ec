/** Small sounds, made here: two soft tones, like a glass touched twice. */
let context: AudioContext | null = null;

function tone(at: number, pitch: number): void {
  const gain = context!.createGain();
  const voice = context!.createOscillator();
  voice.type = "sine";
  voice.frequency.value = pitch;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + 0.7);
  voice.connect(gain).connect(context!.destination);
  voice.start(at);
  voice.stop(at + 0.75);
}

/** It is your turn. A browser that plays no sound before the first touch stays silent. */
export function ring(): void {
  try {
    context ??= new AudioContext();
    tone(context.currentTime, 659.3);
    tone(context.currentTime + 0.16, 880);
  } catch {
    context = null;
  }
}
