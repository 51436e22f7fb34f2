// The messages of the inspector (rule I1). docs/inspector.md describes them for programs in other languages. Numbers that JSON does not
// have are the strings "NaN", "Infinity" and "-Infinity".
import type { Json } from "../state/codec.js";

/** The version of the protocol, in the answer to `world`. It changes if a program could misunderstand a message. */
export const PROTOCOL = 2;

/** A question, which changes nothing, or what is to be done. */
export type InspectRequest =
  | { readonly ask: "world" }
  | { readonly ask: "systems" }
  | { readonly ask: "classes" }
  | { readonly ask: "memory" }
  | {
      readonly ask: "entities";
      /** Conditions, all of which must be true: `Enemy !Dead Health.hp < 10 @Mover`. `inspect` evaluates them; a world does not. */
      readonly where?: string;
      /** Only these, in this order, if they are alive. */
      readonly of?: readonly number[];
      /** Entities whose children follow them, as in a tree; without it, all entities are a list in the order of their indices. */
      readonly expanded?: readonly number[];
      /** The position of the first entity of the page, 0 by default. */
      readonly from?: number;
      /** How many entities the page has at most: 100 by default, at most 1,000. */
      readonly count?: number;
    }
  /** Without an entity: those that have no parent. */
  | { readonly ask: "children"; readonly entity?: number; readonly from?: number; readonly count?: number }
  /** The entity is a handle, or is found by its index. */
  | { readonly ask: "entity"; readonly entity?: number; readonly index?: number }
  | {
      readonly ask: "why";
      readonly entity: number;
      readonly system?: string;
      readonly component?: string;
      readonly field?: string;
      readonly count?: number;
    }
  | {
      readonly ask: "by";
      readonly system: string;
      readonly component?: string;
      readonly field?: string;
      readonly count?: number;
    }
  /** What conditions compare: the entities with a component, that a system tracks, or all; and values of them. */
  | {
      readonly ask: "column";
      readonly component?: string;
      /** A field, and the position of an element; inside of an object component, the names of properties. */
      readonly path?: readonly (string | number)[];
      readonly system?: string;
      /** Without a component and a system: the values are the labels of all entities. */
      readonly labels?: boolean;
    }
  | { readonly ask: "events"; readonly count?: number }
  /** Only frames after `since`. */
  | { readonly ask: "frames"; readonly since?: number }
  | {
      readonly do: "set";
      readonly entity: number;
      readonly component: string;
      readonly field: string;
      /** Of a vector: the position of the element that is set. */
      readonly element?: number;
      readonly value: Json;
    }
  | {
      readonly do: "add";
      readonly entity: number;
      readonly component: string;
      readonly values?: { readonly [field: string]: Json };
    }
  | { readonly do: "remove"; readonly entity: number; readonly component: string }
  | { readonly do: "destroy"; readonly entity: number }
  | { readonly do: "enable"; readonly system: string }
  | { readonly do: "disable"; readonly system: string }
  | { readonly do: "pause" }
  | { readonly do: "resume" }
  /** `delta` is in seconds, 1/60 by default. */
  | { readonly do: "run"; readonly system: string; readonly delta?: number }
  | { readonly do: "step"; readonly delta?: number }
  /** Measures systems and collects frames and events, until it is turned off, or nothing was asked for 10 seconds. */
  | { readonly do: "measure"; readonly on: boolean }
  /** `bytes` is what the history and the rewind may need each. */
  | { readonly do: "record"; readonly on: boolean; readonly bytes?: number }
  /** The history has the values of this class from now on, also if no system watches it. */
  | { readonly do: "watch"; readonly component: string }
  /** It also pauses the game. */
  | { readonly do: "rewind"; readonly frame: number };

/** The answers to questions, by what is asked; `done`, to all else; and `failure`. */
export interface InspectAnswers {
  world: {
    readonly protocol: number;
    readonly language: string;
    readonly frame: number;
    readonly gameTime: number;
    readonly wallTime: number;
    readonly paused: boolean;
    readonly timeScale: Json;
    readonly entities: number;
    readonly systems: number;
    /** Changes whenever a component class is used for the first time. */
    readonly classes: number;
    readonly measures: boolean;
    /** What `record` can create with this module. */
    readonly records: readonly ("history" | "rewind")[];
    /** Whether `record` is on. The game can also have a history and a rewind of its own. */
    readonly recording: boolean;
    /** Whether there is a history. */
    readonly history: boolean;
    /** The frames to which `rewind` can go, if there is a rewind. */
    readonly rewind?: { readonly oldest: number; readonly newest: number };
    /** Why the rewind can't record. */
    readonly problem?: string;
  };
  systems: {
    readonly systems: readonly {
      /** Other systems of the same name have a number behind it. */
      readonly name: string;
      readonly language: string;
      readonly priority: number;
      readonly enabled: boolean;
      /** Whether it also runs while the game is paused. */
      readonly debug: boolean;
      readonly tracked: number;
      /** How many entities were dirty in its last run. */
      readonly dirty: number;
      /** Milliseconds a frame, over the last 120 frames; absent unless they are measured. */
      readonly average?: number;
      readonly onlyWhenDirty?: boolean;
      readonly interval: number;
      /** Whether it decides in each frame if it runs. */
      readonly conditional?: boolean;
      /** Whether it uses no entities. */
      readonly usesNone?: boolean;
      readonly required: readonly string[];
      readonly watched: readonly string[];
      readonly ancestors: readonly string[];
      readonly excluded: readonly string[];
      readonly any: readonly string[];
      readonly before: readonly string[];
      readonly after: readonly string[];
    }[];
  };
  classes: {
    readonly classes: readonly {
      readonly name: string;
      readonly kind: "stored" | "native" | "object";
      readonly fields: readonly {
        readonly name: string;
        /** As it is declared: `f32`, `f32x3`, `bool`, `string`, `entity`, `link`, `enum`; of an object `number`, `boolean`, `string`, `json` or `object`. */
        readonly type: string;
        /** Of an enum. */
        readonly names?: readonly string[];
        /** Whether `set` refuses it. */
        readonly readOnly?: boolean;
      }[];
      readonly count: number;
      /** Whether `watch` has named it: the history has its values also if no system watches it. */
      readonly recorded?: boolean;
    }[];
  };
  /** A page of a list. */
  entities: {
    readonly total: number;
    readonly from: number;
    readonly entities: readonly {
      readonly entity: number;
      readonly index: number;
      readonly generation: number;
      /** The value of its first string field that is called `name`, `label` or `title`. */
      readonly label?: string;
      readonly components: readonly string[];
      /** How many entities have it as their parent. */
      readonly children: number;
      /** In a tree: how many ancestors it has. */
      readonly depth?: number;
    }[];
  };
  children: InspectAnswers["entities"];
  entity: InspectAnswers["entities"]["entities"][number] & {
    readonly parent?: { readonly entity: number; readonly index: number; readonly label?: string };
    readonly details: readonly {
      readonly name: string;
      readonly kind: "stored" | "native" | "object";
      readonly fields: readonly (InspectAnswers["classes"]["classes"][number]["fields"][number] & {
        readonly value: Json;
        /** Of an entity that is alive: its label. */
        readonly label?: string;
      })[];
    }[];
    /** Whether a system tracks the entity and, if it does not, why: `inspect` adds the reason. */
    readonly tracking: readonly {
      readonly system: string;
      readonly tracked: boolean;
      /** Whether the entity waits in the dirty set of the system. */
      readonly dirty?: boolean;
      /** The required classes that the entity lacks. */
      readonly missing?: readonly string[];
      /** The excluded classes that it has. */
      readonly excluded?: readonly string[];
      /** It has none of these, of which the system wants one. */
      readonly noneOf?: readonly string[];
      /** The system uses no entities. */
      readonly usesNone?: boolean;
    }[];
  };
  why: InspectAnswers["by"] & {
    /** The classes of the entity of which no values are recorded, because nothing watches them: `inspect` adds them. */
    readonly unwatched: readonly string[];
  };
  by: {
    /** How many there are, also those behind `count`. */
    readonly total: number;
    /** Newest first. */
    readonly changes: readonly {
      readonly entity: number;
      readonly frame: number;
      readonly system?: string;
      readonly component: string;
      readonly kind: "added" | "removed" | "changed" | "signaled" | "moved";
      readonly field?: string;
      readonly before?: Json;
      readonly after?: Json;
      readonly notified: readonly string[];
      readonly at: string;
    }[];
    /** What the filters can be, over all changes of the entity or system. */
    readonly systems: readonly string[];
    readonly components: readonly string[];
    readonly fields: readonly string[];
  };
  column: {
    /** In the order of their indices. */
    readonly entities: readonly number[];
    /** Of these entities, what is at the path, or the label or null. */
    readonly values?: readonly Json[];
  };
  memory: {
    readonly classes: readonly {
      readonly name: string;
      readonly policy: string;
      readonly count: number;
      readonly utilisation: Json;
      readonly bytes: number;
      readonly otherBytes: number;
      readonly advice: string;
    }[];
  };
  events: {
    /** Those that were dispatched since measuring began, by name. */
    readonly names: readonly { readonly name: string; readonly count: number; readonly handlers: number }[];
    /** The last ones, newest first. Those of C++ have no value. */
    readonly events: readonly { readonly frame: number; readonly name: string; readonly value?: Json }[];
    /** Those that wait for their time. */
    readonly delayed: readonly { readonly name: string; readonly due: number }[];
  };
  /** Times are in milliseconds. */
  frames: {
    readonly systems: readonly string[];
    readonly frames: readonly {
      readonly frame: number;
      readonly total: number;
      /** For each system that ran: its position in `systems`, and its time. */
      readonly times: readonly (readonly [system: number, time: number])[];
    }[];
  };
  done: {
    readonly done: true;
    /** Of `step` and `rewind`: the frame now. */
    readonly frame?: number;
    /** Of `set`: the value that is stored now. */
    readonly value?: Json;
    /** Of `record`: the classes of components and events that are not recorded, because nothing encodes them. */
    readonly without?: readonly string[];
  };
  /** Why a request failed: the code of an `EcsError`, or `FAILED` for what a function of the game has thrown. */
  failure: {
    readonly error: { readonly code: string; readonly message: string };
  };
}

/** The answer to a request, unless it fails. */
export type InspectAnswer<R extends InspectRequest = InspectRequest> = R extends {
  readonly ask: infer A extends keyof InspectAnswers;
}
  ? InspectAnswers[A]
  : InspectAnswers["done"];

// --- names for parts of these, inside of the inspector ------------------------------------------------

export type AskRequest = Extract<InspectRequest, { readonly ask: string }>;
export type ColumnRequest = Extract<AskRequest, { readonly ask: "column" }>;
export type ColumnAnswer = InspectAnswers["column"];
export type DoRequest = Extract<InspectRequest, { readonly do: string }>;
export type Failure = InspectAnswers["failure"];
export type WorldAnswer = InspectAnswers["world"];
export type SystemAnswer = InspectAnswers["systems"]["systems"][number];
export type ClassAnswer = InspectAnswers["classes"]["classes"][number];
export type FieldAnswer = ClassAnswer["fields"][number];
export type EntitiesAnswer = InspectAnswers["entities"];
export type EntityAnswer = EntitiesAnswer["entities"][number];
export type EntityDetails = InspectAnswers["entity"];
export type ComponentAnswer = EntityDetails["details"][number];
export type ValueAnswer = ComponentAnswer["fields"][number];
export type TrackingAnswer = EntityDetails["tracking"][number];
export type ChangesAnswer = InspectAnswers["by"];
export type ChangeAnswer = ChangesAnswer["changes"][number];
export type MemoryAnswer = InspectAnswers["memory"]["classes"][number];
export type EventsAnswer = InspectAnswers["events"];
export type FramesAnswer = InspectAnswers["frames"];
export type DoneAnswer = InspectAnswers["done"];
export type AnyAnswer = InspectAnswer | Failure;

/** What is sent to a world that is inspected from elsewhere. */
export interface RequestMessage {
  /** Chosen by the sender; the answer has the same. */
  readonly crateful: number;
  readonly request: InspectRequest | readonly InspectRequest[];
}

/** What it sends when it begins to answer: what was asked before is lost, and can be asked again. */
export interface ReadyMessage {
  readonly crateful: number;
  readonly ready: true;
}

/** What it answers. */
export interface AnswerMessage {
  readonly crateful: number;
  readonly answer: AnyAnswer | readonly AnyAnswer[];
}
