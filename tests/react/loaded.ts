import { act } from "react";

/** Waits until the element shows something else than that it is loading. */
export async function loaded(element: Element): Promise<void> {
  while (/^loading$/i.test(element.textContent!))
    await act(() => new Promise<void>((resolve) => setImmediate(resolve)));
}
