// What is wrong with how a page is laid out: text that is cut, covers other text or is wider than its button, a full stop
// that begins a line, what is wider than the window, and targets that are too small for a finger or lie under something
// else. Returns a sentence for each fault.
({ touch }) => {
  const FINGER = 44;
  const STRIDE = 4;
  const SLACK = 1.5;
  // What was opened over the board covers it on purpose.
  const OVERLAY = "[data-overlay], dialog, [data-explanation]";
  const found = new Set();
  const name = (element) => {
    const text = (
      element.getAttribute("aria-label") ??
      element.textContent ??
      ""
    )
      .trim()
      .replace(/\s+/g, " ")
      .slice(0, 40);
    const tag = element.tagName.toLowerCase();
    const classes = [...element.classList]
      .filter((one) => !one.startsWith("svelte-"))
      .join(".");
    return `<${tag}${classes ? "." + classes : ""}> "${text}"`;
  };
  if (document.documentElement.scrollWidth > innerWidth)
    found.add(`the page is ${document.documentElement.scrollWidth} wide`);

  // A dialog hides what is behind it.
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const root = dialog ?? document.body;

  const styles = new Map();
  const styleOf = (element) => {
    let style = styles.get(element);
    if (style === undefined)
      styles.set(element, (style = getComputedStyle(element)));
    return style;
  };
  const shown = new Map();
  const isShown = (element) => {
    if (element === null || element === document.documentElement) return true;
    let answer = shown.get(element);
    if (answer === undefined) {
      const style = styleOf(element);
      answer =
        style.display !== "none" &&
        style.visibility === "visible" &&
        Number(style.opacity) > 0.05 &&
        !/inset\(50%|inset\(100%/.test(style.clipPath) &&
        !(
          element.parentElement?.matches("details:not([open])") &&
          element.tagName !== "SUMMARY"
        ) &&
        isShown(element.parentElement);
      shown.set(element, answer);
    }
    return answer;
  };
  /** The part of a rectangle that its scrolling ancestors show, and whether one that does not scroll cuts it. */
  const within = (element, rect) => {
    let { left, right, top, bottom } = rect;
    let cut = 0;
    for (
      let up = element;
      up !== null && up !== document.body;
      up = up.parentElement
    ) {
      if (up instanceof SVGElement && !(up instanceof SVGSVGElement)) continue;
      const style = styleOf(up);
      if (style.overflowX === "visible" && style.overflowY === "visible")
        continue;
      const box = up.getBoundingClientRect();
      const scrollsX = /auto|scroll/.test(style.overflowX);
      const scrollsY = /auto|scroll/.test(style.overflowY);
      if (style.overflowX !== "visible") {
        if (!scrollsX) cut = Math.max(cut, box.left - left, right - box.right);
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
      }
      if (style.overflowY !== "visible") {
        // The box of a line is a little taller than its letters.
        const spare = Math.max(3, 0.14 * (rect.bottom - rect.top));
        if (!scrollsY)
          cut = Math.max(cut, box.top - top - spare, bottom - box.bottom - spare);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
      if (style.position === "fixed") break;
    }
    return { left, right, top, bottom, cut };
  };
  const isTop = (element, x, y) => {
    const hit = document.elementFromPoint(x, y);
    return (
      hit !== null &&
      (hit === element || element.contains(hit) || hit.contains(element))
    );
  };

  // Text
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (
      !node.textContent.trim() ||
      element.closest("option, script, style, .unseen, [data-unchecked]") ||
      !isShown(element)
    )
      continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const seen = within(element, rect);
      if (seen.right - seen.left < 1 || seen.bottom - seen.top < 1) {
        if (seen.cut > rect.width) continue; // wholly hidden: folded away
      }
      const lies = {
        left: seen.left,
        right: seen.right,
        top: seen.top,
        bottom: seen.bottom,
      };
      if (lies.right <= lies.left || lies.bottom <= lies.top) continue;
      // A lake that is zoomed, and the picture on a card, end where their frame does.
      if (seen.cut > SLACK && !element.closest("[data-zoomed], .vignette"))
        found.add(`cut: ${name(element)}`);
      if (rect.right > innerWidth + SLACK || rect.left < -SLACK) {
        if (!scrollable(element)) found.add(`outside: ${name(element)}`);
      }
      const button = element.closest("button")?.getBoundingClientRect();
      if (button && (rect.left < button.left - SLACK || rect.right > button.right + SLACK))
        found.add(`wider than its button: ${name(element)}`);
      if (lies.bottom > 0 && lies.top < innerHeight)
        texts.push({ element, ...lies });
    }
    if (/^[.,;:!?\u2026]/.test(node.textContent) && node.previousElementSibling) {
      range.setEnd(node, 1);
      const before = [...node.previousElementSibling.getClientRects()].at(-1);
      if (before && range.getBoundingClientRect().top >= before.bottom)
        found.add(`a line begins with a stop: ${name(element)}`);
    }
    const style = styleOf(element);
    if (
      style.textOverflow === "ellipsis" &&
      element.scrollWidth > element.clientWidth + 1
    )
      found.add(`shortened: ${name(element)}`);
  }
  function scrollable(element) {
    for (let up = element; up !== null; up = up.parentElement)
      if (
        /auto|scroll/.test(styleOf(up).overflowX) &&
        up.scrollWidth > up.clientWidth
      )
        return true;
    return false;
  }
  const top = texts.filter((text) => {
    const [x, y] = [(text.left + text.right) / 2, (text.top + text.bottom) / 2];
    return (
      x > 0 &&
      y > 0 &&
      x < innerWidth &&
      y < innerHeight &&
      isTop(text.element, x, y)
    );
  });
  top.sort((a, b) => a.left - b.left);
  for (let i = 0; i < top.length; i++) {
    const a = top[i];
    for (let j = i + 1; j < top.length && top[j].left < a.right; j++) {
      const b = top[j];
      if (
        a.element === b.element ||
        a.element.contains(b.element) ||
        b.element.contains(a.element) ||
        a.element.closest(OVERLAY) !== b.element.closest(OVERLAY)
      )
        continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // The boxes of lines are a little taller than their letters.
      const least = 0.35 * Math.min(a.bottom - a.top, b.bottom - b.top);
      if (across > 2 && down > least)
        found.add(`overlap: ${name(a.element)} and ${name(b.element)}`);
    }
  }

  // Targets
  const TARGETS =
    "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=slider]";
  for (const target of root.querySelectorAll(TARGETS)) {
    if (
      !isShown(target) ||
      target.disabled ||
      target.closest("[inert], .unseen, [data-unchecked]")
    )
      continue;
    const rect = target.getBoundingClientRect();
    const seen = within(target, rect);
    const [x, y] = [(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2];
    const isWhole =
      seen.right - seen.left > rect.width - 2 &&
      seen.bottom - seen.top > rect.height - 2;
    if (
      !isWhole ||
      rect.width < 2 ||
      x < 0 ||
      x >= innerWidth ||
      rect.top < 0 ||
      rect.bottom > innerHeight
    )
      continue;
    const label =
      target.closest("label") ??
      (target.id ? document.querySelector(`label[for="${target.id}"]`) : null);
    const answers = (px, py) => {
      const hit = document.elementFromPoint(px, py);
      return (
        hit !== null &&
        (hit === target ||
          target.contains(hit) ||
          (label !== null && (label === hit || label.contains(hit))))
      );
    };
    // What scrolls may lie under a foot that does not, and anything under what was opened over it.
    const isUnderFoot = [rect.top + 1, y, rect.bottom - 1].some((py) => {
      const hit = document.elementFromPoint(x, py);
      for (let up = hit; up !== null; up = up.parentElement)
        if (styleOf(up).position === "sticky" || up.matches(OVERLAY)) return !up.contains(target);
      return false;
    });
    if (isUnderFoot) continue;
    // Places of a board are as large as the board allows; text that is a link is as high as its line.
    const isPlace =
      target.closest("svg") !== null ||
      target.closest("[data-places]") !== null;
    const isText = styleOf(target).display === "inline";
    if (isPlace || isText) continue;
    if (!answers(x, y)) {
      const over = document.elementFromPoint(x, y);
      if (
        over?.closest(OVERLAY) &&
        over.closest(OVERLAY) !== target.closest(OVERLAY)
      )
        continue;
      found.add(
        `covered: ${name(target)} by ${over === null ? "nothing" : name(over)}`,
      );
      continue;
    }
    const area = label?.getBoundingClientRect();
    if (
      !touch ||
      (area !== undefined && area.width >= FINGER && area.height >= FINGER - 1)
    )
      continue;
    // In strides, then pixel by pixel where it ends: to ask what lies at a point is what takes time here.
    const reach = (dx, dy, most) => {
      let length = 0;
      for (const step of [STRIDE, 1])
        while (
          length < most &&
          answers(x + dx * (length + step), y + dy * (length + step))
        )
          length += step;
      return Math.min(length, most);
    };
    const span = (dx, dy) => {
      const one = reach(-dx, -dy, FINGER - 1);
      return one + reach(dx, dy, FINGER - 1 - one) + 1;
    };
    const [wide, high] = [span(1, 0), span(0, 1)];
    if (wide < FINGER - 1 || high < FINGER - 1)
      found.add(`small, ${wide} x ${high}: ${name(target)}`);
  }
  return [...found];
};
