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

/// All sprites of the room in the graphics card's memory. Changed sprites are uploaded, and the visible ones are drawn
/// in one call.
class SpriteLayer {
public:
    SpriteLayer();
    /// Returns the number of visible sprites.
    int draw(Picture& picture, const QuadProgram& program, SpriteBatch& sprites, const View& view);

private:
    [[nodiscard]] std::size_t upload(SpriteBatch& sprites);
    [[nodiscard]] std::size_t upload_order(const std::vector<SpriteBatch::Slot>& visible);

    gl::VertexArray array_;
    gl::Buffer vertices_{GL_ARRAY_BUFFER};
    gl::Buffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    std::size_t capacity_ = 0;  // of vertices_, in quads
    std::uint32_t order_ = 0;   // SpriteBatch::changes() when indices_ was written
    bool ordered_ = false;      // indices_ was written
    std::vector<SpriteBatch::Slot> slots_;
    std::vector<Range> ranges_;
    std::vector<GLuint> corners_;
};

}  // namespace crate_room
