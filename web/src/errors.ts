/** What went wrong, stable across releases. */
export type ErrorCode =
  | "STALE_ENTITY"
  | "MISSING_COMPONENT"
  | "BAD_SYSTEM"
  | "BAD_ARGUMENT"
  | "REENTRANT_UPDATE"
  | "NOT_INITIALISED"
  | "DISPOSED"
  | "OUT_OF_MEMORY";

/** Every misuse of the library throws this, and leaves everything as it was. */
export class EcsError extends Error {
  override readonly name = "EcsError";
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The core's numbers for the codes: see `ErrorCode` in core/include/crateful/error.hpp. @internal */
export const CODES: readonly (ErrorCode | undefined)[] = [
  undefined,
  "STALE_ENTITY",
  "MISSING_COMPONENT",
  "BAD_SYSTEM",
  "BAD_ARGUMENT",
  "REENTRANT_UPDATE",
  "NOT_INITIALISED",
  "DISPOSED",
  "OUT_OF_MEMORY",
];

/** @internal */
export const STALE_ENTITY = 1;

/** What came back is `-1 - code`; 101 says that a callback of ours threw. @internal */
export const FOREIGN_EXCEPTION = 101;

/** @internal */
export function badArgument(message: string): EcsError {
  return new EcsError("BAD_ARGUMENT", message);
}
