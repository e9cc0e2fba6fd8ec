const EVERY = 150;

/** Looks at once and again and again, for what has to follow moving parts of a board; returns what ends it. */
export function follow(look: () => void): () => void {
  look();
  const timer = setInterval(look, EVERY);
  return () => clearInterval(timer);
}
