// The sounds of the room: when they start and stop, and what the browser's mixer makes of them.
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { frames, standBelowCrate, useRooms } from "./room.js";

interface Audio {
  contexts: BaseAudioContext[];
  /** What the sources that were started play. */
  started: AudioBuffer[];
  /** How many ScriptProcessorNodes were created; they are deprecated. */
  scriptProcessors: number;
}
declare global {
  interface Window {
    audio: Audio;
  }
}

const SMASH = 2; // the index of the sound; demo/scene/sounds.hpp
const BLAST = 3;
const MOST_VOICES = 24;

/** Records what the page does with audio. It runs in the page, before its scripts. */
function record(): void {
  const audio: Audio = (window.audio = { contexts: [], started: [], scriptProcessors: 0 });
  window.AudioContext = class extends AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options);
      audio.contexts.push(this);
    }
  };
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...when) {
    audio.started.push(this.buffer!);
    start.apply(this, when);
  };
  const { createScriptProcessor } = BaseAudioContext.prototype;
  BaseAudioContext.prototype.createScriptProcessor = function (...sizes) {
    audio.scriptProcessors++;
    return createScriptProcessor.apply(this, sizes);
  };
}

/** Time stands still for the page's sounds until `render` renders a second of them. It runs after `record`. */
function holdTime(): void {
  class Context extends OfflineAudioContext {
    constructor() {
      super({ numberOfChannels: 2, length: 48_000, sampleRate: 48_000 });
      window.audio.contexts.push(this);
    }
    override async resume(): Promise<void> {}
    override async suspend(): Promise<void> {}
  }
  Object.assign(window, { AudioContext: Context });
}

/** The loudest sample of a second of the page's sounds, on the left and on the right. */
const render = (page: Page) =>
  page.evaluate(async () => {
    const context = window.audio.contexts[0] as OfflineAudioContext;
    const rendered = await context.startRendering();
    const loudest = (channel: number) =>
      rendered.getChannelData(channel).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    return { left: loudest(0), right: loudest(1) };
  });

const rooms = useRooms();
const openWith = (scripts: (() => void)[], query = "?crates=600&seed=3&guards=0") =>
  rooms.open(query, {
    before: async (page) => {
      for (const script of scripts) await page.addInitScript(script);
    },
  });
const button = (page: Page) => page.getByRole("button", { name: "Sound" });
const pressed = (page: Page) => button(page).getAttribute("aria-pressed");
const isOn = (page: Page) => page.evaluate(() => window.theRoom().speaker.on);
const playedBy = (page: Page) => page.evaluate(() => window.theRoom().speaker.played);
const play = (page: Page, sounds: number[]) =>
  page.evaluate((numbers) => window.theRoom().speaker.play(new Float32Array(numbers)), sounds);

/** A room in which sound is on, but nothing has been played yet. Time stands still for its sounds. */
async function openSilent(): Promise<Page> {
  const page = await openWith([record, holdTime], "?crates=600&seed=3&guards=0&muted");
  await button(page).click();
  return page;
}

/** Clicks on the room, and runs frames until the blow is finished. */
async function clickRoom(page: Page): Promise<void> {
  await page.locator("#canvas").click();
  await frames(page, 40);
}

/** Smashes a crate. Returns how many sounds have been started until then. */
async function smash(page: Page): Promise<number> {
  await page.locator("#canvas").focus();
  const crate = await standBelowCrate(page);
  await page.waitForFunction(() => {
    const { speaker } = window.theRoom();
    const [context] = window.audio?.contexts ?? [];
    return !speaker.on || context!.state === "running" || context!.currentTime === 0; // browsers resume it later
  });
  await page.keyboard.press("Space");
  expect(await page.evaluate((e) => window.play.until(() => !window.theRoom().ecs.alive(e)), crate)).toBe(true);
  return playedBy(page);
}

describe("sound", () => {
  test("starts with the first click or key, and the button turns it off", async () => {
    const page = await openWith([record]);
    const contexts = () => page.evaluate(() => window.audio.contexts.length);
    expect(await isOn(page)).toBe(false);
    expect(await contexts()).toBe(0);
    await clickRoom(page);
    expect(await isOn(page)).toBe(true);
    const before = await playedBy(page);
    const played = await smash(page);
    expect(played - before).toBeGreaterThanOrEqual(2); // the blow and the crate
    await button(page).click();
    expect(await isOn(page)).toBe(false);
    expect(await pressed(page)).toBe("false");
    expect(await smash(page)).toBe(played);
    await button(page).click();
    expect(await isOn(page)).toBe(true);
    expect(await smash(page)).toBeGreaterThan(played);
    expect(await contexts()).toBe(1);
  });

  test("that is muted by the address starts with the button", async () => {
    const page = await openWith([record], "?crates=600&seed=3&guards=0&muted");
    await clickRoom(page);
    expect(await isOn(page)).toBe(false);
    expect(await page.evaluate(() => window.audio.contexts.length)).toBe(0);
    await button(page).click();
    expect(await isOn(page)).toBe(true);
    expect(await smash(page)).toBeGreaterThanOrEqual(2);
  });

  test("does not start with an event that is no gesture for the browser", async () => {
    const page = await openWith([record]);
    const setActive = (isActive: boolean) =>
      page.evaluate((is) => {
        Object.defineProperty(navigator, "userActivation", { configurable: true, value: { isActive: is } });
      }, isActive);
    await setActive(false);
    await clickRoom(page);
    expect(await isOn(page)).toBe(false);
    expect(await page.evaluate(() => window.audio.contexts.length)).toBe(0);
    await setActive(true);
    await clickRoom(page);
    expect(await isOn(page)).toBe(true);
  });

  test("is mixed by the browser, from samples that C++ synthesised", async () => {
    const page = await openWith([record]);
    await clickRoom(page);
    const played = await smash(page);
    const { started, smashes, scriptProcessors } = await page.evaluate((sound) => {
      const { contexts, started, scriptProcessors } = window.audio;
      const { module } = window.theRoom();
      const same = (a: Float32Array, b: Float32Array) => a.length === b.length && a.every((value, i) => value === b[i]);
      const variants = [0, 1, 2].map((variant) => module.soundSamples(sound, variant, contexts[0]!.sampleRate));
      const smashes = started.filter((buffer) => variants.some((samples) => same(samples, buffer.getChannelData(0))));
      return { started: started.length, smashes: smashes.length, scriptProcessors };
    }, SMASH);
    expect(started).toBe(played);
    expect(smashes).toBe(1);
    expect(scriptProcessors).toBe(0);
  });

  test("is audible when a crate is smashed", async () => {
    const page = await openSilent();
    await smash(page);
    const { left, right } = await render(page);
    expect(Math.min(left, right)).toBeGreaterThan(0.1); // the crate is straight ahead
    expect(Math.max(left, right)).toBeLessThanOrEqual(1);
  });

  test("has a volume and comes from a side", async () => {
    const page = await openSilent();
    await play(page, [SMASH, 0.5, -1]);
    const { left, right } = await render(page);
    const peak = await page.evaluate(() =>
      window.audio.started
        .at(-1)!
        .getChannelData(0)
        .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
    );
    expect(right).toBeLessThan(0.001);
    expect(left).toBeGreaterThan(0.4 * peak);
    expect(left).toBeLessThanOrEqual(0.5 * peak);
  });

  test("does not continue when it is turned off and on again", async () => {
    const page = await openSilent();
    await play(page, [BLAST, 1, -1]);
    await button(page).click();
    await play(page, [BLAST, 1, -1]);
    await button(page).click();
    await play(page, [SMASH, 1, 1]);
    const { left, right } = await render(page);
    expect(left).toBeLessThan(0.001);
    expect(right).toBeGreaterThan(0.4);
  });

  test("is not played later if the browser has suspended the output", async () => {
    const page = await openSilent();
    const suspend = (state: AudioContextState) =>
      page.evaluate((now) => {
        const context = window.audio.contexts[0]!;
        Object.defineProperty(context, "state", { configurable: true, value: now });
        Object.defineProperty(context, "currentTime", { configurable: true, value: 1 });
      }, state);
    for (const state of ["suspended", "interrupted"] as AudioContextState[]) {
      await suspend(state);
      await play(page, [SMASH, 1, 0]);
      expect(await playedBy(page)).toBe(0);
    }
    await suspend("running");
    await play(page, [SMASH, 1, 0]);
    expect(await playedBy(page)).toBe(1);
  });

  test("has variants, which are synthesised once", async () => {
    const page = await openSilent();
    await play(page, Array.from({ length: 6 }, () => [SMASH, 1, 0]).flat());
    const { buffers, order } = await page.evaluate(() => {
      const { started } = window.audio;
      const buffers = [...new Set(started)];
      return { buffers: buffers.length, order: started.map((buffer) => buffers.indexOf(buffer)) };
    });
    expect(buffers).toBe(3);
    expect(order).toEqual([0, 1, 2, 0, 1, 2]);
  });

  test("has a limited number of voices, and is clipped", async () => {
    const page = await openSilent();
    await play(page, Array.from({ length: 2 * MOST_VOICES }, () => [BLAST, 1, 0]).flat());
    expect(await page.evaluate(() => window.audio.started.length)).toBe(MOST_VOICES);
    expect(await playedBy(page)).toBe(MOST_VOICES);
    const { left } = await render(page);
    expect(left).toBeGreaterThan(0.9);
    expect(left).toBeLessThanOrEqual(1);
  });

  test.each([
    ["does not exist", () => void Reflect.deleteProperty(window, "AudioContext")],
    [
      "cannot be created",
      () =>
        void (window.AudioContext = class {
          constructor() {
            throw new Error("no audio");
          }
        } as unknown as typeof AudioContext),
    ],
  ])("stays off if AudioContext %s", async (_, script) => {
    const page = await openWith([script]);
    await clickRoom(page);
    expect(await isOn(page)).toBe(false);
    expect(await pressed(page)).toBe("false");
    await button(page).click();
    expect(await isOn(page)).toBe(false);
    expect(await pressed(page)).toBe("false");
    expect(await smash(page)).toBe(0);
  });
});
