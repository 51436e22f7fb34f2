// One line that says where the suite is; without a terminal, silence.
import process from "node:process";

/** @param {string} [text] nothing wipes the line */
export function progress(text = "") {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\u001b[2K${text.slice(0, (process.stderr.columns ?? 100) - 1)}`);
}
