// Plays the room's sounds with the browser's mixer, which runs on a thread of its own: a long frame does not interrupt
// them. C++ synthesises each variant of a sound when it is played for the first time; all at once, they would delay the
// frame after the user's first click.
import type { CrateRoomModule } from "./crate_room.js";

const MOST_VOICES = 24;
/** The numbers of a sound in `CrateRoom.takeSounds()`: which one, volume, pan. */
const NUMBERS = 3;
/** The sum of all sounds is clipped at this level. */
const LIMIT = 3;
const CURVE_POINTS = 2049; // odd, so that one of them is exactly silence

/** The soft clipping of ../sound/mixer.cpp: leaves quiet samples unchanged and limits loud ones to 1. */
function curve(): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: CURVE_POINTS }, (_, i) => {
    const x = LIMIT * ((2 * i) / (CURVE_POINTS - 1) - 1);
    return (x * (27 + x * x)) / (27 + 9 * x * x);
  });
}

interface Output {
  context: AudioContext;
  /** Where the voices are mixed; it expects their levels divided by LIMIT. */
  mix: AudioNode;
  /** The variants that were played, by sound. */
  sounds: AudioBuffer[][];
  /** How many times each sound was started. */
  counts: number[];
}

/**
 * It is off at first, because browsers allow sound only after a user gesture. In a browser that cannot play sounds it
 * stays off; nothing here throws.
 */
export class Speaker {
  readonly #module: CrateRoomModule;
  readonly #voices = new Set<AudioBufferSourceNode>();
  #output: Output | undefined;
  #failed = false;
  #on = false;
  #played = 0;

  constructor(module: CrateRoomModule) {
    this.#module = module;
  }

  get on(): boolean {
    return this.#on;
  }
  /**
   * Turn it on in the handler of a user gesture. If it is on already, this continues output that the browser has
   * suspended. Turning it off stops all sounds.
   */
  set on(on: boolean) {
    this.#output ??= on ? this.#open() : undefined;
    if (this.#output === undefined) return;
    this.#on = on;
    const { context } = this.#output;
    if (!on) this.#stop(); // otherwise the sounds would continue when it is turned on again
    const done = on ? context.resume() : context.suspend();
    done.catch(() => {}); // the browser does not allow it now; the next gesture tries again
  }

  /** How many sounds were started. */
  get played(): number {
    return this.#played;
  }

  /** Starts sounds, as `takeSounds()` returns them. While the speaker is off, they are discarded. */
  play(sounds: Float32Array | undefined): void {
    const output = this.#output;
    if (sounds === undefined || output === undefined || !this.#on) return;
    const { state, currentTime } = output.context;
    // Sounds that are started while the output is suspended, during a call for example, would all be played at the end of
    // the call. Before the output has run at all they are kept: a browser starts it a little later than the user's gesture.
    if (state !== "running" && currentTime > 0) return;
    for (let at = 0; at < sounds.length; at += NUMBERS)
      this.#start(output, sounds[at]!, sounds[at + 1]!, sounds[at + 2]!);
  }

  #start(output: Output, sound: number, volume: number, pan: number): void {
    if (this.#voices.size === MOST_VOICES) return;
    const { context, mix } = output;
    const voice = new AudioBufferSourceNode(context, { buffer: this.#nextVariant(output, sound) });
    voice
      .connect(new GainNode(context, { gain: volume / LIMIT }))
      .connect(new StereoPannerNode(context, { pan })) // with constant power
      .connect(mix);
    voice.onended = () => this.#voices.delete(voice);
    voice.start();
    this.#voices.add(voice);
    this.#played++;
  }

  #nextVariant({ context, sounds, counts }: Output, sound: number): AudioBuffer {
    const variant = counts[sound]!++ % this.#module.SOUND_VARIANTS;
    return (sounds[sound]![variant] ??= this.#synthesise(sound, variant, context.sampleRate));
  }

  #synthesise(sound: number, variant: number, sampleRate: number): AudioBuffer {
    const samples = this.#module.soundSamples(sound, variant, sampleRate);
    const buffer = new AudioBuffer({ length: samples.length, sampleRate });
    buffer.copyToChannel(samples, 0);
    return buffer;
  }

  #stop(): void {
    for (const voice of this.#voices) {
      voice.stop();
      voice.disconnect();
    }
    this.#voices.clear();
  }

  #open(): Output | undefined {
    if (this.#failed) return undefined;
    const { SOUNDS } = this.#module;
    try {
      const context = new AudioContext();
      const mix = new WaveShaperNode(context, { curve: curve() });
      mix.connect(context.destination);
      return { context, mix, sounds: Array.from({ length: SOUNDS }, () => []), counts: Array(SOUNDS).fill(0) };
    } catch {
      this.#failed = true;
      return undefined;
    }
  }
}
