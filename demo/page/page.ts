// Loads the C++ module, creates a world and a room, and connects the parts of the page.
import { ECS, init, nativeComponent } from "crateful/module";
import { snapshot } from "crateful/state";
import { canvasSize, connectCanvas } from "./canvas.js";
import { Comparison } from "./comparison.js";
import { connectControls } from "./controls.js";
import { loadModule, type CrateRoom, type CrateRoomModule } from "./crate_room.js";
import { connectDebugButtons } from "./debug_buttons.js";
import { element } from "./element.js";
import { Figures } from "./figures.js";
import { Game, type Clock, type Scripts } from "./game.js";
import { surviveGraphicsLoss } from "./graphics_loss.js";
import { Guide } from "./guide.js";
import { InspectorPanel } from "./inspector.js";
import { Loop } from "./loop.js";
import { OneFrame } from "./one_frame.js";
import { connectOneFrame } from "./one_frame_panel.js";
import { Panels } from "./panels.js";
import { Past } from "./past.js";
import { connectReplay } from "./replay.js";
import { RewindBar } from "./rewind_bar.js";
import { connectSaving } from "./saving.js";
import { Scaling } from "./scaling.js";
import { ScalingPanel } from "./scaling_panel.js";
import { addScripts } from "./scripts.js";
import { readSettings, type Settings } from "./settings.js";
import { connectShare } from "./share.js";
import { connectSound } from "./sound.js";
import { Speaker } from "./speaker.js";
import { SystemSwitches } from "./system_switches.js";
import { connectTabs } from "./tabs.js";
import { connectTouchButtons } from "./touch_buttons.js";

/** The parts of the page, for developer tools and tests: `window.crateRoom`. */
interface Handle extends Scripts {
  ecs: ECS;
  module: CrateRoomModule;
  room: CrateRoom;
  speaker: Speaker;
  figures: Figures;
  settings: Settings;
  nativeComponent: typeof nativeComponent;
  /**
   * Runs exactly one frame of `delta` seconds and updates all figures. Without `drawn` the picture is not drawn, which
   * is faster.
   */
  frame(delta: number, drawn?: boolean): void;
  /** The bytes of the state without that of the systems, to compare states. */
  snapshot(): Uint8Array;
  /** While true, frames run only by calls of `frame()`. */
  hold: boolean;
  /** The clock that measures frames. */
  clock: Clock;
}
declare global {
  interface Window {
    crateRoom?: Handle;
  }
}

/** Shows the downloaded share of the module; undefined if the total size is not known. */
function showProgress(share: number | undefined): void {
  const bar = element("loading-bar", HTMLProgressElement);
  if (share === undefined) bar.removeAttribute("value");
  else bar.value = share;
  const text =
    share === undefined
      ? "Loading the room…"
      : share < 1
        ? `Loading the room… ${Math.floor(100 * share)}%`
        : "Building the room…";
  element("loading-text", HTMLElement).textContent = text;
}

export async function start(): Promise<void> {
  const settings = readSettings(location.search);
  const canvas = element("canvas", HTMLCanvasElement);
  const module = await loadModule(canvas, showProgress);
  await init({ module });

  const ecs = new ECS();
  const room = module.createRoom(ecs.raw, ...canvasSize(canvas));
  const scripts = addScripts(ecs, room);
  ecs.profiler.enabled = true;

  const game = new Game(ecs, room, settings, scripts);
  const figures = new Figures(game);
  const panels = new Panels();
  const switches = new SystemSwitches(game);
  const scaling = new Scaling(game, figures, switches);
  const comparison = new Comparison(game, figures, scaling);
  const speaker = new Speaker(module);
  const past = new Past(game, switches);
  const inspector = new InspectorPanel(game, switches);
  const loop = new Loop(game, (now, times, requested) => {
    speaker.play(room.takeSounds());
    past.frame();
    inspector.frame();
    figures.frame(now, times);
    comparison.frame();
    panels.frame(now, requested);
  });
  switches.changed.listen(() => figures.restart()); // other systems, other times
  game.tracking = settings.tracking;
  // An address with settings shows what they say; without any, the room begins with something to see.
  const bare = location.search === "";
  game.begin(bare && !matchMedia("(prefers-reduced-motion: reduce)").matches);

  const guide = new Guide(game, switches);
  connectCanvas(canvas, game);
  connectControls(game, loop);
  connectDebugButtons(game, switches);
  connectReplay(game);
  connectSaving(game, switches);
  connectShare(game);
  connectSound(speaker, settings);
  connectTouchButtons(room);
  connectOneFrame(new OneFrame(game, loop, switches));
  surviveGraphicsLoss(canvas, room, loop);
  panels.add(element("figures", HTMLElement), figures);
  panels.add(element("figures", HTMLElement), scaling);
  panels.add(element("rewinding", HTMLElement), new RewindBar(game, past));
  panels.add(element("comparison", HTMLElement), comparison);
  panels.add(element("comparison", HTMLElement), guide);
  panels.add(element("panel-inspector", HTMLElement), inspector);
  panels.add(element("panel-scaling", HTMLElement), new ScalingPanel({ game, figures, loop, scaling, switches }));
  connectTabs(element("tabs", HTMLElement), (panel) => panels.reveal(panel));

  window.crateRoom = {
    ecs,
    module,
    room,
    speaker,
    figures,
    ...scripts,
    settings,
    nativeComponent,
    frame: (delta, drawn) => loop.frame(delta, drawn),
    snapshot: () => snapshot(ecs),
    get hold() {
      return loop.hold;
    },
    set hold(on) {
      loop.hold = on;
    },
    get clock() {
      return game.clock;
    },
    set clock(clock) {
      game.clock = clock;
    },
  };
  element("loading", HTMLElement).hidden = true;
  for (const id of ["rewinding", "comparison", "controls", "costs"]) element(id, HTMLElement).inert = false;
  if (bare) guide.welcome();
  canvas.focus();
  loop.start();
  inspector.load().catch((problem: unknown) => console.error(problem)); // the room runs without it
}
