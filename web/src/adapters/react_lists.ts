// Lists of entities that belong to an entity.
import { useMemo, useSyncExternalStore } from "react";
import { Parent, type ComponentClass, type ECS, type Entity, type SchemaOf, type Stored } from "../api.js";
import type { LinkField } from "../component/schema.js";
import { Listeners, listenersOf, same } from "./react_listeners.js";
import { useProvidedFor } from "./react_world.js";

/** What one hook of a list reads and subscribes to. The list is `entities()` without an entity that is being removed. */
function listStore(listeners: Listeners, e: Entity, entities: () => Iterable<Entity>) {
  let rendered: readonly Entity[] = Object.freeze([]);
  let list = rendered;
  let notified = false; // of another list, which was not rendered yet: if many are removed, each notifies
  const read = () => {
    const { tracked } = listeners;
    const next = [...entities()].filter((entity) => tracked?.has(entity) ?? true);
    if (same(rendered, next)) list = rendered;
    else if (!same(list, next)) list = Object.freeze(next);
    return list;
  };
  const subscribe = (listener: () => void) =>
    listeners.subscribe(e, () => {
      if (notified) return;
      const last = list;
      notified = true;
      listener(); // React calls `read`, and can render at once
      if (list === last) notified = false;
    });
  const render = (list: readonly Entity[]) => ((notified = false), (rendered = list));
  return { read, subscribe, render };
}
function useList({ read, subscribe, render }: ReturnType<typeof listStore>): readonly Entity[] {
  return render(useSyncExternalStore(subscribe, read, read));
}

function childrenListeners(ecs: ECS, parent: typeof Parent): Listeners {
  let version = -1; // a change of the order is no signal (rule H1)
  const listeners = new Listeners(
    ecs,
    { parent },
    { whilePaused: true, name: "useChildren" },
    {
      update() {
        const { hierarchy } = ecs.$world;
        if (version === hierarchy.version) return;
        version = hierarchy.version;
        listeners.notifyAll();
      },
      onRemove: (aspect) => listeners.notify(aspect.get(parent).entity),
    },
  );
  return listeners;
}

/**
 * The children of an entity, in their order: a frozen array, and the same object until the list changes. Empty if the entity was
 * removed. Renders the calling component again when the list has changed: at the end of `ecs.update`, and at once when a child is
 * removed or loses its parent. Costs O(children of all entities that are shown) for each update in which any hierarchy has changed,
 * and otherwise nothing; and a call from C++ for each entity with a parent that is removed.
 */
export function useChildren(e: Entity): readonly Entity[] {
  const ecs = useProvidedFor("useChildren", e);
  return useList(
    useMemo(() => listStore(listenersOf(childrenListeners, ecs, Parent), e, () => ecs.children(e)), [ecs, e]),
  );
}

function linkedListeners(ecs: ECS, cls: ComponentClass<Stored>): Listeners {
  const options = { watch: [cls], whilePaused: true, name: `useLinked(${ecs.$world.table(cls).info.name})` };
  let removed = false;
  const listeners = new Listeners(ecs, { component: cls }, options, {
    update(_delta, _entities, dirty) {
      if (dirty.size === 0 && !removed) return;
      removed = false;
      listeners.notifyAll();
    },
    onRemove(aspect) {
      removed = true; // its links are NONE already if what they referred to was removed before it
      for (const value of Object.values(aspect.get(cls).toJSON())) listeners.notify(value as Entity);
    },
  });
  return listeners;
}

/**
 * The entities whose component of a class refers to `e` by its field of type `link`, as `ecs.linked` returns them: a frozen array, in
 * the order of their indices, and the same object until the list changes. If the class has several such fields, name one. Empty if
 * `e` was removed. Renders the calling component again when the list has changed: at the end of `ecs.update`, also after a removal
 * of `e`, and at once when an entity of the list is removed or loses the component. Throws as `ecs.linked`. Costs `ecs.linked` for each entity
 * that is shown, in each update in which a component of the class has signalled or was removed, and otherwise nothing.
 */
export function useLinked<C extends Stored>(
  cls: ComponentClass<C>,
  e: Entity,
  ...[field]: LinkField<SchemaOf<C>>
): readonly Entity[] {
  const ecs = useProvidedFor("useLinked", e);
  const make = () => {
    const linked = () => ecs.linked(cls as ComponentClass<Stored>, e, field);
    return listStore(listenersOf(linkedListeners, ecs, cls as ComponentClass<Stored>), e, linked);
  };
  return useList(useMemo(make, [ecs, cls, e, field]));
}
