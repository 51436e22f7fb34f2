// The tables of measurements.md.

export interface Measured {
  readonly label: string;
  readonly ours: boolean;
  /** The text of the cell: "3.80 µs ×2.8". */
  readonly text: string;
}

/** The cells of a column of a table that are not empty. */
export function column(text: string, table: string, title: string): readonly Measured[] {
  const lines =
    new RegExp(`<!-- table:${table} -->\n([^]*?)<!-- /table:${table} -->`).exec(text)?.[1]?.split("\n") ?? [];
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const at = head.indexOf(title);
  if (at === -1) throw new Error(`measurements.md: the table ${table} has no column ${title}`);
  return rows
    .filter((cells) => cells[at])
    .map((cells) => ({
      label: cells[0]!.replaceAll("*", ""),
      ours: cells[0]!.startsWith("**"),
      text: cells[at]!,
    }));
}

/** The cell of a column in the row with this label. */
export function cell(text: string, table: string, title: string, label: string): string {
  const found = column(text, table, title).find((each) => each.label === label);
  if (found === undefined) throw new Error(`measurements.md: ${table}, ${title} has no row ${label}`);
  return found.text;
}

const units: Record<string, number> = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };

/** The time of a cell in nanoseconds. */
export function nanoseconds(text: string): number {
  const [, value, unit] = /^([\d.]+) (\S+)/.exec(text) ?? [];
  if (value === undefined || units[unit!] === undefined) throw new Error(`measurements.md: ${text} is no time`);
  return Number(value) * units[unit!]!;
}
