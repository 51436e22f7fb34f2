// Events that wait: those with a delay, and those in inboxes (rule N1).
import { Component } from "../component/component.js";
import type { ECS } from "../ecs/ecs.js";
import type { EventClass } from "../ecs/event_class.js";
import type { Inbox } from "../ecs/inbox.js";
import type { AnySystem } from "../ecs/system.js";
import { badArgument, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { EventKind, StateEvent } from "../module/layout.js";
import { dataAt, Encoded, encodeValue, requireCodec, type EntityMap } from "./codec.js";
import { joined, memoryFor, nameOf, pairAt, type ReadingCall } from "./state_call.js";

/** Gives the events that wait to the core, except those of the classes with the names `without`. @internal */
export function giveEvents(
  name: "snapshot" | "Rewind",
  call: number,
  ecs: ECS,
  systems: boolean,
  without: ReadonlySet<string>,
  map?: EntityMap,
): void {
  const encoded = new Encoded();
  const known = eventClasses(ecs);
  const codecs = new Map<EventClass, ReturnType<typeof requireCodec>>();
  /** `event` is undefined for what begins an inbox. */
  const give = (due: number, cls: EventClass, system = "", event?: object): void => {
    let codec = codecs.get(cls);
    if (codec === undefined) {
      codec = requireCodec(name, cls, cls.name);
      const isNamed = (other: EventClass) => Object.hasOwn(other, "typeName") && nameOf(other) === nameOf(cls);
      if (known.some((other) => other !== cls && isNamed(other)))
        throw badArgument(`${name}: two classes of events have the typeName ${nameOf(cls)}`);
      codecs.set(cls, codec);
    }
    encoded.clear();
    if (event !== undefined && map !== undefined && codec.mapEntities === undefined)
      throw badArgument(
        `${name}: compact: an event of ${cls.name} waits, and its class has no static mapEntities; add it, or name the class in \`without\``,
      );
    if (event !== undefined) encodeValue(name, codec, event, cls.name, encoded, map);
    const text = joined([system, nameOf(cls)]);
    const { bytes, size } = encoded;
    const at = memoryFor(name, text.length + size, (n) => core._crateful_state_memory(call, n));
    heap.u8.set(text, at);
    heap.u8.set(bytes.subarray(0, size), at + text.length);
    ecs.$world.check(core._crateful_state_event(call, due, at, text.length, at + text.length, size));
  };

  const { queue, inboxes } = ecs.events.$parts;
  // Copies, because `encode` could dispatch events.
  const delayed = [...queue];
  const boxes = Array.from(inboxes, ([cls, events]) => ({ cls, events: [...events], system: "" }));
  for (const info of systems ? ecs.systems : []) {
    for (const { $cls: cls, $waiting: events } of recordedInboxes(info.system))
      boxes.push({ cls, events, system: info.name });
  }
  for (const { due, event } of delayed) {
    const cls = event.constructor as EventClass;
    if (!without.has(nameOf(cls))) give(due, cls, "", event);
  }
  for (const [k, { cls, events, system }] of boxes.entries()) {
    // Inboxes of one class in a system are told apart by their order.
    const isFollowed = boxes.some(
      (box, j) => j > k && box.cls === cls && box.system === system && box.events.length > 0,
    );
    if ((events.length === 0 && !isFollowed) || without.has(nameOf(cls))) continue;
    give(EventKind.inbox, cls, system);
    for (const event of events) give(EventKind.inInbox, cls, system, event);
  }
}

/** The classes of events that the ECS knows: those of handlers, inboxes and events that were dispatched with a delay. @internal */
export function eventClasses(ecs: ECS): EventClass[] {
  const { queue, inboxes, fields, handlers, delayed } = ecs.events.$parts;
  const queued = queue.map(({ event }) => event.constructor as EventClass);
  const ofSystems = Array.from(fields, ({ $cls }) => $cls);
  return [...new Set([...handlers.keys(), ...inboxes.keys(), ...ofSystems, ...delayed, ...queued])];
}

/**
 * Decodes the events in the bytes. Returns what puts them into the ECS, in place of those that wait, and makes the systems know whether
 * they are enabled. `others` are classes that the program may not have used yet. @internal
 */
export function readEvents(
  name: ReadingCall,
  call: number,
  ecs: ECS,
  others: readonly EventClass[],
  ignoresUnknown: boolean,
): () => void {
  const classes = classesOf(ecs, others);
  const without = new Set<string>();
  const queue: { due: number; event: object }[] = [];
  const inboxes = new Map<EventClass, object[]>();
  const fields = new Map<Inbox, object[]>();
  let inbox: object[] = []; // the one that is read
  let cls: EventClass | undefined;
  let systems = false;
  let same = false;
  for (let k = 0; ; ++k) {
    const at = core._crateful_restore_event(call, k);
    if (at === 0) break;
    const due = heap.f64[at >> 3];
    const word = (which: StateEvent): number => heap.u32[(at >> 2) + which];
    const [system, typeName] = pairAt(word(StateEvent.text));
    if (due === EventKind.without) {
      without.add(typeName);
      continue;
    }
    if (due === EventKind.systems) {
      systems = true;
      continue;
    }
    if (due === EventKind.same) {
      same = true;
      continue;
    }
    if (due !== EventKind.inInbox) cls = classNamed(classes, typeName, ignoresUnknown);
    if (cls === undefined) continue; // with the events of the inbox that follow
    if (due === EventKind.inbox) {
      inbox = [];
      const field = system === "" ? undefined : fieldOf(ecs, system, cls, fields, ignoresUnknown);
      if (system === "") inboxes.set(cls, inbox);
      else if (field !== undefined) fields.set(field, inbox);
      else cls = undefined;
      continue;
    }
    const position = name !== "to" ? word(StateEvent.position) : undefined;
    const event = decodeEvent(name, cls, word(StateEvent.first), word(StateEvent.count), position);
    if (due === EventKind.inInbox) inbox.push(event);
    else queue.push({ due, event });
  }
  return () => {
    const keeps = (each: EventClass): boolean => same || without.has(nameOf(each));
    const parts = ecs.events.$parts;
    const kept = parts.queue.filter(({ event }) => keeps(event.constructor as EventClass));
    if (!same) ecs.events.$exchangeQueue([...queue, ...kept].sort((a, b) => a.due - b.due));
    for (const each of parts.inboxes.keys()) if (!keeps(each)) ecs.events.inbox(each).length = 0;
    for (const [each, events] of inboxes) {
      const box = ecs.events.inbox(each);
      for (const event of events) box.push(event);
    }
    if (!systems) return;
    for (const { system, enabled } of ecs.systems) {
      system?.$setDisabled(!enabled);
      for (const each of recordedInboxes(system)) {
        if (keeps(each.$cls)) continue;
        each.clear();
        for (const event of fields.get(each) ?? []) each.$push(event);
      }
    }
  };
}

/** The classes of events that the program has used, and others, by name. */
function classesOf(ecs: ECS, others: readonly EventClass[]): Map<string, EventClass> {
  if (!Array.isArray(others)) throw badArgument(`restore: events must be a list of classes, not ${show(others)}`);
  const classes = new Map<string, EventClass>();
  for (const cls of [...eventClasses(ecs), ...others]) {
    if (typeof cls !== "function" || cls.prototype instanceof Component)
      throw badArgument(`restore: events: ${show(cls)} is no class of events`);
    const name = nameOf(cls);
    if (Object.hasOwn(cls, "typeName") && (classes.get(name) ?? cls) !== cls)
      throw badArgument(`restore: two classes of events have the typeName ${name}`);
    if (Object.hasOwn(cls, "typeName")) classes.set(name, cls);
  }
  return classes;
}

function classNamed(
  classes: ReadonlyMap<string, EventClass>,
  name: string,
  ignoresUnknown: boolean,
): EventClass | undefined {
  const cls = classes.get(name);
  if (cls !== undefined || ignoresUnknown) return cls;
  throw badArgument(
    `restore: there is no class of events with the typeName ${name}; list it in \`events\`, name it in \`ignore\`, or its new name in \`rename\``,
  );
}

/** The inboxes of a system that are a part of the state: those of an observer are not (rule S18). */
const recordedInboxes = (system: AnySystem | undefined): readonly Inbox[] =>
  system === undefined || system.observer ? [] : system.$inboxes;

/** The next inbox of a system for a class. */
function fieldOf(
  ecs: ECS,
  name: string,
  cls: EventClass,
  used: ReadonlyMap<Inbox, unknown>,
  ignoresUnknown: boolean,
): Inbox | undefined {
  const { system } = ecs.systems.find((info) => info.name === name)!; // the core has found it
  const inbox = system?.$inboxes.find((each) => each.$cls === cls && !used.has(each));
  if (inbox !== undefined || ignoresUnknown) return inbox;
  throw badArgument(
    `restore: the system ${name} has no inbox of ${nameOf(cls)}; add one, or name the events in \`ignore\``,
  );
}

function decodeEvent(
  name: ReadingCall,
  cls: EventClass,
  address: number,
  length: number,
  position: number | undefined,
): object {
  const { decode: make } = requireCodec(name, cls, cls.name);
  const event = make!(dataAt(name, address, length, cls.name, position));
  if (typeof event === "object" && event !== null && event.constructor === cls) return event;
  throw badArgument(`${name}: ${nameOf(cls)}.decode must return a ${nameOf(cls)}, not ${show(event)}`);
}
