#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "components.hpp"
#include "frames.hpp"
#include "systems/spatial_hash.hpp"
#include "vertex.hpp"
#include "view.hpp"

namespace crate_room {

/// What a frame of the atlas looks like at a place in the room.
struct Look {
    std::uint16_t frame = 0;
    std::uint8_t loop = 1;
    bool mirrored = false;
    Colour colour;
    float depth = 0;  ///< added to the position's y: what is further down the room is nearer
};

/// The quads of all sprites, a slot each, as they lie in the graphics card's memory too. Renderers keep
/// their slots in their aspects and write a quad when something about it changed; whoever draws uploads
/// what was written, and draws what is in view.
class SpriteBatch {
public:
    using Slot = std::uint32_t;

    SpriteBatch(const SpatialHash& hash, const Atlas& atlas) : hash_(hash), atlas_(atlas) {}

    /// A slot for an entity's sprite; an entity has one at a time.
    [[nodiscard]] Slot allocate(crateful::Entity e);
    void release(Slot slot);
    void write(Slot slot, const Position& at, const Look& look);

    /// All quads; those of released slots are not to be drawn.
    [[nodiscard]] std::span<const Quad> quads() const noexcept { return quads_; }
    /// Slots written since `uploaded()`, each once, in no order.
    [[nodiscard]] const std::vector<Slot>& written() const noexcept { return written_; }
    void uploaded();

    /// The slots to be seen, those in the back first. Good until the next call or update. Costs nothing
    /// while neither the view nor a sprite changed, and `changes` then stays the same.
    const std::vector<Slot>& visible(const View& view);
    /// Counts how often the list of visible slots became another.
    [[nodiscard]] std::uint32_t changes() const noexcept { return changes_; }

private:
    struct Entry {
        crateful::Entity entity = crateful::NONE;
        float depth = 0;
        bool written = false;  // is in written_
    };
    static constexpr Slot NO_SLOT = 0xFFFFFFFFu;

    const SpatialHash& hash_;
    const Atlas& atlas_;
    std::vector<Quad> quads_;
    std::vector<Entry> entries_;
    std::vector<Slot> by_entity_;  // by entity index
    std::vector<Slot> free_;
    std::vector<Slot> written_;
    std::vector<Slot> visible_;
    std::vector<Slot> found_;  // the next visible_
    View seen_;
    bool stale_ = true;  // visible_ is
    std::uint32_t changes_ = 0;
};

/// A frame's quad, its anchor at a place.
[[nodiscard]] Quad quad_of(const Atlas& atlas, const Position& at, const Look& look);

}  // namespace crate_room
