/**
 * The mean of measurements without the lowest and the highest tenth. Unlike a median, it is not limited by the resolution
 * of the browser's clock. Returns undefined for none.
 */
export function mean(values: number[]): number | undefined {
  const outer = Math.ceil(values.length / 10);
  const inner = values.length > 2 ? [...values].sort((a, b) => a - b).slice(outer, -outer) : values;
  return inner.length === 0 ? undefined : inner.reduce((sum, value) => sum + value, 0) / inner.length;
}

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
  get mean(): number | undefined {
    return mean(this.#samples.map((sample) => sample.value));
  }
  /** The last `n` values, oldest first. */
  tail(n: number): number[] {
    return this.#samples.slice(-n).map((sample) => sample.value);
  }
}
