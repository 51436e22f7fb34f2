// Each of these must not compile.
import {
  Aspect,
  Component,
  ECS,
  EcsError,
  System,
  defineComponent,
  defineSystem,
  init,
  type DirtySet,
  type Entity,
  type EntityMap,
  type ErrorCode,
} from "crateful";

class Position extends defineComponent("Position", { x: "f32" }) {}
class Unrelated {}
class Squares extends Aspect {
  square = 0;
}
class Mover extends System {
  componentsRequired = new Set([Position]);
  update() {}
}
class Squarer extends System<Squares> {
  componentsRequired = new Set([Position]);
  makeAspect() {
    return new Squares();
  }
  update() {}
}
const ecs = new ECS();
const e = ecs.addEntity();
const mover = new Mover();

// --- classes of systems
// @ts-expect-error update is missing
class NoUpdate extends System {
  componentsRequired = new Set([Position]);
}
// @ts-expect-error componentsRequired is missing
class NoRequired extends System {
  update() {}
}
class WrongRequired extends System {
  // @ts-expect-error not a component class
  componentsRequired = new Set([Unrelated]);
  // @ts-expect-error not a component class
  override dirtyComponents = new Set([new Position()]);
  update() {}
}
class ArrayRequired extends System {
  // @ts-expect-error a set is required
  componentsRequired = [Position];
  // @ts-expect-error a boolean is required
  override onlyWhenDirty = "yes";
  update() {}
}
class WrongUpdate extends System {
  componentsRequired = new Set([Position]);
  // @ts-expect-error the delta is a number
  update(_delta: string) {}
}
class EntitiesFirst extends System {
  componentsRequired = new Set([Position]);
  // @ts-expect-error the delta is the first argument
  update(_entities: EntityMap<Aspect>) {}
}
class WrongAspect extends System<Squares> {
  componentsRequired = new Set([Position]);
  // @ts-expect-error aspects of another class
  override makeAspect() {
    return new Aspect();
  }
  // @ts-expect-error entities of another class of aspects
  update(_delta: number, _entities: EntityMap<Aspect & { cube: number }>) {}
}
class WrongCallbacks extends Squarer {
  // @ts-expect-error the argument is an aspect, not an entity
  override onAdd(_e: Entity) {}
  // @ts-expect-error aspects of another class
  override onRemove(_aspect: Aspect & { cube: number }) {}
  // @ts-expect-error there is no such callback to override
  override onDestroy() {}
}
// @ts-expect-error makeAspect is missing
class NoMakeAspect extends System<Squares> {
  componentsRequired = new Set([Position]);
  update() {}
}
// @ts-expect-error an aspect class is required
class NoAspect extends System<Unrelated> {
  componentsRequired = new Set([Position]);
  update() {}
}

class Reader extends System<Squares> {
  componentsRequired = new Set([Position]);
  makeAspect() {
    return new Squares();
  }
  update(_delta: number, entities: EntityMap<Squares>, dirty: DirtySet) {
    // @ts-expect-error entities is read-only
    entities.set(e, new Squares());
    // @ts-expect-error entities is read-only
    entities.delete(e);
    // @ts-expect-error entities is read-only
    entities.clear();
    // @ts-expect-error dirty is read-only
    dirty.add(e);
    // @ts-expect-error dirty is read-only
    dirty.delete(e);
    // @ts-expect-error dirty is read-only
    dirty.clear();
    // @ts-expect-error the size is read-only
    dirty.size = 0;
    // @ts-expect-error ids is read-only
    entities.ids = new Uint32Array(1);
    // @ts-expect-error entities are numbers
    dirty.has("e");
    // @ts-expect-error the entity can be untracked
    entities.get(e).square = 1;
    // @ts-expect-error there is no such member of the aspect
    for (const aspect of entities.values()) aspect.cube = 1;
    // @ts-expect-error dirty contains entities, not aspects
    for (const aspect of dirty) aspect.get(Position);
    for (const [, aspect] of entities) {
      // @ts-expect-error the entity of an aspect is fixed
      aspect.entity = e;
      // @ts-expect-error not a component class
      aspect.get(Unrelated);
    }
  }
}

// --- adding, finding and switching systems
// @ts-expect-error the priority is the first argument
ecs.addSystem(mover, 1);
// @ts-expect-error a priority is required
ecs.addSystem(mover);
// @ts-expect-error a class instead of an instance
ecs.addSystem(0, Mover);
// @ts-expect-error not a system
ecs.addSystem(0, new Unrelated());
// @ts-expect-error a priority is a number
ecs.addSystem("first", mover);
// @ts-expect-error an instance instead of its class
ecs.getSystem(mover);
// @ts-expect-error not a system class
ecs.getSystem(Position);
// @ts-expect-error a system that is found by its name can be of any class
const byName: Mover = ecs.getSystem("Mover");
void byName;
// @ts-expect-error a different class
const squarer: Squarer & { square: number } = ecs.getSystem(Mover);
// @ts-expect-error there is no such member of the system
ecs.getSystem(Mover).speed;
// @ts-expect-error not a system class
ecs.removeSystem(Unrelated);
// @ts-expect-error not a system class
ecs.enableSystem(Position);
// @ts-expect-error a system is required
ecs.disableSystem();
// @ts-expect-error a list
ecs.toggleSystem(["Mover"]);
// @ts-expect-error use enableSystem and disableSystem
mover.disabled = true;
// @ts-expect-error debug is chosen in the constructor
mover.debug = true;
// @ts-expect-error it is set by addSystem
mover.ecs = ecs;

// --- the ECS
// @ts-expect-error a number of seconds
ecs.update("1");
// @ts-expect-error a number of entities
ecs.addEntities("3");
// @ts-expect-error times are read-only
ecs.gameTime = 0;
// @ts-expect-error the count is read-only
ecs.count = 0;
// @ts-expect-error a boolean is required
ecs.paused = 1;
// @ts-expect-error there is no such member
ecs.destroy();
// @ts-expect-error there is one events manager per ECS
ecs.events = ecs.events;
// @ts-expect-error there is no such style
ecs.slowMotion.style = "slow";
// @ts-expect-error a duration is required
ecs.slowMotion.request(2);
// @ts-expect-error an ECS takes no arguments
new ECS(3);
// @ts-expect-error there is no such option
init({ binary: "crateful.wasm" });
// @ts-expect-error an address, a response, bytes or a module
init({ wasm: 3 });

// --- events
class Hit {
  constructor(readonly power: number) {}
}
// @ts-expect-error an instance instead of its class
ecs.events.subscribe(new Hit(1), () => {});
// @ts-expect-error a handler is required
ecs.events.subscribe(Hit);
// @ts-expect-error there is no such member of the event
ecs.events.subscribe(Hit, (event) => event.damage);
// @ts-expect-error a handler of another event
ecs.events.subscribe(Hit, (_event: { other: number }) => {});
declare const listener: System;
// @ts-expect-error there is no such member of the event
listener.subscribe(Hit, (event) => event.damage);
// @ts-expect-error it has no options
listener.subscribe(Hit, () => {}, { transient: true });
// @ts-expect-error an event is an object
ecs.events.dispatch("hit");
// @ts-expect-error a delay is a number
ecs.events.dispatch(new Hit(1), "soon");
// @ts-expect-error the inbox contains events of class Hit
ecs.events.inbox(Hit).push(new Unrelated());

// --- errors
declare const error: EcsError;
// @ts-expect-error there is no such code
const isOdd = error.code === "ODD";
// @ts-expect-error the code is read-only
error.code = "BAD_SYSTEM";
// @ts-expect-error there is no such code
const code: ErrorCode = "STALE";

abstract class Abstract extends Component {
  abstract kind: string;
}
// @ts-expect-error an abstract class can't be constructed
ecs.addComponent(e, new Abstract());

export {
  ArrayRequired,
  EntitiesFirst,
  NoAspect,
  NoMakeAspect,
  NoRequired,
  NoUpdate,
  Reader,
  WrongAspect,
  WrongCallbacks,
  WrongRequired,
  WrongUpdate,
  code,
  isOdd,
  squarer,
};

class Rows extends defineSystem({ position: Position }, { watch: [Position] }) {
  override update() {
    // @ts-expect-error not in the shape
    for (const { velocity } of this.rows) void velocity;
    // @ts-expect-error no aspect of that kind
    for (const { aspect } of this.dirty) aspect.drawn += 1;
    // @ts-expect-error read-only
    this.rows = this.query({});
  }
}
// @ts-expect-error no component class
defineSystem({ position: Date });
// @ts-expect-error no such option
defineSystem({ position: Position }, { watches: [Position] });
// @ts-expect-error a list
defineSystem({ position: Position }, { watch: Position });
// @ts-expect-error an aspect class
defineSystem({ position: Position }, { aspect: Position });
// @ts-expect-error a class with another constructor
new Rows(1);

// --- dirty.of takes the classes that the system watches
class Speed extends defineComponent("Speed", { vx: "f32" }) {}
class Colour extends defineComponent("Colour", { rgb: "u32" }) {}
class Watcher extends defineSystem({ position: Position }, { watch: [Position], watchAncestors: [Speed] }) {
  override update() {
    void [this.dirty.of(Position), this.dirty.of(Speed)];
    // @ts-expect-error a class that it does not watch
    this.dirty.of(Colour);
  }
}
const classes: (typeof Position | typeof Colour)[] = [Position, Colour];
class ListWatcher extends defineSystem({ position: Position }, { watch: classes }) {
  override update() {
    void this.dirty.of(Colour);
  }
}
void [Watcher, ListWatcher];
