// Rule X1: every method of the public API, called with values that it does not accept.
import { expect, test } from "@jest/globals";
import {
  Component,
  EcsError,
  System,
  defineComponent,
  defineObject,
  defineSystem,
  entityIndex,
  nativeComponent,
  type ComponentClass,
  type ECS,
} from "crateful";
import { Changes, Replica, Rewind } from "crateful/state";
import "./with_state.js";
import { Health, Position, Tag, Velocity, entity, world } from "./world.js";

class Hit {}
class Place extends defineObject("Place", { room: 1 }) {}
class Pair extends defineComponent("Pair", { at: "f32x2", target: "link", state: ["idle", "walk"] }) {}

/** What a proxy throws. */
const own = new Error("thrown by the program");
const throwing = new Proxy(
  {},
  {
    get() {
      throw own;
    },
    ownKeys() {
      throw own;
    },
    has() {
      throw own;
    },
    getPrototypeOf() {
      throw own;
    },
  },
);
function detached(): Uint32Array {
  const list = new Uint32Array(2);
  structuredClone(list.buffer, { transfer: [list.buffer] });
  return list;
}
const odd: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  "a symbol": Symbol("odd"),
  "a string": "odd",
  "an empty string": "",
  NaN: NaN,
  "-1": -1,
  "1.5": 1.5,
  Infinity: Infinity,
  true: true,
  "a bigint": 7n,
  "an array": [],
  "a list of null": [null],
  "a list of a symbol": [Symbol("odd")],
  "a list of a hole": new Array(1),
  "an object": {},
  "an object of length -1": { length: -1 },
  "an object of length 1.5": { length: 1.5 },
  "an object of length 1e10": { length: 1e10 },
  "an object of length NaN": { length: NaN },
  "a frozen object without a prototype": Object.freeze(Object.create(null)),
  "a detached array": detached(),
  "a proxy that throws": throwing,
  "a function": () => undefined,
  "a function without a prototype": Object.setPrototypeOf(() => undefined, null),
  "a prototype": Position.prototype,
  "a class": Hit,
  Component,
};

class Runs extends defineSystem({ position: Position }, { watch: [Position] }) {
  override update(): void {}
}

interface Stage {
  ecs: ECS;
  e: number;
  f: number;
  system: Runs;
}
function stage(): Stage {
  const ecs = world();
  const system = ecs.addSystem(0, new Runs());
  const e = entity(ecs, new Position({ x: 1 }), new Velocity({ x: 2 }), new Health(3), new Place(), new Pair());
  const f = ecs.addEntity(Tag);
  ecs.setParent(f, e);
  ecs.update();
  return { ecs, e, f, system };
}
/** What must not change. */
const stateOf = ({ ecs, e, f, system }: Stage) => ({
  count: ecs.count,
  classes: ([Position, Velocity, Health, Place, Pair, Tag] as ComponentClass[]).map((cls) => [
    ecs.storage(cls).count,
    ecs.has(e, cls),
    ecs.has(f, cls),
  ]),
  position: ecs.get(e, Position).toJSON(),
  velocity: ecs.get(e, Velocity).toJSON(),
  pair: ecs.get(e, Pair).toJSON(),
  place: ecs.get(e, Place).toJSON(),
  health: ecs.get(e, Health).current,
  children: [...ecs.children(e)],
  parent: ecs.parent(e),
  systems: ecs.systems.map(({ name, enabled, priority }) => [name, enabled, priority]),
  dirty: system.dirty.size,
  gameTime: ecs.gameTime,
  timeScale: ecs.timeScale,
  paused: ecs.paused,
});

const sourceOf = (ecs: ECS) => new Changes(ecs, { components: [Position] });

/** Values are of no type. */
type Odd = never;
/** Those that take a function, which is called: JavaScript throws if it is a class. */
const taking = ["addEntity [class, values] of an object class", "addComponents objects", "profiler measure call"];
/** Those that are an error for every odd value. */
const refusing = ["events subscribe option", "events inbox options", "inbox option"];
const calls: Record<string, (stage: Stage, value: Odd) => unknown> = {
  addEntity: ({ ecs }, value) => ecs.addEntity(value),
  "addEntity [class, values]": ({ ecs }, value) => ecs.addEntity([Position, value]),
  "addEntity [class, values] of an object class": ({ ecs }, value) => ecs.addEntity([Health, value]),
  "addEntity field": ({ ecs }, value) => ecs.addEntity([Pair, { at: value }]),
  "addEntity enum": ({ ecs }, value) => ecs.addEntity([Pair, { state: value }]),
  addEntities: ({ ecs }, value) => ecs.addEntities(value),
  removeEntity: ({ ecs }, value) => ecs.removeEntity(value),
  removeEntities: ({ ecs }, value) => ecs.removeEntities(value),
  alive: ({ ecs }, value) => ecs.alive(value),
  "setParent child": ({ ecs, e }, value) => ecs.setParent(value, e),
  "setParent parent": ({ ecs, f }, value) => ecs.setParent(f, value),
  "setParent before": ({ ecs, e, f }, value) => ecs.setParent(f, e, value),
  parent: ({ ecs }, value) => ecs.parent(value),
  children: ({ ecs }, value) => ecs.children(value),
  "linked class": ({ ecs, e }, value) => ecs.linked(value, e),
  "linked entity": ({ ecs }, value) => ecs.linked(Pair, value),
  "linked field": ({ ecs, e }, value) => ecs.linked(Pair, e, value),
  "addComponent entity": ({ ecs }, value) => ecs.addComponent(value, new Position()),
  "addComponent component": ({ ecs, f }, value) => ecs.addComponent(f, value),
  "addComponent values": ({ ecs, f }, value) => ecs.addComponent(f, Position, value),
  "addComponent field": ({ ecs, f }, value) => ecs.addComponent(f, Position, { x: value }),
  "addComponents entities": ({ ecs }, value) => ecs.addComponents(value, Velocity),
  "addComponents class": ({ ecs, f }, value) => ecs.addComponents([f], value),
  "addComponents values": ({ ecs, f }, value) => ecs.addComponents([f], Position, value),
  "addComponents column": ({ ecs, f }, value) => ecs.addComponents([f], Position, { x: value }),
  "addComponents column of no entity": ({ ecs }, value) => ecs.addComponents([], Position, { x: value }),
  "addComponents vector": ({ ecs, f }, value) => ecs.addComponents([f], Pair, { at: value }),
  "addComponents enum": ({ ecs, f }, value) => ecs.addComponents([f], Pair, { state: value }),
  "addComponents objects": ({ ecs, f }, value) => ecs.addComponents([f], Health, value),
  "removeComponent entity": ({ ecs }, value) => ecs.removeComponent(value, Position),
  "removeComponent class": ({ ecs, e }, value) => ecs.removeComponent(e, value),
  "removeComponents entities": ({ ecs }, value) => ecs.removeComponents(value, Position),
  "removeComponents class": ({ ecs, e }, value) => ecs.removeComponents([e], value),
  getComponents: ({ ecs }, value) => ecs.getComponents(value),
  "getComponents get": ({ ecs, e }, value) => ecs.getComponents(e).get(value),
  "getComponents tryGet": ({ ecs, e }, value) => ecs.getComponents(e).tryGet(value),
  "getComponents has": ({ ecs, e }, value) => ecs.getComponents(e).has(value),
  "get entity": ({ ecs }, value) => ecs.get(value, Position),
  "get class": ({ ecs, e }, value) => ecs.get(e, value),
  "tryGet entity": ({ ecs }, value) => ecs.tryGet(value, Position),
  "tryGet class": ({ ecs, e }, value) => ecs.tryGet(e, value),
  "has entity": ({ ecs }, value) => ecs.has(value, Position),
  "has class": ({ ecs, e }, value) => ecs.has(e, value),
  storage: ({ ecs }, value) => ecs.storage(value),
  "storage at": ({ ecs }, value) => ecs.storage(Position).at(value),
  "storage markDirty": ({ ecs }, value) => ecs.storage(Position).markDirty(value),
  "storage slot": ({ ecs }, value) => ecs.storage(Position).slot(value),
  "query shape": ({ ecs }, value) => ecs.query(value),
  "query class": ({ ecs }, value) => ecs.query({ position: value }),
  "query list": ({ ecs }, value) => ecs.query([Position, value] as never),
  "query filters": ({ ecs }, value) => ecs.query({ position: Position }, value),
  "query without": ({ ecs }, value) => ecs.query({ position: Position }, { without: value }),
  "query without class": ({ ecs }, value) => ecs.query({ position: Position }, { without: [value] }),
  "query any": ({ ecs }, value) => ecs.query({ position: Position }, { any: value }),
  "query optional": ({ ecs }, value) => ecs.query({ position: Position }, { optional: value }),
  "query parent": ({ ecs }, value) => ecs.query({ position: Position }, { parent: value }),
  "query orderBy": ({ ecs }, value) => ecs.query({ position: Position }, { orderBy: value }),
  "query orderBy field": ({ ecs }, value) => ecs.query({ position: Position }, { orderBy: [Position, value] }),
  "query orderBy direction": ({ ecs }, value) => ecs.query({ position: Position }, { orderBy: [Position, "x", value] }),
  "query of": ({ ecs }, value) => [...ecs.query({ position: Position }).of(value)],
  "query at": ({ ecs }, value) => ecs.query({ position: Position }).at(value),
  "query has": ({ ecs }, value) => ecs.query({ position: Position }).has(value),
  runs: ({ ecs }, value) => ecs.runs(value),
  prefab: ({ ecs }, value) => ecs.prefab(value),
  "prefab part": ({ ecs }, value) => ecs.prefab([value]),
  "prefab values": ({ ecs }, value) => ecs.prefab([[Position, value]]),
  "prefab spawn": ({ ecs }, value) => ecs.prefab({ position: Position }).spawn(value),
  "prefab spawn values": ({ ecs }, value) => ecs.prefab({ position: Position }).spawn({ position: value }),
  "prefab spawn columns": ({ ecs }, value) => ecs.prefab({ position: Position }).spawn(1, value),
  "prefab spawn column": ({ ecs }, value) => ecs.prefab({ position: Position }).spawn(1, { position: { x: value } }),
  "addSystem priority": ({ ecs }, value) => ecs.addSystem(value, new Runs()),
  "addSystem system": ({ ecs }, value) => ecs.addSystem(0, value),
  removeSystem: ({ ecs }, value) => ecs.removeSystem(value),
  getSystem: ({ ecs }, value) => ecs.getSystem(value),
  enableSystem: ({ ecs }, value) => ecs.enableSystem(value),
  toggleSystem: ({ ecs }, value) => ecs.toggleSystem(value),
  update: ({ ecs }, value) => ecs.update(value),
  "update timeScale": ({ ecs }, value) => ecs.update(1, value),
  timeScale: ({ ecs }, value) => (ecs.timeScale = value),
  paused: ({ ecs }, value) => (ecs.paused = value),
  "events subscribe class": ({ ecs }, value) => ecs.events.subscribe(value, () => {}),
  "events subscribe handler": ({ ecs }, value) => ecs.events.subscribe(Hit, value),
  "events subscribe options": ({ ecs }, value) => ecs.events.subscribe(Hit, () => {}, value),
  "events inbox": ({ ecs }, value) => ecs.events.inbox(value),
  "events dispatch": ({ ecs }, value) => ecs.events.dispatch(value),
  "events dispatch delay": ({ ecs }, value) => ecs.events.dispatch(new Hit(), value),
  "events subscribe option": ({ ecs }, value) => ecs.events.subscribe(Hit, () => {}, { transiant: value } as never),
  "events inbox options": ({ ecs }, value) => ecs.events.inbox(Hit, value),
  "inbox option": (_, value) => new Runs().inbox(Hit, { limt: value } as never),
  "inbox class": (_, value) => new Runs().inbox(value),
  "inbox options": (_, value) => new Runs().inbox(Hit, value),
  "inbox limit": (_, value) => new Runs().inbox(Hit, { limit: value }),
  "slowMotion factor": ({ ecs }, value) => ecs.slowMotion.request(value, 1),
  "slowMotion duration": ({ ecs }, value) => ecs.slowMotion.request(1, value),
  "slowMotion style": ({ ecs }, value) => (ecs.slowMotion.style = value),
  "profiler measure group": ({ ecs }, value) => ecs.profiler.measure(value, "name", () => {}),
  "profiler measure name": ({ ecs }, value) => ecs.profiler.measure("group", value, () => {}),
  "profiler measure call": ({ ecs }, value) => ecs.profiler.measure("group", "name", value),
  "profiler enabled": ({ ecs }, value) => (ecs.profiler.enabled = value),
  "dirty has": ({ system }, value) => system.dirty.has(value),
  "dirty keep": ({ system }, value) => system.dirty.keep(value),
  "dirty of": ({ system }, value) => system.dirty.of(value),
  "system query": (_, value) => new Runs().query(value),
  "component field": ({ ecs, e }, value) => (ecs.get(e, Position).x = value),
  "component vector": ({ ecs, e }, value) => ecs.get(e, Pair).at.set(value),
  "component enum": ({ ecs, e }, value) => (ecs.get(e, Pair).state = value),
  "component constructor": (_, value) => new Position(value),
  "object constructor": (_, value) => new Place(value),
  "defineComponent name": (_, value) => defineComponent(value, {}),
  "defineComponent schema": (_, value) => defineComponent("Odd", value),
  "defineComponent field": (_, value) => defineComponent("Odd", { x: value }),
  "defineComponent type": (_, value) => defineComponent("Odd", { x: { type: value } }),
  "defineComponent default": (_, value) => defineComponent("Odd", { x: { type: "f32", default: value } }),
  "defineComponent options": (_, value) => defineComponent("Odd", {}, value),
  "defineComponent policy": (_, value) => defineComponent("Odd", {}, { policy: value }),
  "defineObject name": (_, value) => defineObject(value, {}),
  "defineObject fields": (_, value) => defineObject("Odd", value),
  "defineSystem shape": (_, value) => defineSystem(value),
  "defineSystem options": (_, value) => defineSystem({ position: Position }, value),
  "defineSystem watch": ({ ecs }, value) =>
    ecs.addSystem(
      0,
      new (class extends defineSystem({ position: Position }, { watch: value }) {
        override update() {}
      })(),
    ),
  "defineSystem before": ({ ecs }, value) =>
    ecs.addSystem(
      0,
      new (class extends defineSystem({ position: Position }, { before: value }) {
        override update() {}
      })(),
    ),
  "defineSystem interval": ({ ecs }, value) =>
    ecs.addSystem(
      0,
      new (class extends defineSystem({ position: Position }, { interval: value }) {
        override update() {}
      })(),
    ),
  "defineSystem orderBy": ({ ecs }, value) =>
    ecs.addSystem(
      0,
      new (class extends defineSystem({ position: Position }, { orderBy: value }) {
        override update() {}
      })(),
    ),
  "defineSystem name": ({ ecs }, value) =>
    ecs.addSystem(
      0,
      new (class extends defineSystem({ position: Position }, { name: value }) {
        override update() {}
      })(),
    ),
  "System componentsRequired": ({ ecs }, value) =>
    ecs.addSystem(
      0,
      new (class extends System {
        componentsRequired = value;
        override update() {}
      })(),
    ),
  "nativeComponent name": (_, value) => nativeComponent(value, {}),
  entityIndex: (_, value) => entityIndex(value),
  "Changes ecs": (_, value) => new Changes(value, {}),
  "Changes options": ({ ecs }, value) => new Changes(ecs, value),
  "Changes components": ({ ecs }, value) => new Changes(ecs, { components: value }),
  "Changes component": ({ ecs }, value) => new Changes(ecs, { components: [value] }),
  "Changes without": ({ ecs }, value) => new Changes(ecs, { components: [Position], without: value }),
  "changes receiver": ({ ecs }, value) => sourceOf(ecs).receiver(value),
  "changes receiver select": ({ ecs }, value) => sourceOf(ecs).receiver({ select: value }),
  "changes receiver selected": ({ ecs }, value) => sourceOf(ecs).receiver({ select: [value] }),
  "receiver take": ({ ecs }, value) => sourceOf(ecs).receiver().take(value),
  "receiver take maxBytes": ({ ecs }, value) => sourceOf(ecs).receiver().take({ maxBytes: value }),
  "receiver select": ({ ecs }, value) => sourceOf(ecs).receiver({ select: [] }).select(value),
  "receiver deselect": ({ ecs }, value) => sourceOf(ecs).receiver({ select: [] }).deselect(value),
  "Rewind ecs": (_, value) => new Rewind(value),
  "Rewind options": ({ ecs }, value) => new Rewind(ecs, value),
  "Rewind bytes": ({ ecs }, value) => new Rewind(ecs, { bytes: value }),
  "Rewind without": ({ ecs }, value) => new Rewind(ecs, { without: value }),
  "Rewind without class": ({ ecs }, value) => new Rewind(ecs, { without: [value] }),
  "rewind to": ({ ecs }, value) => new Rewind(ecs).to(value),
  "Replica ecs": (_, value) => new Replica(value),
  "Replica options": ({ ecs }, value) => new Replica(ecs, value),
  "Replica components": ({ ecs }, value) => new Replica(ecs, { components: value }),
  "Replica component": ({ ecs }, value) => new Replica(ecs, { components: [value] }),
  "Replica limits": ({ ecs }, value) => new Replica(ecs, { limits: value }),
  "Replica limit": ({ ecs }, value) => new Replica(ecs, { limits: { index: value } }),
  "replica apply": ({ ecs }, value) => new Replica(ecs).apply(value),
  "replica entity": ({ ecs }, value) => new Replica(ecs).entity(value),
  "replica remote": ({ ecs }, value) => new Replica(ecs).remote(value),
  "replica predict": ({ ecs }, value) => new Replica(ecs).predict(value),
  "replica stopPredicting": ({ ecs }, value) => new Replica(ecs).stopPredicting(value),
};

test.each(Object.entries(calls))(
  "X1 %s: an odd value is accepted or an EcsError that changes nothing",
  (title, call) => {
    for (const [name, value] of Object.entries(odd)) {
      const staged = stage();
      const before = stateOf(staged);
      let thrown: unknown;
      try {
        call(staged, value as never);
      } catch (error) {
        thrown = error;
      }
      if (thrown === own || (thrown === undefined && !refusing.includes(title))) continue;
      if (taking.includes(title) && (name === "a class" || name === "Component")) continue;
      expect([name, thrown]).toEqual([name, expect.any(EcsError)]);
      expect([name, stateOf(staged)]).toEqual([name, before]);
    }
  },
);
