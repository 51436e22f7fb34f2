/** Tells whoever listens that something is different now. */
export class Signal {
  readonly #listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }
  emit(): void {
    for (const listener of this.#listeners) listener();
  }
}
