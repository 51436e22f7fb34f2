// The example's players over a slow connection, in simulated time: each player acts before the server has answered.
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Entity } from "crateful";
import { RoomWorld, type ClientRoom, type RoomClient, type ServerRoom } from "crateful/colyseus";
import { Changes, init } from "crateful/state";
import { Game } from "../../examples/multiplayer/game.js";
import { Crate, Place, sent } from "../../examples/multiplayer/rules.js";
import { Session } from "../../examples/multiplayer/session.js";

beforeAll(() => init());

let random: () => number;
beforeEach(() => {
  let state = 1;
  random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  jest.spyOn(Math, "random").mockImplementation(() => random());
});
afterEach(() => void jest.restoreAllMocks());

const STEP = 5; // units of 10 ms between two updates
type Receive = (bytes: Uint8Array) => void;

/** One direction of a connection: 100 ms, 30 ms of jitter, and 5 % of the messages are sent again; what follows waits for them. */
class Line {
  readonly #flying: { due: number; deliver: () => void }[] = [];
  #last = 0;
  send(now: number, deliver: () => void): void {
    const due = now + 10 + Math.floor(3 * random()) + (random() < 0.05 ? 20 : 0);
    this.#last = Math.max(this.#last, due);
    this.#flying.push({ due: this.#last, deliver });
  }
  advance(now: number): void {
    while (this.#flying[0] && this.#flying[0].due <= now) this.#flying.shift()?.deliver();
  }
}

/** A server and its players. */
class Match {
  readonly game = new Game();
  readonly players: { session: Session; acts: boolean; keys: number; down: Line; up: Line }[] = [];
  #now = 0;
  readonly #handlers = new Map<string, (client: RoomClient, bytes: Uint8Array) => void>();
  readonly #room: ServerRoom<RoomClient> & { clients: RoomClient[] } = {
    clients: [],
    onMessageBytes: (type, handle) => this.#handlers.set(type, handle),
  };
  readonly #world = new RoomWorld(this.#room, new Changes(this.game.ecs, { components: sent }));
  readonly #entities = new Map<RoomClient, Entity>();

  constructor(...acts: boolean[]) {
    this.#world.onMessage("input", (client, bytes) => {
      this.game.receive(this.#entities.get(client) as Entity, bytes);
    });
    for (const one of acts) this.#join(one);
  }
  #join(acts: boolean): void {
    const [up, down] = [new Line(), new Line()];
    const receivers = new Map<string, Receive>();
    const client: RoomClient = {
      sessionId: String(this.players.length),
      sendBytes: (type, bytes) => down.send(this.#now, () => receivers.get(type)?.(bytes)),
      leave: (_, reason) => {
        throw new Error(reason);
      },
    };
    const room: ClientRoom = {
      onMessage: (type, receive) => receivers.set(type, receive) as never,
      onReconnect: () => {},
      sendBytes: (type, bytes) => up.send(this.#now, () => this.#handlers.get(type)?.(client, bytes)),
    };
    const player = this.game.join(client.sessionId, client.sessionId);
    this.#entities.set(client, player);
    this.#room.clients.push(client);
    this.#world.join(client);
    this.players.push({ session: new Session(room), acts, keys: 0, up, down });
    client.sendBytes("you", new Uint8Array(Uint32Array.of(player).buffer));
  }
  /** Lets time pass; the players that act press other keys now and then. */
  run(seconds: number, act: boolean): void {
    for (const end = this.#now + 100 * seconds; this.#now < end; ++this.#now) {
      for (const { up, down } of this.players) {
        up.advance(this.#now);
        down.advance(this.#now);
      }
      if (this.#now % STEP === 0) {
        this.game.update();
        this.#world.send();
      }
      for (const [i, player] of this.players.entries())
        if (this.#now % STEP === (i + 2) % STEP) {
          if (random() < 0.1) player.keys = Math.floor(16 * random());
          player.session.input(act && player.acts ? player.keys : 0);
        }
    }
  }
  crates(): unknown[] {
    return Array.from(this.game.ecs.query({ place: Place, crate: Crate }), ({ place: { x, y } }) => [x, y]);
  }
  /** The places of all, as the server and as a player shows them. */
  places(session: Session): { server: unknown[]; player: unknown[] } {
    const rows = [...this.game.ecs.query({ place: Place }).ids()];
    const at = ({ x, y }: { x: number; y: number }) => [x, y];
    return {
      server: rows.map((e) => at(this.game.ecs.get(e, Place))),
      player: rows.map((e) => at(session.ecs.get(session.replica.entity(e), Place))),
    };
  }
}

describe("over a connection with 100 ms, jitter and retransmissions,", () => {
  test("the only player that acts is never corrected, though it pushes crates", () => {
    const match = new Match(true, false);
    const session = match.players[0]?.session as Session;
    const before = match.crates();
    let ahead = 0;
    for (let second = 0; second < 300; ++second) {
      match.run(1, true);
      const { server, player } = match.places(session);
      if (String(server) !== String(player)) ++ahead;
    }
    match.run(3, false);
    expect(ahead).toBeGreaterThan(100);
    expect(session.corrections).toBe(0);
    expect(match.crates()).not.toEqual(before);
    for (const { session } of match.players) {
      const { server, player } = match.places(session);
      expect(player).toEqual(server);
    }
  });

  test("players in each other's way show the server's world when they rest", () => {
    const match = new Match(true, true, true, true, true, true);
    let corrections = 0;
    for (let round = 0; round < 15; ++round) {
      match.run(5, true);
      match.run(3, false);
      for (const { session } of match.players) {
        const { server, player } = match.places(session);
        expect(player).toEqual(server);
        corrections += session.corrections;
      }
    }
    expect(corrections).toBeGreaterThan(0); // a crate can be where another player has pushed it
  });
});

test("players find theirs in a yard that was saved", () => {
  const game = new Game();
  const players = ["a", "b", "c"].map((key) => game.join(key, key));
  game.update();
  const restored = new Game(game.save());
  expect(["a", "b", "c"].map((key) => restored.join(key, key))).toEqual(players);
});
