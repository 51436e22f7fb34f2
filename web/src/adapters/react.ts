// React: hooks that render a component when what it shows has changed. While components are mounted, the ECS has systems
// that run last and notify React. Their cost follows what changed. See docs/react.md.
export { useComponent, useHas } from "./react_component.js";
export { useEntity } from "./react_entity.js";
export { useChildren, useLinked } from "./react_lists.js";
export { useCount, useFirst, useRows } from "./react_query.js";
export { World, useECS } from "./react_world.js";
