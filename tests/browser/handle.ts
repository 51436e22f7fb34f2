// The parts of the page's handle that the tests use, and the helpers of in_page.ts.

export type Entity = number;
/** The fields of a component of any class. */
export type Fields = Record<string, number>;

export interface Handle {
  settings: { crates: number; seed: number; guards: number; tracking: boolean; muted: boolean };
  ecs: {
    count: number;
    paused: boolean;
    gameTime: number;
    wallTime: number;
    systems: { name: string; tracked: number; dirty: number; debug: boolean; enabled: boolean }[];
    alive(e: Entity): boolean;
    removeEntity(e: Entity): void;
    getComponents(e: Entity): { get(cls: unknown): Fields; tryGet(cls: unknown): Fields | undefined };
    storage(cls: unknown): { count: number; entities: Uint32Array };
    memoryReport(): { name: string; count: number; bytes: number; otherBytes: number; advice: string }[];
  };
  room: {
    player: Entity;
    roomNumber: number;
    inspected: Entity;
    picked: boolean;
    inspections: number;
    spritesDrawn: number;
    drawCalls: number;
    uploadedBytes: number;
    memoryBytes: number;
    memoryUsed: number;
    calm: boolean;
    tracking: boolean;
    heat: string;
    heated: number;
    replaying: boolean;
    recordedFrames: number;
    readonly zoom: number;
    twin(): { tracking: boolean; visited(system: string): number; update(times: number): void; delete(): void };
    visited(system: string): number;
    screenX(x: number): number;
    screenY(y: number): number;
    stateHash(): string;
    render(): void;
  };
  figures: { update: { mean: number; count: number; span: number } };
  speaker: { on: boolean; played: number; play(sounds: Float32Array): void };
  module: { soundSamples(sound: number, variant: number, sampleRate: number): Float32Array };
  score: { smashed: number };
  pedometer: { metres: number; update(...args: unknown[]): void };
  nativeComponent(name: string): unknown;
  snapshot(): Uint8Array;
  frame(delta: number, drawn?: boolean): void;
  hold: boolean;
  clock: () => number;
}

export interface Place {
  x: number;
  y: number;
}

/** Helpers that run frames and access the room; see in_page.ts. */
export interface Play {
  /** Runs `n` frames of 1/60 s; only the last one is drawn. */
  frames(n: number): void;
  /** Runs frames until `holds()` is true. Returns false if it is not within `atMost` frames. */
  until(holds: () => boolean, atMost?: number): boolean;
  get(e: Entity, component: string): Fields | undefined;
  all(component: string): Entity[];
  at(e: Entity): Place;
  put(e: Entity, at: Place): void;
  crates(): Entity[];
  /** Removes all crates around a place, except for one. */
  clearAround(at: Place, except?: Entity): void;
  /**
   * Places the player below the nearest wooden crate, facing it, and removes the other crates around it. Runs frames
   * until the camera has arrived.
   */
  standBelowCrate(): Entity;
  /** The position of an entity on the page, in CSS pixels. */
  pointOf(e: Entity): Place;
  /** The mean colour of a patch of the picture around each of these points of the room. */
  colours(points: Place[]): [red: number, green: number, blue: number][];
  /** A hash of the picture, and the number of its colours. */
  picture(): { hash: number; colours: number };
}

declare global {
  interface Window {
    crateRoom?: Handle;
    /** Returns the handle. Throws if the room is not loaded yet. */
    theRoom(): Handle;
    play: Play;
  }
}
