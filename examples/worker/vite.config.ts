import { defineConfig } from "vite";

// Make the page cross-origin isolated. Without them there is no shared memory, and buffers are transferred instead.
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
export default defineConfig({ server: { headers }, preview: { headers } });
