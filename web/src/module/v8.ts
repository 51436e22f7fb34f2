// Workarounds for how V8 optimises. Each was measured; docs/design.md explains them.

/**
 * Returns a function that does the same as `f`, but that V8 does not inline into its callers. Use it for rare paths: V8
 * limits how much code it inlines into one function and counts what it inlined once, so a rare path that runs often at
 * the start (each component is looked up a first time) would prevent that the short path is inlined into loops.
 * @internal
 */
export function noInline<F extends (...args: never[]) => unknown>(f: F): F {
  return new Proxy(f, {});
}

/**
 * The accessor `value` of an object, or of two. V8's next compiler inlines only functions that are written as accessors.
 * @internal
 */
export function accessorOf(getter: { readonly value: unknown }, setter: object = getter): PropertyDescriptor {
  const { get } = Object.getOwnPropertyDescriptor(getter, "value")!;
  return { get, set: Object.getOwnPropertyDescriptor(setter, "value")!.set };
}

/**
 * Returns `list`, or a longer copy of it, so that `index` is within its length. Writing far beyond the end of an array
 * turns it into a hash table, and each access then costs several times as much.
 * @internal
 */
export function withRoom<T>(list: (T | undefined)[], index: number): (T | undefined)[] {
  if (index < list.length) return list;
  const longer = new Array<T | undefined>(Math.max(64, 2 * list.length, index + 1));
  for (let i = 0; i < list.length; ++i) longer[i] = list[i];
  return longer;
}

interface Updatable {
  update(delta: number, entities: never, dirty: never): void;
}

/** Calls `system.update`. @internal */
export function callUpdate(system: Updatable, delta: number, entities: unknown, dirty: unknown): void {
  system.update(delta, entities as never, dirty as never);
}

// Warm this call site with several shapes so that it is megamorphic; otherwise V8 inlines the `update` of the few
// systems of a small program here, where their loops can be compiled to code that is half as fast.
const shapes: Updatable[] = Array.from("abcdef", (key) => ({ [key]: 0, update: () => {} }));
for (let i = 0; i < 600; ++i) callUpdate(shapes[i % shapes.length], 0, undefined, undefined);
