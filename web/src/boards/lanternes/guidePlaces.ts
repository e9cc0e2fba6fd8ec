/** Where the parts of this board are that a guide speaks of, by the names in the script; $ is the number behind one. */
export const places: Record<string, string> = {
  lake: "[data-tile]",
  place: "[data-place='$']",
  tile: "[data-hand='$']",
  hand: "[data-hand]",
  cards: ".cards[data-own]",
  seat: "[data-seat='$']",
  rewards: "[data-count^='reward-']",
  score: "[data-count='0points']",
  boats: "[data-count='0boats']",
  last: "[data-last]",
};
