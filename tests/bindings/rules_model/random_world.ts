// An ECS and its model, to which random operations are applied.
import type { Entity } from "crateful";
import { growMemory } from "../world.js";
import { addSome, removeSome, spawn } from "./bulk_operations.js";
import { randomEntity } from "./choices.js";
import { CLASSES, Filler, allKinds, shape } from "./components.js";
import { compareAll, compareBriefly, compareSystem } from "./comparison.js";
import {
  addOne,
  addWhileReading,
  misuseParent,
  removeOne,
  signalOne,
  signalSome,
  write,
} from "./component_operations.js";
import { addEntities, addEntity, addTo, changeParent, removeEntities, removeEntity } from "./entity_operations.js";
import { clearAll, removeAllMarked, update, updateAgain, updateWithBadDelta } from "./frames.js";
import { loopOverQuery } from "./iterations.js";
import { readBack } from "./read_back.js";
import { Thrown, type Replay } from "./replay.js";
import { World, bits, classes, type ModelQuery } from "./state.js";
import { addSystem, removeSystem, toggleSystem } from "./system_operations.js";

function randomQuery(w: World): ModelQuery {
  const { random } = w;
  const left = [...allKinds];
  const required = random.take(left, random.below(3));
  const excluded = random.take(left, random.below(2));
  const optional = random.take(left, random.below(3));
  const accepted = random.take(left, random.chance(300) ? 2 : 0);
  const ofParent = random.chance(500) ? [random.below(CLASSES)] : [];
  const real = w.ecs.query(shape("required", required), {
    without: classes(excluded),
    any: classes(accepted),
    optional: shape("optional", optional),
    parent: shape("parent", ofParent),
  });
  const filter = { required: bits(required), excluded: bits(excluded), accepted: bits(accepted) };
  return { required, excluded, accepted, optional, ofParent, filter, real };
}

export function newWorld(replay: Replay, worlds: World[]): void {
  const w = new World(replay, worlds, randomOperation);
  w.queries = Array.from({ length: 5 }, () => randomQuery(w));
  worlds.push(w);
}

function randomOperation(w: World, hint?: Entity): void {
  const { random, replay } = w;
  random.targets = w.alive;
  const e = hint !== undefined && random.chance(500) ? hint : randomEntity(w);
  const k = random.below(1000); // permille
  if (k < 140) addEntity(w);
  else if (k < 230) addOne(w, e);
  else if (k < 260) addTo(w, e);
  else if (k < 380) removeOne(w, e);
  else if (k < 450) removeEntity(w, e);
  else if (k < 550) write(w, e);
  else if (k < 570) signalOne(w, e);
  else if (k < 590) signalSome(w);
  else if (k < 655) changeParent(w, e);
  else if (k < 658) misuseParent(w, e);
  else if (k < 660) addWhileReading(w, e);
  else if (k < 720) addSome(w);
  else if (k < 770) removeSome(w);
  else if (k < 790) removeEntities(w);
  else if (k < 810) addEntities(w);
  else if (k < 850) spawn(w);
  else if (k < 890) operateSystems(w, k < 870);
  else if (k < 940) {
    if (w.loops.length < 3 && replay.depth < 5) loopOverQuery(w);
  } else if (k < 980) operateFrames(w, k);
  else if (k < 983) clearAll(w);
  else if (k < 986) setManyTexts(w);
  else if (k >= 995) growOnce(w);
}
/** The memory grows, so that all arrays on it are detached (X2). */
function growOnce({ ecs, replay }: World): void {
  if (replay.grown) return;
  replay.grown = true;
  replay.note("grow");
  growMemory(ecs);
}
/** Unused texts are collected, and their numbers are used again (C13). */
function setManyTexts({ ecs, replay }: World): void {
  replay.note("many texts");
  replay.count("texts");
  const filler = ecs.tryGet(0, Filler) ?? ecs.addComponent(0, new Filler());
  for (let i = 0; i < 1500; ++i) filler.text = `filler ${replay.operation} ${i}`;
}
/** In an update, a system that is added or removed makes a difference later (S3), which the model does not know. */
function operateSystems(w: World, toggle: boolean): void {
  if (!w.chaos && (w.frame !== undefined || w.replay.depth > 0)) return;
  if (toggle && w.systems.length > 0) toggleSystem(w);
  else if (w.systems.length < 7) addSystem(w);
  else if (w.random.chance(500)) removeSystem(w);
}
function operateFrames(w: World, k: number): void {
  if (w.chaos && w.replay.depth > 0 && w.random.chance(800)) return;
  if (w.frame !== undefined) updateAgain(w);
  else if (k < 941) updateWithBadDelta(w);
  else if (k < 948) removeAllMarked(w);
  else update(w);
}

/** Applies an operation outside of callbacks and loops, and compares. */
export function step(w: World): void {
  const { replay, random } = w;
  try {
    randomOperation(w);
  } catch (error) {
    if (!(error instanceof Thrown) || !w.chaos) throw error;
  }
  replay.depth = 0;
  if (w.chaos) {
    if (random.chance(60)) compareInChaos(w);
  } else if (random.chance(30)) compareAll(w);
  else {
    compareBriefly(w);
    if (random.chance(200)) for (const s of w.systems) compareSystem(w, s);
  }
}
export function compareInChaos(w: World): void {
  readBack(w);
  compareAll(w);
}
