// This function runs in the page, before its scripts. It must not use anything outside of itself.

declare global {
  interface Window {
    messages: string[];
  }
}

/** Collects errors and warnings on the console, uncaught exceptions, files that are missing, and what a policy refuses. */
export function recordMessages(): void {
  window.messages = [];
  const record = (...values: unknown[]) => void window.messages.push(values.map(String).join(" "));
  for (const name of ["error", "warn"] as const) {
    const shown = console[name];
    console[name] = (...values) => {
      record(...values);
      shown.apply(console, values);
    };
  }
  addEventListener(
    "error",
    (event) => record(event.message ?? `not loaded: ${(event.target as Element).outerHTML}`),
    true,
  );
  addEventListener("unhandledrejection", ({ reason }) => record(reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective }) => record(violatedDirective));
}
