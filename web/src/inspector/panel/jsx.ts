// The types of what JSX contains in the panel.
import type { Child } from "./render.js";

export type Key = string | number;
type Handler<E, T> = (event: T & { readonly currentTarget: E }) => void;

interface Attributes<E> {
  key?: Key;
  ref?: { current: E | null };
  children?: Child | readonly Child[];
  style?: Readonly<Record<string, string | undefined>>;
  class?: string;
  id?: string;
  title?: string | undefined;
  role?: string;
  tabIndex?: number;
  onClick?: Handler<E, MouseEvent>;
  onKeyDown?: Handler<E, KeyboardEvent>;
  onPointerDown?: Handler<E, PointerEvent>;
  onPointerMove?: Handler<E, PointerEvent>;
  onInput?: Handler<E, Event>;
  onChange?: Handler<E, Event>;
  onBlur?: Handler<E, Event>;
  onScroll?: Handler<E, Event>;
  [aria: `aria-${string}`]: string | number | boolean | undefined;
  [data: `data-${string}`]: string | number | undefined;
  type?: string;
  value?: string | number;
  checked?: boolean;
  disabled?: boolean | undefined;
  placeholder?: string;
  spellcheck?: boolean;
  autocomplete?: string;
  inputMode?: string;
  min?: number;
  max?: number;
  colSpan?: number;
  scope?: string;
}
type Drawing = Attributes<SVGElement> & Readonly<Record<string, unknown>>;

/** The elements by name. */
export type Elements = { [K in keyof HTMLElementTagNameMap]: Attributes<HTMLElementTagNameMap[K]> } & {
  svg: Drawing;
  path: Drawing;
  rect: Drawing;
};
