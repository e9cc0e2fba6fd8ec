/** A label at the end of a seat's line in a graph. */
export interface GraphLabel {
  seat: number;
  value: number;
  y: number;
}

/** Return labels for the last values of all seats, from the top down, moved apart where they would overlap. */
export function labelsOf(values: number[], y: (value: number) => number, gap: number, lowest: number): GraphLabel[] {
  const found = values
    .map((value, seat) => ({ seat, value, y: y(value) }))
    .sort((a, b) => a.y - b.y || a.seat - b.seat);
  found.forEach((label, i) => {
    if (i > 0) label.y = Math.max(label.y, found[i - 1]!.y + gap);
  });
  found.reduceRight((below, label) => (label.y = Math.min(label.y, below)) - gap, lowest);
  return found;
}
