// The buttons in the header that copy: the command that installs the package, and the address of the page.
import { element, make } from "./element.js";
import type { Game } from "./game.js";
import { searchOf } from "./settings.js";

export function connectShare(game: Game): void {
  const status = element("copied", HTMLElement);
  // A new element each time, so that its animation begins.
  const show = (textContent: string, className = "") =>
    status.replaceChildren(make("span", { textContent, className }));
  const copy = (button: string, text: () => string) =>
    element(button, HTMLButtonElement).addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text());
        show("Copied", "done");
      } catch {
        show(text()); // the browser does not allow it: the text can be copied by hand
      }
    });
  copy("copy-install", () => "npm install crateful");
  copy("share", () => {
    const address = new URL(location.href);
    address.search = searchOf(game.settings);
    return address.href;
  });
}
