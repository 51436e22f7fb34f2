// Renders the panel: JSX, components, and hooks that keep their state. Preact and its hooks would be 6 KiB of the download, this is one
// fifth of it. It is so short because a change renders the whole panel: that is what the answers of the world cause anyway.
import type { Child, Component, Elements, Key, Props, VNode } from "./jsx.js";

export namespace h {
  export namespace JSX {
    export type Element = Child;
    export type ElementType = keyof Elements | ((props: never) => Child);
    export interface ElementChildrenAttribute {
      children: unknown;
    }
    export interface IntrinsicAttributes {
      key?: Key;
    }
    export interface IntrinsicElements extends Elements {}
  }
}
/** What JSX is compiled to. */
export function h(type: string | Component, props: Props | null, ...children: Child[]): VNode {
  return { type, props: props ?? {}, children };
}
/** Several children without an element around them. */
export const Fragment = ({ children }: { children?: Child }): Child => children;

// --- components ---------------------------------------------------------------------------------------

type Cleanup = (() => void) | undefined;
interface Effect {
  readonly run: () => unknown;
  readonly inputs: readonly unknown[];
  due: boolean;
  end: Cleanup;
}
/** What a component keeps from one rendering to the next. */
interface Instance {
  readonly type: Component;
  readonly root: Root;
  readonly slots: { current: unknown }[];
  readonly effects: Effect[];
  readonly children: Map<string, Instance>;
  /** The rendering in which it was used last. */
  rendering: number;
}

/** A panel. */
export interface Root {
  /** What all of its components share. */
  shared: unknown;
  /** Renders it again, soon. */
  readonly draw: () => void;
  /** Removes it. */
  readonly end: () => void;
}

let current: Instance;
let slot = 0;
let effect = 0;
let rendering = 0;

export const useRoot = (): Root => current.root;
export function useRef<T>(initial: T): { current: T } {
  return (current.slots[slot++] ??= { current: initial }) as { current: T };
}
export function useState<T>(initial: T): [value: T, set: (value: T) => void];
export function useState<T>(): [value: T | undefined, set: (value: T | undefined) => void];
export function useState(initial?: unknown): [unknown, (value: unknown) => void] {
  const { root } = current;
  const kept = useRef(initial);
  const set = (value: unknown): void => {
    if (Object.is(value, kept.current)) return;
    kept.current = value;
    root.draw();
  };
  return [kept.current, set];
}
/** Runs after the rendering, if an input has changed. What it returns is called before the next time, and at the end. */
export function useEffect(run: () => unknown, inputs: readonly unknown[]): void {
  const before = current.effects[effect];
  const due = before === undefined || inputs.some((input, i) => !Object.is(input, before.inputs[i]));
  current.effects[effect++] = { run, inputs, due, end: before?.end };
}

/** Calls the effects of what was rendered, and ends what was not. */
function settle(instance: Instance): void {
  for (const [key, child] of instance.children) {
    if (child.rendering === rendering) settle(child);
    else {
      instance.children.delete(key);
      finish(child);
    }
  }
  for (const each of instance.effects) {
    if (!each.due) continue;
    each.due = false;
    each.end?.();
    const end = each.run();
    each.end = typeof end === "function" ? (end as () => void) : undefined;
  }
}
function finish(instance: Instance): void {
  for (const child of instance.children.values()) finish(child);
  for (const { end } of instance.effects) end?.();
}
const makeInstance = (type: Component, root: Root): Instance => ({
  type,
  root,
  slots: [],
  effects: [],
  children: new Map(),
  rendering,
});

/** Appends the elements and texts of a child, with what identifies each among its siblings. `path` is that of the child. */
function expand(child: Child, owner: Instance, path: string, to: Map<string, VNode | string>): void {
  if (child === null || child === undefined || typeof child === "boolean") return;
  if (typeof child !== "object") to.set(path, String(child));
  else if (!("type" in child)) child.forEach((each, i) => expand(each, owner, `${path}.${keyOf(each) ?? i}`, to));
  else if (typeof child.type === "string") to.set(path, child);
  else {
    const { type, props, children } = child;
    const known = owner.children.get(path);
    const instance = known?.type === type ? known : makeInstance(type, owner.root);
    if (known !== instance) {
      if (known) finish(known);
      owner.children.set(path, instance);
    }
    instance.rendering = rendering;
    current = instance;
    slot = effect = 0;
    expand(type({ ...props, children } as never), instance, path, to);
  }
}
/** The key of a child, which differs from every position. */
const keyOf = (child: Child): string | undefined =>
  typeof child === "object" && child !== null && "type" in child && child.props["key"] !== undefined
    ? `#${child.props["key"] as Key}`
    : undefined;

// --- elements -----------------------------------------------------------------------------------------

/** An element or a text of the page, and how it was rendered last. */
interface Made {
  readonly node: Element | Text;
  readonly type: string;
  props: Props;
  children: Map<string, Made>;
}

/** Makes the children of an element what they are now. */
function update(
  parent: Element,
  before: Map<string, Made>,
  children: Child,
  owner: Instance,
  path: string,
): Map<string, Made> {
  const wanted = new Map<string, VNode | string>();
  expand(children, owner, path, wanted);
  const after = new Map<string, Made>();
  for (const [key, made] of before) {
    const next = wanted.get(key);
    if (next !== undefined && made.type === (typeof next === "string" ? "" : next.type)) after.set(key, made);
    else made.node.remove();
  }
  let at = parent.firstChild;
  const all = new Map<string, Made>();
  for (const [key, next] of wanted) {
    const made = after.get(key) ?? make(parent, next);
    all.set(key, made);
    if (made.node === at) at = at.nextSibling;
    else parent.insertBefore(made.node, at);
    if (typeof next === "string") {
      if ((made.node as Text).data !== next) (made.node as Text).data = next;
      continue;
    }
    const element = made.node as HTMLElement;
    made.children = update(element, made.children, next.children, owner, key);
    for (const name in { ...made.props, ...next.props }) setProperty(element, name, next.props[name], made.props[name]);
    made.props = next.props;
  }
  return all;
}
function make(parent: Element, next: VNode | string): Made {
  const page = parent.ownerDocument;
  if (typeof next === "string") return { node: page.createTextNode(next), type: "", props: {}, children: new Map() };
  const type = next.type as string;
  const namespace = type === "svg" ? "http://www.w3.org/2000/svg" : parent.namespaceURI;
  return { node: page.createElementNS(namespace, type), type, props: {}, children: new Map() };
}
function setProperty(element: HTMLElement, name: string, value: unknown, before: unknown): void {
  if (name === "ref") (value as { current: unknown }).current = element;
  else if (name === "value" || name === "checked") {
    if ((element as never)[name] !== value) (element as unknown as Props as Record<string, unknown>)[name] = value; // the user can have changed it
  } else if (value === before || name === "key") return;
  else if (name === "style")
    for (const [property, text] of Object.entries(value as object)) element.style.setProperty(property, String(text));
  else if (name.startsWith("on")) (element as unknown as Record<string, unknown>)[name.toLowerCase()] = value ?? null;
  else if (value === undefined || (value === false && !/^aria-|spellcheck/.test(name))) element.removeAttribute(name);
  else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
}

/** Renders what `body` returns into an element, and again whenever a state changes. */
export function renderInto(element: HTMLElement, body: () => Child): Root {
  let made = new Map<string, Made>();
  let waits = false;
  let ended = false;
  const draw = (): void => {
    if (waits) return;
    waits = true;
    queueMicrotask(() => {
      waits = false;
      if (ended) return;
      ++rendering;
      made = update(element, made, { type: body as Component, props: {}, children: [] }, top, "");
      settle(top);
    });
  };
  const end = (): void => {
    ended = true;
    finish(top);
    element.replaceChildren();
  };
  const root: Root = { shared: undefined, draw, end };
  const top = makeInstance(body as Component, root);
  draw();
  return root;
}
