// A game declares its own class of ECS once (`Register`).
import { ECS, System, defineComponent, defineSystem, type ComponentClass } from "crateful";
import { useECS } from "crateful/react";
import { expectType, type Equal } from "../equal.js";

class Position extends defineComponent("Position", { x: "f32" }) {}
class Game extends ECS {
  readonly level: number = 3;
}
declare module "crateful" {
  interface Register {
    ecs: Game;
  }
}

class Rows extends defineSystem({ position: Position }, { when: (ecs) => ecs.level > 2 }) {
  public override update(): void {
    const game: Game = this.ecs;
    void game;
    expectType<Equal<typeof this.ecs.level, number>>();
    // @ts-expect-error there is no such member
    void this.ecs.levels;
  }
}
class Plain extends System {
  public override readonly componentsRequired = new Set<ComponentClass>([Position]);
  public override when(ecs: Game): boolean {
    return ecs.level > 2;
  }
  public override update(): void {
    expectType<Equal<typeof this.ecs.level, number>>();
  }
}
const game = new Game();
game.addSystem(0, new Rows());
game.addSystem(0, new Plain());
new ECS().addSystem(0, new Rows()); // not detected
export const useLevel = (): number => useECS().level;
