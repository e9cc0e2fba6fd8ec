/** Shows a drawing of the server inside an element; whatever in it could do something is left out. */
export function drawing(host: HTMLElement, svg: string) {
  const show = (text: string) => {
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    drawn.querySelectorAll("script, foreignObject, a, image, animate, set").forEach((one) => one.remove());
    for (const one of [drawn, ...drawn.querySelectorAll("*")])
      for (const { name } of [...one.attributes]) if (/^on/i.test(name)) one.removeAttribute(name);
    host.replaceChildren(document.importNode(drawn, true));
  };
  show(svg);
  return { update: show };
}
