// The same room in two ways: 2,000 crates, of which 100 move in each tick.
import { Room } from "@colyseus/core";
import { Encoder, schema, t } from "@colyseus/schema";
import { defineComponent, ECS } from "../../dist/inline.js";
import { RoomWorld } from "../../dist/colyseus.js";
import { Changes, init } from "../../dist/state_inline.js";

await init();
export const CRATES = 2_000;
const MOVING = 100;
const TICK = 50; // milliseconds

export class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {}
export const Crate = schema({ x: t.float32(), y: t.float32() }, "Crate");
export const Yard = schema({ crates: t.map(Crate) }, "Yard");

/** Moves crates by full mantissas, and counts what it sends. */
class Moving extends Room {
  sent = 0;
  moves = true;
  onCreate() {
    this.patchRate = null;
    this.build();
    this.setSimulationInterval(() => {
      if (this.moves)
        for (let k = 0; k < MOVING; k++)
          this.place(Math.floor(CRATES * Math.random()), 40 * Math.random(), 24 * Math.random());
      this.send();
    }, TICK);
  }
}

class Crateful extends Moving {
  build() {
    this.ecs = new ECS();
    this.crates = Array.from({ length: CRATES }, () => this.ecs.addEntity([Place, {}]));
    this.query = this.ecs.query({ place: Place });
    this.world = new RoomWorld(this, new Changes(this.ecs, { components: [Place] }));
  }
  onJoin(client) {
    this.world.join(client);
  }
  onLeave(client) {
    this.world.leave(client);
  }
  place(i, x, y) {
    const { place } = this.query.at(this.crates[i]);
    place.x = x;
    place.y = y;
  }
  send() {
    this.ecs.update(TICK / 1000);
    this.sent += this.world.send();
  }
}

class Schema extends Moving {
  build() {
    Encoder.BUFFER_SIZE = 2 ** 18;
    this.state = new Yard();
    for (let i = 0; i < CRATES; i++) this.state.crates.set(String(i), new Crate());
    this.crates = [...this.state.crates.values()];
  }
  place(i, x, y) {
    const crate = this.crates[i];
    crate.x = x;
    crate.y = y;
  }
  send() {
    if (this.broadcastPatch()) this.sent += 1; // its bytes are those of the socket
  }
}
/** What the sockets alone cost: messages of the size of Crateful's. */
class Sockets extends Moving {
  build() {
    this.bytes = new Uint8Array(880);
  }
  place() {}
  send() {
    if (this.moves) for (const client of this.clients) client.sendBytes("bytes", this.bytes);
  }
}
export const rooms = { crateful: Crateful, colyseus: Schema, sockets: Sockets };
