// Plays the run so far again from its start, and tells whether it came out the same.
import { element, write } from "./element.js";
import type { Game } from "./game.js";
import { whole } from "./text.js";

export function connectReplay(game: Game): void {
  const { room } = game;
  const badge = element("replay-badge", HTMLElement);
  const button = element("replay", HTMLButtonElement);
  const status = element("replay-result", HTMLElement);
  let expected = "";
  let meddled = "";

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
      say("The replay was stopped. Go on from here.", "");
      over();
      return;
    }
    if (room.recordedFrames === 0) {
      say("Nothing is recorded yet.", "");
      return;
    }
    expected = room.stateHash();
    meddled = room.recordingFull ? "more happened than is recorded" : game.meddled;
    game.busy = "replay";
    say("", "");
    game.replay();
    element("canvas", HTMLCanvasElement).focus();
  });
  // Looked at before the update too: the first frame that is not a recorded one must not count.
  game.between.listen(() => {
    if (game.busy !== "replay") return;
    badge.hidden = false;
    write("replay-badge", `Replay ${whole(room.replayedFrames)}/${whole(room.recordedFrames)}`);
    if (room.replaying) return;
    const reached = room.stateHash();
    if (reached === expected) say(`The replay came to the same state: ${reached}`, "same");
    else
      say(
        `The replay came to a different state: ${reached}, not ${expected}${meddled === "" ? "" : ` (${meddled})`}`,
        "different",
      );
    over();
  });
  // Another run is not what the words are about.
  game.begun.listen(() => say("", ""));
}
