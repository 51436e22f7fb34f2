// The crate room's page: loads the C++ module, gives it a world, and runs the frames.
import { ECS, init, nativeComponent } from "crateful";
import { canvasSize, connectCanvas, connectControls } from "./controls.js";
import { loadModule, type CrateRoom, type CrateRoomModule } from "./crate_room.js";
import { element } from "./element.js";
import { Figures } from "./figures.js";
import { readSettings } from "./settings.js";
import { Pedometer, ScoreKeeper } from "./systems.js";

const LONGEST_FRAME = 0.05; // seconds: a tab that was hidden does not make up for it in one leap

declare global {
  interface Window {
    /** For the developer tools: everything the page is made of. */
    crateRoom?: {
      ecs: ECS;
      module: CrateRoomModule;
      room: CrateRoom;
      figures: Figures;
      score: ScoreKeeper;
      pedometer: Pedometer;
      nativeComponent: typeof nativeComponent;
    };
  }
}

async function start(): Promise<void> {
  const settings = readSettings(location.search);
  const canvas = element("canvas", HTMLCanvasElement);
  const module = await loadModule(canvas);
  await init({ module });

  const ecs = new ECS();
  const room = module.createRoom(ecs.raw, ...canvasSize(canvas));
  if (room === null) throw new Error(module.failure());
  // Their priorities interleave with those of the C++ systems: after Collision, and last of all.
  const pedometer = ecs.addSystem(60, new Pedometer());
  const score = ecs.addSystem(110, new ScoreKeeper());
  room.build(settings.seed, settings.crates);
  ecs.profiler.enabled = true;

  const figures = new Figures(ecs, room, { score, pedometer });
  connectControls(ecs, room, figures, settings);
  connectCanvas(canvas, room);
  window.crateRoom = { ecs, module, room, figures, score, pedometer, nativeComponent };
  canvas.focus();

  let before = performance.now();
  const frame = (now: number) => {
    requestAnimationFrame(frame);
    const delta = Math.min(LONGEST_FRAME, Math.max(0, (now - before) / 1000));
    before = now;
    room.pollInput();
    const started = performance.now();
    ecs.update(delta);
    const updated = performance.now();
    ecs.profiler.measure("Overall", "render", () => room.render());
    figures.frame(now, updated - started, performance.now() - updated);
  };
  requestAnimationFrame(frame);
}

function report(problem: unknown): void {
  const box = element("problem", HTMLElement);
  const heading = document.createElement("b");
  heading.textContent = "The crate room could not start";
  const missing = typeof WebAssembly === "undefined" ? "This browser has no WebAssembly." : "It needs WebAssembly and WebGL.";
  box.replaceChildren(heading, `${missing}\n${problem instanceof Error ? problem.message : String(problem)}`);
  box.hidden = false;
}

start().catch((problem: unknown) => {
  report(problem);
  console.error(problem);
});
