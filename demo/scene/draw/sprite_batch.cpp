#include "draw/sprite_batch.hpp"

#include <algorithm>

namespace crate_room {
namespace {

// The largest distance from an entity's position to a pixel of its frame.
constexpr float SPRITE_REACH = 56;

}  // namespace

SpriteBatch::Slot SpriteBatch::allocate(Entity e) {
    Slot slot = static_cast<Slot>(quads_.size());
    if (free_.empty()) {
        quads_.emplace_back();
        entries_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    entries_[slot].entity = e;
    const std::size_t index = crateful::index_of(e);
    if (index >= by_entity_.size()) by_entity_.resize(std::max(index + 1, by_entity_.size() * 2), NO_SLOT);
    by_entity_[index] = slot;
    outdated_ = true;
    return slot;
}

void SpriteBatch::release(Slot slot) {
    by_entity_[crateful::index_of(entries_[slot].entity)] = NO_SLOT;
    entries_[slot].entity = NONE;
    free_.push_back(slot);
    outdated_ = true;
}

void SpriteBatch::write(Slot slot, const Position& at, const Look& look) {
    quads_[slot] = quad_of(atlas_, at, look);
    Entry& entry = entries_[slot];
    entry.depth = at.y + look.depth;
    outdated_ = true;
    if (entry.written) return;
    entry.written = true;
    written_.push_back(slot);
}

void SpriteBatch::uploaded() {
    for (const Slot slot : written_) entries_[slot].written = false;
    written_.clear();
}

const std::vector<SpriteBatch::Slot>& SpriteBatch::visible(const View& view) {
    if (!outdated_ && view == visible_in_) return visible_;
    found_.clear();
    grid_.each_near(
        view.left() - SPRITE_REACH, view.top() - SPRITE_REACH, view.right() + SPRITE_REACH,
        view.bottom() + SPRITE_REACH, [&](Entity e) {
            const std::size_t index = crateful::index_of(e);
            const Slot slot = index < by_entity_.size() ? by_entity_[index] : NO_SLOT;
            if (slot == NO_SLOT) return;
            const Quad& q = quads_[slot];
            if (q[2].x >= view.left() && q[0].x <= view.right() && q[2].y >= view.top() && q[0].y <= view.bottom())
                found_.push_back(slot);
        });
    std::sort(found_.begin(), found_.end(), [&](Slot a, Slot b) {
        if (entries_[a].depth != entries_[b].depth) return entries_[a].depth < entries_[b].depth;
        if (quads_[a][0].x != quads_[b][0].x) return quads_[a][0].x < quads_[b][0].x;
        // Slots differ when a room is restored, entities do not.
        return entries_[a].entity < entries_[b].entity;
    });
    visible_in_ = view;
    outdated_ = false;
    if (found_ != visible_) {
        visible_.swap(found_);
        ++changes_;
    }
    return visible_;
}

Quad quad_of(const Atlas& atlas, const Position& at, const Look& look) {
    const Frame& f = atlas.frames[look.frame];
    const float anchor_x = look.mirrored ? static_cast<float>(f.width) - f.anchor_x : f.anchor_x;
    const float left = at.x - anchor_x;
    const float top = at.y - f.anchor_y;
    const float right = left + static_cast<float>(f.width);
    const float bottom = top + static_cast<float>(f.height);
    float u0 = static_cast<float>(f.x) / static_cast<float>(atlas.width);
    float u1 = static_cast<float>(f.x + f.width) / static_cast<float>(atlas.width);
    const float v0 = static_cast<float>(f.y) / static_cast<float>(atlas.height);
    const float v1 = static_cast<float>(f.y + f.height) / static_cast<float>(atlas.height);
    const float step = u1 - u0;  // the frames of a loop are side by side in the atlas
    const auto count = static_cast<float>(look.loop);
    if (look.mirrored) std::swap(u0, u1);
    return {{{left, top, look.colour, u0, v0, step, count},
             {right, top, look.colour, u1, v0, step, count},
             {right, bottom, look.colour, u1, v1, step, count},
             {left, bottom, look.colour, u0, v1, step, count}}};
}

}  // namespace crate_room
