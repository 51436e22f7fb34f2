import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import Charts from "./Charts.vue";
import CrateRoom from "./CrateRoom.vue";
import EditableExample from "./EditableExample.vue";
import Figures from "./Figures.vue";
import { keepSamePage } from "./same_page.js";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app, router }) {
    keepSamePage(router);
    for (const [name, component] of Object.entries({ Charts, CrateRoom, EditableExample, Figures }))
      app.component(name, component);
  },
} satisfies Theme;
