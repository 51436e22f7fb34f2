#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "components.hpp"
#include "draw/frames.hpp"
#include "draw/vertex.hpp"
#include "draw/view.hpp"
#include "spatial_grid.hpp"

namespace crate_room {

/// How a sprite is drawn.
struct Look {
    std::uint16_t frame = 0;
    std::uint8_t loop = 1;
    bool mirrored = false;
    Colour colour;
    float depth = 0;  ///< added to y when sprites are sorted from back to front
};

/// The quads of all sprites, one slot each, in the same order as in the graphics card's memory. Renderer systems keep a
/// slot in each aspect and write its quad when the entity changed. The sprite layer uploads the written quads and draws
/// the visible ones.
class SpriteBatch {
public:
    using Slot = std::uint32_t;

    SpriteBatch(const SpatialGrid& grid, const Atlas& atlas) : grid_(grid), atlas_(atlas) {}

    /// Reserves a slot for an entity's sprite. An entity has at most one.
    [[nodiscard]] Slot allocate(Entity e);
    void release(Slot slot);
    void write(Slot slot, const Position& at, const Look& look);

    /// All quads, including those of released slots.
    [[nodiscard]] std::span<const Quad> quads() const noexcept { return quads_; }
    /// The slots written since the last `uploaded()`, each once, in no particular order.
    [[nodiscard]] const std::vector<Slot>& written() const noexcept { return written_; }
    void uploaded();

    /// The visible slots, from back to front; valid until the next call or update. If neither the view nor a sprite
    /// changed, this is O(1) and `changes()` stays the same.
    const std::vector<Slot>& visible(const View& view);
    /// Counts how often the list of visible slots changed.
    [[nodiscard]] std::uint32_t changes() const noexcept { return changes_; }

private:
    struct Entry {
        Entity entity = NONE;
        float depth = 0;
        bool written = false;  // the slot is in written_
    };
    static constexpr Slot NO_SLOT = 0xFFFFFFFFu;

    const SpatialGrid& grid_;
    const Atlas& atlas_;
    std::vector<Quad> quads_;
    std::vector<Entry> entries_;
    std::vector<Slot> by_entity_;  // by entity index
    std::vector<Slot> free_;
    std::vector<Slot> written_;
    std::vector<Slot> visible_;
    std::vector<Slot> found_;  // becomes visible_
    View visible_in_;          // the view for which visible_ was computed
    bool outdated_ = true;     // visible_ must be computed again
    std::uint32_t changes_ = 0;
};

/// The slot of an entity's quad, for renderer systems.
struct SpriteSlot : Aspect {
    SpriteBatch::Slot slot = 0;
};

/// The quad of a frame with its anchor at a position.
[[nodiscard]] Quad quad_of(const Atlas& atlas, const Position& at, const Look& look);

}  // namespace crate_room
