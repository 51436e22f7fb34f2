import type { ECS } from "../ecs/ecs.js";
import type { Entity } from "../module/entity.js";
import { ECS as EcsClass, badArgument, requireNone, requireObject, show } from "./internals.js";
import { inspectionOf } from "./inspection.js";
import { connect, type AskWorld, type InspectorPort } from "./transport.js";
import type { AnyAnswer } from "./protocol.js";
import { openPanel } from "./panel/element.js";
import type { History } from "../state/history.js";
import type { Rewind } from "../state/rewind.js";

/**
 * Shows a panel with everything in a world: its systems, entities, components, memory and events, and what changed and why (rule I1). It
 * reads what is visible at most 10 times a second, and nothing while the page is hidden or the panel is folded. `target` is an ECS, or a
 * connection to one: a `Worker`, `MessagePort`, `BroadcastChannel` or `WebSocket`, at whose other end `serveInspector` or a program of
 * yours answers. Throws `BAD_ARGUMENT` for other arguments, and where there is no page.
 *
 *     if (import.meta.env.DEV) attachInspector(ecs);
 */
export function attachInspector(
  target: ECS | InspectorPort,
  options: {
    /**
     * Where the panel is the first time: at a side of the page, the right one by default, folded to a button, or in a window of its own;
     * later, it is where it was last.
     */
    readonly place?: "right" | "bottom" | "folded" | "window";
    /** The element to which the panel is added; the body by default. */
    readonly container?: HTMLElement;
    /**
     * Opens a place in the source, "src/game.ts:42". Without it, a page that Vite serves for development opens it in the editor, and in
     * others a click copies the place.
     */
    readonly openSource?: (place: string) => void;
    /** A history and a rewind that the game has. Without them, the panel can start to record. Only with an ECS. */
    readonly history?: Pick<History, "why" | "bySystem" | "watch" | "dispose">;
    readonly rewind?: Rewind;
  } = {},
): {
  /** The panel. */
  readonly element: HTMLElement;
  /** Moves the panel. A window can be opened only while a click or a key press is handled. */
  show(place: "right" | "bottom" | "folded" | "window"): void;
  /** Shows an entity, such as one on which the player clicked, in the view that is open if it is about one entity. Unfolds the panel. */
  select(entity: Entity): void;
  /** Removes the panel. Further calls have no effect. */
  dispose(): void;
} {
  requireObject("attachInspector: the options", options);
  const { place, container, openSource, history, rewind, ...others } = options;
  requireNone("attachInspector", others);
  if (globalThis.document === undefined)
    throw badArgument("attachInspector: there is no page here; call serveInspector, and attachInspector in a page");
  if (place !== undefined && !["right", "bottom", "folded", "window"].includes(place))
    throw badArgument(`attachInspector: place must be "right", "bottom", "folded" or "window", not ${show(place)}`);
  let ask: AskWorld;
  let end = (): void => {};
  if (target instanceof EcsClass) {
    const inspection = inspectionOf("attachInspector", target, options);
    ask = async (requests) => inspection.inspect(requests) as AnyAnswer[];
  } else ({ ask, end } = connect("attachInspector", target));
  return openPanel(ask, end, {
    place,
    container: container ?? document.body,
    openSource: openSource ?? editorOfVite(),
  });
}

/** Vite's server opens files in the editor, from pages that it serves for development. */
function editorOfVite(): ((place: string) => void) | undefined {
  const client = document.querySelector('[src$="/@vite/client"]')?.getAttribute("src");
  if (client == null) return undefined;
  const base = client.slice(1, -12); // without "/" before it and "@vite/client" behind
  return (place) => {
    // Places are relative to the server, and files to the project; files elsewhere have their whole path behind "@fs".
    const file = place.replace(base, "").replace("@fs", "");
    void fetch(`/${base}__open-in-editor?file=${encodeURIComponent(file)}`);
  };
}
