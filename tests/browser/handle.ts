// What of the page's debugging handle the tests use, and what in_page.ts adds.

export type Entity = number;
/** The fields of a component, whichever it is. */
export type Fields = Record<string, number>;

export interface Handle {
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
    memoryReport(): { name: string; count: number; bytes: number }[];
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
    tracking: boolean;
    sound: boolean;
    soundsPlayed: number;
    heat: string;
    heated: number;
    replaying: boolean;
    recordedFrames: number;
    zoom: number;
    lookedAt(system: string): number;
    screenX(x: number): number;
    screenY(y: number): number;
    stateHash(): string;
    render(): void;
  };
  figures: { update: { median: number; count: number } };
  score: { smashed: number };
  pedometer: { metres: number; update(...args: unknown[]): void };
  nativeComponent(name: string): unknown;
  frame(delta: number, drawn?: boolean): void;
  hold: boolean;
}

export interface Place {
  x: number;
  y: number;
}

/** Frames by hand, and short ways to what is in the room; see in_page.ts. */
export interface Play {
  /** So many frames of a sixtieth of a second; the last one is drawn. */
  frames(n: number): void;
  /** Frames, until that holds; false if it does not within so many. */
  until(holds: () => boolean, atMost?: number): boolean;
  get(e: Entity, component: string): Fields | undefined;
  all(component: string): Entity[];
  at(e: Entity): Place;
  put(e: Entity, at: Place): void;
  crates(): Entity[];
  /** Takes away all crates around a place, save for one. */
  clearAround(at: Place, save?: Entity): void;
  /** Stands below the nearest wooden crate, looking at it, with nothing else around; runs frames until the camera is there. */
  standBelowCrate(): Entity;
  /** The mean colour of a patch of the picture around each of these points of the room. */
  colours(points: Place[]): [red: number, green: number, blue: number][];
  /** A number for the picture, and how many different colours it has. */
  picture(): { hash: number; colours: number };
}

declare global {
  interface Window {
    crateRoom?: Handle;
    /** The handle, once the room is there. */
    theRoom(): Handle;
    play: Play;
  }
}
