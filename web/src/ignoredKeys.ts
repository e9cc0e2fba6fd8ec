/** Whether a key is not meant for the board: pressed with Ctrl, Alt or Meta, in a field, or below an open dialog. */
export function isNotForBoard(event: KeyboardEvent): boolean {
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
  return event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector("dialog[open]") !== null;
}
