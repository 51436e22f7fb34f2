#include "sprite_batch.hpp"

#include <algorithm>

namespace crate_room {
namespace {

// How far the largest frame reaches from the position it stands for.
constexpr float SPRITE_REACH = 36;

bool same(const View& a, const View& b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

}  // namespace

SpriteBatch::SpriteBatch(const Tracking& tracking, const SpatialHash& hash, const Atlas& atlas)
    : FollowsChanges(tracking), hash_(hash), atlas_(atlas) {
    require<Position, Sprite>();
    watch<Position, Sprite>();
}

void SpriteBatch::update(double, crateful::Entities<Slot>& entities, crateful::DirtySet& dirty) {
    each_changed(entities, dirty, [&](const Slot& slot) { compute(slot); });
    stale_ = stale_ || looked_at() > 0;
}

void SpriteBatch::on_add(Slot& slot) {
    if (free_.empty()) {
        slot.index = static_cast<std::uint32_t>(quads_.size());
        quads_.emplace_back();
    } else {
        slot.index = free_.back();
        free_.pop_back();
    }
    compute(slot);
    stale_ = true;
}

void SpriteBatch::on_remove(Slot& slot) {
    free_.push_back(slot.index);
    stale_ = true;
}

void SpriteBatch::compute(const Slot& slot) {
    const auto& sprite = slot.get<Sprite>();
    Quad& q = quads_[slot.index];
    q = quad(sprite.frame, slot.get<Position>(), sprite.mirrored, sprite.shade);
    q.loop = sprite.loop;
    q.glow = sprite.glow;
}

Quad SpriteBatch::quad(std::uint16_t frame, const Position& at, bool mirrored, std::uint8_t shade) const {
    const Frame& f = atlas_.frames[frame];
    const float anchor_x = mirrored ? static_cast<float>(f.width) - f.anchor_x : f.anchor_x;
    const float left = at.x - anchor_x;
    const float top = at.y - f.anchor_y;
    const float right = left + static_cast<float>(f.width);
    const float bottom = top + static_cast<float>(f.height);
    float u0 = static_cast<float>(f.x) / static_cast<float>(atlas_.width);
    float u1 = static_cast<float>(f.x + f.width) / static_cast<float>(atlas_.width);
    const float v0 = static_cast<float>(f.y) / static_cast<float>(atlas_.height);
    const float v1 = static_cast<float>(f.y + f.height) / static_cast<float>(atlas_.height);
    Quad q;
    q.loop_step = u1 - u0;  // the frames of a loop lie side by side
    if (mirrored) std::swap(u0, u1);
    q.corners = {{{left, top, shade, shade, shade, 255, u0, v0},
                  {right, top, shade, shade, shade, 255, u1, v0},
                  {right, bottom, shade, shade, shade, 255, u1, v1},
                  {left, bottom, shade, shade, shade, 255, u0, v1}}};
    q.depth = at.y;
    return q;
}

const std::vector<const Quad*>& SpriteBatch::visible(const View& view) {
    if (!stale_ && same(view, seen_)) return visible_;
    visible_.clear();
    const float right = view.left() + view.width;
    const float bottom = view.top() + view.height;
    hash_.each_near(view.left() - SPRITE_REACH, view.top() - SPRITE_REACH, right + SPRITE_REACH, bottom + SPRITE_REACH, [&](crateful::Entity e) {
        if (!entities().contains(e)) return;
        const Quad& q = quads_[entities().get(e).index];
        const bool outside = q.corners[2].x < view.left() || q.corners[0].x > right || q.corners[2].y < view.top() || q.corners[0].y > bottom;
        if (!outside || q.glow > 0) visible_.push_back(&q);
    });
    std::sort(visible_.begin(), visible_.end(), [](const Quad* a, const Quad* b) {
        return a->depth != b->depth ? a->depth < b->depth : a->corners[0].x < b->corners[0].x;
    });
    seen_ = view;
    stale_ = false;
    return visible_;
}

}  // namespace crate_room
