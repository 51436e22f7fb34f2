// Runs the program in the frame, and posts what it prints to the page. The origin of the frame is opaque, so it can load nothing from the
// server: the page posts the modules. show.js is in front of it.

const addressOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
/** To the page. Messages through a port arrive also while the program is in a loop without an end. */
let port;
const post = (message) => port.postMessage(message);

/** How many lines may still be printed until the next quarter of a second, so that an endless loop does not fill the memory. */
let left = 500;
setInterval(() => (left = 500), 250);
function print(level, text, line) {
  if (left > 0) post({ print: { level, text, line } });
  else if (left === 0) post({ print: { level: "warn", text: "… lines are left out: too many at once" } });
  --left;
}

/** The line of the program, in the stack of an error. */
let programAddress = "";
function lineOf(error) {
  for (const call of String(error?.stack).split("\n")) {
    const line = /(\d+):\d+\)?$/.exec(call)?.[1];
    if (line && (call.includes("main.ts:") || call.includes(programAddress))) return Number(line);
  }
}
function printError(error, line) {
  print("error", error instanceof Error ? String(error) : `Uncaught ${String(error)}`, lineOf(error) ?? line);
}
addEventListener("error", ({ error, message, lineno }) => printError(error ?? message, lineno));
addEventListener("unhandledrejection", ({ reason }) => printError(reason));

function replaceConsole() {
  for (const level of ["log", "info", "debug", "warn", "error"]) {
    const original = console[level];
    console[level] = (...values) => {
      original.apply(console, values);
      const error = values.find((value) => value instanceof Error);
      print(level, values.map((value) => show(value)).join(" "), lineOf(error));
    };
  }
  console.clear = () => post({ clear: true });
}

/** Attaches the inspector to the first ECS that is updated. */
async function inspectFirst() {
  const [{ ECS }, { attachInspector }] = await Promise.all([import("crateful"), import("crateful/inspector")]);
  const { update } = ECS.prototype;
  ECS.prototype.update = function (...args) {
    ECS.prototype.update = update;
    const container = document.querySelector("#inspector");
    const openSource = (place) => post({ line: Number(place.split(":")[1]) });
    attachInspector(this, { container, place: "bottom", openSource });
    return update.apply(this, args);
  };
}

async function start({ data: { modules, program, inspector }, ports }) {
  [port] = ports;
  const imports = Object.fromEntries(Object.entries(modules).map(([name, text]) => [name, addressOf(text)]));
  const map = document.createElement("script");
  map.type = "importmap";
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  try {
    replaceConsole();
    if (inspector) await inspectFirst();
    programAddress = addressOf(`${program}\n//# sourceURL=main.ts`);
    await import(programAddress);
  } catch (error) {
    printError(error);
  }
}
addEventListener("message", start, { once: true });
