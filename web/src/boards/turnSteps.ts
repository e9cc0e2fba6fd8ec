/** The steps of a turn, as the bar of steps shows them. */
export interface Step {
  name: string;
  state: "done" | "now" | "next";
}

/** Return steps by name, those before `now` done; none of them is now where `now` is not one of them. */
export function stepsUpTo(names: string[], now: number): Step[] {
  return names.map((name, i) => ({ name, state: i < now ? "done" : i === now ? "now" : "next" }));
}
