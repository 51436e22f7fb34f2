// Crateful with components and systems in C++: the module of ../module, used from JavaScript.
import { ECS, init, nativeComponent } from "../../dist/inline.js";
import { sparse } from "../cases/sparse.mjs";
import { median } from "../harness/spread.mjs";

export { version } from "./crateful_components.mjs";

let native; // the module; created on first use, because a process can have only one and the runner uses another
let Position, Sprite;

async function load() {
  if (native) return;
  const { default: create } = await import(new URL("../../build/wasm/bench/crateful-bench.mjs", import.meta.url).href);
  native = await create();
  await init({ module: native });
  Position = nativeComponent("SparsePosition", { x: "f32", y: "f32" });
  Sprite = nativeComponent("SparseSprite", { x: "f32", y: "f32", frame: "u32" });
}

const natively = {
  /** Changed from TypeScript, through component objects; or, if `changes` says so, by a C++ system. */
  sparse(params) {
    if (params.changes === "cpp") return natively.sparse_cpp(params);
    const ecs = new ECS();
    native.sparse(ecs.raw, params.n, 0, false, false);
    const ids = Uint32Array.from(ecs.storage(Position)); // not its `entities`: in a linear storage, the world has an empty slot
    return sparse(params, {
      change(targets, value) {
        for (let j = 0; j < targets.length; j++) ecs.getComponents(ids[targets[j]]).get(Position).x = value;
      },
      frame: () => void ecs.update(1 / 60),
      sprite(i) {
        const { x, frame } = ecs.getComponents(ids[i]).get(Sprite);
        return { x, frame };
      },
    });
  },
  /** Changed by a C++ system. */
  sparse_cpp({ n, k, pattern = "same" }) {
    const ecs = new ECS();
    return proved(ecs, native.sparse(ecs.raw, n, k, pattern === "moving", true));
  },

  /** The crate room of the demo, without rendering. */
  room({ crates, moving, tracking = true }) {
    const ecs = new ECS();
    return proved(ecs, native.room(ecs.raw, crates, moving, tracking));
  },

  /** Removal from the two storage policies (rule T2). C++ measures the time, without filling the storage; the median of several. */
  storage({ from, n }) {
    const times = Array.from({ length: 11 }, () => native.nanosecondsPerRemoval(from === "linear", n));
    return { report: { ns: median(times) } };
  },
};

export const cases = Object.fromEntries(
  Object.entries(natively).map(([name, make]) => [
    name,
    async (params) => {
      await load();
      return make(params);
    },
  ]),
);

/** A case that C++ verifies. */
function proved(ecs, made) {
  return {
    step: () => void ecs.update(),
    ops: made.ops(),
    verify(steps) {
      const failure = made.failure(steps);
      if (failure !== "") throw new Error(failure);
    },
  };
}
