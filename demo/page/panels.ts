// What shows how things are: each part anew now and then, and only while it can be seen.

export interface Shown {
  /** Milliseconds between two times. */
  readonly every: number;
  show(): void;
}

export class Panels {
  readonly #panels: { place: HTMLElement; part: Shown; next: number }[] = [];

  add(place: HTMLElement, part: Shown): void {
    this.#panels.push({ place, part, next: 0 });
  }
  /** Some time has passed: `now` in milliseconds; all of them if `atOnce`. */
  frame(now: number, atOnce: boolean): void {
    for (const panel of this.#panels) {
      if (panel.place.hidden || (now < panel.next && !atOnce)) continue;
      panel.next = now + panel.part.every;
      panel.part.show();
    }
  }
  /** That place has come into sight. */
  reveal(place: HTMLElement): void {
    for (const panel of this.#panels) if (panel.place === place) panel.part.show();
  }
}
