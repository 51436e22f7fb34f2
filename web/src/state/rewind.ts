/// <reference lib="esnext.disposable" preserve="true" />
import type { ECS } from "../ecs/ecs.js";
import { badArgument, requireNone, show } from "../module/errors.js";
import { core } from "../module/instance.js";
import type { Component, ComponentClass } from "../component/component.js";
import { Encoded, encodeValue, requireCodec } from "./codec.js";
import { CoreObject, makeDisposable } from "./core_object.js";
import { eventClasses, giveEvents } from "./events.js";
import { exchange } from "./restore.js";
import { Recorder } from "./recorder.js";
import { nameClasses, namesOf, put, withCall, worldOf, type ClassNames } from "./state_call.js";

const MOST_BYTES = 2 ** 31;

/** @internal */
export class RewindRecorder extends Recorder {
  readonly #encoded = new Encoded();
  constructor(
    readonly ecs: ECS,
    readonly without: ReadonlySet<string>,
  ) {
    super(ecs.$world);
  }

  override events(call: number): void {
    const names = new Set<string>();
    for (const { name, system } of this.ecs.systems) {
      if (system === undefined || system.observer || system.$inboxes.length === 0) continue;
      if (names.has(name))
        throw badArgument(`Rewind: two systems with inboxes have the name ${name}; give them others`);
      names.add(name);
    }
    giveEvents("Rewind", call, this.ecs, true, this.without);
  }
  protected override encodeComponent(component: Component, cls: ComponentClass, name: string): Encoded {
    const encoded = this.#encoded;
    encoded.clear();
    encodeValue("Rewind", requireCodec("Rewind", cls, name), component, name, encoded);
    return encoded;
  }
}

/**
 * Records what changes in each frame, and goes back and forth between frames (rule N7).
 *
 *     const rewind = new Rewind(ecs);
 *     // frames
 *     rewind.to(rewind.newest - 8); // 8 frames earlier
 *
 * It records all components, the hierarchy, the time, events that wait, and the state of systems. What was changed outside of an update
 * belongs to the next frame. Changes are found by signals: unmarked writes to columns are not recorded. A frame costs O(changes), and
 * O(entities) if entities were created or removed in it: 4 bytes of each are compared; events that wait are encoded in each frame.
 * `restore` starts the recording anew, with the restored state as the first frame. A system that is added again is another one: in a frame
 * that was recorded before, it has no state, and finds what differs dirty. Memory, beside the recorded frames: all values once more, 4 bytes for each component (with the
 * policy `sparse` 8), and 8 for each entity that a system tracks; and 32 for each component, which all recordings, histories and sources of
 * changes of an ECS share.
 */
export class Rewind {
  readonly #ecs: ECS;
  readonly #recorder: RewindRecorder;
  readonly #object: CoreObject;

  /** Throws `BAD_ARGUMENT` for components and events whose class cannot be encoded; `REENTRANT_UPDATE`; `OUT_OF_MEMORY`. */
  constructor(
    ecs: ECS,
    options: {
      /** How many bytes the recorded frames have at most; the oldest ones are dropped. 16 MiB by default. */
      readonly bytes?: number;
      /** How many seconds of wall time (`ecs.wallTime`) can be gone back to at least, if `bytes` suffices; older frames are dropped. */
      readonly seconds?: number;
      /**
       * Classes of components and events, or their names, that are not recorded. `to` keeps their components with their entities, and their
       * events.
       */
      readonly without?: ClassNames;
    } = {},
  ) {
    makeDisposable(Rewind);
    const world = worldOf("Rewind", ecs, options);
    const { bytes = 2 ** 24, seconds = Infinity, without = [], ...others } = options;
    requireNone("Rewind", others);
    for (const [name, value] of Object.entries({ bytes, seconds }))
      if (typeof value !== "number" || !(value >= 0))
        throw badArgument(`Rewind: ${name} must be a number that is not negative, not ${show(value)}`);
    const names = namesOf("Rewind", "without", "w", without, eventClasses(ecs));
    nameClasses(world, "Rewind");
    this.#ecs = ecs;
    this.#recorder = new RewindRecorder(ecs, new Set(names.map((name) => name.slice(1))));
    const [list, length] = put(world, "Rewind", names);
    const address = this.#recorder.begin((token) =>
      core._crateful_new_rewind(world.self, token, Math.min(bytes, MOST_BYTES), seconds, list, length),
    );
    this.#recorder.object = this.#object = new CoreObject(world, "Rewind", address);
  }

  /** The first frame to which `to` can go: a number of completed updates (`ecs.frame`). Throws as the constructor. */
  get oldest(): number {
    return this.#ask((address) => core._crateful_rewind_frame(address, 0));
  }
  /** The last one. */
  get newest(): number {
    return this.#ask((address) => core._crateful_rewind_frame(address, 1));
  }
  /**
   * How many bytes of the ring the changes of a frame take. Throws `BAD_ARGUMENT` unless it is behind `oldest` and not behind `newest`, and
   * as `oldest`.
   */
  bytesOf(frame: number): number {
    if (typeof frame !== "number") throw badArgument(`bytesOf: the frame must be a number, not ${show(frame)}`);
    return this.#ask((address) => core._crateful_rewind_bytes(address, frame));
  }
  /** Asks the core for a number, which is -1 if that fails. */
  #ask(question: (address: number) => number): number {
    const { world } = this.#object;
    const address = this.#object.live();
    return this.#recorder.asked(() => {
      const answer = question(address);
      if (answer < 0) world.throwLast();
      return answer;
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
    this.#go("to", frame);
  }
  #go(name: "to" | "show", frame: number): void {
    const { world } = this.#object;
    this.#object.live();
    if (typeof frame !== "number") throw badArgument(`${name}: the frame must be a number, not ${show(frame)}`);
    this.#recorder.asked(() =>
      withCall(world, "to", [], (call) =>
        this.#object.during((address) => {
          world.check(core._crateful_rewind_go(call, address, frame, Number(name === "show")));
          exchange("to", call, this.#ecs, { bytes: 0, renamed: new Map(), events: [], unknown: false });
        }),
      ),
    );
  }
  /**
   * For tools and views of the past: as `to`, and pauses the ECS. While it stays paused, its updates belong to this frame, and the later
   * frames remain; what changes in these updates is lost with the next `to` or `show`. It is paused also if callbacks throw.
   */
  show(frame: number): void {
    this.#go("show", frame);
  }

  /** Ends the recording and frees its memory; using it afterwards throws `DISPOSED`. Further calls have no effect. */
  dispose(): void {
    this.#object.dispose();
  }
  /** For `using`: calls `dispose`. */
  declare readonly [Symbol.dispose]: () => void;
}
