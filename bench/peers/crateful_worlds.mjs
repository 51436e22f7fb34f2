// The worlds of the cases, for all adapters of Crateful: each adapter has its own systems, and reads values in its own way.
import { ECS, System } from "../../dist/inline.js";
import { objects, systems } from "../cases/more.mjs";
import { movement } from "../cases/movement.mjs";
import { pairs, rows } from "../cases/rows.mjs";
import { addRemove, entityCycle, fragIter, live, packed5, simpleIter } from "../cases/standard.mjs";
import { Age, Body, Position, Speed, tagClass, Velocity } from "./crateful_components.mjs";

const updating = (ecs) => () => {
  ecs.update();
};

function addSystems(ecs, systems) {
  for (const system of systems) ecs.addSystem(0, system);
}

/** See `live`. A component is a class and its start value. */
const living = (params, ecs, kinds) =>
  live(params, kinds, {
    replace(entity, components) {
      ecs.removeEntity(entity);
      ecs.update();
      return ecs.addEntity(...components);
    },
    renew(entity, [cls, values]) {
      ecs.removeComponent(entity, cls);
      ecs.addComponent(entity, cls, values);
    },
  });

/** `read(ecs, e, cls)` returns the value of a component. */
export function packed5Cell(params, classes, systems, read) {
  const ecs = new ECS();
  const ids = ecs.addEntities(packed5.entities);
  for (const cls of classes) ecs.addComponents(ids, cls);
  living(params, ecs, [{ ids, components: classes.map((cls) => [cls, {}]) }]);
  addSystems(ecs, systems);
  return packed5.cell({ step: updating(ecs), value: (at, i) => read(ecs, ids[i], classes[at]) });
}

/** `store`: the classes A to E. */
export function simpleIterCell(params, store, systems, read) {
  const ecs = new ECS();
  const ids = simpleIter.kinds.map((kind) => {
    const list = ecs.addEntities(simpleIter.each);
    for (const letter of kind) ecs.addComponents(list, store[letter], { value: simpleIter.start(letter) });
    return list;
  });
  const component = (letter) => [store[letter], { value: simpleIter.start(letter) }];
  living(
    params,
    ecs,
    ids.map((list, k) => ({ ids: list, components: Array.from(simpleIter.kinds[k], component) })),
  );
  addSystems(ecs, systems);
  return simpleIter.cell({ step: updating(ecs), value: (kind, j, letter) => read(ecs, ids[kind][j], store[letter]) });
}

/** `classes`: those of the letters. */
export function fragIterCell(params, classes, Data, systems, read) {
  const ecs = new ECS();
  const ids = classes.map((cls) => {
    const list = ecs.addEntities(fragIter.each);
    ecs.addComponents(list, Data);
    ecs.addComponents(list, cls);
    return list;
  });
  const kinds = ids.map((list, k) => ({
    ids: list,
    components: [
      [Data, {}],
      [classes[k], {}],
    ],
  }));
  living(params, ecs, kinds);
  addSystems(ecs, systems);
  return fragIter.cell({
    step: updating(ecs),
    data: (l, j) => read(ecs, ids[l][j], Data),
    z: (j) => read(ecs, ids[25][j], classes.at(-1)),
  });
}

/** `counts` is counted by the system `kill`. */
export function entityCycleCell(ecs, [A, B], [spawn, kill], counts) {
  ecs.addSystem(0, spawn);
  ecs.addSystem(1, kill);
  const ids = ecs.addEntities(entityCycle.entities);
  ecs.addComponents(ids, A, { value: Int32Array.from(ids, (_, i) => i) });
  const found = () => ({ ...counts, a: ecs.storage(A).count, b: ecs.storage(B).count });
  return entityCycle.cell({ step: updating(ecs), counts: found });
}

/** `removed` returns how many components the system `remove` has removed. */
export function addRemoveCell(ecs, [A, B], [add, remove], removed) {
  ecs.addSystem(0, add);
  ecs.addSystem(1, remove);
  ecs.addComponents(ecs.addEntities(addRemove.entities), A);
  const found = () => ({ removed: removed(), a: ecs.storage(A).count, b: ecs.storage(B).count });
  return addRemove.cell({ step: updating(ecs), counts: found });
}

export function rowsCell(params, system) {
  const ecs = new ECS();
  const components = [[Position], [Velocity, { x: 1, y: 2 }], [Age], [Speed, { value: 1 }]];
  const ids = Array.from({ length: params.n }, () => ecs.addEntity(...components));
  living(params, ecs, [{ ids, components }]);
  ecs.addSystem(0, system);
  const value = (i) => ({ ...ecs.get(ids[i], Position).toJSON(), age: ecs.get(ids[i], Age).value });
  return rows.cell(params, { step: updating(ecs), value });
}

/** `stepOf(ecs)` returns the step. */
export function pairsCell(params, stepOf) {
  const ecs = new ECS();
  const ids = ecs.addEntities(params.n);
  ids.forEach((e, i) => ecs.addComponent(e, Body, pairs.place(i)));
  const force = (i) => {
    const { forceX: x, forceY: y } = ecs.get(ids[i], Body);
    return { x, y };
  };
  return pairs.cell(params, { step: stepOf(ecs), force });
}

export function movementCell(params, move, watcher) {
  const ecs = new ECS();
  ecs.addSystem(0, move);
  ecs.addSystem(1, watcher);
  const ids = ecs.addEntities(params.n);
  ecs.addComponents(ids, Position);
  ecs.addComponents(ids, Velocity, { x: 1, y: 2 });
  return movement.cell(params, {
    step: (delta) => ecs.update(delta),
    seen: () => watcher.seen,
    position: (i) => ecs.getComponents(ids[i]).get(Position),
  });
}

/** `change(ecs, ids)` returns the step; without it, the system changes all. */
export function objectsCell(params, { system, change }) {
  const ecs = new ECS();
  if (system) ecs.addSystem(0, system);
  const ids = [...ecs.addEntities(params.n)];
  ecs.addComponents(ids, Position);
  const step = change ? change(ecs, ids) : updating(ecs);
  return objects.cell(params, { step, value: (i) => ecs.getComponents(ids[i]).get(Position).x });
}

/** `changing(ecs, ids)` returns what changes positions, as the application would. `Sprite` is the class that `draw` changes. */
export function sparseWorld({ n }, draw, [Position, Sprite], changing) {
  const ecs = new ECS();
  ecs.addSystem(0, draw);
  const ids = ecs.addEntities(n);
  ecs.addComponents(ids, Position);
  ecs.addComponents(ids, Sprite);
  return {
    ecs,
    change: changing(ecs, ids),
    frame: updating(ecs),
    sprite(i) {
      const { x, frame } = ecs.getComponents(ids[i]).get(Sprite);
      return { x, frame };
    },
  };
}

/** X is added to each entity by `add`, and removed again; one system has callbacks for it, the others do nothing. */
export function withCallbacks({ count }, add) {
  const ecs = new ECS();
  const A = tagClass("A");
  const X = tagClass("X");
  const counts = { added: 0, removed: 0 };
  class Watch extends System {
    componentsRequired = new Set([A, X]);
    onAdd() {
      counts.added += 1;
    }
    onRemove() {
      counts.removed += 1;
    }
    update() {}
  }
  class Idle extends System {
    componentsRequired = new Set([A, tagClass("Other")]);
    update() {}
  }
  ecs.addSystem(0, new Watch());
  for (let i = 0; i < count; i++) ecs.addSystem(0, new Idle());
  const ids = ecs.addEntities(systems.entities);
  ecs.addComponents(ids, A);
  return systems.cell({
    step() {
      for (let i = 0; i < ids.length; i++) {
        add(ecs, ids[i], X);
        ecs.removeComponent(ids[i], X);
      }
    },
    counts: () => counts,
  });
}
