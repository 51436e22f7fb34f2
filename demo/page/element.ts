/** The element with that id; an error if the page has none of that kind. */
export function element<E extends HTMLElement>(id: string, kind: abstract new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}
