// The command-line flags with which tests, benchmarks and the demo's pictures start Chromium.

/** Headless, without network services. */
export const quietFlags = [
  "--no-sandbox", // it is not available in containers and for root
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** WebGL in software, the same everywhere. */
export const softwareFlags = [...quietFlags, "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
