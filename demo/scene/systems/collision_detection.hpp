#pragma once
#include <array>
#include <vector>

#include "systems/spatial_hash.hpp"
#include "tracking.hpp"

namespace crate_room {

/// Two shapes that overlap; `a` is of the first kind of the set, `b` of the second.
struct Touch {
    crateful::Entity a;
    crateful::Entity b;
};

/// Which kinds are looked for together.
enum class CollisionSet : std::uint8_t {
    mobile_solid,
    mobile_mobile,
    attack_vulnerable,
    shield_attack,
    sensor_mobile,
    count
};

/// Finds what touches what. Each shape that changed looks for neighbours of the kinds it can touch; crates
/// at rest therefore cost nothing. Runs after SpatialHash, which has to know of this frame's moves; what
/// is to be done about a touch is for later systems to say.
class CollisionDetection final : public crateful::System<>, public FollowsChanges {
public:
    /// Sensors notice discs that are so near.
    static constexpr float SENSED = 6;

    CollisionDetection(const Tracking& tracking, const SpatialHash& hash);
    [[nodiscard]] std::string name() const override { return "CollisionDetection"; }
    void update(double delta, crateful::Entities<crateful::Aspect>& entities, crateful::DirtySet& dirty) override;
    void on_clear() override;
    void on_disabled(crateful::Entities<crateful::Aspect>&) override { on_clear(); }  // what touched may be gone soon

    /// This frame's, each pair once, in an order that depends only on where things are: so it makes no
    /// difference through whom they were found.
    [[nodiscard]] const std::vector<Touch>& touches(CollisionSet set) const noexcept {
        return touches_[static_cast<std::size_t>(set)];
    }

private:
    void look_around(crateful::Entity e, const Position& at, const CollisionShape& shape);
    void compare(crateful::Entity e, const Position& at, const CollisionShape& shape, crateful::Entity other);
    void put_in_order(std::vector<Touch>& touches) const;

    const SpatialHash& hash_;
    std::array<std::vector<Touch>, static_cast<std::size_t>(CollisionSet::count)> touches_;
};

}  // namespace crate_room
