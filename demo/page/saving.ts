// Quick-save and load: buttons, and keys on the room.
import { EcsError } from "crateful/module";
import { element, make } from "./element.js";
import type { Game } from "./game.js";
import { SaveStore } from "./save_store.js";
import type { SystemSwitches } from "./system_switches.js";
import { size } from "./text.js";

export function connectSaving(game: Game, switches: SystemSwitches): void {
  const canvas = element("canvas", HTMLCanvasElement);
  const status = element("save-result", HTMLElement);
  const buttons = { save: element("save", HTMLButtonElement), load: element("load", HTMLButtonElement) };
  const store = new SaveStore();
  let saved = false;

  // A new element each time, so that its animation begins.
  const say = (textContent: string, className = "") =>
    status.replaceChildren(make("p", { textContent, className: `badge ${className}` }));
  const update = () => {
    buttons.save.disabled = game.busy !== "";
    buttons.load.disabled = game.busy !== "" || !saved;
  };

  async function save(): Promise<void> {
    const bytes = game.save();
    saved = true;
    update();
    if (await store.write(bytes)) say(`Saved in this browser: ${size(bytes.length)}`, "same");
    else say("Saved until this page is closed: the browser does not let it keep anything", "different");
  }
  async function load(): Promise<void> {
    const bytes = await store.read();
    if (game.busy !== "") return; // since a moment ago
    if (bytes === undefined) return say("Nothing is saved");
    try {
      game.load(bytes);
    } catch (problem) {
      if (!(problem instanceof EcsError)) throw problem;
      console.info(problem.message);
      return say("This save is from another version of the room, and cannot be loaded", "different");
    }
    switches.changed.emit();
    say("Loaded: the room continues where it was saved", "same");
  }

  buttons.save.addEventListener("click", () => void save());
  buttons.load.addEventListener("click", () => void load());
  canvas.addEventListener("keydown", ({ code, repeat, ctrlKey, metaKey, altKey }) => {
    if (repeat || ctrlKey || metaKey || altKey || game.busy !== "") return;
    if (code === "Digit1") void save();
    else if (code === "Digit2") void load();
  });
  game.changed.listen(update);
  update();
  void store.read().then((bytes) => {
    saved ||= bytes !== undefined;
    update();
  });
}
