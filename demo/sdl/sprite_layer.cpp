#include "sprite_layer.hpp"

#include <algorithm>

namespace crate_room {
namespace {

constexpr std::size_t FEWEST = 256;  // the smallest capacity, in quads
constexpr std::uint32_t GAP = 6;     // up to so many unchanged quads are uploaded to save a call
constexpr std::size_t QUAD = sizeof(Quad);

}  // namespace

SpriteLayer::SpriteLayer() {
    array_.bind();
    vertices_.bind();
    QuadProgram::describe_vertices();
    indices_.bind();
}

int SpriteLayer::draw(Picture& picture, const QuadProgram& program, SpriteBatch& sprites, const View& view) {
    array_.bind();
    picture.uploaded += upload(sprites);
    const auto& visible = sprites.visible(view);
    if (!ordered_ || order_ != sprites.changes()) {
        picture.uploaded += upload_order(visible);
        order_ = sprites.changes();
        ordered_ = true;
    }
    if (visible.empty()) return 0;
    program.use_in_room(picture);
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(visible.size() * 6), GL_UNSIGNED_INT, nullptr);
    ++picture.calls;
    return static_cast<int>(visible.size());
}

std::size_t SpriteLayer::upload(SpriteBatch& sprites) {
    const auto quads = sprites.quads();
    const auto bytes = std::as_bytes(quads);
    std::size_t sent = 0;
    bool all = false;
    if (quads.size() > capacity_) {
        capacity_ = std::max({FEWEST, capacity_ * 2, quads.size()});
        vertices_.reserve(capacity_ * QUAD);
        all = true;
    }
    if (all || sprites.written().size() > quads.size() / 3) {
        if (!quads.empty()) sent = vertices_.write(0, bytes);
    } else if (!sprites.written().empty()) {
        slots_ = sprites.written();
        cover(slots_, GAP, ranges_);
        for (const auto& [first, end] : ranges_) {
            sent += vertices_.write(first * QUAD, bytes.subspan(first * QUAD, (end - first) * QUAD));
        }
    }
    sprites.uploaded();
    return sent;
}

std::size_t SpriteLayer::upload_order(const std::vector<SpriteBatch::Slot>& visible) {
    corners_.clear();
    for (const SpriteBatch::Slot slot : visible) {
        const GLuint first = slot * 4;
        corners_.insert(corners_.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
    }
    return corners_.empty() ? 0 : indices_.replace(std::as_bytes(std::span(corners_)));
}

}  // namespace crate_room
