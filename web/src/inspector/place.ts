/** Where the panel is: at a side of the page, folded to a button, or in a window of its own. */
export type InspectorPlace = "right" | "bottom" | "folded" | "window";
