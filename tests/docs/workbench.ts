// The editor and the console of the site, which the playground and the first page have.
import type { Page } from "playwright-core";

export const wide = { viewport: { width: 1440, height: 900 } };

export const editorOf = (page: Page) => page.getByRole("textbox", { name: "Program" });
/** The program in the editor, whose lines fit into it. */
export const programIn = async (page: Page) => (await editorOf(page).locator(".cm-line").allTextContents()).join("\n");
export const consoleOf = (page: Page) => page.getByRole("log", { name: "Console" });
