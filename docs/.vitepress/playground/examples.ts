// The examples in their order. The first line of each file is a comment with what it shows.
const files = import.meta.glob<string>("./examples/*.ts", { query: "?raw", import: "default", eager: true });

/** By name. */
export const examples = {
  "first-loop": "A first loop",
  rows: "Moving with rows",
  dirty: "Only what changed",
  hierarchy: "Hierarchy",
  prefab: "A prefab with children",
  filters: "Filters, order and intervals",
  events: "Events",
  sorted: "Sorted drawing",
  saving: "Save and load",
  rewind: "Rewind",
  replica: "Changes for a replica",
  time: "Timers and pauses",
};
export type ExampleName = keyof typeof examples;

export const isExample = (name: string | null): name is ExampleName => name !== null && Object.hasOwn(examples, name);
export const textOf = (name: ExampleName): string => files[`./examples/${name}.ts`]!;
