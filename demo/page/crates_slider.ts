// The slider is logarithmic: from a hundred to fifty thousand, each third of it is another magnitude.
import { element } from "./element.js";
import type { Game } from "./game.js";
import { FEWEST, MOST } from "./settings.js";

const toSlider = (crates: number) => Math.log(crates / FEWEST) / Math.log(MOST / FEWEST);
function fromSlider(at: number): number {
  const exact = FEWEST * (MOST / FEWEST) ** at;
  const step = 10 ** Math.floor(Math.log10(exact)) / 2;
  return Math.round(exact / step) * step;
}

export function connectCrates(game: Game): void {
  const crates = element("crates", HTMLInputElement);
  const shown = element("crates-shown", HTMLOutputElement);
  const show = (count: number) => {
    shown.value = count.toLocaleString("en");
    crates.setAttribute("aria-valuetext", `${shown.value} crates`);
  };
  let known = 0;
  const follow = () => {
    if (game.settings.crates === known) return; // else a slider that is being dragged would jump
    known = game.settings.crates;
    crates.value = String(toSlider(known));
    show(known);
  };
  game.changed.listen(follow);
  follow();
  crates.addEventListener("input", () => show(fromSlider(Number(crates.value))));
  crates.addEventListener("change", () => {
    known = game.settings.crates = fromSlider(Number(crates.value));
    show(known);
    game.begin();
  });
}
