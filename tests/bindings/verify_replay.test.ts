import { expect, test } from "@jest/globals";
import { inspect, verifyReplay, type InspectAnswers } from "crateful/inspector";
import "./with_state.js";
import { expectError, world } from "./world.js";

test("I2 verifyReplay needs the module that a History needs", () => {
  const ecs = world();
  const verify = () => verifyReplay(ecs, { frames: 1, step: () => void ecs.update() });
  const { records } = inspect(ecs, { ask: "world" }) as InspectAnswers["world"];
  if (records.includes("history")) expect(verify()).toBeUndefined();
  else expect(expectError("BAD_ARGUMENT", verify).message).toContain("use the development build");
});
