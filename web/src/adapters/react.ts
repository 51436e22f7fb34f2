// React: hooks that render a component when what it shows has changed. While components are mounted, the ECS has systems
// that run last and notify React. Their cost follows what changed. See docs/react.md.
export { useComponent } from "./react_component.js";
export { useCount, useRows } from "./react_query.js";
export { World, useECS } from "./react_world.js";
