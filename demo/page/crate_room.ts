// The C++ side of the demo, as ../bindings.cpp declares it.
import createModule from "#crate-room";
import wasmUrl from "#crate-room.wasm?url";
import type { RawWorld } from "crateful";
import { instantiate, type Progress } from "./download.js";

/**
 * The room with its picture, its sounds and its input devices. Lengths are in the art's pixels unless said
 * otherwise. A frame is: `delta = beginFrame(delta)`; if `roomDue`, clear the world and `enter()`; update
 * the world; `endFrame(effective delta)`; `render()`.
 */
export interface CrateRoom {
  /** Starts over in the first room, in a world that was just made or cleared. `guards` below 0: as many as the room deserves. */
  begin(seed: number, crates: number, guards: number): void;
  /** Fills the world, which was just cleared, with the room that is due. */
  enter(): void;
  /** The player went through a door, or died: the world is to be cleared and `enter()` called. */
  readonly roomDue: boolean;
  /** Counted from 1. */
  readonly roomNumber: number;
  /** Reads the devices and records their input, or replaces it by a recorded one; returns the delta to update with. */
  beginFrame(delta: number): number;
  endFrame(effectiveDelta: number): void;
  render(): void;

  /** Lets go of all keys and buttons. */
  releaseInput(): void;
  /** In pixels of the canvas. */
  resize(width: number, height: number): void;
  /** Pixels of the canvas for one of the art; setting 0 fits it to the canvas. */
  zoom: number;
  /** The graphics card forgot everything: nothing is drawn until `restoreGraphics()`. */
  loseGraphics(): void;
  /** Why it could not be done, or an empty string. */
  restoreGraphics(): string;
  /** Whether sounds are heard. Turn it on inside a user's gesture: browsers allow it nowhere else. */
  sound: boolean;
  /** How many sounds were started. */
  readonly soundsPlayed: number;
  /** A button beside the canvas is held down: "strike" or "defend". */
  holdButton(name: string, down: boolean): void;

  /** Off: every system that follows changes takes every entity for dirty. */
  tracking: boolean;
  /** Whose dirty entities the debug system DebugHeat flashes: a system's name, "" for all of them. */
  heat: string;
  /** How many entities DebugHeat flashed in its last update. */
  readonly heated: number;
  /** False if no C++ system has that name. */
  setEnabled(system: string, enabled: boolean): boolean;
  /** How many entities a C++ system went through in its last update. */
  lookedAt(system: string): number;

  /** Plays the recording of this run from its start; the world must just have been cleared. */
  replay(): void;
  /** The player takes over where the replay has come to. */
  stopReplay(): void;
  readonly replaying: boolean;
  /** So many frames were recorded that later ones were left out. */
  readonly recordingFull: boolean;
  /** Frames recorded since `begin()`. */
  readonly recordedFrames: number;
  /** Frames replayed so far. */
  readonly replayedFrames: number;
  /** A number, in hexadecimal, for the state of everything that matters to the game. */
  stateHash(): string;

  readonly player: number;
  /** The entity that was picked, else the one under the pointer, or NONE. */
  readonly inspected: number;
  /** Whether it was picked. */
  readonly picked: boolean;
  /** How many frames the debug system DebugInspection ran. */
  readonly inspections: number;
  readonly spritesDrawn: number;
  readonly drawCalls: number;
  /** Bytes that the last `render()` sent to the graphics card. */
  readonly uploadedBytes: number;
  /** Bytes of WebAssembly memory: all there is, and what is in use. */
  readonly memoryBytes: number;
  readonly memoryUsed: number;
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

/** Loads the WebAssembly module; `progress` hears how much of it has come, from 0 to 1, or undefined if nobody knows. */
export function loadModule(canvas: HTMLCanvasElement, progress: Progress): Promise<CrateRoomModule> {
  return new Promise((resolve, reject) => {
    const made = createModule({
      canvas,
      // Emscripten waits for `done` for ever, so a failure has to find its own way out.
      instantiateWasm: (imports, done) => {
        instantiate(wasmUrl, imports, progress).then(done).catch(reject);
        return {};
      },
    });
    (made as Promise<CrateRoomModule>).then(resolve, reject);
  });
}
