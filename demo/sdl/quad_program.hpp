#pragma once
#include "gl.hpp"
#include "picture.hpp"

namespace crate_room {

/// The shaders for quads of `Vertex` with pictures from the atlas; translucent pixels are blended.
class QuadProgram {
public:
    explicit QuadProgram(const gl::Texture& atlas);
    /// For quads in coordinates of the room; corners are rounded to whole pixels of the canvas.
    void use_in_room(const Picture& picture) const;
    /// For quads in pixels of the canvas.
    void use_on_canvas(const Picture& picture) const;
    /// Declares the layout of `Vertex` for the bound vertex array and the bound buffer.
    static void describe_vertices();

private:
    void use(const Picture& picture, float scale, float left, float top, float snapping) const;

    gl::Program program_;
    GLint scale_, corner_, canvas_, snapping_, time_;
};

}  // namespace crate_room
