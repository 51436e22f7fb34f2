/** What the address asks for: `?crates=20000&tracking=off&seed=7`. */
export interface Settings {
  crates: number;
  seed: number;
  tracking: boolean;
}

export const FEWEST = 100;
export const MOST = 50_000;

export function readSettings(search: string): Settings {
  const parameters = new URLSearchParams(search);
  const number = (name: string, fallback: number, low: number, high: number) => {
    const value = Math.round(Number(parameters.get(name) ?? fallback));
    return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : fallback;
  };
  return {
    crates: number("crates", 5000, FEWEST, MOST),
    seed: number("seed", 7, 0, 0xffffffff),
    tracking: parameters.get("tracking") !== "off",
  };
}
