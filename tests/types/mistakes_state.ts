// Snapshots and changes: each mistake must not compile.
import { Component, ECS, defineComponent } from "crateful";
import { Changes, Replica, Rewind, restore, snapshot, type Receiver, type RestoreOptions } from "crateful/state";

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

// Changes and replicas.
const changes = new Changes(ecs, { components: [Position, "Mesh"], without: [Mesh] });
const all: Receiver = changes.receiver();
const near = changes.receiver({ select: new Set([1, 2]) });
near.select(3);
near.deselect(3);
near.restart();
const taken: Uint8Array = near.take({ maxBytes: 1200 });
const replica = new Replica(ecs, { components: [Position], limits: { entities: 10, index: 20, bytes: 1000 } });
replica.apply(taken);
replica.apply(all.take().buffer);
const there: number = replica.entity(1) + replica.remote(2) + replica.frame;
replica.predict(there);
replica.stopPredicting(there);
replica.reset();
for (const each of [changes, all, replica]) each.dispose();

// @ts-expect-error: no ECS
new Changes({});
// @ts-expect-error: an instance
new Changes(ecs, { components: [new Position()] });
// @ts-expect-error: no such option
new Changes(ecs, { ignore: [Mesh] });
// @ts-expect-error: a receiver comes from a source
new Receiver();
// @ts-expect-error: one entity is no iterable
changes.receiver({ select: 1 });
// @ts-expect-error: no such option
changes.receiver({ maxBytes: 1200 });
// @ts-expect-error: an option, not a number
near.take(1200);
// @ts-expect-error: a text
near.take({ maxBytes: "1200" });
// @ts-expect-error: a text is no bytes
replica.apply("bytes");
// @ts-expect-error: a name is no class
new Replica(ecs, { components: ["Position"] });
// @ts-expect-error: no such limit
new Replica(ecs, { limits: { seconds: 1 } });
// @ts-expect-error: it can only be read
replica.frame = 1;

// Recording frames.
const rewind = new Rewind(ecs, { bytes: 2 ** 20, without: [Mesh, "Sound"] });
rewind.to(rewind.newest - rewind.oldest);
rewind.dispose();
// @ts-expect-error: no ECS
new Rewind({});
// @ts-expect-error: no such option
new Rewind(ecs, { frames: 60 });
// @ts-expect-error: a text
rewind.to("60");
// @ts-expect-error: it can only be read
rewind.oldest = 0;
