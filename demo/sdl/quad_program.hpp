#pragma once
#include "gl.hpp"
#include "picture.hpp"

namespace crate_room {

/// Draws quads of `Vertex` from the atlas, translucent ones over what is there.
class QuadProgram {
public:
    explicit QuadProgram(const gl::Texture& atlas);
    /// For quads in the room, each moved to whole pixels of the canvas.
    void use_in_room(const Picture& picture) const;
    /// For quads that are in pixels of the canvas already.
    void use_on_canvas(const Picture& picture) const;
    /// Says to the bound vertex array that the bound buffer is made of `Vertex`.
    static void describe_vertices();

private:
    void use(const Picture& picture, float scale, float left, float top, float snapping) const;

    gl::Program program_;
    GLint scale_, corner_, canvas_, snapping_, time_;
};

}  // namespace crate_room
