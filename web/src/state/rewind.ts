/// <reference lib="esnext.disposable" preserve="true" />
import type { ECS } from "../ecs/ecs.js";
import { badArgument, requireNone, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import type { World } from "../world/world.js";
import { Encoded, encodeValue, requireCodec } from "./codec.js";
import { CoreObject, makeDisposable } from "./core_object.js";
import { eventClasses, giveEvents } from "./events.js";
import { exchange } from "./restore.js";
import {
  checkAddress,
  memoryFor,
  nameClasses,
  namesOf,
  put,
  withCall,
  worldOf,
  type ClassNames,
} from "./state_call.js";

/** What a `Rewind` keeps. */
export interface RewindOptions {
  /** How many bytes the recorded frames have at most; the oldest ones are dropped. 16 MiB by default. */
  readonly bytes?: number;
  /**
   * Classes of components and events, or their names, that are not recorded. `to` keeps their components with their entities, and their
   * events.
   */
  readonly without?: ClassNames;
}

const MOST_BYTES = 2 ** 31;

/** What the core asks for while it records. */
class Recorder {
  /** What was thrown in the frame that could not be recorded. */
  failure: { readonly thrown: unknown } | undefined;
  /** The recording in the core. */
  address = 0;
  readonly #encoded = new Encoded();
  constructor(
    readonly ecs: ECS,
    readonly without: ReadonlySet<string>,
  ) {}

  /** The first question for each frame. */
  events(call: number): void {
    const names = new Set<string>();
    for (const { name, system } of this.ecs.systems) {
      if (system === undefined || system.$inboxes.length === 0) continue;
      if (names.has(name))
        throw badArgument(`Rewind: two systems with inboxes have the name ${name}; give them others`);
      names.add(name);
    }
    giveEvents("Rewind", call, this.ecs, true, this.without);
  }
  encode(call: number, id: number, e: number): number {
    const table = this.ecs.$world.tables[id]!;
    const { cls, name } = table.info;
    const encoded = this.#encoded;
    encoded.clear();
    encodeValue("Rewind", requireCodec("Rewind", cls, name), table.find(e)!, name, encoded);
    const { bytes, size } = encoded;
    const at = memoryFor("Rewind", 4 + size, (n) => core._crateful_state_memory(call, n));
    heap.u32[at >> 2] = size;
    heap.u8.set(bytes.subarray(0, size), at + 4);
    return at;
  }
  /** Returns the result, or another value if it throws. */
  guard(otherwise: number, run: () => number): number {
    try {
      return run();
    } catch (thrown) {
      this.failure = { thrown };
      return otherwise;
    }
  }
}

/** Those of all recordings that exist. @internal */
export let recorders: Map<number, Recorder> | undefined;
let tokens = 0;

/** The calls that come from the core: bindings/src/host.js. */
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

/**
 * Records what changes in each frame, and goes back and forth between frames (rule N7).
 *
 *     const rewind = new Rewind(ecs);
 *     // frames
 *     rewind.to(rewind.newest - 8); // 8 frames earlier
 *
 * It records all components, the hierarchy, the time, events that wait, and the state of systems. What was changed outside of an update
 * belongs to the next frame. Changes are found by signals: unmarked writes to columns are not recorded. A frame costs O(changes), and
 * O(entities) if entities were created or removed in it: 4 bytes of each are compared; events that wait are encoded in each frame. Adding
 * and removing systems, and `restore`, start the recording anew. Memory, beside the recorded frames: all values once more, 8 bytes for
 * each component, and 8 for each entity that a system tracks.
 */
export class Rewind {
  readonly #ecs: ECS;
  readonly #recorder: Recorder;
  readonly #object: CoreObject;

  /** Throws `BAD_ARGUMENT` for components and events whose class cannot be encoded; `REENTRANT_UPDATE`; `OUT_OF_MEMORY`. */
  constructor(ecs: ECS, options: RewindOptions = {}) {
    makeDisposable(Rewind);
    const world = worldOf("Rewind", ecs, options);
    const { bytes = 2 ** 24, without = [], ...others } = options;
    requireNone("Rewind", others);
    if (typeof bytes !== "number" || !(bytes >= 0))
      throw badArgument(`Rewind: bytes must be a number that is not negative, not ${show(bytes)}`);
    const names = namesOf("Rewind", "without", "w", without, eventClasses(ecs));
    nameClasses(world, "Rewind");
    Object.assign((core as unknown as { crateful: object }).crateful, recordingCalls);
    this.#ecs = ecs;
    this.#recorder = new Recorder(ecs, new Set(names.map((name) => name.slice(1))));
    const token = ++tokens;
    recorders ??= new Map();
    recorders.set(token, this.#recorder);
    const [list, length] = put(world, "Rewind", names);
    const made = core._crateful_new_rewind(world.self, token, Math.min(bytes, MOST_BYTES), list, length);
    if (made === 0) recorders.delete(token);
    const address = this.#asked(world, () => checkAddress(world, made));
    this.#recorder.address = address;
    this.#object = new CoreObject(world, "Rewind", address);
  }

  /** The first frame to which `to` can go: a number of completed updates (`ecs.frame`). Throws as the constructor. */
  get oldest(): number {
    return this.#frame(0);
  }
  /** The last one. */
  get newest(): number {
    return this.#frame(1);
  }
  #frame(last: number): number {
    const { world } = this.#object;
    const address = this.#object.live();
    return this.#asked(world, () => {
      const frame = core._crateful_rewind_frame(address, last);
      if (frame < 0) world.throwLast();
      return frame;
    });
  }

  /**
   * Makes the ECS what it was after update number `frame`, as `restore` does with a snapshot that contains the state of systems: callbacks,
   * dirty entities and errors are those of rule N2, and replaying is exact (rule N3). Changes since the last update are lost. The frames
   * behind it can still be gone to, until the next update. Throws `BAD_ARGUMENT` unless the frame is between `oldest` and `newest`, and for
   * what could not be recorded; `REENTRANT_UPDATE` inside an update or a callback; `DISPOSED`; `OUT_OF_MEMORY`; and what `static decode`
   * throws. Then the ECS is unchanged. O(changes between).
   */
  to(frame: number): void {
    const { world } = this.#object;
    this.#object.live();
    if (typeof frame !== "number") throw badArgument(`to: the frame must be a number, not ${show(frame)}`);
    this.#asked(world, () =>
      withCall(world, "to", [], (call) =>
        this.#object.during((address) => {
          world.check(core._crateful_rewind_go(call, address, frame));
          exchange("to", call, this.#ecs, { bytes: 0, renamed: new Map(), events: [] });
        }),
      ),
    );
  }

  /** Calls the core, which may ask the recorder. */
  #asked<R>(world: World, call: () => R): R {
    try {
      return call();
    } catch (error) {
      const { failure } = this.#recorder;
      if (failure === undefined || world.disposed) throw error;
      throw failure.thrown;
    }
  }

  /** Ends the recording and frees its memory; using it afterwards throws `DISPOSED`. Further calls have no effect. */
  dispose(): void {
    this.#object.dispose();
  }
  /** For `using`: calls `dispose`. */
  declare readonly [Symbol.dispose]: () => void;
}
