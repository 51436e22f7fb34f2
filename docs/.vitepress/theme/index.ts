import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import CrateRoom from "./CrateRoom.vue";
import Figures from "./Figures.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("CrateRoom", CrateRoom).component("Figures", Figures);
  },
} satisfies Theme;
