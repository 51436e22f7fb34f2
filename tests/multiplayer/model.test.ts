// crateful/colyseus with random joins, losses, reconnections and acknowledgements: when everything has arrived, all pages show the room.
import { afterEach, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import type { Entity } from "crateful";
import type { Receiver } from "crateful/state";
import { init, restore, Rewind, snapshot } from "crateful/state";
import { type Connection, Host, type Page } from "./fakes.js";
import { Label, Place } from "./rooms.js";
import { seeds, times } from "../bindings/random.js";

beforeAll(() => init());
beforeEach(() => void jest.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => void jest.restoreAllMocks());

/** A client of the room, and what is selected for it, if it has a selection. */
interface Guest {
  readonly page: Page;
  readonly receiver: Receiver;
  readonly selected: Set<Entity> | undefined;
  /** It has sent garbage, so that it can be disconnected, and its world be any. */
  bad: boolean;
}

class Model {
  readonly host = new Host();
  readonly #ecs = this.host.ecs;
  readonly #rewind: Rewind | undefined;
  readonly #guests = new Set<Guest>();
  readonly #places = this.#ecs.query({ place: Place });
  readonly #labels = this.#ecs.query({ label: Label });
  #saved: Uint8Array | undefined;
  #joined = 0;
  #state: number;

  constructor(seed: number, rewinds: boolean) {
    this.#state = seed * 7919 + 13;
    if (rewinds) this.#rewind = new Rewind(this.#ecs);
  }
  #random(below: number): number {
    this.#state = (this.#state * 48271) % 2147483647;
    return Math.floor((this.#state / 2147483647) * below);
  }
  #chance(percent: number): boolean {
    return this.#random(100) < percent;
  }
  #one<T>(list: Iterable<T>): T | undefined {
    const all = [...list];
    return all[this.#random(all.length)];
  }
  /** All entities that can be sent, in the order of their handles. */
  get #entities(): Entity[] {
    const all = new Set<Entity>();
    for (const query of [this.#places, this.#labels]) for (const { entity } of query) all.add(entity);
    return [...all].sort((a, b) => a - b);
  }

  step(): void {
    const steps: [weight: number, run: () => void][] = [
      [12, () => this.#change()],
      [16, () => (this.#chance(90) ? this.host.update() : this.#sendLittle())],
      [14, () => this.#deliver()],
      [3, () => this.#join()],
      [1, () => this.#leave(this.#one(this.#guests))],
      [5, () => this.#drop(this.#one(this.#guests))],
      [8, () => this.#reconnect(this.#one(this.#guests))],
      [4, () => this.#select(this.#one(this.#guests), this.#one(this.#entities))],
      [1, () => this.#sendGarbage(this.#one(this.#guests))],
      [1, () => this.#breakSocket(this.#one(this.#guests))],
      [1, () => this.#exchange()],
      [1, () => this.settle()],
    ];
    let left = this.#random(steps.reduce((sum, [weight]) => sum + weight, 0));
    const chosen = steps.find(([weight]) => (left -= weight) < 0);
    chosen?.[1]();
  }

  #sendLittle(): void {
    try {
      this.host.world.send({ maxBytes: 400 });
    } catch (error) {
      expect((error as Error).message).toMatch("more than the limit of 400"); // of a long label
    }
  }
  #change(): void {
    const ecs = this.#ecs;
    const e = this.#one(this.#entities);
    if (e === undefined || (this.#chance(30) && this.#entities.length < 40)) {
      ecs.addEntity([Place, { x: this.#random(100) }]);
    } else if (this.#chance(10)) ecs.removeEntity(e);
    else if (this.#chance(20)) {
      if (ecs.has(e, Label)) ecs.removeComponent(e, Label);
      else if (this.#chance(10))
        ecs.addComponent(e, Label, { text: "x".repeat(1_100_000) }); // is not kept
      else ecs.addComponent(e, Label, { text: `label ${this.#random(5)}` });
    } else if (ecs.has(e, Place)) ecs.get(e, Place).x = this.#random(100);
  }
  #join(): void {
    if (this.#guests.size === 8) return;
    const page = this.host.connect(`client ${++this.#joined}`);
    const connection = page.connection as Connection;
    if (this.#chance(20)) this.host.world.leave(connection);
    if (this.#chance(20)) this.host.world.join(connection);
    const selected = this.#chance(40) ? new Set(this.#entities.filter(() => this.#chance(40))) : undefined;
    const receiver = this.host.world.join(connection, selected && { select: this.#changing(selected) });
    this.#guests.add({ page, receiver, selected, bad: false });
  }
  /** Changes the world while it is read. */
  *#changing(entities: Iterable<Entity>): Iterable<Entity> {
    for (const e of entities) {
      if (this.#chance(20)) this.#ecs.addEntity([Place, { x: this.#random(100) }]);
      if (this.#chance(20) && this.#ecs.has(e, Place)) this.#ecs.get(e, Place).x = this.#random(100);
      yield e;
    }
  }
  #leave(guest: Guest | undefined): void {
    if (!guest) return;
    const { connection, ecs } = guest.page;
    this.host.world.leave(connection ?? ({ sessionId: guest.page.id } as Connection));
    if (connection) this.host.drop(guest.page);
    this.#guests.delete(guest);
    ecs.dispose();
  }
  #drop(guest: Guest | undefined): void {
    if (!guest?.page.connection) return;
    if (this.#chance(50)) this.#deliverTo(guest, this.#random(4));
    if (this.#chance(50)) this.#deliverFrom(guest, this.#random(4));
    if (guest.page.connection && this.#guests.has(guest)) this.host.drop(guest.page);
  }
  #reconnect(guest: Guest | undefined): void {
    if (guest && !guest.page.connection) this.host.reconnect(guest.page);
  }
  #select(guest: Guest | undefined, e: Entity | undefined): void {
    if (!guest?.selected || e === undefined) return;
    if (guest.selected.delete(e)) {
      guest.receiver.deselect(e);
    } else {
      guest.selected.add(e);
      guest.receiver.select(e);
    }
  }
  #sendGarbage(guest: Guest | undefined): void {
    if (!guest?.page.connection) return;
    guest.bad = true;
    const any = { length: this.#random(8) } as unknown as Uint8Array;
    const values = [
      new Uint8Array(3),
      Uint8Array.of(255, 255, 255, 255),
      Uint8Array.of(this.#random(40), 0, 0, 0),
      any,
    ];
    guest.page.connection.up.push({ type: "crateful", bytes: this.#one(values) as Uint8Array });
  }
  #breakSocket(guest: Guest | undefined): void {
    if (guest?.page.connection) guest.page.connection.fails = true;
  }
  /** Another state of the world. Selections are repeated then. */
  #exchange(): void {
    if (this.#rewind) {
      const { oldest, newest } = this.#rewind;
      if (newest > oldest) this.#rewind.to(oldest + this.#random(newest - oldest + 1));
    } else if (this.#chance(10)) this.#ecs.clear();
    else if (this.#saved && this.#chance(50)) restore(this.#ecs, this.#saved);
    else this.#saved = snapshot(this.#ecs);
    for (const { selected, receiver } of this.#guests) {
      if (!selected) continue;
      for (const e of new Set([...this.#entities, ...selected])) {
        if (selected.has(e) && this.#ecs.alive(e)) receiver.select(e);
        else receiver.deselect(e);
        if (!this.#ecs.alive(e)) selected.delete(e);
      }
    }
  }
  #deliver(): void {
    for (const guest of this.#guests) {
      if (this.#chance(50)) this.#deliverTo(guest, this.#random(4));
      if (this.#chance(50)) this.#deliverFrom(guest, this.#random(4));
    }
  }
  #deliverTo({ page, bad }: Guest, most?: number): void {
    try {
      page.receive(most);
    } catch (error) {
      if (!bad) throw error;
    }
  }
  #deliverFrom(guest: Guest, most?: number): void {
    const { connection } = guest.page;
    if (!connection) return;
    this.host.receive(connection, most);
    if (connection.left === undefined) return;
    expect(guest.bad || connection.left === 4010).toBe(true);
    if (connection.left === 4010 || this.#chance(20)) {
      this.host.drop(guest.page); // a refused client can do so, too
    } else this.#leave(guest);
  }

  /** Everything arrives. */
  settle(): void {
    for (let k = 0; k < 4; ++k) {
      for (const guest of this.#guests) this.#reconnect(guest);
      this.host.update();
      for (const guest of this.#guests) {
        this.#deliverTo(guest);
        this.#deliverFrom(guest);
      }
    }
    for (const { page, selected, bad } of this.#guests) {
      if (bad) continue;
      const { ecs, replica } = page;
      const all = new Set<Entity>();
      for (const query of [ecs.query({ place: Place }), ecs.query({ label: Label })])
        for (const { entity } of query) all.add(entity);
      const shown = [...all].map((e) => [replica.remote(e), ecs.tryGet(e, Place)?.x, ecs.tryGet(e, Label)?.text]);
      const sent = this.#entities.filter((e) => selected === undefined || selected.has(e));
      expect(shown.sort(([a], [b]) => Number(a) - Number(b))).toEqual(
        sent.map((e) => [e, this.#ecs.tryGet(e, Place)?.x, this.#ecs.tryGet(e, Label)?.text]),
      );
    }
  }
  dispose(): void {
    this.#ecs.dispose();
    for (const guest of this.#guests) this.#leave(guest);
  }
}

test.each([
  ["restored and cleared", false],
  ["rewound", true],
])("whatever is lost and doubled, all show the same; the world is %s meanwhile", (_, rewinds) => {
  for (const seed of seeds(times(60))) {
    const model = new Model(seed, rewinds);
    for (let k = 0; k < 300; ++k) model.step();
    model.settle();
    model.dispose();
  }
});
