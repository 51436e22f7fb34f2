// Which program has blocked the page. Where its frame shares the process of the page, a loop without an end blocks both, until the browser
// ends the page or the user loads it again. Then the same program must not run again by itself.

const KEY = "crateful-playground-runs";

/** Undefined where the browser is set to allow no storage; then nothing is remembered. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

export const begins = (program: string) => storage()?.setItem(KEY, program);
/** A page that is not blocked calls it at the latest when it is left. */
export const ends = () => storage()?.removeItem(KEY);
/** Whether the page ended while this program ran, without having been left. */
export const hasBlockedThePage = (program: string): boolean => storage()?.getItem(KEY) === program;
