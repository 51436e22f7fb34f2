// The values and the changes of the cases, the same in each run.

/** Returns a function that returns random 32-bit integers (xorshift). */
export function randomIntegers(seed = 1) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** A 32-bit float of up to 1,000 of which all bits are in use, so that no format can shorten it. */
export const float = (random) => Math.fround((random() / 2 ** 32) * 1000);

/** `fields` lists of `n` floats. */
export function columnsOf(n, fields, random) {
  return Array.from({ length: fields }, () => Float32Array.from({ length: n }, () => float(random)));
}

/** Returns a function that returns `count` different random integers below `of`, in random order. */
export function chooser(count, of, random) {
  const order = Uint32Array.from({ length: of }, (_, i) => i);
  return () => {
    for (let i = 0; i < count; i++) {
      const j = i + (random() % (of - i));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order.slice(0, count);
  };
}
