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
  const context = document.createElement("canvas").getContext("webgl2");
  if (context === null)
    return "This browser offers no WebGL 2, which the room is drawn with. It may be switched off, or the graphics card may not be supported.";
  context.getExtension("WEBGL_lose_context")?.loseContext(); // browsers limit the number of contexts
  return "";
}
