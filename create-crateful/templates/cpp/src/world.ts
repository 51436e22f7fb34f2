// The ECS, and the component classes of game.cpp.
import { ECS, nativeComponent } from "crateful/module";

export const ecs = new ECS();
export class Grain extends nativeComponent("Grain", { cell: "i32" }) {}
export class Falling extends nativeComponent("Falling") {}
export class Bowl extends nativeComponent("Bowl", { x: "f32" }) {}
export class Game extends nativeComponent("Game", { playing: "bool", score: "u32" }) {}

export const bowl = ecs.addComponent(ecs.world, new Bowl({ x: 60 })); // exists once; `ecs.clear()` keeps it
export const game = ecs.addComponent(ecs.world, new Game());
