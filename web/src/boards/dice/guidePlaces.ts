/** Where the parts of this board are that a guide speaks of, by the names in the script; $ is the number behind one. */
export const places: Record<string, string> = {
  sheet: "[data-large]",
  zone: "[data-large] [data-zone='$']",
  tray: "[data-tray], [data-strip]",
  gifts: "[data-gifts='0']",
  emperor: "[data-emperor]",
  fireworks: "[data-stack]",
  score: "[data-points='total']",
};
