// Random operations that add, remove, enable and disable systems.
import type { AnySystem } from "crateful";
import { act, compareCalls } from "./calls.js";
import { track, untrack } from "./effects.js";
import { newSystem } from "./observed_system.js";
import { matches, remove, type World } from "./state.js";

export function addSystem(w: World): void {
  const s = newSystem(w);
  const { name, priority, required, excluded, accepted, ordered, onlyWhenDirty, debug, interval, disabled, hasRows } =
    s;
  const { watched, fromAncestors, adds, removes, makes } = s;
  const settings = {
    ...{ priority, required, excluded, accepted, ordered, onlyWhenDirty, debug, interval, disabled, hasRows },
    ...{ watched, fromAncestors, adds, removes, makes },
  };
  const model = () => {
    remove(w.systems, s);
    const behind = w.systems.findIndex((other) => other.priority > s.priority);
    w.systems.splice(behind < 0 ? w.systems.length : behind, 0, s);
    s.callsOpen = s.trackedOpen = s.dirtyOpen = true;
    for (const e of w.alive) if (matches(w, s.filter, e)) track(s, e);
  };
  w.systems.push(s);
  act(w, ["addSystem", name, settings], () => w.ecs.addSystem(s.priority, s.real), model);
}

/** Outside of an update, the system is removed immediately (S3). */
export function removeSystem(w: World): void {
  const s = w.random.pick(w.systems);
  const model = () => {
    s.callsOpen = true;
    for (const e of [...s.tracked]) untrack(w, s, e);
    remove(w.systems, s);
    compareCalls(w, s);
    if ((s.entities?.size ?? 0) !== 0) w.fail(`S3 ${s.name} was removed and has ${s.entities!.size} entities`);
  };
  act(w, ["removeSystem", s.name], () => w.ecs.removeSystem(s.real), model);
}

/** `onEnabled` and `onDisabled` are called only if the system was disabled or enabled (S4). */
export function toggleSystem(w: World): void {
  const { ecs, random } = w;
  const s = random.pick(w.systems);
  const named: AnySystem | string = random.chance(500) ? s.real : s.name;
  const [word, call, disabled] = random.pick([
    ["toggle", () => ecs.toggleSystem(named), !s.disabled],
    ["enable", () => ecs.enableSystem(named), false],
    ["disable", () => ecs.disableSystem(named), true],
  ] as const);
  s.transitions = [];
  const model = () => {
    const expected = s.disabled === disabled ? [] : [disabled ? -1 : 1];
    if (s.transitions.join() !== expected.join()) w.fail(`S4 ${s.name}: transitions ${s.transitions}`);
    s.disabled = disabled;
    if (s.real.disabled !== disabled) w.fail(`S4 ${s.name}.disabled is ${s.real.disabled}`);
  };
  act(w, [word, s.name], call, model);
}
