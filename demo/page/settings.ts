/**
 * The settings in the page's address:
 * `?crates=20000&tracking=off&seed=7&guards=0&debug=boxes,cells&heat=SpatialHash&muted`.
 */
export interface Settings {
  crates: number;
  seed: number;
  /** Negative: the number depends on the room. */
  guards: number;
  tracking: boolean;
  /** Names of the debug systems that are enabled at the start, or of their buttons. */
  debug: string[];
  /** The system that the heat view shows; undefined if the heat view is off. */
  heat: string | undefined;
  muted: boolean;
}

export const FEWEST = 100;
export const MOST = 50_000;

export function readSettings(search: string): Settings {
  const parameters = new URLSearchParams(search);
  const number = (name: string, fallback: number, low: number, high: number) => {
    const text = parameters.get(name)?.trim();
    const value = text ? Math.round(Number(text)) : fallback;
    return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : fallback;
  };
  // `?muted` and `?muted=1` are true, `?muted=off` is false.
  const flag = (name: string) => parameters.has(name) && !["off", "0", "false", "no"].includes(parameters.get(name)!);
  return {
    crates: number("crates", 5000, FEWEST, MOST),
    seed: number("seed", 7, 0, 0xffffffff),
    guards: number("guards", -1, -1, 12),
    tracking: parameters.get("tracking") !== "off",
    debug: (parameters.get("debug") ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    heat: flag("heat") ? parameters.get("heat")! : undefined,
    muted: flag("muted"),
  };
}

/**
 * The search part of an address with these settings, without those that are the defaults. Those of the debug view are
 * not part of it.
 */
export function searchOf(settings: Settings): string {
  const defaults = readSettings("");
  const parameters = new URLSearchParams();
  for (const name of ["crates", "seed", "guards"] as const)
    if (settings[name] !== defaults[name]) parameters.set(name, String(settings[name]));
  if (!settings.tracking) parameters.set("tracking", "off");
  if (settings.muted) parameters.set("muted", "");
  return String(parameters);
}
