#include "crate_room.hpp"

#include <cmath>
#include <vector>

#include "room.hpp"

namespace bench {
namespace {

using namespace crateful;

constexpr float SHAKE = 0.5f;  // adding it to a coordinate causes no rounding error

// Moves its crates back and forth before the systems of the room run. It requires Player, because a system must require
// a component class.
class Shake final : public System<> {
public:
    explicit Shake(const std::vector<Entity>& crates) : crates_(crates) { require<crate_room::Player>(); }
    void update(double) override {
        const float by = away_ ? -SHAKE : SHAKE;
        away_ = !away_;
        for (const Entity e : crates_)
            ecs().modify<crate_room::Position>(e, [&](crate_room::Position& p) { p.x += by; });
    }

private:
    const std::vector<Entity>& crates_;
    bool away_ = false;
};

// An atlas without pixels, which are not needed to compute positions.
crate_room::Atlas blank_atlas() {
    crate_room::Atlas atlas{.width = 256, .height = 256, .pixels = {}, .frames = {}};
    atlas.frames.resize(crate_room::frames::COUNT, {0, 0, 16, 16, 8, 8});
    return atlas;
}

class RoomCase final : public Case {
public:
    RoomCase(ECS& ecs, std::uint32_t crates, std::uint32_t moving, bool tracking)
        : Case(ecs), atlas_(blank_atlas()), room_(ecs, atlas_) {
        room_.tracking.on = tracking;
        room_.begin(1, crates, 0);
        const std::vector<Entity> all = crates_of(ecs);
        for (std::size_t i = 0; i < moving; ++i) {
            moving_.push_back(all[i * all.size() / moving]);
            start_.push_back(ecs.get<crate_room::Position>(moving_.back()).x);
        }
        ecs.update();  // in this frame all entities are new
        ecs.add_system<Shake>(20, moving_);
    }
    ~RoomCase() override { ecs_.remove_system(ecs_.get_system<Shake>()); }

    [[nodiscard]] std::size_t ops() const override { return 1; }
    void verify(std::size_t steps) const override {
        const float shift = steps % 2 == 1 ? SHAKE : 0;
        for (std::size_t i = 0; i < moving_.size(); ++i) {
            require(ecs_.get<crate_room::Position>(moving_[i]).x == start_[i] + shift, "moving the crates");
        }
        require_visits("SpatialHash", ecs_.storage<crate_room::Position>().count(), steps);
        require_visits("AnimationRenderer", ecs_.storage<crate_room::Animation>().count(), steps);
        require(std::abs(left_edges_drawn() - left_edges_due()) < 1e-3, "drawing all at their positions");
    }

private:
    void require_visits(const char* system, std::size_t all, std::size_t steps) const {
        require(room_.visited(system) == (room_.tracking.on && steps > 0 ? moving_.size() : all),
                std::string(system) + " visiting the right number of entities");
    }
    [[nodiscard]] static std::vector<Entity> crates_of(ECS& ecs) {
        const auto entities = ecs.storage<crate_room::Crate>().entities();
        return {entities.begin(), entities.end()};
    }
    [[nodiscard]] double left_edges_drawn() const {
        const crate_room::Extent& extent = room_.extent();
        const crate_room::View all{
            .x = extent.width / 2, .y = extent.height / 2, .width = extent.width, .height = extent.height};
        double sum = 0;
        for (const auto slot : room_.sprites().visible(all))
            sum += static_cast<double>(room_.sprites().quads()[slot][0].x);
        return sum;
    }
    [[nodiscard]] double left_edges_due() const {
        double sum = 0;
        const auto add = [&](Entity e) {
            if (const auto* at = ecs_.try_get<crate_room::Position>(e)) sum += static_cast<double>(at->x - 8);
        };
        ecs_.storage<crate_room::Sprite>().each(add);
        ecs_.storage<crate_room::Animation>().each(add);
        return sum;
    }

    const crate_room::Atlas atlas_;
    mutable crate_room::Room room_;  // `visible()` updates its list
    std::vector<Entity> moving_;
    std::vector<float> start_;
};

}  // namespace

std::unique_ptr<Case> room(ECS& ecs, std::uint32_t crates, std::uint32_t moving, bool tracking) {
    return std::make_unique<RoomCase>(ecs, crates, moving, tracking);
}

}  // namespace bench
