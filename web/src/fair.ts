/**
 * Fair play, as docs/fair-play.md describes it: commit to a nonce, reveal it after the seal, check at the end that the
 * server kept its word. Pages on plain http have no crypto.subtle, so SHA-256 is written out here.
 */
import type { TableInfo } from "./messages";
import type { Known } from "./tables.svelte";

const PRIMES = (() => {
  const found: number[] = [];
  for (let n = 2; found.length < 64; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
})();
/** The first 32 bits of the fraction of a number. */
const fraction = (number: number): number => ((number - Math.floor(number)) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The SHA-256 of bytes, in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  const padded = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const early = words[i - 15]!;
      const late = words[i - 2]!;
      const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[i] = words[i - 16]! + small + words[i - 7]! + large;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + mixed + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = state[i]! + word));
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Random bytes that nobody can foresee, in hexadecimal. */
export const randomHex = (count: number): string => hex(crypto.getRandomValues(new Uint8Array(count)));
/** What a seat adds to the chance. */
export const newNonce = (): string => randomHex(32);
/** The SHA-256 of a nonce or of a secret: what is shown of it before the game. */
export const commitmentOf = (nonce: string): string => sha256(bytesOf(nonce));

/** Data as JSON in the one layout that is hashed: the keys sorted, no spaces. */
function canonical(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (data === null || typeof data !== "object") return JSON.stringify(data);
  const fields = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`).join(",")}}`;
}

/** Return the seal that a table must have by what it shows: its promise, the game with its options, and the players. */
export function sealOf(table: TableInfo): string {
  const terms = [table.game, table.rules ?? 1, table.players, canonical(table.options), table.edition];
  const seats = table.seats.map((seat) => (seat.kind === "bot" ? "bot" : seat.commit || "-"));
  return sha256(new TextEncoder().encode(["lampion seal 2", table.promise, ...terms, ...seats].join("\n")));
}

/** Whether the seal of a table holds the promise that this browser saw before. */
export const isSealGood = (table: TableInfo, known: Known): boolean =>
  table.seal === sealOf(table) && table.promise === (known.promise ?? table.promise);

/** Return the nonce of this browser that a seat is committed to. */
export const nonceOf = (table: TableInfo, seat: number, known: Known): string | undefined =>
  known.nonces?.find((nonce) => commitmentOf(nonce) === table.seats[seat]?.commit);

/** Whether seats and commitments cannot change any more: they are sealed, or the game has begun. */
export const isFixed = (table: TableInfo): boolean =>
  table.seal != null || table.status === "playing" || table.status === "over";

/**
 * Whether the server acknowledged a commitment of a seat and then fixed the commitments without it. One to any nonce
 * of this browser will do: the seat may have been committed anew, here or in another tab.
 */
export const isExcluded = (table: TableInfo, seat: number, known: Known): boolean =>
  isFixed(table) &&
  known.committed?.includes(seat) === true &&
  (table.seal == null || nonceOf(table, seat, known) === undefined);

/**
 * Whether the server kept its word, by what this browser remembers of the table: "kept", "unknown" where it remembers
 * no seal, or what is wrong.
 */
export function verdict(
  table: TableInfo,
  known: Known | undefined,
): "kept" | "unknown" | "secret" | "seal" | "commit" | "nonce" {
  if (table.secret != null && commitmentOf(table.secret) !== table.promise) return "secret";
  if (known?.promise !== undefined && known.promise !== table.promise) return "secret";
  if (table.seal != null && table.seal !== sealOf(table)) return "seal";
  if (known?.seal !== undefined && known.seal !== table.seal) return "seal";
  if (known?.excluded) return "commit";
  const nonces = table.seats.map((seat) => seat.nonce ?? "");
  const isCommitted = (nonce: string, seat: number): boolean =>
    nonce === "" || table.seal == null || commitmentOf(nonce) === table.seats[seat]!.commit;
  if (!nonces.every(isCommitted) || known?.revealed?.some((nonce) => !nonces.includes(nonce))) return "nonce";
  return known?.seal === undefined ? "unknown" : "kept";
}
