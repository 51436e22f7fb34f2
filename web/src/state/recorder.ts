// What the core asks for while it records a world (rules N7, D14): bindings/src/recording_host.hpp.
import type { Component, ComponentClass } from "../component/component.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import type { World } from "../world/world.js";
import type { Encoded } from "./codec.js";
import type { CoreObject } from "./core_object.js";
import { checkAddress, memoryFor } from "./state_call.js";

/** One object that records. @internal */
export abstract class Recorder {
  /** What was thrown while the last question was answered. */
  failure: { readonly thrown: unknown } | undefined;
  /** The object in the core. */
  address = 0;
  /** What frees it. */
  object: CoreObject | undefined;
  constructor(readonly world: World) {}

  /** The first question for each frame, if the object records events. */
  events(_call: number): void {}
  protected abstract encodeComponent(component: Component, cls: ComponentClass, name: string): Encoded;

  /** Calls `make` with a token; the core makes an object that asks with it. Returns its address. */
  begin(make: (token: number) => number): number {
    Object.assign((core as unknown as { crateful: object }).crateful, recordingCalls);
    const token = ++tokens;
    recorders ??= new Map();
    recorders.set(token, this);
    const made = make(token);
    if (made === 0) recorders.delete(token);
    this.address = this.asked(() => checkAddress(this.world, made));
    return this.address;
  }
  /** Calls the core, which may ask. */
  asked<R>(call: () => R): R {
    try {
      return call();
    } catch (error) {
      const { failure, world } = this;
      if (failure === undefined || world.disposed) throw error;
      throw failure.thrown;
    }
  }
  encode(call: number, id: number, e: number): number {
    const table = this.world.tables[id]!;
    const { bytes, size } = this.encodeComponent(table.find(e)!, table.info.cls, table.info.name);
    const at = memoryFor("record", 4 + size, (n) => core._crateful_state_memory(call, n));
    heap.u32[at >> 2] = size;
    heap.u8.set(bytes.subarray(0, size), at + 4);
    return at;
  }
  /** Answers the core. Returns the result, or another value if it throws. Neither the world nor the object is freed meanwhile. */
  guard(otherwise: number, run: () => number): number {
    const { world, object } = this;
    if (world.disposed || object?.disposed) return otherwise;
    ++world.depth;
    object?.hold();
    try {
      return run();
    } catch (thrown) {
      this.failure = { thrown };
      return otherwise;
    } finally {
      --world.depth;
      object?.letGo();
    }
  }
}

/** Those of all objects that record. @internal */
export let recorders: Map<number, Recorder> | undefined;
let tokens = 0;

/** The calls that come from the core: bindings/src/recording_host.cpp. */
const recordingCalls = {
  recordingEnded: (token: number) => void recorders?.delete(token),
  recordingEvents(token: number, call: number): number {
    const recorder = recorders!.get(token)!;
    recorder.failure = undefined;
    return recorder.guard(1, () => {
      recorder.events(call);
      return 0;
    });
  },
  recordingEncode(token: number, call: number, id: number, e: number): number {
    const recorder = recorders!.get(token)!;
    return recorder.guard(0, () => recorder.encode(call, id, e));
  },
};
