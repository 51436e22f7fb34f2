// Loads the WebAssembly module, then the game, whose modules create an ECS.
import { init } from "crateful";
import { Component, StrictMode, Suspense, lazy, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

const App = lazy(() => init().then(() => import("./App.jsx")));

/** Shows why the module could not be loaded. */
class Failure extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    return this.state.error === undefined ? this.props.children : <p role="alert">{this.state.error.message}</p>;
  }
}

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <Failure>
      <Suspense fallback={<p>Loading …</p>}>
        <App />
      </Suspense>
    </Failure>
  </StrictMode>,
);
