// Shows the progress of the suite in one line. Without a terminal, nothing is shown.
import process from "node:process";

/** @param {string} [text] if omitted, the line is cleared */
export function progress(text = "") {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\u001b[2K${text.slice(0, (process.stderr.columns ?? 100) - 1)}`);
}
