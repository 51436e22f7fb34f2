// The C++ components that the systems in TypeScript use. Import this module after `init()`, which loads their classes.
import { nativeComponent } from "crateful";

export const Crate = nativeComponent("Crate");
export const Exploding = nativeComponent("Exploding");
export const Player = nativeComponent("Player");
export const Position = nativeComponent("Position", { x: "f32", y: "f32" });
