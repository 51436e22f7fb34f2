// Jest's environment with a document. jsdom is loaded by Node, because Jest can't `require` the ES modules that it needs.
import { TestEnvironment } from "jest-environment-node";
import { JSDOM, VirtualConsole } from "jsdom";

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    const { window } = new JSDOM("", { virtualConsole: new VirtualConsole() }); // which prints nothing
    const { document, navigator } = window;
    this.window = window;
    Object.assign(this.global, { window, document, navigator, IS_REACT_ACT_ENVIRONMENT: true });
  }
  async teardown() {
    this.window.close();
    await super.teardown();
  }
}
