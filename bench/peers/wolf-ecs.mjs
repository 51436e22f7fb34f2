// wolf-ecs 2.1. Its guide recommends: typed arrays per component, and loops over `query.a[i].e`, from the end, where
// `forEach` is too slow. It does not detect changes of values and has no component objects.
import { ECS, types } from "wolf-ecs";
import { structure, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions["wolf-ecs"];

export const cases = {
  sparse_scan: (params) => sparse(params, scanning(params)),
  sparse_tag: (params) => sparse(params, tagging(params)),
  memory: (params) => ({ keep: scanning(params) }),

  packed_5() {
    const ecs = new ECS(packed5.entities);
    const components = Array.from({ length: packed5.components }, () => ecs.defineComponent(types.i32));
    const ids = Array.from({ length: packed5.entities }, () => entity(ecs, components));
    const [a, b, c, d, e] = components.map((component) => plus(ecs, component));
    return packed5.cell({ step: () => (a(), b(), c(), d(), e(), undefined), value: (at, i) => components[at][ids[i]] });
  },

  simple_iter() {
    const ecs = new ECS(simpleIter.each * simpleIter.kinds.length);
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, ecs.defineComponent(types.i32)]));
    const { A, B, C, D, E } = store;
    const ids = simpleIter.kinds.map((kind) =>
      Array.from({ length: simpleIter.each }, () => {
        const e = entity(
          ecs,
          [...kind].map((letter) => store[letter]),
        );
        for (const letter of kind) store[letter][e] = simpleIter.start(letter);
        return e;
      }),
    );
    const swap = (one, other) => {
      const query = ecs.createQuery(one, other);
      return () => {
        for (let i = 0; i < query.a.length; i++) {
          const entities = query.a[i].e;
          for (let j = entities.length - 1; j >= 0; j--) {
            const e = entities[j];
            const x = one[e];
            one[e] = other[e];
            other[e] = x;
          }
        }
      };
    };
    const ab = swap(A, B);
    const cd = swap(C, D);
    const ce = swap(C, E);
    return simpleIter.cell({
      step: () => (ab(), cd(), ce(), undefined),
      value: (kind, j, letter) => store[letter][ids[kind][j]],
    });
  },

  frag_iter() {
    const ecs = new ECS(letters.length * fragIter.each);
    const components = letters.map(() => ecs.defineComponent(types.i32));
    const Data = ecs.defineComponent(types.i32);
    const Z = components.at(-1);
    const ids = components.map((component) =>
      Array.from({ length: fragIter.each }, () => entity(ecs, [Data, component])),
    );
    const data = plus(ecs, Data);
    const z = plus(ecs, Z);
    return fragIter.cell({
      step: () => (data(), z(), undefined),
      data: (l, j) => Data[ids[l][j]],
      z: (j) => Z[ids[25][j]],
    });
  },

  entity_cycle() {
    const ecs = new ECS(8192);
    const A = ecs.defineComponent(types.i32);
    const B = ecs.defineComponent(types.i32);
    for (let i = 0; i < entityCycle.entities; i++) A[entity(ecs, [A])] = i;
    const withA = ecs.createQuery(A);
    const withB = ecs.createQuery(B);
    let removed = 0;
    let sum = 0;
    const step = () => {
      for (let i = 0; i < withA.a.length; i++) {
        const entities = withA.a[i].e;
        for (let j = entities.length - 1; j >= 0; j--) {
          const e = ecs.createEntity();
          ecs.addComponent(e, B);
          B[e] = A[entities[j]];
        }
      }
      for (let i = 0; i < withB.a.length; i++) {
        const entities = withB.a[i].e;
        for (let j = entities.length - 1; j >= 0; j--) {
          sum += B[entities[j]];
          removed += 1;
          ecs.destroyEntity(entities[j]);
        }
      }
    };
    return entityCycle.cell({ step, counts: () => ({ removed, sum, a: size(withA), b: size(withB) }) });
  },

  add_remove() {
    const ecs = new ECS(addRemove.entities);
    const A = ecs.defineComponent();
    const B = ecs.defineComponent();
    for (let i = 0; i < addRemove.entities; i++) entity(ecs, [A]);
    const withA = ecs.createQuery(A);
    const withB = ecs.createQuery(B);
    let removed = 0;
    const step = () => {
      for (let i = 0; i < withA.a.length; i++) {
        const entities = withA.a[i].e;
        for (let j = entities.length - 1; j >= 0; j--) ecs.addComponent(entities[j], B);
      }
      for (let i = 0; i < withB.a.length; i++) {
        const entities = withB.a[i].e;
        for (let j = entities.length - 1; j >= 0; j--) {
          removed += 1;
          ecs.removeComponent(entities[j], B);
        }
      }
    };
    return addRemove.cell({ step, counts: () => ({ removed, a: size(withA), b: size(withB) }) });
  },

  structure(params) {
    const { n } = params;
    const ecs = new ECS(n);
    const Position = ecs.defineComponent({ x: types.f32, y: types.f32 });
    const Velocity = ecs.defineComponent({ x: types.f32, y: types.f32 });
    const Health = ecs.defineComponent({ value: types.i32 });
    const all = ecs.createQuery(Position, Velocity, Health);
    return structure.cell(params, {
      spawn() {
        for (let i = 0; i < n; i++) {
          const e = ecs.createEntity();
          ecs.addComponent(e, Position).addComponent(e, Velocity).addComponent(e, Health);
          Position.x[e] = i;
          Velocity.x[e] = 1;
          Health.value[e] = 100;
        }
      },
      clear() {
        for (const { e: entities } of all.a) {
          for (let j = entities.length - 1; j >= 0; j--) ecs.destroyEntity(entities[j]);
        }
      },
      count: () => size(all),
    });
  },

  // A query contains archetypes and has no listeners, so the number of entities in the archetype with both is counted.
  systems({ count }) {
    const ecs = new ECS(systems.entities);
    const A = ecs.defineComponent();
    const X = ecs.defineComponent();
    const others = Array.from({ length: count }, () => ecs.defineComponent());
    for (const other of others) ecs.createQuery(A, other);
    const watched = ecs.createQuery(A, X);
    const ids = Array.from({ length: systems.entities }, () => entity(ecs, [A]));
    const counts = { added: 0, removed: 0 };
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          ecs.addComponent(ids[i], X);
          counts.added += size(watched);
          ecs.removeComponent(ids[i], X);
          counts.removed += 1 - size(watched);
        }
      },
      counts: () => counts,
    });
  },
};

function size(query) {
  let count = 0;
  for (let i = 0; i < query.a.length; i++) count += query.a[i].e.length;
  return count;
}

function entity(ecs, components) {
  const e = ecs.createEntity();
  for (const component of components) ecs.addComponent(e, component);
  return e;
}

/** A system that adds 1 to the value of every entity with the component. */
function plus(ecs, component) {
  const query = ecs.createQuery(component);
  return () => {
    for (let i = 0; i < query.a.length; i++) {
      const entities = query.a[i].e;
      for (let j = entities.length - 1; j >= 0; j--) component[entities[j]] += 1;
    }
  };
}

function sparseStore({ n }) {
  const ecs = new ECS(n);
  const Position = ecs.defineComponent({ x: types.f32, y: types.f32 });
  const Sprite = ecs.defineComponent({ x: types.f32, y: types.f32, frame: types.i32 });
  const Changed = ecs.defineComponent();
  const ids = Uint32Array.from({ length: n }, () => entity(ecs, [Position, Sprite]));
  return { ecs, Position, Sprite, Changed, ids, sprite: (i) => ({ x: Sprite.x[ids[i]], frame: Sprite.frame[ids[i]] }) };
}

function scanning({ n }) {
  const { ecs, Position, Sprite, ids, sprite } = sparseStore({ n });
  const all = ecs.createQuery(Position, Sprite);
  const { x } = Position;
  const { x: spriteX, frame } = Sprite;
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) x[ids[targets[j]]] = value;
    },
    frame() {
      for (let i = 0; i < all.a.length; i++) {
        const entities = all.a[i].e;
        for (let j = entities.length - 1; j >= 0; j--) {
          const e = entities[j];
          if (x[e] !== spriteX[e]) {
            spriteX[e] = x[e];
            frame[e] += 1;
          }
        }
      }
    },
    sprite,
  };
}

function tagging({ n }) {
  const { ecs, Position, Sprite, Changed, ids, sprite } = sparseStore({ n });
  const moved = ecs.createQuery(Position, Sprite, Changed);
  const { x } = Position;
  const { x: spriteX, frame } = Sprite;
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) {
        const e = ids[targets[j]];
        x[e] = value;
        ecs.addComponent(e, Changed);
      }
    },
    frame() {
      for (let i = 0; i < moved.a.length; i++) {
        const entities = moved.a[i].e;
        for (let j = entities.length - 1; j >= 0; j--) {
          const e = entities[j];
          spriteX[e] = x[e];
          frame[e] += 1;
          ecs.removeComponent(e, Changed);
        }
      }
    },
    sprite,
  };
}
