// node bench/react.mjs: how long a change takes while components of React show 10,000 entities, with crateful/react and with
// koota's hooks. Rendering is not included: React does it later. Needs `npm run build`, and `npm ci` in bench/.
import process from "node:process";
import { JSDOM } from "jsdom";

process.env.NODE_ENV = "production";
const { window } = new JSDOM();
Object.assign(globalThis, { window, document: window.document });
const { createElement, memo } = await import("react");
const { createRoot } = await import("react-dom/client");
const { flushSync } = await import("react-dom");
const crateful = await import("../dist/inline.js");
const hooks = await import("../dist/react.js");
const koota = await import("koota");
const kootaHooks = await import("koota/react");

const N = 10_000;

/** The median time of a call in microseconds. React renders what it has changed between the calls. */
async function median(call, rounds = 301) {
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    call(i);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return 1000 * times.sort((a, b) => a - b)[rounds >> 1];
}

/** Prints how long `change` takes while no component, one and all of the entities are shown. */
async function measure(name, entities, provide, useFields, change) {
  let renders = 0;
  const Row = memo(({ entity }) => {
    renders += 1;
    return useFields(entity).x;
  });
  for (const mounted of [0, 1, N]) {
    const root = createRoot(document.createElement("div"));
    const rows = entities.slice(0, mounted).map((entity) => createElement(Row, { entity, key: Number(entity) }));
    flushSync(() => root.render(provide(rows)));
    await median(change, 20);
    renders = 0;
    const time = await median(change);
    console.log(`${name}, ${mounted} mounted: ${time.toFixed(1)} µs, ${renders} renderings in 301 changes`);
    root.unmount();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

await crateful.init();
const ecs = new crateful.ECS();
class Position extends crateful.defineComponent("Position", { x: "f32", y: "f32" }) {}
const crates = [...ecs.addEntities(N)];
ecs.addComponents(crates, Position);
await measure(
  "crateful",
  crates,
  (rows) => createElement(hooks.World, { ecs }, rows),
  (entity) => hooks.useComponent(entity, Position),
  (i) => {
    ecs.get(crates[0], Position).x = i + 1;
    ecs.update();
  },
);

const world = koota.createWorld();
const Trait = koota.trait({ x: 0, y: 0 });
const entities = Array.from({ length: N }, () => world.spawn(Trait));
await measure(
  "koota",
  entities,
  (rows) => createElement(kootaHooks.WorldProvider, { world }, rows),
  (entity) => kootaHooks.useTrait(entity, Trait),
  (i) => entities[0].set(Trait, { x: i + 1, y: 0 }),
);
