#pragma once

// GLSL of OpenGL ES 3. Lengths named `pixel` are pixels of the canvas, with (0, 0) in its upper left corner.
namespace crate_room::shaders {

/// A box, given by its corners as a uniform: a triangle strip of four vertices without attributes.
inline constexpr const char* BOX_VERTEX = R"(#version 300 es
uniform vec4 box;     // left, top, right, bottom, in pixels
uniform vec2 canvas;  // its size
out vec2 pixel;
void main() {
    pixel = vec2((gl_VertexID & 1) == 0 ? box.x : box.z, gl_VertexID < 2 ? box.y : box.w);
    gl_Position = vec4(vec2(2.0, -2.0) * pixel / canvas + vec2(-1.0, 1.0), 0.0, 1.0);
}
)";

/// Floor tiles. A hash of a tile's position chooses one of ten frames: mostly plain slabs, sometimes a crack, moss or
/// another pattern. scramble() is the same function as in random.hpp.
inline constexpr const char* FLOOR_FRAGMENT = R"(#version 300 es
precision highp float;
precision highp int;
uniform sampler2D atlas;
uniform ivec2 frames[10];  // where they are in the atlas
uniform ivec2 corner;      // of the canvas, in the room
uniform int canvas_height;
uniform int zoom;
uniform int tile;          // its edge, in pixels of the art
out vec4 colour;
uint scramble(uint seed, uint a, uint b) {
    uint h = (seed * 0x9E3779B1u) ^ ((a + 0x7F4A7C15u) * 0x85EBCA6Bu) ^ ((b + 0x165667B1u) * 0xC2B2AE35u);
    h = (h ^ (h >> 16)) * 0x7FEB352Du;
    h = (h ^ (h >> 15)) * 0x846CA68Bu;
    return h ^ (h >> 16);
}
void main() {
    ivec2 here = (ivec2(int(gl_FragCoord.x), canvas_height - 1 - int(gl_FragCoord.y)) + corner) / zoom;
    uvec2 place = uvec2(here / tile);
    uint h = scramble(77u, place.x, place.y);
    uint which = (h / 16u) % 5u + (h % 16u == 0u ? 5u : 0u);
    colour = vec4(texelFetch(atlas, frames[which] + here % tile, 0).rgb, 1.0);
}
)";

/// Sprites and overlays: quads of `Vertex`.
inline constexpr const char* QUAD_VERTEX = R"(#version 300 es
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 tint;
layout(location = 2) in vec2 place;  // in the atlas
layout(location = 3) in vec2 loop;   // step, count
uniform float scale;
uniform vec2 corner;
uniform vec2 canvas;
uniform float snapping;  // 1: to whole pixels
uniform float time;
out vec2 uv;
out vec4 tint_here;
void main() {
    vec2 pixel = position * scale;
    pixel = mix(pixel, floor(pixel + 0.5), snapping) - corner;
    gl_Position = vec4(vec2(2.0, -2.0) * pixel / canvas + vec2(-1.0, 1.0), 0.0, 1.0);
    uv = place;
    // Neighbouring flames are not in step; the four corners of one are.
    if (loop.y > 1.5) uv.x += loop.x * floor(mod(time * 9.0 + float(gl_VertexID / 4) * 1.7, loop.y));
    tint_here = tint;
}
)";
inline constexpr const char* QUAD_FRAGMENT = R"(#version 300 es
precision highp float;
uniform sampler2D atlas;
in vec2 uv;
in vec4 tint_here;
out vec4 colour;
void main() {
    colour = texture(atlas, uv) * tint_here;
}
)";

/// A round light over the whole box. Outside of its radius it continues with the colour of its edge.
inline constexpr const char* DUSK_FRAGMENT = R"(#version 300 es
precision highp float;
uniform sampler2D light;
uniform vec2 middle;  // in pixels
uniform float radius;
in vec2 pixel;
out vec4 colour;
void main() {
    colour = texture(light, (pixel - middle) / radius * 0.5 + 0.5);
}
)";

/// Lamps, one instance each: a triangle strip of four vertices.
inline constexpr const char* LAMP_VERTEX = R"(#version 300 es
layout(location = 0) in vec3 lamp;  // x, y, radius
layout(location = 1) in vec4 tint;  // alpha: how much it flickers
uniform float scale;
uniform vec2 corner;
uniform vec2 canvas;
uniform float time;
out vec2 uv;
out vec3 tint_here;
void main() {
    uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float flicker = 1.0 + tint.a * (0.04 * sin(time * 9.0 + lamp.x) + 0.03 * sin(time * 23.0 + lamp.x * 3.0));
    vec2 pixel = (lamp.xy + (uv * 2.0 - 1.0) * lamp.z * flicker) * scale - corner;
    gl_Position = vec4(vec2(2.0, -2.0) * pixel / canvas + vec2(-1.0, 1.0), 0.0, 1.0);
    tint_here = tint.rgb;
}
)";
inline constexpr const char* LAMP_FRAGMENT = R"(#version 300 es
precision highp float;
uniform sampler2D light;
in vec2 uv;
in vec3 tint_here;
out vec4 colour;
void main() {
    colour = vec4(texture(light, uv).rgb * tint_here, 1.0);
}
)";

}  // namespace crate_room::shaders
