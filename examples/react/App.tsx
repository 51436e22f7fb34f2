import { startLoop, type Entity } from "crateful";
import { World, useComponent, useECS, useRows } from "crateful/react";
import { memo, useEffect, useRef, useState, type MouseEvent } from "react";
import { Crate, Renders, SIDE, addBall, balls, counted, crates, ecs } from "./game.js";

/** One crate. It renders only if this crate has changed. */
const Cell = memo(function Cell({ entity }: { entity: Entity }) {
  const crate = useComponent(entity, Crate);
  useEffect(() => void (counted.cells += 1));
  if (crate === undefined) return null;
  const { x, y, hits } = crate;
  const background = hits === 0 ? undefined : `hsl(${22 + 3 * hits} 80% ${24 + 5 * hits}%)`;
  return <i data-entity={entity} style={{ left: `${x}%`, top: `${y}%`, background }} />;
});

/** All crates. It renders only if crates were added or removed. */
const Crates = memo(function Crates() {
  const entities = useRows(crates);
  useEffect(() => void (counted.lists += 1));
  return entities.map((entity) => <Cell key={entity} entity={entity} />);
});

/** The balls, which change in every frame: drawn without React. */
const Balls = memo(function Balls() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ecs = useECS(); // another one when game.ts was edited and reloaded
  useEffect(() => {
    const context = canvas.current!.getContext("2d")!;
    const { width } = context.canvas;
    const loop = startLoop(ecs, {
      frame() {
        context.clearRect(0, 0, width, width);
        context.fillStyle = "#fff";
        for (const { ball } of balls) {
          context.beginPath();
          context.arc((ball.x * width) / SIDE, (ball.y * width) / SIDE, width / SIDE, 0, 7);
          context.fill();
        }
      },
    });
    return () => loop.stop();
  }, [ecs]);
  return <canvas ref={canvas} width={1200} height={1200} />;
});

/** In development only: the panel with everything in the ECS. */
function Inspector() {
  const ecs = useECS();
  useEffect(() => {
    const attached = import("crateful/inspector").then((it) => it.attachInspector(ecs, { place: "folded" }));
    return () => void attached.then((inspector) => inspector.dispose());
  }, [ecs]);
  return null;
}

const Title = () => <h1>{useRows(crates).length.toLocaleString("en")} crates</h1>;

function Counters() {
  const { lists, cells, cellsPerFrame } = useComponent(ecs.world, Renders)!;
  return (
    <dl>
      <dt>Cells rendered in the last frame</dt>
      <dd id="frame">{cellsPerFrame.toLocaleString("en")}</dd>
      <dt>Cells rendered in all</dt>
      <dd id="cells">{cells.toLocaleString("en")}</dd>
      <dt>Lists rendered in all</dt>
      <dd id="lists">{lists.toLocaleString("en")}</dd>
    </dl>
  );
}

function Selected({ entity }: { entity: Entity }) {
  const crate = useComponent(entity, Crate);
  if (crate === undefined) return <p id="selected">This crate was removed.</p>;
  return (
    <p id="selected">
      Crate {crate.x}, {crate.y} · hits: {crate.hits} <button onClick={() => ecs.removeEntity(entity)}>Remove</button>
    </p>
  );
}

export default function App() {
  const [selected, setSelected] = useState<Entity>();
  const [paused, setPaused] = useState(ecs.paused);
  const select = ({ target }: MouseEvent) =>
    setSelected(Number((target as HTMLElement).dataset["entity"]) || undefined);
  const pause = () => setPaused((ecs.paused = !paused));
  return (
    <World ecs={ecs}>
      {import.meta.env.DEV && <Inspector />}
      <main>
        <div id="crates" onClick={select}>
          <Crates />
          <Balls />
        </div>
        <aside>
          <Title />
          <p>
            Each crate is a component of React, which renders when a ball reaches it. The balls are drawn in a canvas.
          </p>
          <Counters />
          <button id="pause" onClick={pause}>
            {paused ? "Continue" : "Pause"}
          </button>{" "}
          <button onClick={addBall}>Add a ball</button>
          {selected === undefined ? <p id="selected">Click on a crate.</p> : <Selected entity={selected} />}
        </aside>
      </main>
    </World>
  );
}
