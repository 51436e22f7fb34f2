import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import Charts from "./Charts.vue";
import CrateRoom from "./CrateRoom.vue";
import Figures from "./Figures.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("Charts", Charts).component("CrateRoom", CrateRoom).component("Figures", Figures);
  },
} satisfies Theme;
