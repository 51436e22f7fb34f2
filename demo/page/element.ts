/** Returns the element with that id. Throws if there is none or it is not of that kind. */
export function element<E extends HTMLElement>(id: string, kind: abstract new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/**
 * Sets the text of the element with that id. Writes only if it differs: writing would cause a layout and interrupt
 * screen readers.
 */
export function write(id: string, text: string): void {
  const found = element(id, HTMLElement);
  if (found.textContent !== text) found.textContent = text;
}

/** A new element with these properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Pick<HTMLElementTagNameMap[K], keyof HTMLElementTagNameMap[K]>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
