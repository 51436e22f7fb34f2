import type { ECS } from "./ecs.js";

/**
 * What a game declares once, so that the types of the package know it:
 *
 *     declare module "crateful" {
 *       interface Register {
 *         ecs: Game; // a class that extends ECS
 *       }
 *     }
 *
 * Then `this.ecs` of a system, the argument of `when`, and `useECS()` have this type. Nothing checks that each system is added to
 * such an ECS.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs declare its members
export interface Register {}

/** The class that `Register` names, or `ECS`. */
export type RegisteredECS = Register extends { ecs: infer E extends ECS } ? E : ECS;
