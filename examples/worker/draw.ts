// Draws boxes with WebGL: one upload and one call for all.
import { COLUMNS, ROWS } from "./packets.js";

const vertex = `#version 300 es
in vec3 box; // x, y and heat
out vec4 colour;
void main() {
  vec2 place = box.xy / vec2(${COLUMNS}, ${ROWS});
  gl_Position = vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0, box.z < 0.0 ? -1 : 1); // -1: nothing is drawn
  gl_PointSize = 6.0 + 2.0 * box.z;
  vec4 cold = mix(vec4(0.10, 0.18, 0.42, 1), vec4(0.20, 0.12, 0.40, 1), place.x);
  colour = mix(mix(cold, vec4(1, 0.35, 0.25, 1), smoothstep(0.0, 0.5, box.z)), vec4(1, 0.93, 0.6, 1), box.z * box.z);
}`;
const fragment = `#version 300 es
in mediump vec4 colour;
out mediump vec4 pixel;
void main() { pixel = colour; }`;

/** Returns a function that draws the boxes, three numbers for each. */
export function makeDraw(canvas: HTMLCanvasElement, boxes: Float32Array): () => void {
  const gl = canvas.getContext("webgl2", { alpha: false })!;
  const program = gl.createProgram();
  for (const [i, source] of [vertex, fragment].entries()) {
    const shader = gl.createShader(i === 0 ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  return () => {
    gl.bufferData(gl.ARRAY_BUFFER, boxes, gl.DYNAMIC_DRAW);
    gl.drawArrays(gl.POINTS, 0, boxes.length / 3);
  };
}
