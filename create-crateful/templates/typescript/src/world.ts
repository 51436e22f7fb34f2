// What exists: component classes, kinds of entities, and the state of the game. Lengths are units of the SVG.
import { ECS, defineComponent } from "crateful";

export const [width, height] = [100, 170];
export const ecs = new ECS();

export class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {} // of the middle
export class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
export class Box extends defineComponent("Box", { width: "f32", height: "f32", round: "f32", hue: "u16" }) {}
export class Brick extends defineComponent("Brick", { golden: "bool" }) {}
export class Paddle extends defineComponent("Paddle") {}
export class Game extends defineComponent("Game", { playing: "bool", walls: "u32", score: "u32", best: "u32" }) {}

const body = { position: Position, box: Box };
export const bricks = ecs.prefab({ ...body, box: [Box, { width: 9, height: 4, round: 1 }], brick: Brick });
export const balls = ecs.prefab({ ...body, box: [Box, { width: 4, height: 4, round: 2 }], velocity: Velocity });
export const paddles = ecs.prefab({ ...body, box: [Box, { width: 20, height: 3, round: 1.5 }], paddle: Paddle });
export const game = ecs.addComponent(ecs.world, new Game()); // exists once; `ecs.clear()` keeps it
