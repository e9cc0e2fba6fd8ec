/** Numbers as people read them, with a real minus. */

/** A number whose plus is left out. */
export const plainly = (number: number): string => (number < 0 ? `−${-number}` : `${number}`);

/** A number with its sign; zero has none. */
export const signed = (number: number): string => (number > 0 ? `+${number}` : plainly(number));
