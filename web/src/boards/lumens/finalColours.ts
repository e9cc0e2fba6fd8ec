/** The stone, the rooms and their signs in the server's drawings of a board, and the colours of the page for them. */
import "./finalColours.css";

export const colours: Record<string, string> = {
  "#0f1627": "--board",
  "#1b2439": "--floor-dark",
  "#262b40": "--floor",
  "#fff2d0": "--sign",
  "#6f5069": "--lit0",
  "#4f5c3f": "--lit1",
  "#4f6982": "--lit2",
  "#5c423f": "--lit3",
  "#74654f": "--lit-shared",
};
