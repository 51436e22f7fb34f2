/**
 * The same function, but one that V8 does not compile into its callers. What it has once compiled into a
 * function counts for ever against taking that function in turn into others; so a rare path that happened
 * to be busy at the start (every component is met for a first time) would keep the short path around it
 * out of the loops of games.
 * @internal
 */
export function outOfLine<F extends (...args: never[]) => unknown>(f: F): F {
  return new Proxy(f, {});
}
