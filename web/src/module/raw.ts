// The module as Emscripten generates it from bindings/src/bindings.cpp; tests/bindings/generated_module.ts
// compares the two.

/** The core's object for one ECS. Pass it to C++ functions of your own module that take a `crateful::World&`. */
export interface RawWorld {
  delete(): void;
  errorCode(): number;
  errorToken(): number;
  errorMessage(): string;

  reserveScratch(bytes: number): number;
  scratchControl(): number;
  self(): number;
  newSlots(): number;
  poolControl(): number;
  marksControl(): number;
  emptyPage(): number;
  emptySet(): number;
  storageControl(id: number): number;
  storageSet(id: number): number;
  reserve(entity: number, id: number): number;
  openIteration(set: number): number;
  closeIteration(set: number, position: number): void;

  addEntity(): number;
  addEntities(out: number, n: number): number;
  removeEntity(entity: number): number;
  removeEntities(list: number, n: number): number;
  addComponent(entity: number, id: number, packed: number, flags: number): number;
  addComponents(list: number, n: number, id: number, columns: number, flags: number): number;
  removeComponent(entity: number, id: number): number;
  removeComponents(list: number, n: number, id: number): number;
  markDirty(list: number, n: number, id: number): number;
  drain(): number;
  readParked(entity: number, id: number, packed: number): number;

  makeSystem(token: number, name: string, flags: number): number;
  require(system: number, id: number): void;
  watch(system: number, id: number): void;
  systemMemory(system: number): number;
  addSystem(priority: number, system: number): number;
  removeSystem(system: number): number;
  setEnabled(system: number, on: boolean): number;
  /** Each report returns its number of rows; see core/reports.ts. */
  systems(): number;

  update(wallDelta: number): number;
  clear(): number;
  slowMotion(factor: number, duration: number): number;
  slowMotionStep: boolean;
  readonly slowMotionFactor: number;
  endSlowMotion(): void;
  paused: boolean;
  readonly gameTime: number;
  readonly wallTime: number;
  awaitsTime: boolean;

  profiling: boolean;
  record(group: string, name: string, start: number, duration: number): void;
  profile(): number;
  spans(): number;
  forgetProfile(): void;
  memoryReport(): number;
}

/** A module instance that links `crateful::bindings`: the module of the package, or a module of the user. @internal */
export interface RawModule {
  HEAPU8: Uint8Array<ArrayBuffer>;
  World: new (token: number) => RawWorld;
  // Plain exports; `world` is `self()`.
  _crateful_find_slots(world: number, id: number, list: number, n: number, out: number, stride: number): number;
  _crateful_append_mark(world: number, id: number, slot: number): number;
  addStoredClass(name: string, policy: number, types: string): number;
  addObjectClass(name: string): number;
  describeClass(name: string): number;
  reportNames(): string;
  reportNumbers(): number;
}

/**
 * The functions that the core calls; see bindings/src/host_calls.cpp. A result of type int is 0, or the token of what a
 * callback threw.
 * @internal
 */
export interface HostCalls {
  init(world: number, system: number): number;
  run(world: number, system: number, delta: number): number;
  onAdd(world: number, system: number, e: number): number;
  onRemove(world: number, system: number, e: number): number;
  enabled(world: number, system: number, on: boolean): number;
  onClear(world: number, system: number): number;
  systemDestroyed(world: number, system: number): void;
  timeAdvanced(world: number, gameTime: number): number;
  componentDetached(world: number, e: number, component: number, final: boolean): void;
  componentDestroyed(world: number, e: number, component: number): void;
  storageChanged(world: number, component: number): void;
  slotsChange(world: number, e: number, component: number): void;
  giveBack(world: number, position: number): void;
  entityDestroyed(world: number, e: number): void;
  cleared(world: number): void;
}
