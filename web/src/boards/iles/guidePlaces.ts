/** Where the parts of this board are that a guide speaks of, by the names in the script; $ is the number behind one. */
export const places: Record<string, string> = {
  mine: "[data-mine]",
  piles: "[data-pile]",
  offer: "[data-slot]",
  others: "[data-island]",
  score: "[data-score]",
};
