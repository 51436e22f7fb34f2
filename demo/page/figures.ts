// The live figures: what a frame costs, and what for.
import { nativeComponent, type ECS } from "crateful";
import type { CrateRoom } from "./crate_room.js";
import { element } from "./element.js";
import { History } from "./history.js";
import type { Pedometer, ScoreKeeper } from "./systems.js";

const REFRESH = 250; // milliseconds; nobody reads faster
// After a change of conditions all is new to every system once, and code is compiled: not what a figure should say.
const SETTLING = 8;

const whole = (n: number) => Math.round(n).toLocaleString("en");

/** What the browser's clock can tell apart; much finer on an isolated page. */
const RESOLUTION = crossOriginIsolated ? 0.005 : 0.1;

/** With the digits that matter. */
function milliseconds(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < RESOLUTION) return `<${RESOLUTION}`;
  return ms.toFixed(ms < 0.1 ? 3 : ms < 10 ? 2 : 1);
}

export class Figures {
  readonly update = new History();
  readonly render = new History();
  readonly #Breakable = nativeComponent("Breakable");
  readonly #graph = element("graph", HTMLCanvasElement);
  readonly #rows = new Map<string, HTMLTableCellElement[]>();
  #next = 0;
  #settling = SETTLING;

  constructor(
    readonly ecs: ECS,
    readonly room: CrateRoom,
    readonly scripts: { score: ScoreKeeper; pedometer: Pedometer },
  ) {}

  /** A frame was run: `now` and both durations in milliseconds. */
  frame(now: number, update: number, render: number): void {
    if (this.#settling > 0 && --this.#settling === 0) this.ecs.profiler.clear();
    if (this.#settling > 0) return;
    this.update.add(now, update);
    this.render.add(now, render);
    if (now < this.#next) return;
    this.#next = now + REFRESH;
    this.show();
  }

  /** Forgets the past, which was measured under other conditions. */
  restart(): void {
    this.update.clear();
    this.render.clear();
    this.#settling = SETTLING;
    this.#next = 0;
  }

  show(): void {
    const { ecs, room, scripts } = this;
    const write = (id: string, text: string) => { element(id, HTMLElement).textContent = text; };
    write("update-now", milliseconds(this.update.last));
    write("update-median", milliseconds(this.update.median));
    write("render-now", milliseconds(this.render.last));
    write("render-median", milliseconds(this.render.median));
    write("entities", whole(ecs.count));
    write("crates-left", whole(ecs.storage(this.#Breakable).count));
    write("smashed", whole(scripts.score.smashed));
    write("walked", `${whole(scripts.pedometer.metres)} m`);
    write("sprites", whole(room.spritesDrawn));
    write("calls", whole(room.drawCalls));
    this.#showSystems();
    this.#drawGraph();
  }

  #showSystems(): void {
    const clocks = this.ecs.profiler.report().find((group) => group.name === "Systems")?.clocks ?? [];
    for (const { name, tracked, dirty } of this.ecs.systems) {
      const script = name === "ScoreKeeper" || name === "Pedometer";
      const cells = this.#row(name, script);
      // With tracking off a system goes through all it tracks, whatever its dirty set says.
      const lookedAt = script ? dirty : this.room.lookedAt(name);
      const texts = [name, whole(tracked), whole(lookedAt), milliseconds(clocks.find((clock) => clock.name === name)?.average)];
      texts.forEach((text, i) => { cells[i]!.textContent = text; });
      cells[0]!.parentElement!.classList.toggle("busy", lookedAt >= 100);
    }
  }

  #row(name: string, script: boolean): HTMLTableCellElement[] {
    let cells = this.#rows.get(name);
    if (cells === undefined) {
      const row = element("systems", HTMLTableSectionElement).insertRow();
      row.dataset["system"] = name;
      row.classList.toggle("script", script);
      cells = [0, 1, 2, 3].map(() => row.insertCell());
      this.#rows.set(name, cells);
    }
    return cells;
  }

  #drawGraph(): void {
    const context = this.#graph.getContext("2d");
    if (context === null) return;
    const { width, height } = this.#graph;
    context.clearRect(0, 0, width, height);
    const updates = this.update.tail(width / 2);
    const renders = this.render.tail(width / 2);
    const top = Math.max(4, ...updates.map((update, i) => update + (renders[i] ?? 0)));
    const frame = height - (1000 / 60 / top) * height; // a sixtieth of a second
    context.fillStyle = "#2a2d40";
    if (frame > 0) context.fillRect(0, Math.round(frame), width, 1);
    updates.forEach((update, i) => {
      const high = (update / top) * height;
      const higher = ((renders[i] ?? 0) / top) * height;
      const x = width - 2 * (updates.length - i);
      context.fillStyle = "#4d7fb3";
      context.fillRect(x, height - high - higher, 1.5, higher);
      context.fillStyle = this.room.tracking ? "#6fcf97" : "#f2785a";
      context.fillRect(x, height - Math.max(high, 1), 1.5, Math.max(high, 1));
    });
  }
}
