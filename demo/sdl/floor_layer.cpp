#include "floor_layer.hpp"

#include <algorithm>
#include <array>

#include "components.hpp"
#include "shaders.hpp"

namespace crate_room {

static_assert(frames::FLOORS == 10, "FLOOR_FRAGMENT chooses one of ten");

FloorLayer::FloorLayer(const Atlas& atlas, const gl::Texture& texture)
    : program_(shaders::BOX_VERTEX, shaders::FLOOR_FRAGMENT),
      box_(program_.uniform("box")),
      canvas_(program_.uniform("canvas")),
      corner_(program_.uniform("corner")),
      canvas_height_(program_.uniform("canvas_height")),
      zoom_(program_.uniform("zoom")) {
    std::array<GLint, std::size_t{frames::FLOORS} * 2> places{};
    for (std::size_t i = 0; i < frames::FLOORS; ++i) {
        const Frame& frame = atlas.frames.at(frames::FLOOR + i);
        places[i * 2] = frame.x;
        places[i * 2 + 1] = frame.y;
    }
    program_.use();
    glUniform1i(program_.uniform("atlas"), texture.unit());
    glUniform2iv(program_.uniform("frames"), frames::FLOORS, places.data());
    glUniform1i(program_.uniform("tile"), static_cast<GLint>(TILE));
}

void FloorLayer::draw(Picture& picture, const Extent& room) const {
    // The part of the canvas that shows the room. The shader counts pixels from the room's corner, so pixels outside
    // of the room must not be drawn.
    const auto zoom = static_cast<float>(picture.zoom);
    const int left = std::max(0, -picture.left);
    const int top = std::max(0, -picture.top);
    const int right = std::min(picture.width, static_cast<int>(room.width * zoom) - picture.left);
    const int bottom = std::min(picture.height, static_cast<int>(room.height * zoom) - picture.top);
    if (left >= right || top >= bottom) return;

    nothing_.bind();
    program_.use();
    glUniform4f(box_, static_cast<float>(left), static_cast<float>(top), static_cast<float>(right),
                static_cast<float>(bottom));
    glUniform2f(canvas_, static_cast<float>(picture.width), static_cast<float>(picture.height));
    glUniform2i(corner_, picture.left, picture.top);
    glUniform1i(canvas_height_, picture.height);
    glUniform1i(zoom_, picture.zoom);
    glBlendFunc(GL_ONE, GL_ZERO);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    ++picture.calls;
}

}  // namespace crate_room
