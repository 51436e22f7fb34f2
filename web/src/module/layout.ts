// biome-ignore-all lint/suspicious/noDuplicateEnumValues: several field types and reports have the same size

// The memory layout, flags, codes and limits that TypeScript shares with C++. Each is defined only here.
// tests/bindings/layout.test.ts compares every value with what C++ reports under the same name. `tsc` replaces each
// use of a `const enum` by its value, so that this file adds nothing to the package.

/** An entity handle: index in the low bits, generation above. `ENTITY_INDEX_BITS` and others in entity.hpp. */
export const enum Handle {
  indexBits = 22,
  indexMask = (1 << indexBits) - 1,
  /** Never an entity (rule E6). */
  none = 0xffffffff,
  /** The highest number of entities in one ECS. */
  maxEntities = 4_194_303,
}

/** Words of `EntityPool::Control`. */
export const enum PoolControl {
  handles,
  slots,
  count,
  signatures,
  words,
}

/** Flags of an entity: the lowest bits of its signature. */
export const enum EntityFlag {
  /** The core reports when the entity is destroyed. */
  notifiesRemoval = 1,
  /** How many there are: the bit of a class is its id and this. */
  bits = 2,
}

/** Words of `Operations::Control`. */
export const enum OperationsControl {
  depth,
  settled,
}

/** Words of `Hierarchy::Control`. */
export const enum HierarchyControl {
  nodes,
  pages,
  pageCount,
  version,
}

/** Words of a `Hierarchy::Node`. Each except `entity` is the number of a node, or 0. */
export const enum HierarchyNode {
  entity = 0,
  parent = 1,
  first = 2,
  next = 5,
  size = 6,
}

/** Words of `SparseSet::Control`. */
export const enum SetControl {
  dense,
  size,
  pages,
  pageCount,
}

/** A page of the sparse index of a `SparseSet`. */
export const enum Page {
  bits = 10,
  mask = (1 << bits) - 1,
  /** Every slot is smaller. An entry is a slot, and the generation above; without an element, all of its bits are set. */
  slotLimit = (1 << 22) - 1,
}

/** Words of an `IterationPosition`. */
export const enum IterationPosition {
  position,
  /** Set to 1: the core calls `giveBack` before elements or their memory move. */
  borrowed,
  /** Behind the last element that the iteration will visit. */
  end,
  /** In a linear storage: the address of bits for the slots that were filled since it began, or 0. */
  added,
  /** The position behind the first element: an iteration that is there ends before elements are sorted or exchanged. */
  begun,
}

/** Words of `Storage::Control`. */
export const enum StorageControl {
  count,
  watchers,
  extent,
  entities,
  pages,
  pageCount,
  flags,
  mask,
  columns,
  version,
  /** Set to 1: the core calls `slotsChange` before the next removal. */
  cursors,
}

/** A `Mark` of no class. */
export const enum NoMark {
  component = 0xffffffff,
}

/** Flags of a slot of a `Storage`. */
export const enum SlotFlag {
  /** A JavaScript component object exists for the slot: the core reports when its component is removed. */
  hasObject = 1,
}

/** Words of a `Storage::Column`. */
export const enum ColumnWords {
  values,
  /** Bytes from one value to the next; 0 if there is only one. */
  step,
  size,
}

/** Words of a `Mark`. A `MarkQueue::Control` begins with the last one. */
export const enum Mark {
  component,
  first,
  end,
}

/** Words of `World::Memory`. */
export const enum WorldMemory {
  world,
  emptyPage,
  emptySet,
  pool,
  hierarchy,
  operations,
  marks,
  times,
  paused,
  replaying,
  style,
  profiling,
  errorCode,
  errorToken,
  awaitsTime,
}

/** Doubles of `Clock::Times`. */
export const enum Times {
  game,
  wall,
  scale,
  frame,
}

/** `SlowMotion::Style` in time.hpp. */
export const enum SlowMotionStyle {
  scale,
  step,
}

/** The values of one component as they cross to C++: one field after the other. */
export const enum Packed {
  fieldBytes = 8,
}

/** A field as it is registered: its type, then its default value. */
export const enum FieldBytes {
  type = 0,
  initial = 1,
  size = 9,
  /** A bit of the type: it is an element of a vector behind the first. */
  continues = 128,
}

/** `Policy` in component.hpp. */
export const enum PolicyNumber {
  sparse,
  linear,
}

/** `FieldType` in component.hpp. */
export const enum FieldNumber {
  f32,
  f64,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  bool,
  entity,
  link,
  string,
}

/** Binary logarithms of `size_of(FieldType)`. */
export const enum FieldShift {
  f32 = 2,
  f64 = 3,
  i8 = 0,
  u8 = 0,
  i16 = 1,
  u16 = 1,
  i32 = 2,
  u32 = 2,
  bool = 0,
  entity = 2,
}

/** Words of `ForeignSystem::Memory`. */
export const enum SystemMemory {
  tracked,
  dirty,
  visited,
  notifiesRemove,
  causes,
}

/** `ForeignSystem::Flags`. */
export const enum SystemFlag {
  disabled = 1,
  debug = 2,
  onlyWhenDirty = 4,
  /** The system overrides `makeAspect` or `onAdd`. */
  notifiesAdd = 8,
  /** The system overrides `onRemove`. */
  notifiesRemove = 16,
  ordered = 32,
  /** The system has no entities. */
  usesNone = 64,
  /** The system overrides `when`. */
  conditional = 128,
  exact = 256,
  dropsSkipped = 512,
  observer = 1024,
}

/** `ErrorCode` in error.hpp; a call that fails returns `-1 - code`. */
export const enum ErrorNumber {
  staleEntity = 1,
  missingComponent = 2,
  badSystem = 3,
  badArgument = 4,
  reentrantUpdate = 5,
  notInitialised = 6,
  disposed = 7,
  outOfMemory = 8,
  tooDeep = 9,
  badData = 10,
  /** A JavaScript callback threw: `World::FOREIGN_EXCEPTION`. */
  foreignException = 101,
}

/** How many callbacks can be inside each other: `Operations::LIMIT`. */
export const enum Nesting {
  limit = 100,
  /** After an error, until fewer are: `Operations::LEAST`. */
  least = 2,
}

/** Words of `StateClass` in bindings/src/state.hpp. */
export const enum StateClass {
  id,
  count,
  entities,
  lengths,
  bytes,
  differs,
}

/** Words of `ApplyClass`. */
export const enum ApplyClass {
  id,
  count,
  values,
}

/** Words of `ApplySteps::Value` in change_steps.hpp. */
export const enum ApplyValue {
  index,
  local,
  first,
  count,
  isNew,
  position,
  size,
}

/** Words of `StateEvent`, whose first two are the number `due`. */
export const enum StateEvent {
  text = 2,
  textBytes,
  first,
  count,
  position,
}

/** What `due` of a `StateEvent` can be in place of a time. */
export const enum EventKind {
  inbox = -1,
  inInbox = -2,
  without = -3,
  systems = -4,
  same = -5,
}

/** Words of `StateBytes`. */
export const enum StateBytes {
  first,
  count,
}
