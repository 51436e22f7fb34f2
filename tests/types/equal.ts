/** Whether two types are identical; `expectType<Equal<A, B>>()` compiles only if they are. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export declare function expectType<_T extends true>(): void;
