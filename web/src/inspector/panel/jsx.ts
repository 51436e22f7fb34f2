// The types of what JSX contains in the panel.

/** What a component returns. */
export type Child = VNode | string | number | boolean | null | undefined | readonly Child[];
export type Component = (props: never) => Child;
export type Props = Readonly<Record<string, unknown>>;
/** An element, or a component, as JSX describes it. */
export interface VNode {
  readonly type: string | Component;
  readonly props: Props;
  readonly children: readonly Child[];
}

export type Key = string | number;
type Handler<E, T> = (event: T & { readonly currentTarget: E }) => void;

interface Attributes<E> {
  key?: Key;
  ref?: { current: E | null };
  children?: Child | readonly Child[];
  style?: Readonly<Record<string, string | undefined>>;
  class?: string | undefined;
  part?: string;
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
  onFocus?: Handler<E, Event>;
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
