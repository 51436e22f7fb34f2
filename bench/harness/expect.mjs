// Verification that the work was done. A cell whose verification fails is void.

/** @param {string} what @param {unknown} found @param {unknown} expected */
export function expect(what, found, expected) {
  if (found !== expected) throw new Error(`${what} is ${found}, not ${expected}`);
}
