#pragma once
#include "draw/frames.hpp"
#include "draw/view.hpp"
#include "gl.hpp"
#include "picture.hpp"

namespace crate_room {

/// The room's floor: one box, whose shader computes the tile of each pixel. Nothing is uploaded for it.
class FloorLayer {
public:
    FloorLayer(const Atlas& atlas, const gl::Texture& texture);
    void draw(Picture& picture, const Extent& room) const;

private:
    gl::Program program_;
    gl::VertexArray nothing_;
    GLint box_, canvas_, corner_, canvas_height_, zoom_;
};

}  // namespace crate_room
