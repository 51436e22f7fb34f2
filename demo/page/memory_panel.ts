// The memory of each component class, and what it would be with the other storage policy.
import { element, make, write } from "./element.js";
import type { Game } from "./game.js";
import { size, whole } from "./text.js";

/** Bytes; advice that would save less is not shown. */
const WORTH = 64 * 1024;

export class MemoryPanel {
  readonly every = 1000;
  readonly #rows = element("memory", HTMLTableSectionElement);

  constructor(readonly game: Game) {}

  show(): void {
    const { ecs, room } = this.game;
    const report = ecs.memoryReport().sort((a, b) => b.bytes - a.bytes);
    this.#rows.replaceChildren(
      ...report.flatMap(({ name, policy, count, utilisation, bytes, otherBytes, advice }) => {
        const advised = advice !== "" && bytes - otherBytes >= WORTH;
        return [
          make(
            "tr",
            { className: advised ? "advised" : "" },
            make("th", { scope: "row", textContent: name }),
            make("td", { textContent: policy }),
            make("td", { textContent: whole(count) }),
            make("td", {
              textContent: `${(100 * utilisation).toFixed(utilisation > 0 && utilisation < 0.1 ? 1 : 0)}%`,
            }),
            make("td", { textContent: size(bytes) }),
            make("td", { textContent: size(otherBytes) }),
          ),
          ...(advised ? [make("tr", { className: "aside" }, make("td", { colSpan: 6, textContent: advice }))] : []),
        ];
      }),
    );
    write("memory-components", size(report.reduce((sum, { bytes }) => sum + bytes, 0)));
    write("memory-used", size(room.memoryUsed));
    write("memory-all", size(room.memoryBytes));
  }
}
