/** A picture of a finished game to keep or to send: who played what, with how many points, and the boards as they lay. */
import type { Outcome } from "./messages";

export interface PictureOf {
  /** The name of the game, and the sentence that tells who won. */
  title: string;
  sentence: string;
  names: string[];
  result: Outcome;
  /** The seats, the best first. */
  places: number[];
  boards: string[];
}

const WIDTH = 1080;
const MARGIN = 48;
const GAP = 24;
const ROW = 64;
/** The most that a shared board may be high. */
const HIGHEST = 1080;
const [NIGHT, SURFACE, LINE, INK, QUIET, FLAME] = ["#0d1322", "#19223a", "#354262", "#f5ecda", "#bcc3d6", "#ffcb6b"];
const RIBBON = "M2 1.5h20v27L12 23.5 2 28.5z";
const CRESTS = ["moon", "reed", "wave", "mount", "cloud"];

type Pen = CanvasRenderingContext2D;

async function load(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

/** Return a seat's ribbon as the page draws it, as a file of its own. */
function ribbonOf(seat: number): string {
  const page = getComputedStyle(document.documentElement);
  const [colour, ink] = [`--seat${seat}`, "--seat-ink"].map((name) => page.getPropertyValue(name).trim());
  const crest = document.getElementById(`s-${CRESTS[seat % CRESTS.length]}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="120" viewBox="0 0 24 30"><path d="${RIBBON}"
    fill="${colour}" stroke="${ink}" stroke-width="1.2" stroke-linejoin="round"/><svg x="4.5" y="4" width="15" height="15"
    color="${ink}" viewBox="${crest?.getAttribute("viewBox") ?? "0 0 24 24"}">${crest?.innerHTML ?? ""}</svg></svg>`;
}

function font(pen: Pen, size: number, weight: number, isTitle = false): void {
  const family = getComputedStyle(document.documentElement).getPropertyValue(isTitle ? "--font-title" : "--font-ui");
  pen.font = `${weight} ${size}px ${family}`;
}

/** Write a text into a width: smaller where it is too long. */
function write(pen: Pen, text: string, x: number, y: number, width: number, size: number, isTitle = false): void {
  font(pen, size, isTitle ? 600 : 700, isTitle);
  const wide = pen.measureText(text).width;
  if (wide > width) font(pen, Math.floor((size * width) / wide), isTitle ? 600 : 700, isTitle);
  pen.fillText(text, x, y);
}

/** Draw who came where, from `top`; return where it ends. */
function drawPlaces(pen: Pen, of: PictureOf, ribbons: HTMLImageElement[], top: number): number {
  of.places.forEach((seat, i) => {
    const y = top + i * ROW;
    const isFirst = of.result.ranks[seat] === 1;
    pen.fillStyle = isFirst ? "#ffcb6b26" : SURFACE;
    pen.beginPath();
    pen.roundRect(MARGIN, y, WIDTH - 2 * MARGIN, ROW - 8, 12);
    pen.fill();
    pen.drawImage(ribbons[seat]!, MARGIN + 74, y + 8, 32, 40);
    pen.fillStyle = isFirst ? FLAME : QUIET;
    write(pen, String(of.result.ranks[seat]), MARGIN + 26, y + 39, 40, 30, true);
    pen.fillStyle = INK;
    write(pen, of.names[seat]!, MARGIN + 126, y + 38, WIDTH - 2 * MARGIN - 260, 28);
    pen.fillStyle = isFirst ? FLAME : INK;
    pen.textAlign = "right";
    write(pen, String(of.result.scores[seat]), WIDTH - MARGIN - 26, y + 40, 100, 36, true);
    pen.textAlign = "left";
  });
  return top + of.places.length * ROW + GAP;
}

/** Return for each board where it lies and how large, below `top`, and where they end. */
function layOut(images: HTMLImageElement[], top: number): { boxes: number[][]; end: number } {
  const space = WIDTH - 2 * MARGIN;
  if (images.length === 1) {
    const { width, height } = images[0]!;
    const scale = Math.min(space / width, HIGHEST / height);
    const wide = width * scale;
    return { boxes: [[(WIDTH - wide) / 2, top, wide, height * scale]], end: top + height * scale };
  }
  const wide = (space - GAP) / 2;
  const high = (wide * images[0]!.height) / images[0]!.width + ROW;
  const boxes = images.map((_, i) => {
    const isAlone = i === images.length - 1 && i % 2 === 0;
    const x = isAlone ? (WIDTH - wide) / 2 : MARGIN + (i % 2) * (wide + GAP);
    return [x, top + Math.floor(i / 2) * (high + GAP) + ROW - 8, wide, high - ROW];
  });
  return { boxes, end: top + Math.ceil(images.length / 2) * (high + GAP) - GAP };
}

/** Return the picture as a PNG file. */
export async function drawPicture(of: PictureOf): Promise<Blob> {
  const order = of.boards.length === 1 ? [0] : of.places;
  const images = await Promise.all(order.map((seat) => load(of.boards[seat]!)));
  const ribbons = await Promise.all(of.names.map((_, seat) => load(ribbonOf(seat))));
  const start = 210;
  const { boxes, end } = layOut(images, start + of.places.length * ROW + GAP);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, Math.round(end + MARGIN)];
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = NIGHT;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = QUIET;
  write(pen, `Lampion · ${of.title}`, MARGIN, 78, WIDTH - 2 * MARGIN, 30);
  pen.fillStyle = FLAME;
  write(pen, of.sentence, MARGIN, 152, WIDTH - 2 * MARGIN, 64, true);
  drawPlaces(pen, of, ribbons, start);
  images.forEach((image, i) => {
    const [x, y, wide, high] = boxes[i] as [number, number, number, number];
    pen.drawImage(image, x, y, wide, high);
    if (images.length === 1) return;
    pen.strokeStyle = LINE;
    pen.strokeRect(x, y, wide, high);
    pen.drawImage(ribbons[order[i]!]!, x + 4, y - 42, 24, 30);
    pen.fillStyle = INK;
    write(pen, of.names[order[i]!]!, x + 40, y - 18, wide - 48, 24);
  });
  return await new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob === null ? failed(new Error("no picture")) : done(blob)), "image/png"),
  );
}

/** Whether this browser hands files to other programs. */
export function canShare(): boolean {
  return navigator.canShare?.({ files: [new File([""], "a.png", { type: "image/png" })] }) ?? false;
}

export type Shared = "shared" | "saved";

/** Hand a picture to another program where the browser can, else save it; null where the person thought better of it. */
export async function sharePicture(blob: Blob, name: string, title: string): Promise<Shared | null> {
  const file = new File([blob], name, { type: blob.type });
  if (canShare()) {
    return await navigator.share({ files: [file], title }).then(
      () => "shared",
      (error: unknown) => {
        if (error instanceof DOMException && error.name === "AbortError") return null;
        throw error;
      },
    );
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return "saved";
}
