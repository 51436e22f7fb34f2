// Playing by keyboard and mouse.
import { expect, test } from "@jest/globals";
import { frames, has, playersPlace, pointOf, standBelowCrate, useRooms } from "./room.js";

const rooms = useRooms();

test("keys on the canvas move the player, and the camera follows", async () => {
  const page = await rooms.open("?crates=2000&seed=3&guards=0&muted");
  const camera = () =>
    page.evaluate(() => ({ x: window.theRoom().room.screenX(0), y: window.theRoom().room.screenY(0) }));
  const [start, view] = [await playersPlace(page), await camera()];
  await page.keyboard.down("d"); // the canvas has the focus from the start
  await frames(page, 30);
  await page.keyboard.up("d");
  const right = await playersPlace(page);
  expect(right.x).toBeGreaterThan(start.x + 20);
  expect(right.y).toBe(start.y);
  await page.keyboard.down("ArrowUp");
  await frames(page, 30);
  await page.keyboard.up("ArrowUp");
  expect((await playersPlace(page)).y).toBeLessThan(start.y - 10);
  await frames(page, 30);
  expect((await camera()).x).toBeLessThan(view.x);
  expect((await camera()).y).toBeGreaterThan(view.y);
});

test("a key that was pressed and released between two frames counts for one frame", async () => {
  const page = await rooms.open();
  const start = await playersPlace(page);
  await page.keyboard.press("a");
  await frames(page, 1);
  const after = await playersPlace(page);
  expect(after.x).toBeLessThan(start.x);
  await frames(page, 10);
  expect(await playersPlace(page)).toEqual(after);
});

test("after a click on a control the canvas has the focus; after using it by keyboard the control keeps it", async () => {
  const page = await rooms.open();
  const start = await playersPlace(page);
  await page.getByRole("switch", { name: "Dirty tracking" }).click();
  await page.keyboard.down("d");
  await frames(page, 10);
  await page.keyboard.up("d");
  expect((await playersPlace(page)).x).toBeGreaterThan(start.x);

  for (const _ of ["record", "tracking"]) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  expect(await page.getByRole("switch", { name: "Dirty tracking" }).isChecked()).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("tracking");
});

test("keys on the page's controls do not move the player", async () => {
  const page = await rooms.open();
  const before = await playersPlace(page);
  await page.locator("#speed").focus();
  await page.keyboard.down("d");
  await frames(page, 10);
  await page.keyboard.up("d");
  expect(await playersPlace(page)).toEqual(before);
});

test("Tab moves the focus from the canvas to the controls, and held keys count as released", async () => {
  const page = await rooms.open();
  const before = await playersPlace(page);
  await page.keyboard.down("d");
  await frames(page, 5);
  const after = await playersPlace(page);
  expect(after.x).toBeGreaterThan(before.x);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("record");
  await frames(page, 10);
  expect(await playersPlace(page)).toEqual(after);
});

test("crates are solid: a player that walks into one stops in front of it", async () => {
  const page = await rooms.open();
  const crate = await standBelowCrate(page);
  await page.keyboard.down("w");
  await frames(page, 30);
  const gap = await page.evaluate((e) => window.play.at(window.theRoom().room.player).y - window.play.at(e).y, crate);
  expect(gap).toBeGreaterThan(11.9); // half a crate and the player's radius
  expect(gap).toBeLessThan(12.1);
});

test("E3 a clicked crate bursts and is removed, and the figures show it", async () => {
  const page = await rooms.open();
  const crate = await standBelowCrate(page);
  const before = await page.evaluate(() => ({
    count: window.theRoom().ecs.count,
    crates: window.play.crates().length,
  }));
  const { x, y } = await pointOf(page, crate);
  await page.mouse.click(x, y);
  expect(
    await page.evaluate((e) => window.play.until(() => window.play.get(e, "Exploding") !== undefined), crate),
  ).toBe(true);
  expect(
    await page.evaluate(
      (e) => ({ alive: window.theRoom().ecs.alive(e), solid: window.play.get(e, "CollisionShape") !== undefined }),
      crate,
    ),
  ).toEqual({ alive: true, solid: false });
  expect(await page.evaluate((e) => window.play.until(() => !window.theRoom().ecs.alive(e)), crate)).toBe(true);
  await frames(page, 30);
  expect(
    await page.evaluate(() => ({
      count: window.theRoom().ecs.count,
      crates: window.play.crates().length,
      smashed: window.theRoom().score.smashed,
    })),
  ).toEqual({ count: before.count - 1, crates: before.crates - 1, smashed: 1 });
  expect(await page.locator("#smashed").textContent()).toBe("1");
});

test("the space bar smashes the crate straight ahead, and strikes repeatedly while it is held down", async () => {
  const page = await rooms.open();
  const crate = await standBelowCrate(page);
  await page.keyboard.press("Space");
  expect(await page.evaluate((e) => window.play.until(() => !window.theRoom().ecs.alive(e)), crate)).toBe(true);
  expect(await page.evaluate(() => window.theRoom().score.smashed)).toBe(1);
  expect(await has(page, "Swinging")).toBe(false);

  await page.keyboard.down("Space");
  const blows = await page.evaluate(() => {
    let begun = 0;
    let before = false;
    for (let i = 0; i < 120; i++) {
      window.play.frames(1);
      const swinging = window.play.get(window.theRoom().room.player, "Swinging") !== undefined;
      if (swinging && !before) begun += 1;
      before = swinging;
    }
    return begun;
  });
  await page.keyboard.up("Space");
  expect(blows).toBeGreaterThan(2);
});

test("Shift raises the shield while it is held down", async () => {
  const page = await rooms.open();
  await page.keyboard.down("Shift");
  await frames(page, 2);
  expect(await has(page, "Defending")).toBe(true);
  expect(await page.evaluate(() => window.play.all("Shield").length)).toBe(1);
  await page.keyboard.up("Shift");
  await frames(page, 2);
  expect(await has(page, "Defending")).toBe(false);
  expect(await page.evaluate(() => window.play.all("Shield").length)).toBe(0);
});

test("the right mouse button raises the shield towards the pointer, and opens no menu", async () => {
  const page = await rooms.open();
  await page.evaluate(() =>
    document.addEventListener("contextmenu", (event) => {
      document.title = String(event.defaultPrevented);
    }),
  );
  const { x, y } = await pointOf(page, await page.evaluate(() => window.theRoom().room.player));
  await page.mouse.move(x - 80, y);
  await page.mouse.down({ button: "right" });
  await frames(page, 2);
  expect(await has(page, "Defending")).toBe(true);
  expect(await page.evaluate(() => window.play.get(window.theRoom().room.player, "Facing")!["x"])).toBeLessThan(-0.9);
  await page.mouse.up({ button: "right" });
  await frames(page, 2);
  expect(await has(page, "Defending")).toBe(false);
  expect(await page.title()).toBe("true");
});

test("D2 C++ systems visit an entity after TypeScript wrote to its C++ component", async () => {
  const page = await rooms.open();
  const figures = await page.evaluate(() => {
    const { room, pedometer } = window.theRoom();
    window.play.get(room.player, "Position")!["x"]! -= 20;
    window.play.frames(1);
    return { hashed: room.visited("SpatialHash"), walked: pedometer.metres };
  });
  expect(figures.hashed).toBe(1);
  expect(figures.walked).toBeGreaterThanOrEqual(1); // 16 pixels each
});
