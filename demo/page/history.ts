/** Samples of the last few seconds. */
export class History {
  #samples: { time: number; value: number }[] = [];

  constructor(readonly seconds = 5) {}

  /** `time` in milliseconds; it must not decrease. */
  add(time: number, value: number): void {
    this.#samples.push({ time, value });
    const oldest = time - 1000 * this.seconds;
    let outdated = 0;
    while (this.#samples[outdated]!.time < oldest) outdated += 1;
    // Removing the front copies the rest, so it is not done for each sample.
    if (outdated > 60) this.#samples.splice(0, outdated);
  }
  clear(): void {
    this.#samples = [];
  }
  get last(): number | undefined {
    return this.#samples.at(-1)?.value;
  }
  get count(): number {
    return this.#samples.length;
  }
  /** Milliseconds from the first sample to the last. */
  get span(): number {
    return (this.#samples.at(-1)?.time ?? 0) - (this.#samples[0]?.time ?? 0);
  }
  get median(): number | undefined {
    const sorted = this.#samples.map((sample) => sample.value).sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  }
  /** The last `n` values, oldest first. */
  tail(n: number): number[] {
    return this.#samples.slice(-n).map((sample) => sample.value);
  }
}
