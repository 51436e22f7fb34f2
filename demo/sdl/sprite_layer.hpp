#pragma once
#include <cstddef>
#include <vector>

#include "draw/sprite_batch.hpp"
#include "draw/view.hpp"
#include "gl.hpp"
#include "picture.hpp"
#include "quad_program.hpp"
#include "ranges.hpp"

namespace crate_room {

/// All sprites of the room in the graphics card's memory: what changed is sent, what is in view is drawn,
/// in one call.
class SpriteLayer {
public:
    SpriteLayer();
    /// Returns how many sprites there are to be seen.
    int draw(Picture& picture, const QuadProgram& program, SpriteBatch& sprites, const View& view);

private:
    [[nodiscard]] std::size_t upload(SpriteBatch& sprites);
    [[nodiscard]] std::size_t upload_order(const std::vector<SpriteBatch::Slot>& visible);

    gl::VertexArray array_;
    gl::Buffer vertices_{GL_ARRAY_BUFFER};
    gl::Buffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    std::size_t capacity_ = 0;  // of vertices_, in quads
    std::uint32_t order_ = 0;   // SpriteBatch::changes() that indices_ are of
    bool ordered_ = false;      // indices_ are of any
    std::vector<SpriteBatch::Slot> slots_;
    std::vector<Range> ranges_;
    std::vector<GLuint> corners_;
};

}  // namespace crate_room
