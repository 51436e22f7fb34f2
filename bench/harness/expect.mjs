// Proofs that the work was done. A failed one voids the cell.

/** @param {string} what @param {unknown} found @param {unknown} wanted */
export function expect(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what} is ${found}, not ${wanted}`);
}
