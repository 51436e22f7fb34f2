// Long lists and trees, of which only the visible rows exist.
import type { Child } from "./jsx.js";
import { h, useEffect, useRef, useState } from "./render.js";

/** Browsers lay out nothing that is higher. */
const MOST_PIXELS = 10_000_000;

export interface RowInfo {
  readonly key: number;
  readonly depth: number;
  /** Undefined for a row that can't be expanded. */
  readonly expanded?: boolean | undefined;
  readonly selected: boolean;
  readonly content: Child;
}

/** A tree of `total` rows; `row` returns those that are known, by position. */
export function Tree(props: {
  label: string;
  total: number;
  row: (at: number) => RowInfo | undefined;
  onWindow: (from: number, count: number) => void;
  onSelect: (key: number) => void;
  onExpand: (key: number, on: boolean) => void;
}) {
  const { label, total, row, onWindow, onSelect, onExpand } = props;
  const box = useRef<HTMLDivElement | null>(null);
  const [top, setTop] = useState(0);
  const [size, setSize] = useState({ height: 0, row: 24 });
  const [active, setActive] = useState(0);
  const visible = Math.ceil(size.height / size.row);
  const height = Math.min(total * size.row, MOST_PIXELS);
  // Where the pixels do not suffice, a pixel stands for several rows.
  const most = Math.max(height - size.height, 1);
  const rest = Math.max(total - size.height / size.row, 0);
  const first = height < MOST_PIXELS ? top / size.row : (top / most) * rest;
  const from = Math.max(Math.floor(first) - 10, 0);
  const count = Math.max(Math.min(visible + 20, total - from), 0);

  useEffect(() => {
    const element = box.current!;
    const measure = () =>
      setSize({
        height: element.clientHeight,
        row: Number.parseFloat(getComputedStyle(element).getPropertyValue("--row")) || 24,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => onWindow(from, count), [from, count]);

  const at = Math.min(active, Math.max(total - 1, 0));
  const moveTo = (to: number): void => {
    const next = Math.min(Math.max(to, 0), total - 1);
    setActive(next);
    const element = box.current!;
    if (next < Math.ceil(first)) element.scrollTop = height < MOST_PIXELS ? next * size.row : (next / rest) * most;
    else if (next + 1 > first + size.height / size.row) {
      const goal = next + 1 - size.height / size.row;
      element.scrollTop = height < MOST_PIXELS ? goal * size.row : (goal / rest) * most;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const known = row(at);
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + visible - 1),
      PageUp: () => moveTo(at - visible + 1),
      Home: () => moveTo(0),
      End: () => moveTo(total - 1),
      ArrowRight: () => known && (known.expanded === false ? onExpand(known.key, true) : moveTo(at + 1)),
      ArrowLeft: () => {
        if (known?.expanded) onExpand(known.key, false);
        else if (known !== undefined && known.depth > 0) {
          let parent = at;
          while (parent > from && (row(parent)?.depth ?? 0) >= known.depth) --parent;
          moveTo(parent);
        }
      },
      Enter: () => known && onSelect(known.key),
      " ": () => known && onSelect(known.key),
    };
    const move = moves[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  };

  const rows = [];
  for (let i = from; i < from + count; ++i) {
    const known = row(i);
    const y = height < MOST_PIXELS ? i * size.row : top + (i - first) * size.row;
    rows.push(
      <div
        id={`row-${i}`}
        role="treeitem"
        class={i === at ? "row active" : "row"}
        aria-level={(known?.depth ?? 0) + 1}
        aria-setsize={total}
        aria-posinset={i + 1}
        aria-selected={known?.selected ?? false}
        aria-expanded={known?.expanded}
        style={{ transform: `translateY(${y}px)`, "--depth": String(known?.depth ?? 0) }}
        onClick={(event) => {
          setActive(i);
          if (known === undefined) return;
          if ((event.target as Element).closest(".twisty") !== null) onExpand(known.key, !known.expanded);
          else onSelect(known.key);
        }}
      >
        {known?.expanded !== undefined && <span class="twisty" aria-hidden="true" />}
        {known?.content ?? <span class="muted">…</span>}
      </div>,
    );
  }
  return (
    <div
      ref={box}
      class="tree"
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={total > 0 ? `row-${at}` : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${height}px` }}>
        {rows}
      </div>
    </div>
  );
}
