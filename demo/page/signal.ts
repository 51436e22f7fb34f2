/** Calls its listeners on `emit()`. */
export class Signal {
  readonly #listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }
  emit(): void {
    for (const listener of this.#listeners) listener();
  }
}
