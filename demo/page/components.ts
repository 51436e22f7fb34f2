// The C++ components that the systems in TypeScript use.
import { nativeComponent } from "crateful/module";

export const Crate = nativeComponent("Crate");
export const Exploding = nativeComponent("Exploding");
export const Fuse = nativeComponent("Fuse");
export const Player = nativeComponent("Player");
export const Position = nativeComponent("Position", { x: "f32", y: "f32" });
export const Smashed = nativeComponent("Smashed");
