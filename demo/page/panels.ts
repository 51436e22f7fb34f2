// Updates the visible parts of the page in intervals.

export interface Shown {
  /** Milliseconds between two updates. */
  readonly every: number;
  show(): void;
}

export class Panels {
  readonly #panels: { place: HTMLElement; part: Shown; next: number }[] = [];

  add(place: HTMLElement, part: Shown): void {
    this.#panels.push({ place, part, next: 0 });
  }
  /** Updates the visible parts that are due at `now`, in milliseconds; all visible parts if `atOnce`. */
  frame(now: number, atOnce: boolean): void {
    for (const panel of this.#panels) {
      if (panel.place.hidden || (now < panel.next && !atOnce)) continue;
      panel.next = now + panel.part.every;
      panel.part.show();
    }
  }
  /** Updates the parts in an element that became visible. */
  reveal(place: HTMLElement): void {
    for (const panel of this.#panels) if (panel.place === place) panel.part.show();
  }
}
