/** Where the parts of this board are that a guide speaks of, by the names in the script; $ is the number behind one. */
export const places: Record<string, string> = {
  board: "svg:has([data-token])",
  hand: "[data-own]",
  place: "[data-place='$']",
  face: "button[data-face='$']",
  rooms: ".rail [data-sum]",
  last: "[data-last]",
};
