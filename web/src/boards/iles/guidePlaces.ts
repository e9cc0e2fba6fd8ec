/** Where the parts of this board are that a guide speaks of, by the names in the script; $ is the number behind one. */
export const places: Record<string, string> = {
  mine: "[data-mine]",
  piles: "[data-pile]",
  pile: "[data-pile='$']",
  offer: "[data-slot]",
  slot: "[data-slot='$']",
  others: "[data-island], .strip [data-seat]",
  island: "[data-island='$'], .strip [data-seat='$']",
  score: "[data-score]",
};
