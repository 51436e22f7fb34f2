export function openPanel(..._: unknown[]): never {
  throw Error();
}
