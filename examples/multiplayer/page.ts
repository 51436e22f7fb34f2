// The page: joins a yard, sends the keys, and draws.
import { type RowOf, defineSystem, startLoop } from "crateful";
import { init } from "crateful/state";
import { connect, type Connection } from "./connect.js";
import { draw } from "./draw.js";
import { keysNow } from "./keys.js";
import { Motion } from "./motion.js";
import { Player, STEP } from "./rules.js";
import { Session } from "./session.js";

const element = (id: string) => document.getElementById(id)!;
const status = (text: string) => (element("status").textContent = text);
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

const search = new URLSearchParams(location.search);
const key = sessionStorage.getItem("key") ?? crypto.randomUUID();
sessionStorage.setItem("key", key); // so that a reload continues
const join = { yard: search.get("yard") ?? "main", name: search.get("name") ?? `Guest ${key.slice(0, 3)}`, key };

class Scores extends defineSystem({ player: Player }, { watch: [Player], onlyWhenDirty: true }) {
  override update(): void {
    this.show();
  }
  override onRemove(): void {
    queueMicrotask(() => this.show());
  }
  show(): void {
    const best = Array.from(this.rows, ({ player }) => ({ name: player.name, score: player.score }));
    best.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name));
    element("scores").textContent = best
      .slice(0, 10)
      .map(({ name, score }) => `${score}  ${name}`)
      .join("\n");
  }
}

type Shown = RowOf<Motion["rows"]>;
let sessions = 0;

/** Plays until the connection has ended. */
function play(connection: Connection): Promise<number> {
  const session = new Session(connection, () => motion.arrived());
  const motion = new Motion(session);
  session.ecs.addSystem(0, motion);
  session.ecs.addSystem(1, new Scores());
  const at = ({ entity, place }: Shown) => `${session.replica.remote(entity)} ${place.x} ${place.y}`;
  const inspector = import.meta.env.DEV
    ? import("crateful/inspector").then((it) => it.attachInspector(session.ecs, { place: "folded" }))
    : undefined;
  const world = () => Array.from(motion.rows, at).sort().join("\n");
  Object.assign(globalThis, { yard: { number: ++sessions, session, world } }); // for the console

  let [late, second] = [0, 1];
  const loop = startLoop(session.ecs, {
    frame(delta) {
      for (late += delta; late >= STEP; late -= STEP) session.input(keysNow(session));
      draw(session, motion, delta);
      second += delta;
      if (second < 1) return;
      const { bytes, corrections, ping } = session;
      element("numbers").textContent =
        `${(bytes / second / 1024).toFixed(1)} KiB/s   ${ping.toFixed(0)} ms   ${corrections} corrections`;
      session.bytes = second = 0;
      session.sendPing();
    },
  });
  return new Promise((done) =>
    connection.onLeave((code, reason) => {
      loop.stop();
      void inspector?.then((panel) => panel.dispose());
      status(reason ?? "");
      done(code);
    }),
  );
}

await init();
for (let code = 0; code !== 4000; await pause(500)) {
  const connection = await connect(join, status).catch(() => undefined);
  status(connection ? "" : "The server cannot be reached. Trying again …");
  if (connection) code = await play(connection);
}
