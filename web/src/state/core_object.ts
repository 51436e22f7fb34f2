import { EcsError } from "../module/errors.js";
import { core } from "../module/instance.js";
import type { World } from "../world/world.js";
import { recovering } from "./state_call.js";

// Bundlers remove what has no side effects, if the program does not use it. So the registry, and methods with computed names, are made
// when they are needed.
let forgotten: FinalizationRegistry<number> | undefined;

/** Makes `using` call `dispose`. @internal */
export function makeDisposable(cls: { readonly prototype: { dispose(): void } }): void {
  // Where Symbol.dispose does not exist, as in Safari 26, compilers replace it by the other symbol.
  const name = Symbol.dispose ?? Symbol.for("Symbol.dispose");
  if (Object.hasOwn(cls.prototype, name)) return;
  const value = function (this: { dispose(): void }): void {
    this.dispose();
  };
  Object.defineProperty(cls.prototype, name, { value, configurable: true, writable: true });
}

/** The calls that the core knows by number: bindings/src/changes.cpp. */
const CALLS = ["take", "apply", "reset"] as const;
const isError = (result: number): boolean => result < 0;

/**
 * An object of the core that belongs to a world, and that is freed with `dispose`, or when it is forgotten. It may be freed later than
 * the world.
 * @internal
 */
export class CoreObject {
  #address: number;
  #calls = 0;
  #disposed = false;

  /** `name` is for errors. */
  constructor(
    readonly world: World,
    readonly name: string,
    address: number,
  ) {
    this.#address = address;
    forgotten ??= new FinalizationRegistry((abandoned) => core._crateful_delete_object(abandoned));
    forgotten.register(this, address, this);
  }

  /** The address, for calls. Throws `DISPOSED` when it was disposed, or its world was. */
  live(): number {
    if (this.#disposed) throw new EcsError("DISPOSED", `this ${this.name} was disposed and can't be used any more`);
    this.world.live();
    return this.#address;
  }
  /** As `during`. Throws `REENTRANT_UPDATE` inside an update or a callback. */
  alone<R>(call: (typeof CALLS)[number], run: (address: number) => R): R {
    const { world } = this;
    this.live();
    const idle = () => core._crateful_require_idle(world.self, CALLS.indexOf(call));
    world.check(recovering(world, idle, isError));
    return this.during(run);
  }
  /** Calls `run`, during which the object and its world are not freed. */
  during<R>(run: (address: number) => R): R {
    const { world } = this;
    const address = this.live();
    ++this.#calls;
    ++world.depth;
    try {
      return run(address);
    } finally {
      --world.depth;
      --this.#calls;
      this.#free();
      world.check(0);
    }
  }
  get disposed(): boolean {
    return this.#disposed;
  }
  /** Until `letGo`, the object is not freed: the core is using it. */
  hold(): void {
    ++this.#calls;
  }
  /** If it was disposed meanwhile, it is freed when the core has returned. */
  letGo(): void {
    --this.#calls;
    if (this.#disposed) queueMicrotask(() => this.#free());
  }
  dispose(): void {
    this.#disposed = true;
    this.#free();
  }
  #free(): void {
    if (!this.#disposed || this.#calls > 0 || this.#address === 0) return;
    forgotten?.unregister(this);
    core._crateful_delete_object(this.#address);
    this.#address = 0;
  }
}
