import { Component, infos, type ClassInfo, type ComponentClass } from "../component/component.js";
import { isField } from "../component/fields.js";
import { END, decode, encode } from "../core/strings.js";
import { ECS } from "../ecs/ecs.js";
import type { EventClass } from "../ecs/event_class.js";
import { EcsError, badArgument, requireObject, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { ErrorNumber, FieldNumber, WorldMemory } from "../module/layout.js";
import type { World } from "../world/world.js";
import { explicitName } from "./codec.js";

/** Classes of components and events, or their names. */
export type ClassNames = readonly (ComponentClass | EventClass | string)[];

/** The world of an ECS. Throws `BAD_ARGUMENT` for another value, and `DISPOSED`. @internal */
export function worldOf(call: string, ecs: unknown, options: object): World {
  if (!(ecs instanceof ECS)) throw badArgument(`${call}: pass an ECS of the same copy of crateful, not ${show(ecs)}`);
  requireObject(`${call}: the options`, options);
  ecs.$world.live();
  return ecs.$world;
}

/** @internal */
export const stateCode: {
  exists: () => boolean;
  /** Whether the inspector calls, which uses the code in the development build of any program. */
  inspects?: boolean;
} = {
  /** Whether the module that is loaded has the code of this library. */
  exists: (): boolean => core._crateful_open_state !== undefined,
};

/** The classes that were named for the core. */
const named = new Set<ClassInfo>();
/**
 * Names the classes of JavaScript and their fields: the core has needed no names so far. Throws `BAD_ARGUMENT` if the module has no
 * code for these calls.
 * @internal
 */
export function nameClasses(world: World, call: string, exists = stateCode.exists()): void {
  if (!exists)
    throw badArgument(
      `${call}: the module that is loaded has no code for it: import init from "crateful/state", and call no other init before (a module of your own has to link crateful::state)`,
    );
  for (const info of infos) {
    if (info.kind === "native" || named.has(info)) continue;
    const parts = [`c${nameOf(info.cls)}`];
    for (const field of info.fields) {
      parts.push(`f${isField(field) ? field.name : ""}`);
      const { kind, initial } = field;
      for (const name of kind.number === FieldNumber.string ? [initial] : (kind.names ?? [])) parts.push(`n${name}`);
    }
    const [address, bytes] = put(world, call, parts);
    core._crateful_name_fields(info.id, address, bytes);
    named.add(info);
  }
}

/** Texts, each followed by END. @internal */
export function joined(parts: readonly string[]): Uint8Array {
  const texts = parts.map(encode);
  const bytes = new Uint8Array(texts.reduce((sum, { length }) => sum + length + 1, 0)).fill(END);
  let at = 0;
  for (const text of texts) {
    bytes.set(text, at);
    at += text.length + 1;
  }
  return bytes;
}
/** The texts at an address, before the first one that is empty. @internal */
export function textsAt(address: number): string[] {
  const texts: string[] = [];
  for (let end = 0; (end = heap.u8.indexOf(END, address)) > address; address = end + 1)
    texts.push(decode(address, end - address));
  return texts;
}
/** The first two texts at an address. @internal */
export function pairAt(address: number): [string, string] {
  const middle = heap.u8.indexOf(END, address);
  const end = heap.u8.indexOf(END, middle + 1);
  return [decode(address, middle - address), decode(middle + 1, end - middle - 1)];
}

/** Writes texts, each followed by END, to the memory for arguments; returns their address and number of bytes. @internal */
export function put(world: World, call: string, parts: readonly string[]): [address: number, bytes: number] {
  const bytes = joined(parts);
  const address = world.scratch(call, bytes.length);
  heap.u8.set(bytes, address);
  return [address, bytes.length];
}

/** A list of classes and names, as the core takes it: their names, each behind `kind`. @internal */
export function namesOf(
  call: string,
  option: string,
  kind: string,
  list: ClassNames,
  events: readonly EventClass[],
): string[] {
  if (!Array.isArray(list))
    throw badArgument(`${call}: ${option} must be an array of component classes, not ${show(list)}`);
  return Array.from(list, (each: ComponentClass | EventClass | string) => {
    if (kind !== "" && typeof each === "string") return kind + each;
    if (typeof each === "function" && (each.prototype instanceof Component || events.includes(each)))
      return kind + nameOf(each);
    throw badArgument(
      `${call}: ${option}: ${show(each)} is no component class of this copy of crateful${kind === "" ? "" : ", and no class of events that this ECS knows"}`,
    );
  });
}
/** The name of a class in snapshots. @internal */
export const nameOf = (cls: ComponentClass | EventClass): string =>
  (cls as { $definition?: { name: string } }).$definition?.name ?? explicitName(cls) ?? cls.name;

/** Throws the error of the core unless the result is an address. @internal */
export function checkAddress(world: World, result: number): number {
  if (result === 0) world.throwLast();
  return result;
}
/** Calls the core, which fails if `failed`; again if it was refused only because of calls that were abandoned. @internal */
export function recovering(world: World, call: () => number, failed: (result: number) => boolean): number {
  const result = call();
  const refused = failed(result) && world.word(WorldMemory.errorCode) === ErrorNumber.reentrantUpdate;
  return refused && world.recover() ? call() : result;
}

/** The calls that the core knows by number: bindings/src/state.cpp. */
const STATE_CALLS = ["snapshot", "restore", "to", "merge"] as const;
/** @internal */
export type StateCallName = (typeof STATE_CALLS)[number];
/** Those that read a state. @internal */
export type ReadingCall = Exclude<StateCallName, "snapshot">;

/**
 * Calls `run` with the address of a `StateCall` of the core. Until it returns, the world is locked: functions of the program that run
 * meanwhile cannot change it.
 * @internal
 */
export function withCall<R>(world: World, call: StateCallName, options: string[], run: (at: number) => R): R {
  nameClasses(world, call);
  const open = () => {
    const [address, bytes] = put(world, call, options);
    return core._crateful_open_state(world.self, STATE_CALLS.indexOf(call), address, bytes);
  };
  const at = checkAddress(
    world,
    recovering(world, open, (result) => result === 0),
  );
  ++world.depth; // the world is not freed meanwhile
  try {
    return run(at);
  } finally {
    core._crateful_close_state(at);
    --world.depth;
    world.check(0);
  }
}

/** Memory of the call, at least `bytes` bytes. @internal */
export function memoryFor(call: string, bytes: number, allocate: (bytes: number) => number): number {
  const address = bytes < 2 ** 31 ? allocate(bytes) : 0;
  if (address === 0) throw new EcsError("OUT_OF_MEMORY", `${call}: no memory for ${bytes} bytes`);
  return address;
}
