// Snapshots: each mistake must not compile.
import { Component, ECS, defineComponent } from "crateful";
import { restore, snapshot, type RestoreOptions } from "crateful/state";

class Position extends defineComponent("Position", { x: "f32" }) {}
class Mesh extends Component {}
const ecs = new ECS();

const bytes: Uint8Array = snapshot(ecs, { without: [Mesh, "Position"] });
void new Blob([snapshot(ecs)]);
const options: RestoreOptions = {
  ignore: [Mesh, "Old"],
  components: [Position],
  rename: { Old: "Position", "Old.y": "x" },
  limits: { entities: 10, index: 20, bytes: 1000 },
};
restore(ecs, bytes, options);
restore(ecs, bytes.buffer);
restore(ecs, new DataView(new ArrayBuffer(8)));

// @ts-expect-error: no ECS
snapshot({});
// @ts-expect-error: no such option
snapshot(ecs, { ignore: [Mesh] });
// @ts-expect-error: an instance
snapshot(ecs, { without: [new Position()] });
// @ts-expect-error: a text is no bytes
restore(ecs, "bytes");
// @ts-expect-error: numbers are no bytes
restore(ecs, [1, 2]);
// @ts-expect-error: a name is no class
restore(ecs, bytes, { components: ["Position"] });
// @ts-expect-error: a new name is a text
restore(ecs, bytes, { rename: { Position: Mesh } });
// @ts-expect-error: no such limit
restore(ecs, bytes, { limits: { seconds: 1 } });
// @ts-expect-error: no flag
snapshot(ecs, { systems: 1 });
// @ts-expect-error: a name is no class
restore(ecs, bytes, { events: ["Hit"] });
