// Shows a problem as text in place of the picture.
import { element, make } from "./element.js";

export function showProblem(heading: string, text: string): void {
  const box = element("problem", HTMLElement);
  box.replaceChildren(make("b", { textContent: heading }), make("span", { textContent: text }));
  box.hidden = false;
}

export function hideProblem(): void {
  element("problem", HTMLElement).hidden = true;
}

/** Describes a required feature that this browser does not have; otherwise an empty string. */
export function missing(): string {
  if (typeof WebAssembly !== "object")
    return "This browser has no WebAssembly, or it is switched off. The room is C++ compiled to it.";
  // That a browser has the class does not mean that it can create a context, but to create one only to find out takes
  // long. If the room cannot create its own, C++ throws an error with a text for the page.
  if (typeof WebGL2RenderingContext === "undefined")
    return "This browser has no WebGL 2, which the room is drawn with.";
  return "";
}
