#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "components.hpp"
#include "random.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Where the hash keeps an entity.
struct Spot : crateful::Aspect {
    std::int32_t cell_x = 0;
    std::int32_t cell_y = 0;
    std::uint32_t place = 0;  // in its bucket
};

/// Finds what is near: the plane is cut into cells, and cells are hashed into buckets. Only a position
/// that changed is looked at again, and only one that left its cell costs more than a comparison.
class SpatialHash final : public crateful::System<Spot>, public FollowsChanges {
public:
    static constexpr float CELL = 2 * TILE;

    explicit SpatialHash(const Tracking& tracking);
    [[nodiscard]] std::string name() const override { return "SpatialHash"; }
    void update(double delta, crateful::Entities<Spot>& entities, crateful::DirtySet& dirty) override;
    void on_add(Spot& spot) override;
    void on_remove(Spot& spot) override;

    /// Calls `visit(entity)` for each entity whose cell touches the box, cell rows from top to bottom.
    /// That may be some more than those inside. Positions are as of the last update. `visit` changes no Position.
    template <class Visit>
    void each_near(float left, float top, float right, float bottom, Visit&& visit) const {
        const std::int32_t last_x = cell_of(right);
        const std::int32_t last_y = cell_of(bottom);
        for (std::int32_t y = cell_of(top); y <= last_y; ++y) {
            for (std::int32_t x = cell_of(left); x <= last_x; ++x) {
                for (const Entry& entry : buckets_[bucket(x, y)]) {
                    if (entry.cell_x == x && entry.cell_y == y) visit(entry.spot->entity());
                }
            }
        }
    }

    /// How many entities are in the cell around a point. O(entities in its bucket).
    [[nodiscard]] std::size_t count_at(float x, float y) const;

private:
    struct Entry {
        std::int32_t cell_x;  // buckets are shared by cells
        std::int32_t cell_y;
        Spot* spot;
    };
    // A cell holds about four crates. With buckets to match, how long a search takes does not depend on how
    // much there is elsewhere.
    static constexpr std::size_t FEWEST_BUCKETS = 1u << 10;
    static constexpr std::size_t ENTRIES_A_BUCKET = 2;

    [[nodiscard]] static std::int32_t cell_of(float at) noexcept {
        return static_cast<std::int32_t>(std::floor(at / CELL));
    }
    [[nodiscard]] std::size_t bucket(std::int32_t x, std::int32_t y) const noexcept {
        return scramble(5, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)) & (buckets_.size() - 1);
    }
    void grow();
    void put(Spot& spot, std::int32_t x, std::int32_t y);
    void take(Spot& spot);

    std::vector<std::vector<Entry>> buckets_{FEWEST_BUCKETS};  // a power of two
    std::size_t count_ = 0;
};

}  // namespace crate_room
