// The cases of rule N2: each kind of component, with and without each callback.
import { describe, expect, test } from "@jest/globals";
import { Component, type Aspect, type ComponentClass, type Entity } from "crateful";
import { restore, snapshot } from "./with_state.js";
import { Packed, Position, Tag, add, world, type Script } from "./world.js";

class Saved extends Component {
  static readonly typeName = "CasesSaved";
  constructor(public x: number) {
    super();
  }
  static encode = ({ x }: Saved) => x;
  static decode = (x: number) => new Saved(x);
}

interface Kind {
  kind: string;
  cls: ComponentClass;
  make(x: number): Component;
}
const kinds: Kind[] = [
  { kind: "tag", cls: Tag, make: () => new Tag() },
  { kind: "sparse", cls: Packed, make: (x) => new Packed({ x }) },
  { kind: "linear", cls: Position, make: (x) => new Position({ x }) },
  { kind: "object", cls: Saved, make: (x) => new Saved(x) },
];

describe.each(kinds)("$kind", ({ kind, cls, make }) => {
  test.each(["none", "onAdd", "onRemove", "both"])(
    `N2 what differs is restored, and callbacks are called for what appears and vanishes [${kind} %s]`,
    (has) => {
      const ecs = world();
      const fieldOf = (component: Component) => (component as { x?: number }).x;
      const read = (e: Entity) => fieldOf(ecs.get(e, cls));
      const calls: string[] = [];
      const script: Script<Aspect> = { requires: [cls], watches: [cls] };
      if (has === "onAdd" || has === "both")
        script.onAdd = (aspect) => void calls.push(`add ${aspect.entity} ${fieldOf(aspect.get(cls))}`);
      if (has === "onRemove" || has === "both")
        script.onRemove = (aspect) => void calls.push(`remove ${aspect.entity} ${fieldOf(aspect.get(cls))}`);
      const system = add(ecs, script);
      const [same, changed, back] = [7, 7, 7].map((x) => ecs.addEntity(make(x))) as [Entity, Entity, Entity];
      ecs.update();
      const value = read(same);
      const saved = snapshot(ecs);

      const kept = ecs.get(same, cls);
      ecs.addComponent(changed, make(8));
      ecs.removeComponent(back, cls);
      const added = ecs.addEntity(make(9));
      ecs.update();
      const fieldOfAdded = read(added);
      calls.length = 0;
      restore(ecs, saved);
      expect(calls).toEqual([
        ...(has === "onRemove" || has === "both" ? [`remove ${added} ${fieldOfAdded}`] : []),
        ...(has === "onAdd" || has === "both" ? [`add ${back} ${value}`] : []),
      ]);
      expect([same, changed, back].map(read)).toEqual([value, value, value]);
      expect(ecs.get(same, cls)).toBe(kept);
      expect([...system.entities.keys()].sort()).toEqual([same, changed, back]);
      ecs.update();
      expect(system.lastRun).toEqual(kind === "tag" ? [back] : [changed, back]);
      expect(snapshot(ecs)).not.toEqual(saved); // one update more
      restore(ecs, saved);
      expect(snapshot(ecs)).toEqual(saved);
    },
  );
});
