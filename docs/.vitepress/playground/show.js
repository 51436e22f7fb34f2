// Values as texts, for what the program prints: as the console of Node shows them, in one line.

const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const MOST_ELEMENTS = 100;
const MOST_LEVELS = 3;
const isList = (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** What is inside of an object, as texts. */
function partsOf(object, levels) {
  const key = (name) => (/^[\w$]+$/.test(name) ? name : show(name, levels));
  if (isList(object) || object instanceof Set) return Array.from(object, (value) => show(value, levels));
  if (object instanceof Map) return Array.from(object, (pair) => pair.map((each) => show(each, levels)).join(" => "));
  return Object.entries(object).map(([name, value]) => `${key(name)}: ${show(value, levels)}`);
}

function show(value, levels = 0) {
  if (typeof value === "string") return levels === 0 ? value : `'${value}'`;
  if (typeof value === "function")
    return `[${/^class\b/.test(value) ? "class" : "Function:"} ${value.name || "(anonymous)"}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Error || value instanceof RegExp || value instanceof Date) return String(value);
  const object = value[INSPECT]?.() ?? value; // components have this method
  if (typeof object === "string") return object;
  const name = object.constructor?.name ?? "Object";
  if (levels >= MOST_LEVELS) return `[${name}]`;
  const parts = partsOf(object, levels + 1);
  const count = Array.isArray(object) || !(isList(object) || "size" in object) ? "" : `(${parts.length})`;
  const more = parts.splice(MOST_ELEMENTS).length;
  if (more > 0) parts.push(`... ${more} more`);
  const [open, close] = isList(object) ? "[]" : "{}";
  const inside = parts.length === 0 ? "" : ` ${parts.join(", ")} `;
  return `${/^(Array|Object)$/.test(name) ? "" : `${name}${count} `}${open}${inside}${close}`;
}
