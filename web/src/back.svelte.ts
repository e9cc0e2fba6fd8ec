/**
 * The way back of a browser or a phone closes what is open before it leaves the page: for everything that is open there is
 * an entry more in the history. What is closed by other means takes its entry back.
 */
interface Entry {
  close: () => void;
}
type Marked = { open?: number } | null;

const entries: Entry[] = [];
/** The history is on its way to an earlier entry because something was closed here. */
let isReturning = false;
let isOpen = $state(false);

/** How many entries of ours lie under what is shown. */
const depth = (): number => (history.state as Marked)?.open ?? 0;

/** Whether an entry of ours is in use: then the address is to be left as it is. */
export const hasOpen = (): boolean => isOpen;

/** Bring the history to as many entries as things are open. */
function settle(): void {
  if (isReturning) return;
  const surplus = depth() - entries.length;
  if (surplus > 0) {
    isReturning = true;
    history.go(-surplus);
    return;
  }
  for (let next = depth() + 1; next <= entries.length; next++) history.pushState({ open: next }, "");
  isOpen = entries.length > 0;
}

/** In an effect: something is open, and going back closes it. Returns what is called when it is closed. */
export function closeOnBack(close: () => void): () => void {
  const entry = { close };
  entries.push(entry);
  // Several things may open and close in a row: only the final number counts.
  queueMicrotask(settle);
  return () => {
    const index = entries.indexOf(entry);
    if (index < 0) return;
    entries.splice(index, 1);
    queueMicrotask(settle);
  };
}

/** Go to another place; it takes the place of what is open. */
export function leaveTo(hash: string): void {
  if (depth() > 0) location.replace(hash);
  else location.hash = hash;
}

// After a reload nothing is open: clear what this history entry says is open.
if (depth() > 0) history.replaceState(null, "");

addEventListener("popstate", () => {
  if (isReturning) isReturning = false;
  else for (const entry of entries.splice(depth()).reverse()) entry.close();
  if (depth() > entries.length && entries.length === 0) history.replaceState(null, ""); // forward to what was closed
  settle();
});

addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link === null || depth() === 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  event.preventDefault();
  leaveTo(link.getAttribute("href")!);
});
