// Reads and writes results.json: rows of measurements, stored per part, so that parts can be run separately.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "../../scripts/process.mjs";

const file = fromRoot("bench/results.json");

/**
 * @typedef {object} Row
 * @property {string} part
 * @property {string} case
 * @property {string} library
 * @property {object} params
 * @property {"ns" | "bytes" | "ms" | "ratio"} unit of median, min and max; these are computed from the medians of the rounds
 * @property {number} [ops] the number of operations in the time `median`
 * @property {number} [median]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number[]} [values] of the rounds, each of which ran all libraries in turn
 * @property {string} [void] why there is no result
 */

export class Results {
  /** @type {Row[]} */
  rows = [];
  /** The machine and the versions, and for each part when and how it was measured. */
  about = { parts: {} };

  static load() {
    const results = new Results();
    if (existsSync(file)) Object.assign(results, JSON.parse(readFileSync(file, "utf8")));
    return results;
  }
  save() {
    writeFileSync(file, `${JSON.stringify({ about: this.about, rows: this.rows }, undefined, 1)}\n`);
  }

  /** How many rounds at least one part had. */
  get rounds() {
    return Math.max(1, ...this.rows.map((row) => row.values?.length ?? 1));
  }
  /** The results of one round; where a cell had fewer, those of an earlier one. */
  round(k) {
    const one = new Results();
    one.rows = this.rows.map((row) => (row.values ? { ...row, median: row.values[k % row.values.length] } : row));
    return one;
  }

  /** Replaces the rows of a part. @param {Row[]} rows */
  replace(part, rows, how) {
    this.rows = [...this.rows.filter((row) => row.part !== part), ...rows];
    this.about.parts[part] = how;
  }

  /** @returns {Row | undefined} */
  find(name, library, params = {}, part = undefined) {
    return this.rows.find(
      (row) =>
        row.case === name &&
        row.library === library &&
        same(row.params, params) &&
        (part === undefined ? row.part !== "browser" : row.part === part),
    );
  }
  /** The median per step, or undefined if it was not measured or is void. */
  median(name, library, params, part) {
    return this.find(name, library, params, part)?.median;
  }
  /** The smallest median of the given libraries, with its case and library. */
  best(name, libraries, params, part) {
    return [name]
      .flat()
      .flatMap((n) => libraries.map((library) => ({ name: n, library, median: this.median(n, library, params, part) })))
      .filter(({ median }) => median !== undefined)
      .sort((a, b) => a.median - b.median)[0];
  }
}

const same = (a, b) =>
  Object.keys(b).every((key) => a[key] === b[key]) && Object.keys(a).length === Object.keys(b).length;
