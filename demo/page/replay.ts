// Replays the run from its start, and compares the resulting states.
import { element, write } from "./element.js";
import type { Game } from "./game.js";
import { whole } from "./text.js";

export function connectReplay(game: Game): void {
  const { room } = game;
  const badge = element("replay-badge", HTMLElement);
  const button = element("replay", HTMLButtonElement);
  const status = element("replay-result", HTMLElement);
  let expected = "";
  let unrecorded = "";

  const say = (text: string, outcome: "same" | "different" | "") => {
    status.textContent = text;
    status.className = outcome;
  };
  const over = () => {
    badge.hidden = true;
    game.busy = "";
  };
  game.changed.listen(() => {
    button.textContent = game.busy === "replay" ? "Stop" : "Replay";
    button.disabled = game.busy === "measurement";
  });
  button.addEventListener("click", () => {
    if (game.busy === "replay") {
      room.stopReplay();
      say("The replay was stopped. Continue from here.", "");
      over();
      return;
    }
    if (room.recordedFrames === 0) {
      say("Nothing is recorded yet.", "");
      return;
    }
    expected = room.stateHash();
    unrecorded = room.recordingFull ? "the run was longer than the recording" : game.unrecorded;
    game.busy = "replay";
    say("", "");
    game.replay();
    element("canvas", HTMLCanvasElement).focus();
  });
  // Also called before the update: the first frame after the recording must not be included.
  game.between.listen(() => {
    if (game.busy !== "replay") return;
    badge.hidden = false;
    write("replay-badge", `Replay ${whole(room.replayedFrames)}/${whole(room.recordedFrames)}`);
    if (room.replaying) return;
    const reached = room.stateHash();
    if (reached === expected) say(`The replay came to the same state: ${reached}`, "same");
    else
      say(
        `The replay came to a different state: ${reached}, not ${expected}${unrecorded === "" ? "" : ` (${unrecorded})`}`,
        "different",
      );
    over();
  });
  // The text does not apply to a new run.
  game.begun.listen(() => say("", ""));
}
