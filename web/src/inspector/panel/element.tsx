// The element of the panel: where it is, and what it keeps while it is folded.
import type { AskWorld } from "../transport.js";
import { App, TABS } from "./app.js";
import { Client } from "./client.js";
import type { Tab, View } from "./context.js";
import type { InspectorPlace } from "../options.js";
import { remember, remembered } from "./remembered.js";
import { Fragment, h, renderInto } from "./render.js";

const NAME = "crateful-inspector";
/** What the page must not take for its own: a game listens to keys. */
const OWN_EVENTS = ["keydown", "keypress", "pointerdown", "mousedown", "touchstart", "click", "dblclick", "wheel"];

interface PictureInPicture {
  requestWindow(options: { width: number; height: number }): Promise<Window>;
}
interface Options {
  readonly place: InspectorPlace | undefined;
  readonly container: HTMLElement;
  readonly openSource: ((place: string) => void) | undefined;
}

/** Adds a panel to the page. `end` is called when it is removed. */
export function openPanel(ask: AskWorld, end: () => void, { place: first, container, openSource }: Options) {
  if (customElements.get(NAME) === undefined) customElements.define(NAME, class extends HTMLElement {});
  const before = remembered();
  const element = document.createElement(NAME);
  const root = element.attachShadow({ mode: "open" });
  const box = document.createElement("section");
  box.setAttribute("aria-label", "Crateful inspector");
  root.append(box);
  for (const type of OWN_EVENTS) element.addEventListener(type, (event) => event.stopPropagation());

  const client = new Client(ask);
  let view: View = {
    tab: TABS.includes(before.tab as Tab) ? (before.tab as Tab) : "Systems",
    ...{ entity: undefined, where: "", expanded: [], pinned: [], bySystem: undefined },
  };
  let place: InspectorPlace = before.place ?? first ?? "right";
  let docked: "right" | "bottom" = place === "bottom" ? "bottom" : "right";
  let own: Window | undefined;
  let disposed = false;
  client.visible = () => place !== "folded" && !element.ownerDocument.hidden;

  const draw = (): void => {
    element.dataset["place"] = place;
    box.className = place === "folded" ? "" : "panel";
    drawn.draw();
  };
  const Panel = () =>
    place === "folded" ? (
      <button class="unfold" onClick={() => show(docked)}>
        Inspector
      </button>
    ) : (
      <>
        {place !== "window" && <Grip element={element} place={place} />}
        <App {...{ client, view, place, openSource }} onView={setView} onPlace={show} />
      </>
    );
  const setView = (next: View): void => {
    if (next.tab !== view.tab) remember({ tab: next.tab });
    view = next;
    draw();
  };
  /** Style sheets belong to a document. */
  const style = (): void => {
    const { CSSStyleSheet: Sheet } = element.ownerDocument.defaultView as unknown as typeof globalThis;
    const sheet = new Sheet();
    sheet.replaceSync(INSPECTOR_STYLES);
    root.adoptedStyleSheets = [sheet];
  };
  const moveTo = (parent: HTMLElement): void => {
    if (element.parentNode === parent) return;
    parent.append(element);
    style();
  };
  const show = (next: InspectorPlace): void => {
    if (disposed) return;
    if (next === "window") {
      void openWindow();
      return;
    }
    const focused = root.activeElement !== null;
    if (next !== "folded") docked = next;
    place = next;
    remember({ place });
    const closing = own;
    own = undefined;
    moveTo(container);
    closing?.close();
    draw();
    client.soon();
    if (focused) root.querySelector<HTMLElement>(".unfold, [role=tab][aria-selected=true]")?.focus();
  };
  const openWindow = async (): Promise<void> => {
    const { documentPictureInPicture } = globalThis as { documentPictureInPicture?: PictureInPicture };
    const size = { width: 520, height: 720 };
    let opened: Window | null | undefined;
    try {
      opened = await documentPictureInPicture?.requestWindow(size);
    } catch {
      // it is not allowed, as in a frame
    }
    opened ??= window.open("", "", `popup,width=${size.width},height=${size.height}`);
    if (opened === null || disposed) return opened?.close(); // a window may be opened only while a click is handled
    own = opened;
    place = "window";
    own.document.title = "Inspector";
    own.document.documentElement.lang = "en";
    moveTo(own.document.body);
    own.addEventListener("pagehide", () => own === opened && show(docked));
    draw();
    client.soon();
  };
  const leave = (): void => own?.close();
  const seen = (): void => client.soon();

  container.append(element);
  style();
  const drawn = renderInto(box, Panel);
  if (before.width !== undefined) element.style.setProperty("--width", `${before.width}px`);
  if (before.height !== undefined) element.style.setProperty("--height", `${before.height}px`);
  if (place === "window") {
    place = docked;
    if (first === "window") void openWindow();
  }
  draw();
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", seen);
  return {
    element,
    show,
    select(entity: number): void {
      const { tab } = view;
      setView({ ...view, entity, bySystem: undefined, tab: tab === "Why" || tab === "Rewind" ? tab : "Entities" });
      if (place === "folded") show(docked);
    },
    dispose(): void {
      if (disposed) return;
      disposed = true;
      drawn.end();
      client.end();
      element.remove();
      own?.close();
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", seen);
      end();
    },
  };
}

/** The edge by which the panel is resized. */
function Grip({ element, place }: { element: HTMLElement; place: "right" | "bottom" }) {
  const right = place === "right";
  const least = right ? 280 : 160;
  const size = (): number => (right ? element.offsetWidth : element.offsetHeight);
  const most = (): number => (right ? innerWidth : innerHeight * 0.9);
  const setSize = (wanted: number): void => {
    const pixels = Math.round(Math.min(Math.max(wanted, least), most()));
    element.style.setProperty(right ? "--width" : "--height", `${pixels}px`);
    remember(right ? { width: pixels } : { height: pixels });
  };
  return (
    <div
      class="grip"
      part="grip"
      role="separator"
      aria-label="Size of the inspector"
      aria-orientation={right ? "vertical" : "horizontal"}
      aria-valuemin={least}
      aria-valuemax={Math.round(most())}
      aria-valuenow={Math.round(size() || least)}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          setSize(right ? innerWidth - event.clientX : innerHeight - event.clientY);
      }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: 16, ArrowUp: 16, ArrowRight: -16, ArrowDown: -16 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        setSize(size() + by);
        event.currentTarget.setAttribute("aria-valuenow", String(size()));
      }}
    />
  );
}
