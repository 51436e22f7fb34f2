import type { Entity } from "../module/entity.js";
import type { NumberedEntry } from "../state/history.js";
import type { Bytes } from "../state/snapshot.js";
import type { ClassNames } from "../state/state_call.js";
import {
  History,
  badArgument,
  eventClasses,
  nameOf,
  namesOf,
  requireNone,
  restore,
  show,
  snapshot,
  worldOf,
  type ECS,
} from "./internals.js";

type Difference = NonNullable<ReturnType<typeof verifyReplay>>;

/** More than there can be: the history keeps everything. */
const ALL = 2 ** 31;

/** A difference of which nothing is known. */
const NOTHING = {
  system: undefined,
  entity: undefined,
  component: undefined,
  field: undefined,
  first: undefined,
  second: undefined,
  at: "",
};

/** One frame that was played. */
interface Played {
  readonly frame: number;
  /** The moments of the history at which it began and ended. */
  readonly begin: number;
  readonly end: number;
  /** How many classes were watched or left out when it began. */
  readonly classes: number;
  readonly state: Bytes;
}

/**
 * Plays `frames` frames, goes back, and plays them again with the same inputs (rule I2). Returns the first difference, with the system after
 * which the states differ, the entity and the field, or undefined if there is none. For tests of games that use rollback or replays:
 *
 *     expect(verifyReplay(ecs, { frames: 600, step: (frame) => play(inputs[frame]) })).toBeUndefined();
 *
 * The second time is a replay (rule S20). Afterwards, the ECS is what the frames have made of it the first time; what is in no snapshot, as the
 * members of systems, is what the second time has left. Needs the module of a `History`. Throws `BAD_ARGUMENT` for options and if `step` does not
 * call `update` once; as `snapshot` and `restore`; and what `step` throws, and then the ECS is what it is at that moment. All classes are watched
 * afterwards. O(frames * (entities + components)); keeps a snapshot of each frame.
 */
export function verifyReplay(
  ecs: ECS,
  options: {
    /** How many updates are made. */
    readonly frames: number;
    /** Does what the program does in each frame: applies the inputs, and calls `ecs.update` once. `frame` is `ecs.frame` before the update. */
    readonly step: (frame: number) => void;
    /** Classes of components and events, or their names, that are no part of the state, as in `snapshot`. */
    readonly without?: ClassNames;
  },
):
  | {
      /** The first frame that differs, as `step` got it. */
      readonly frame: number;
      /**
       * The first system after which the states differ. Undefined: what `step` does outside of systems differs, or the difference was written
       * without a signal (rule D2), or it is no component.
       */
      readonly system: string | undefined;
      /** The first entity that differs then. Undefined: no component differs, but their order, handles, events that wait, or the time. */
      readonly entity: Entity | undefined;
      /** The name of the class of the component. */
      readonly component: string | undefined;
      /** Undefined: the component, its parent, or all that an object component contains. */
      readonly field: string | undefined;
      /** What was there the first time; undefined if there was no component. */
      readonly first: unknown;
      /** What is there in the replay. */
      readonly second: unknown;
      /** The place in the program, as `game.ts:42`, if it is known. */
      readonly at: string;
    }
  | undefined {
  const world = worldOf("verifyReplay", ecs, options);
  const { frames, step, without = [], ...others } = options;
  requireNone("verifyReplay", others);
  if (!Number.isSafeInteger(frames) || frames < 1)
    throw badArgument(`verifyReplay: frames must be a whole number of at least 1, not ${show(frames)}`);
  if (typeof step !== "function") throw badArgument(`verifyReplay: step must be a function, not ${show(step)}`);
  const left = namesOf("verifyReplay", "without", "w", without, eventClasses(ecs)).map((name) => name.slice(1));
  const history = new History(ecs, { bytes: ALL });
  const watched: string[] = [...left];
  const play = (): Played => {
    for (const table of world.tables) {
      if (table === undefined || watched.includes(nameOf(table.info.cls))) continue;
      history.watch(table.info.cls);
      watched.push(nameOf(table.info.cls));
    }
    const classes = watched.length;
    const begin = history.$moment();
    const { frame } = ecs;
    const result: unknown = step(frame);
    if (result instanceof Promise)
      throw badArgument("verifyReplay: step returned a promise; what follows an await would run after all frames");
    if (ecs.frame !== frame + 1)
      throw badArgument(
        `verifyReplay: step must call ecs.update once, not ${ecs.frame - frame} times as in frame ${frame}`,
      );
    return { frame, begin, end: history.$moment(), classes, state: snapshot(ecs, { without }) };
  };
  /** What has changed, without classes that were not watched yet when the frame was played first. */
  const changes = ({ begin, end }: Omit<Played, "state">, unwatched: readonly string[]): Changes =>
    changesByKey(
      history
        .$between(begin, end)
        .filter(({ component }) => !left.includes(component) && !unwatched.includes(component)),
      begin,
      ecs.systems.map(({ name }) => name),
    );
  const compare = (once: Played, again: Played): Difference => {
    const unwatched = watched.slice(once.classes);
    const changed = firstDifference(changes(once, unwatched), changes(again, unwatched));
    if (changed !== undefined) return { ...NOTHING, frame: once.frame, ...changed };
    restore(ecs, once.state);
    const begin = history.$moment();
    restore(ecs, again.state);
    const exchanged = changes({ ...again, begin, end: history.$moment() }, []);
    return { ...NOTHING, frame: once.frame, ...firstDifference(new Map(), exchanged), at: "" };
  };
  try {
    const start = snapshot(ecs, { without, systems: true });
    const first = Array.from({ length: frames }, play);
    const end = snapshot(ecs, { without, systems: true });
    let found = undefined as Difference | undefined;
    ecs.replay(() => {
      restore(ecs, start);
      for (const once of first) {
        const again = play();
        if (isEqual(once.state, again.state)) continue;
        found = compare(once, again);
        return;
      }
    });
    if (found !== undefined) restore(ecs, end);
    return found;
  } finally {
    history.dispose();
  }
}

/** Changes by a text for when they happened, and what they concern: the texts are in the order of the systems. */
type Changes = ReadonlyMap<string, NumberedEntry>;

/** `systems` are the names of all systems in the order in which they run. */
function changesByKey(entries: readonly NumberedEntry[], begin: number, systems: readonly string[]): Changes {
  const digits = (n: number): string => String(n).padStart(10, "0");
  const rank = ({ system, moment }: NumberedEntry): number => {
    if (system !== undefined) return systems.indexOf(system) + 1;
    return moment === begin ? 0 : systems.length + 1; // before all systems, or after them
  };
  return new Map(
    entries
      .filter(({ kind }) => kind !== "signaled")
      .map((entry) => [
        `${digits(rank(entry))} ${digits(entry.entity)} ${entry.component}.${entry.field ?? ""}`,
        entry,
      ]),
  );
}

/** What was changed in one play was not changed in the other, if that has no entry: there, the value is still the one before. */
function firstDifference(a: Changes, b: Changes): Omit<Difference, "frame"> | undefined {
  for (const key of [...new Set([...a.keys(), ...b.keys()])].sort()) {
    const once = a.get(key);
    const again = b.get(key);
    const first = once === undefined ? again!.before : once.after;
    const second = again === undefined ? once!.before : again.after;
    if (textOf(first) === textOf(second)) continue;
    const { system, entity, component, field, at } = (once ?? again)!;
    return { system, entity, component, field, first, second, at };
  }
  return undefined;
}

/** JSON that also tells numbers apart that JSON does not have. */
const textOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "number" && (inner === 0 || !Number.isFinite(inner))
      ? `${Object.is(inner, -0) ? "-0" : inner}`
      : inner,
  );

const isEqual = (a: Bytes, b: Bytes): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);
