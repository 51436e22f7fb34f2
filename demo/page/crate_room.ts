// The types of the C++ module; ../bindings.cpp declares it.
import createModule from "#crate-room";
import wasmUrl from "#crate-room.wasm?url";
import type { RawWorld } from "crateful/module";
import { instantiate, type Progress } from "./download.js";

/**
 * The room with its screen and input devices. Lengths are in pixels of the art unless stated otherwise. A
 * frame is: `delta = beginFrame(delta)`; if `roomDue`, clear the world and call `enter()`; update the world;
 * `endFrame(effectiveDelta)`; `render()`.
 */
export interface CrateRoom {
  /**
   * Starts a new run in the first room; the world must be empty. If `guards` is negative, their number depends on the
   * room. With `opening`, explosions go around the player at first.
   */
  begin(seed: number, crates: number, guards: number, opening: boolean): void;
  /** Fills the world with the next room; the world must be empty. */
  enter(): void;
  /** The player went through a door or died: clear the world and call `enter()`. */
  readonly roomDue: boolean;
  /** Counted from 1. */
  readonly roomNumber: number;
  /** Reads the devices and records their input, or replaces it by recorded input. Returns the delta for the update. */
  beginFrame(delta: number): number;
  endFrame(effectiveDelta: number): void;
  render(): void;

  /** Treats all keys and buttons as released. */
  releaseInput(): void;
  /** The size of the canvas in its pixels, and how many of them are one CSS pixel. */
  resize(width: number, height: number, pixelRatio: number): void;
  /** Pixels of the canvas per pixel of the art. */
  readonly zoom: number;
  /**
   * Chooses the zoom in CSS pixels per pixel of the art, rounded to whole pixels of the canvas. 0: two CSS pixels, or
   * more if the whole room is visible then.
   */
  chooseZoom(cssPixels: number): void;
  /** Call it when the WebGL context was lost: nothing is drawn until `restoreGraphics()`. */
  loseGraphics(): void;
  /** Uploads everything again. Throws if that fails. */
  restoreGraphics(): void;
  /**
   * Returns the sounds to play since the last call, or undefined if there are none: for each sound its index below
   * `SOUNDS`, its volume from 0 to 1, and its pan from -1 (left) to 1 (right).
   */
  takeSounds(): Float32Array | undefined;
  /** Presses or releases a button beside the canvas: "strike" or "defend". */
  holdButton(name: string, down: boolean): void;
  /** While true, guards stand still. It is recorded like input. */
  calm: boolean;

  /** If off, systems that follow changes visit all entities that they track. */
  tracking: boolean;
  /** While true, times that run down signal, because `Rewind` records what signals. */
  recordTimes: boolean;
  /**
   * Creates a second room like this one at the start of its run, but without an opening, in a world of its own. Delete it before the room.
   * O(entities).
   */
  twin(): Twin;
  /** The system whose visited entities DebugHeat marks: its name, or "" for all systems. */
  heat: string;
  /** How many entities DebugHeat marked in its last update. */
  readonly heated: number;
  /** Returns false if no C++ system has that name. */
  setEnabled(system: string, enabled: boolean): boolean;
  /** How many entities a C++ system visited in its last update. */
  visited(system: string): number;

  /** Call it after `restore`, which changes only components: what is drawn, and the size of the picture, follow here. */
  showRestored(): void;
  /** Replays the recording of this run from its start; the world must be empty. */
  replay(): void;
  /** Stops the replay; the player continues from the current state. */
  stopReplay(): void;
  readonly replaying: boolean;
  /** The recording has its maximum length; later frames are missing. */
  readonly recordingFull: boolean;
  /** Frames recorded since `begin()`. */
  readonly recordedFrames: number;
  /** Frames replayed so far. */
  readonly replayedFrames: number;
  /** A hash of the game's state, in hexadecimal. */
  stateHash(): string;

  readonly player: number;
  /** The picked entity, otherwise the entity under the pointer, or NONE. */
  readonly inspected: number;
  /** Whether the inspected entity was picked. */
  readonly picked: boolean;
  /** In how many frames the debug system DebugInspection ran. */
  readonly inspections: number;
  readonly spritesDrawn: number;
  readonly drawCalls: number;
  /** Bytes that the last `render()` uploaded to the graphics card. */
  readonly uploadedBytes: number;
  /** Bytes of WebAssembly memory: its size, and the part that is in use. */
  readonly memoryBytes: number;
  readonly memoryUsed: number;
  /** Convert coordinates of the room to pixels of the canvas. */
  screenX(x: number): number;
  screenY(y: number): number;
  delete(): void;
}

/** A room without picture, sound and input, for measurements. */
export interface Twin {
  tracking: boolean;
  /** How many entities a C++ system visited in its last update. */
  visited(system: string): number;
  /** Runs updates of 1/60 s. */
  update(times: number): void;
  delete(): void;
}

export interface CrateRoomModule {
  /** Creates a room that draws on `#canvas`. Throws if that fails. */
  createRoom(world: RawWorld, width: number, height: number, pixelRatio: number): CrateRoom;
  /** The number of sounds. */
  readonly SOUNDS: number;
  /** The number of variants of each sound. */
  readonly SOUND_VARIANTS: number;
  /** Synthesises a variant of a sound, on one channel. `sampleRate` is in hertz. */
  soundSamples(sound: number, variant: number, sampleRate: number): Float32Array<ArrayBuffer>;
}

/** Loads the WebAssembly module and reports the progress. */
export function loadModule(canvas: HTMLCanvasElement, progress: Progress): Promise<CrateRoomModule> {
  return new Promise((resolve, reject) => {
    const made = createModule({
      canvas,
      // Emscripten waits until `done` is called, without a limit. So a failure rejects the promise directly.
      instantiateWasm: (imports, done) => {
        instantiate(wasmUrl, imports, progress).then(done).catch(reject);
        return {};
      },
    });
    (made as Promise<CrateRoomModule>).then(resolve, reject);
  });
}
