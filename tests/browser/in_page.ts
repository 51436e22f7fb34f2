// This function runs in the page, before its scripts. It must not use anything outside of itself.
import type { Entity, Handle, Place } from "./handle.js";

/** With `held`, frames run only when a test runs them, and each part of one takes 0.05 ms. */
export function addHelpers(held: boolean): void {
  const FRAME = 1 / 60;
  if (held) {
    let handle: Handle | undefined;
    Object.defineProperty(window, "crateRoom", {
      get: () => handle,
      set: (made: Handle) => {
        handle = made;
        made.hold = true;
        let now = 0;
        made.clock = () => (now += 0.05); // so that no measurement depends on the machine
      },
    });
  }
  const room = () => {
    if (window.crateRoom === undefined) throw new Error("the room is not loaded yet");
    return window.crateRoom;
  };
  const get = (e: Entity, component: string) => room().ecs.getComponents(e).tryGet(room().nativeComponent(component));
  const all = (component: string) => [...room().ecs.storage(room().nativeComponent(component)).entities];
  const at = (e: Entity): Place => {
    const { x, y } = get(e, "Position")!;
    return { x: x!, y: y! };
  };
  const put = (e: Entity, to: Place) => void Object.assign(get(e, "Position")!, to);
  const distance = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y);
  const frames = (n: number) => {
    for (let i = 1; i <= n; i++) room().frame(FRAME, i === n);
  };
  const copy = () => {
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    const drawn = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })!;
    room().room.render(); // the browser discards a WebGL picture after it has shown it
    drawn.drawImage(canvas, 0, 0);
    return drawn;
  };

  window.theRoom = room;
  window.play = {
    frames,
    get,
    all,
    at,
    put,
    crates: () => all("Crate"),
    until(holds, atMost = 600) {
      for (let i = 0; i < atMost && !holds(); i++) room().frame(FRAME, false);
      return holds();
    },
    clearAround(place, except) {
      const { ecs } = room();
      for (const crate of all("Crate"))
        if (crate !== except && distance(at(crate), place) < 60) ecs.removeEntity(crate);
    },
    standBelowCrate() {
      const { player } = room().room;
      const wooden = all("Crate").filter(
        (crate) => get(crate, "Health")!["most"] === 1 && !get(crate, "Crate")!["powder"],
      );
      const [crate] = wooden.sort((a, b) => distance(at(a), at(player)) - distance(at(b), at(player)));
      if (crate === undefined) throw new Error("there is no wooden crate");
      const { x, y } = at(crate);
      this.clearAround({ x, y }, crate);
      put(player, { x, y: y + 14 });
      Object.assign(get(player, "Facing")!, { x: 0, y: -1 });
      frames(150);
      return crate;
    },
    pointOf(e) {
      const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
      const box = canvas.getBoundingClientRect();
      const { x, y } = at(e);
      return {
        x: box.x + (room().room.screenX(x) * box.width) / canvas.width,
        y: box.y + (room().room.screenY(y - 4) * box.height) / canvas.height,
      };
    },
    colours(points) {
      const drawn = copy();
      const scene = room().room;
      const half = 2 * scene.zoom;
      return points.map(({ x, y }) => {
        const { data } = drawn.getImageData(
          Math.round(scene.screenX(x)) - half,
          Math.round(scene.screenY(y)) - half,
          2 * half,
          2 * half,
        );
        const mean: [number, number, number] = [0, 0, 0];
        for (let i = 0; i < data.length; i += 4)
          for (const k of [0, 1, 2] as const) mean[k] += (4 * data[i + k]!) / data.length;
        return mean;
      });
    },
    picture() {
      const drawn = copy();
      const pixels = new Uint32Array(drawn.getImageData(0, 0, drawn.canvas.width, drawn.canvas.height).data.buffer);
      let hash = 0;
      for (const pixel of pixels) hash = (Math.imul(hash, 31) + pixel) | 0;
      return { hash, colours: new Set(pixels).size };
    },
  };
}
