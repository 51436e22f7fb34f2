/**
 * `list`, or a longer copy of it, with room for `index`. An array that is written far beyond its end
 * turns into a hash table, and then every access to it costs several times as much.
 * @internal
 */
export function withRoom<T>(list: (T | undefined)[], index: number): (T | undefined)[] {
  if (index < list.length) return list;
  const longer = new Array<T | undefined>(Math.max(64, 2 * list.length, index + 1));
  for (let i = 0; i < list.length; ++i) longer[i] = list[i];
  return longer;
}
