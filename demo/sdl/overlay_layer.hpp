#pragma once
#include <cstddef>
#include <vector>

#include "draw/overlay.hpp"
#include "gl.hpp"
#include "picture.hpp"
#include "quad_program.hpp"

namespace crate_room {

/// Draws all overlays over the picture in one call. They are uploaded when they changed.
class OverlayLayer {
public:
    OverlayLayer();
    /// Adds an overlay in pixels of the room to the next `draw()`.
    void add_in_room(const Picture& picture, const Overlay& overlay);
    /// Adds an overlay in pixels of the screen's overlay to the next `draw()`.
    void add_on_screen(const Picture& picture, const Overlay& overlay);
    void draw(Picture& picture, const QuadProgram& program);

private:
    void add(const Overlay& overlay, float scale, float left, float top);
    [[nodiscard]] std::size_t upload();

    gl::VertexArray array_;
    gl::Buffer vertices_{GL_ARRAY_BUFFER};
    gl::Buffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    std::size_t indexed_ = 0;  // the number of quads for which there are indices
    std::vector<Quad> quads_;  // in pixels of the canvas
    std::vector<Quad> uploaded_;
};

}  // namespace crate_room
