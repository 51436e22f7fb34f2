// A simple ECS with the same semantics, implemented with Maps and Sets: systems require components and watch them,
// entities are removed at the end of the update, setters signal.

export class NaiveComponent {
  ecs = undefined;
  entity = 0;
  dirty() {
    this.ecs?.dirty(this.entity, this.constructor);
  }
}

export class NaiveEcs {
  #next = 1;
  #entities = new Map(); // entity -> Map(class -> component)
  #systems = [];
  #requiring = new Map(); // class -> systems
  #watching = new Map();
  #pendingRemovals = new Set();

  addSystem(system) {
    system.ecs = this;
    system.entities = new Map();
    system.dirty = new Set();
    this.#systems.push(system);
    for (const cls of system.required) list(this.#requiring, cls).push(system);
    for (const cls of system.watched ?? []) list(this.#watching, cls).push(system);
    for (const e of this.#entities.keys()) this.#match(e, system);
    return system;
  }

  addEntity() {
    const e = this.#next++;
    this.#entities.set(e, new Map());
    return e;
  }
  removeEntity(e) {
    this.#pendingRemovals.add(e);
  }

  addComponent(e, component) {
    component.ecs = this;
    component.entity = e;
    this.#components(e).set(component.constructor, component);
    for (const system of list(this.#requiring, component.constructor)) this.#match(e, system);
    this.dirty(e, component.constructor);
    return component;
  }
  removeComponent(e, cls) {
    const components = this.#components(e);
    const component = components.get(cls);
    if (component === undefined) return false;
    components.delete(cls);
    component.ecs = undefined;
    for (const system of list(this.#requiring, cls)) this.#match(e, system);
    this.dirty(e, cls);
    return true;
  }
  get(e, cls) {
    const component = this.#components(e).get(cls);
    if (component === undefined) throw new Error(`entity ${e} has no ${cls.name}`);
    return component;
  }
  dirty(e, cls) {
    for (const system of list(this.#watching, cls)) if (system.entities.has(e)) system.dirty.add(e);
  }

  update() {
    for (const system of this.#systems) {
      system.update(system.entities, system.dirty);
      system.dirty.clear();
    }
    for (const e of this.#pendingRemovals) this.#remove(e);
    this.#pendingRemovals.clear();
  }
  clear() {
    for (const e of [...this.#entities.keys()]) this.#remove(e);
  }
  get count() {
    return this.#entities.size;
  }

  #components(e) {
    const components = this.#entities.get(e);
    if (components === undefined) throw new Error(`entity ${e} is not alive`);
    return components;
  }
  #match(e, system) {
    const components = this.#components(e);
    const matches = system.required.every((cls) => components.has(cls));
    if (matches === system.entities.has(e)) return;
    if (matches) {
      system.entities.set(e, components);
      if (system.watched) system.dirty.add(e);
      system.onAdd?.(e);
    } else this.#untrack(e, system);
  }
  #remove(e) {
    for (const cls of this.#components(e).keys()) {
      for (const system of list(this.#requiring, cls)) if (system.entities.has(e)) this.#untrack(e, system);
    }
    this.#entities.delete(e);
  }
  #untrack(e, system) {
    system.entities.delete(e);
    system.dirty.delete(e);
    system.onRemove?.(e);
  }
}

function list(map, key) {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = []));
  return found;
}
