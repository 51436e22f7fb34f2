// PIECS 0.4: archetypes that are created in advance, systems over arrays of ids, values in typed arrays of the application
// ("bring your own component sets"). It does not detect changes of values and has no component objects.
import { createEntitySystem, World } from "piecs/dist/index.mjs"; // its main file is CommonJS
import { structure, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.piecs;

export const cases = {
  sparse_scan: (params) => sparse(params, sparseWorld(params, scanning)),
  sparse_tag: (params) => sparse(params, sparseWorld(params, tagging)),
  memory: (params) => ({ keep: sparseWorld(params, scanning) }),

  packed_5() {
    const world = new World();
    const components = Array.from({ length: packed5.components }, () => component(world, packed5.entities));
    for (const c of components) world.registerSystem(plus(c));
    const prefab = world.prefabricate(components);
    world.initialize();
    const ids = Array.from({ length: packed5.entities }, () => world.createEntity(prefab));
    return packed5.cell({ step: () => world.update(), value: (at, i) => components[at].value[ids[i]] });
  },

  simple_iter() {
    const world = new World();
    const size = simpleIter.each * simpleIter.kinds.length;
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, component(world, size)]));
    const { A, B, C, D, E } = store;
    const swap = (one, other) =>
      createEntitySystem(
        (entities) => {
          const { value: ones } = one;
          const { value: others } = other;
          for (let i = 0, l = entities.length; i < l; i++) {
            const e = entities[i];
            const x = ones[e];
            ones[e] = others[e];
            others[e] = x;
          }
        },
        (q) => q.every(one, other),
      );
    world.registerSystem(swap(A, B)).registerSystem(swap(C, D)).registerSystem(swap(C, E)).initialize();
    const ids = simpleIter.kinds.map((kind) => {
      const prefab = world.prefabricate([...kind].map((letter) => store[letter]));
      return Array.from({ length: simpleIter.each }, () => {
        const e = world.createEntity(prefab);
        for (const letter of kind) store[letter].value[e] = simpleIter.start(letter);
        return e;
      });
    });
    return simpleIter.cell({
      step: () => world.update(),
      value: (kind, j, letter) => store[letter].value[ids[kind][j]],
    });
  },

  frag_iter() {
    const world = new World();
    const size = letters.length * fragIter.each;
    const components = letters.map(() => component(world, size));
    const Data = component(world, size);
    const Z = components.at(-1);
    world.registerSystem(plus(Data)).registerSystem(plus(Z)).initialize();
    const ids = components.map((c) => {
      const prefab = world.prefabricate([Data, c]);
      return Array.from({ length: fragIter.each }, () => world.createEntity(prefab));
    });
    return fragIter.cell({
      step: () => world.update(),
      data: (l, j) => Data.value[ids[l][j]],
      z: (j) => Z.value[ids[25][j]],
    });
  },

  entity_cycle() {
    const world = new World();
    const A = component(world, 8192);
    const B = component(world, 8192);
    const prefabA = world.prefabricate([A]);
    const prefabB = world.prefabricate([B]);
    const counts = { removed: 0, sum: 0, a: 0 };
    world.registerSystem(
      createEntitySystem(
        (entities) => {
          for (let i = 0, l = entities.length; i < l; i++) B.value[world.createEntity(prefabB)] = A.value[entities[i]];
          counts.a = entities.length;
        },
        (q) => q.every(A),
      ),
    );
    world.registerSystem(
      createEntitySystem(
        (entities) => {
          for (let i = entities.length - 1; i >= 0; i--) {
            counts.sum += B.value[entities[i]];
            counts.removed += 1;
            world.deleteEntity(entities[i]);
          }
        },
        (q) => q.every(B),
      ),
    );
    world.initialize();
    for (let i = 0; i < entityCycle.entities; i++) A.value[world.createEntity(prefabA)] = i;
    return entityCycle.cell({ step: () => world.update(), counts: () => ({ ...counts, b: prefabB.entities.length }) });
  },

  add_remove() {
    const world = new World();
    const A = world.createComponentId();
    const B = world.createComponentId();
    const prefabA = world.prefabricate([A]);
    let removed = 0;
    world.registerSystem(
      createEntitySystem(
        (entities) => {
          for (let i = entities.length - 1; i >= 0; i--) world.addComponent(entities[i], B);
        },
        (q) => q.every(A).not(B),
      ),
    );
    world.registerSystem(
      createEntitySystem(
        (entities) => {
          for (let i = entities.length - 1; i >= 0; i--) {
            removed += 1;
            world.removeComponent(entities[i], B);
          }
        },
        (q) => q.every(B),
      ),
    );
    world.initialize();
    for (let i = 0; i < addRemove.entities; i++) world.createEntity(prefabA);
    return addRemove.cell({ step: () => world.update(), counts: () => ({ removed, a: prefabA.entities.length }) });
  },

  structure(params) {
    const { n } = params;
    const world = new World();
    const id = () => world.createComponentId();
    const Position = { id: id(), x: new Float32Array(n), y: new Float32Array(n) };
    const Velocity = { id: id(), x: new Float32Array(n), y: new Float32Array(n) };
    const Health = { id: id(), value: new Int32Array(n) };
    const prefab = world.prefabricate([Position, Velocity, Health]);
    world
      .registerSystem(
        createEntitySystem(
          () => {},
          (q) => q.every(Position, Velocity, Health),
        ),
      )
      .initialize();
    return structure.cell(params, {
      spawn() {
        for (let i = 0; i < n; i++) {
          const e = world.createEntity(prefab);
          Position.x[e] = i;
          Velocity.x[e] = 1;
          Health.value[e] = 100;
        }
      },
      clear() {
        const { entities } = prefab;
        for (let i = entities.length - 1; i >= 0; i--) world.deleteEntity(entities[i]);
      },
      count: () => prefab.entities.length,
    });
  },

  // A query contains archetypes and has no listeners, so the number of entities in the archetype with both is counted.
  systems({ count }) {
    const world = new World();
    const A = world.createComponentId();
    const X = world.createComponentId();
    const others = Array.from({ length: count }, () => world.createComponentId());
    const prefabA = world.prefabricate([A]);
    const prefabAX = world.prefabricate([A, X]);
    for (const other of others)
      world.registerSystem(
        createEntitySystem(
          () => {},
          (q) => q.every(A, other),
        ),
      );
    world
      .registerSystem(
        createEntitySystem(
          () => {},
          (q) => q.every(A, X),
        ),
      )
      .initialize();
    const ids = Array.from({ length: systems.entities }, () => world.createEntity(prefabA));
    const counts = { added: 0, removed: 0 };
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          world.addComponent(ids[i], X);
          counts.added += prefabAX.entities.length;
          world.removeComponent(ids[i], X);
          counts.removed += 1 - prefabAX.entities.length;
        }
      },
      counts: () => counts,
    });
  },
};

const component = (world, size) => ({ id: world.createComponentId(), value: new Int32Array(size) });

/** A system that adds 1 to `value` of every entity with the component. */
const plus = (c) => {
  const { value } = c;
  return createEntitySystem(
    (entities) => {
      for (let i = 0, l = entities.length; i < l; i++) value[entities[i]] += 1;
    },
    (q) => q.every(c),
  );
};

function sparseWorld({ n }, how) {
  const world = new World();
  const id = () => world.createComponentId();
  const Position = { id: id(), x: new Float32Array(n), y: new Float32Array(n) };
  const Sprite = { id: id(), x: new Float32Array(n), y: new Float32Array(n), frame: new Int32Array(n) };
  const Changed = { id: id() };
  const prefab = world.prefabricate([Position, Sprite]);
  const { system, change } = how({ world, Position, Sprite, Changed });
  world.registerSystem(system).initialize();
  const ids = Uint32Array.from({ length: n }, () => world.createEntity(prefab));
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) change(ids[targets[j]], value);
    },
    frame() {
      world.update();
    },
    sprite: (i) => ({ x: Sprite.x[ids[i]], frame: Sprite.frame[ids[i]] }),
  };
}

function scanning({ Position: { x }, Position, Sprite: { x: spriteX, frame }, Sprite }) {
  const system = createEntitySystem(
    (entities) => {
      for (let j = 0, l = entities.length; j < l; j++) {
        const e = entities[j];
        if (x[e] !== spriteX[e]) {
          spriteX[e] = x[e];
          frame[e] += 1;
        }
      }
    },
    (q) => q.every(Position, Sprite),
  );
  return {
    system,
    change: (e, value) => {
      x[e] = value;
    },
  };
}

function tagging({ world, Position: { x }, Sprite: { x: spriteX, frame }, Changed }) {
  const system = createEntitySystem(
    (entities) => {
      for (let j = entities.length - 1; j >= 0; j--) {
        const e = entities[j];
        spriteX[e] = x[e];
        frame[e] += 1;
        world.removeComponent(e, Changed);
      }
    },
    (q) => q.every(Changed),
  );
  return {
    system,
    change(e, value) {
      x[e] = value;
      world.addComponent(e, Changed);
    },
  };
}
