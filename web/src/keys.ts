/** A key that is not the board's: with Ctrl and the like, in a field, or while a dialog is open over it. */
export function isForOthers(event: KeyboardEvent): boolean {
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
  return event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector("dialog[open]") !== null;
}
