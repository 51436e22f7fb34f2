// The slider for the number of crates. It is logarithmic, from 100 to 50,000.
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
  let current = 0;
  const update = () => {
    if (game.settings.crates === current) return; // do not move a slider that is being dragged
    current = game.settings.crates;
    crates.value = String(toSlider(current));
    show(current);
  };
  game.changed.listen(update);
  update();
  crates.addEventListener("input", () => show(fromSlider(Number(crates.value))));
  crates.addEventListener("change", () => {
    current = game.settings.crates = fromSlider(Number(crates.value));
    show(current);
    game.begin();
  });
}
