// Random systems, whose callbacks are compared with the rules, apply operations (in chaos) and throw.
import { Aspect, System, defineSystem, type DirtySet, type Entity, type EntityMap } from "crateful";
import { PARENT, allKinds, classOf, kinds, shape, read } from "./components.js";
import { Thrown } from "./replay.js";
import { runSystem } from "./runs.js";
import { THREW, bits, classes, noteOfCall, type ModelSystem, type Selection, type World } from "./state.js";

class OwnAspect extends Aspect {
  note = 1;
}

/** Applies operations in chaos, then possibly throws. */
function interfere(w: World, e?: Entity): void {
  const { replay } = w;
  if (replay.comparing) return;
  replay.callback(() => {
    if (replay.chaos && replay.depth < 5 && replay.random.chance(120)) {
      const other = replay.random.chance(850) ? w : replay.random.pick(w.worlds);
      for (let n = 1 + replay.random.below(2); n > 0; --n) {
        try {
          other.operate(other, e);
        } catch (error) {
          if (!(error instanceof Thrown) || replay.random.chance(500)) throw error;
        }
      }
    }
    replay.maybeThrow();
  });
}

function makeAspect(w: World, s: ModelSystem): Aspect {
  const { replay } = w;
  if (replay.chaos || s.adds) {
    try {
      interfere(w);
    } catch (error) {
      if (replay.chaos) s.throws++;
      else s.occurred.push(THREW);
      throw error;
    }
  }
  return new OwnAspect();
}
function onAdd(w: World, s: ModelSystem, aspect: Aspect): void {
  const e = aspect.entity;
  w.replay.count("onAdd");
  if (!w.chaos) s.occurred.push(noteOfCall(e, true));
  if (s.removes && s.added.has(e)) w.fail(`A3 ${s.name}: onAdd twice for ${e}`);
  s.added.add(e);
  if (s.entities !== undefined) {
    if (!s.entities.has(e)) w.fail(`A2 ${s.name}: in onAdd, entities lacks ${e}`);
    if (s.entities.get(e) !== aspect) w.fail(`A1 ${s.name}: onAdd of ${e} with another aspect`);
  }
  if (!w.chaos) s.aspects.set(e, aspect);
  if (!w.chaos || w.replay.depth === 0) readRequired(w, s, aspect, "onAdd");
  interfere(w, e);
}
function onRemove(w: World, s: ModelSystem, aspect: Aspect): void {
  const e = aspect.entity;
  w.replay.count("onRemove");
  if (!w.chaos) s.occurred.push(noteOfCall(e, false));
  const known = s.added.delete(e);
  if (s.adds && !known && !s.madeLater.delete(e)) w.fail(`A3 ${s.name}: onRemove without onAdd for ${e}`);
  if (!w.chaos && (s.aspects.get(e) ?? aspect) !== aspect) w.fail(`A1 ${s.name}: onRemove of ${e} with another aspect`);
  if (s.entities?.has(e) && s.entities.get(e) === aspect) w.fail(`A2 ${s.name}: in onRemove, entities has ${e}`);
  readRequired(w, s, aspect, "onRemove");
  interfere(w, e);
}
/** Every component can be read through the aspect (A2). In chaos, a callback may have removed the parent. */
function readRequired(w: World, s: ModelSystem, aspect: Aspect, callback: string): void {
  for (const k of s.required) {
    if (k === PARENT && w.chaos) continue;
    try {
      if (!(aspect.get(classOf(k)) instanceof classOf(k))) w.fail(`A2 ${s.name} ${callback}: not a component`);
      const component = aspect.get(classOf(k));
      if (k !== PARENT) for (const field of kinds[k]!.fields) read(component, field);
    } catch (error) {
      w.fail(`A2 ${s.name} ${callback} of ${aspect.entity}: reading class ${k} threw ${(error as Error).stack}`);
    }
  }
}

/** The callbacks that every system has, and those that it has by chance. */
function callbacks(w: World, s: ModelSystem): Partial<System> {
  const transition = (by: number) => (entities: EntityMap<Aspect>) => {
    s.entities = entities;
    s.transitions.push(by);
    interfere(w);
  };
  return {
    update(delta: number, entities: EntityMap<Aspect>, dirty: DirtySet) {
      s.entities = entities;
      s.dirtySet = dirty;
      runSystem(w, s, delta);
    },
    init: () => interfere(w),
    onEnabled: transition(1),
    onDisabled: transition(-1),
    onClear() {
      w.cleared.push(s);
      interfere(w);
    },
    ...(s.adds && { onAdd: (aspect: Aspect) => onAdd(w, s, aspect) }),
    ...(s.removes && { onRemove: (aspect: Aspect) => onRemove(w, s, aspect) }),
    ...(s.makes && { makeAspect: () => makeAspect(w, s) }),
  };
}

/** What a system selects, from different classes. */
function randomSelection({ random }: World, hasRows: boolean): Selection {
  const left = [...allKinds];
  const required = random.take(left, 1 + random.below(2));
  const excluded = random.take(left, random.chance(350) ? 1 : 0);
  const optional = hasRows ? random.take([...left], random.below(3)) : [];
  const accepted = random.take(left, random.chance(250) ? 2 : 0);
  return { required, excluded, accepted, optional, ofParent: hasRows && random.chance(400) ? [random.below(8)] : [] };
}

export function newSystem(w: World): ModelSystem {
  const { random } = w;
  const hasRows = random.chance(600);
  const selection = randomSelection(w, hasRows);
  const left = [...allKinds];
  const watched = random.take(left, random.chance(700) ? 1 + random.below(3) : 0);
  const ancestors = random.take(left, random.chance(300) ? 1 + random.below(2) : 0);
  const hooks = random.below(8);
  const id = ++w.nextSystem;
  const s: Omit<ModelSystem, "real"> = {
    ...selection,
    id,
    name: `S${id}`,
    filter: {
      required: bits(selection.required),
      excluded: bits(selection.excluded),
      accepted: bits(selection.accepted),
    },
    watched: bits(watched),
    fromAncestors: bits(ancestors),
    watching: watched.length + ancestors.length > 0,
    ordered: random.chance(300),
    onlyWhenDirty: watched.length > 0 && random.chance(400),
    debug: random.chance(150),
    interval: random.chance(200) ? random.pick([0.5, 0.75]) : 0,
    priority: random.pick([-1, 0, 0.5, 1, 1, 2]),
    adds: (hooks & 1) !== 0,
    removes: (hooks & 2) !== 0,
    makes: (hooks & 4) !== 0,
    hasRows,
    entities: undefined,
    dirtySet: undefined,
    disabled: random.chance(150),
    elapsed: 0,
    tracked: [],
    dirty: new Map(),
    causes: undefined,
    trackedOpen: false,
    dirtyOpen: false,
    expected: [],
    occurred: [],
    callsOpen: false,
    added: new Set(),
    unmade: new Set(),
    madeLater: new Set(),
    throws: 0,
    aspects: new Map(),
    transitions: [],
  };
  const model = s as ModelSystem;
  const Base = hasRows ? rowSystem(w, model, watched, ancestors) : plainSystem(model, watched, ancestors);
  model.real = Object.assign(new (Base as unknown as new () => System)(), callbacks(w, model));
  return model;
}

function rowSystem(w: World, s: ModelSystem, watched: number[], ancestors: number[]): unknown {
  const { ordered, onlyWhenDirty, interval, name, debug, disabled } = s;
  return defineSystem(shape("required", s.required), {
    without: classes(s.excluded),
    any: classes(s.accepted),
    watch: classes(watched),
    watchAncestors: classes(ancestors),
    optional: shape("optional", s.optional),
    parent: shape("parent", s.ofParent),
    ...{ ordered, onlyWhenDirty, whilePaused: debug, disabled, name },
    ...(interval > 0 && { interval }),
    ...(w.random.chance(300) && { aspect: OwnAspect }),
  });
}

function plainSystem(s: ModelSystem, watched: number[], ancestors: number[]): unknown {
  const set = (list: readonly number[]) => new Set(classes(list));
  return class extends System {
    override readonly componentsRequired = set(s.required);
    override readonly componentsExcluded = set(s.excluded);
    override readonly componentsAny = set(s.accepted);
    override readonly dirtyComponents = set(watched);
    override readonly dirtyFromAncestors = set(ancestors);
    override readonly ordered = s.ordered;
    override readonly onlyWhenDirty = s.onlyWhenDirty;
    override readonly interval = s.interval;
    override readonly name = s.name;
    constructor() {
      super(s.disabled, s.debug);
    }
    override update(): void {} // replaced
  };
}
