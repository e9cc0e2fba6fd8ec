/** Follow a pointer that went down on something until it goes up again. */

interface Drag {
  /** Called whenever the pointer moves, once it has gone farther than the slack. */
  move: (event: PointerEvent) => void;
  /** Called when the pointer goes up or is taken away; `isDrop` if it was dragged and let go. */
  end: (event: PointerEvent, isDrop: boolean) => void;
}

/** Start a drag at a `pointerdown`; a pointer that stays within `slack` pixels drags nothing. */
export function startDrag(down: PointerEvent, slack: number, { move, end }: Drag): void {
  const listening = new AbortController();
  const { signal } = listening;
  let isDragging = false;
  const moved = (event: PointerEvent): void => {
    isDragging ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= slack;
    if (isDragging) move(event);
  };
  const ended = (event: PointerEvent): void => {
    listening.abort();
    end(event, isDragging && event.type === "pointerup");
  };
  addEventListener("pointermove", moved, { signal });
  addEventListener("pointerup", ended, { signal });
  addEventListener("pointercancel", ended, { signal });
}
