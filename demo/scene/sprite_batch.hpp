#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "components.hpp"
#include "frames.hpp"
#include "spatial_hash.hpp"
#include "tracking.hpp"
#include "view.hpp"

namespace crate_room {

/// A corner of a sprite: where it is in the room, its colour, and where in the atlas (0 to 1).
struct Vertex {
    float x, y;
    std::uint8_t r, g, b, a;
    float u, v;
};

/// A sprite that is ready to be drawn.
struct Quad {
    std::array<Vertex, 4> corners;  ///< upper left, upper right, lower right, lower left
    float depth = 0;                ///< what is further down the room is nearer
    float loop_step = 0;            ///< from one frame of a loop to the next, in `u`
    std::uint8_t loop = 1;
    std::uint8_t glow = 0;
};

/// Which of the batch's quads an entity has.
struct Slot : crateful::Aspect {
    std::uint32_t index = 0;
};

/// Keeps the vertices of all sprites, four each, and computes only those again whose sprite or position
/// changed. What is on the screen is found through the hash, so that drawing costs what is seen.
class SpriteBatch final : public crateful::System<Slot>, public FollowsChanges {
public:
    SpriteBatch(const Tracking& tracking, const SpatialHash& hash, const Atlas& atlas);
    [[nodiscard]] std::string name() const override { return "SpriteBatch"; }
    void update(double delta, crateful::Entities<Slot>& entities, crateful::DirtySet& dirty) override;
    void on_add(Slot& slot) override;
    void on_remove(Slot& slot) override;

    /// The sprites to be seen, those in the back first. Good until the next call or update. Costs
    /// nothing while neither the view nor a sprite changed.
    const std::vector<const Quad*>& visible(const View& view);
    /// A quad for a frame that is no entity's.
    [[nodiscard]] Quad quad(std::uint16_t frame, const Position& at, bool mirrored = false, std::uint8_t shade = 255) const;

private:
    void compute(const Slot& slot);

    const SpatialHash& hash_;
    const Atlas& atlas_;
    std::vector<Quad> quads_;
    std::vector<std::uint32_t> free_;
    std::vector<const Quad*> visible_;
    View seen_;
    bool stale_ = true;  // visible_ is
};

}  // namespace crate_room
