// Statistics of the results.

/** The middle value; for an even number of values, the mean of the two in the middle. @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** @param {number[]} values of the rounds */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), values };
}
