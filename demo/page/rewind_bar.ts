// The bar under the room that goes back in time. Its value is the number of a moment, so an arrow key goes one frame back or forth.
import { element, write } from "./element.js";
import type { Game } from "./game.js";
import type { Past } from "./past.js";

export class RewindBar {
  readonly every = 250;
  readonly #bar = element("rewind", HTMLInputElement);
  readonly #record = element("record", HTMLButtonElement);

  constructor(
    readonly game: Game,
    readonly past: Past,
  ) {
    this.#record.addEventListener("click", () => {
      past.on = !past.on;
    });
    this.#bar.addEventListener("input", () => past.to(Number(this.#bar.value)));
    // Its value is that of the last quarter of a second, and the browser is about to change it.
    for (const type of ["keydown", "pointerdown"]) this.#bar.addEventListener(type, () => this.show());
    past.changed.listen(() => this.show());
    game.changed.listen(() => this.show());
  }

  show(): void {
    const { past, game } = this;
    const { moments, shown } = past;
    const bar = this.#bar;
    const first = moments[0];
    const last = moments.at(-1);
    this.#record.setAttribute("aria-pressed", String(past.on));
    bar.disabled = game.busy !== "" || moments.length < 2;
    bar.min = String(first?.number ?? 0);
    bar.max = String(last?.number ?? 0);
    bar.value = String(shown);
    const ago = first === undefined ? 0 : last!.time - moments[shown - first.number]!.time;
    bar.setAttribute("aria-valuetext", shown === last?.number ? "now" : `${ago.toFixed(1)} s ago`);
    const length = first === undefined ? 0 : last!.time - first.time;
    write("rewind-shown", !past.on ? "" : past.back ? `${ago.toFixed(1)} s ago` : `last ${length.toFixed(1)} s`);
  }
}
