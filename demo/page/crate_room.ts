// The C++ side of the demo, as ../bindings.cpp declares it.
import createModule from "#crate-room";
import type { RawWorld } from "crateful";

/** The room with its picture and its input devices. Lengths are in the art's pixels unless said otherwise. */
export interface CrateRoom {
  /** Fills a world that was just made or cleared. */
  build(seed: number, crates: number): void;
  /** Reads keyboard and pointer; call it before the world's update. */
  pollInput(): void;
  /** Lets go of all keys and buttons. */
  releaseInput(): void;
  render(): void;
  /** In pixels of the canvas. */
  resize(width: number, height: number): void;
  /** Pixels of the canvas for one of the art; setting 0 fits it to the canvas. */
  zoom: number;
  /** Off: every system takes every entity for dirty. */
  tracking: boolean;
  readonly player: number;
  /** The crate under the pointer, or NONE; kept up to date by a debug system. */
  readonly inspected: number;
  /** How often that debug system ran. */
  readonly inspections: number;
  readonly spritesDrawn: number;
  readonly drawCalls: number;
  /** How many entities a system went through in its last update. */
  lookedAt(system: string): number;
  /** From the room to the canvas, in its pixels. */
  screenX(x: number): number;
  screenY(y: number): number;
  delete(): void;
}

export interface CrateRoomModule {
  /** Null if it can't be: `failure()` says why. Draws on `#canvas`. */
  createRoom(world: RawWorld, width: number, height: number): CrateRoom | null;
  failure(): string;
}

/** Loads the WebAssembly module. */
export function loadModule(canvas: HTMLCanvasElement): Promise<CrateRoomModule> {
  return createModule({ canvas }) as Promise<CrateRoomModule>;
}
