// Searches in the spatial grid.
#include <set>

#include "play.hpp"
#include "random.hpp"
#include "systems/collision/spatial_hash.hpp"

namespace crate_room {
namespace {

std::set<Entity> near(const SpatialGrid& grid, Position at, float reach) {
    std::set<Entity> found;
    grid.each_near(at.x - reach, at.y - reach, at.x + reach, at.y + reach,
                   [&](Entity e) { EXPECT_TRUE(found.insert(e).second) << "visited twice"; });
    return found;
}

TEST(SpatialHash, a_search_finds_all_near_entities_and_no_distant_ones_while_entities_are_added_moved_and_removed) {
    ECS ecs;
    describe_components();
    const Tracking tracking;
    SpatialGrid grid;
    ecs.add_system<SpatialHash>(45, tracking, grid);
    Random random{1};
    std::vector<Entity> all;
    for (int round = 0; round < 60; ++round) {  // so many that the grid grows several times
        for (int i = 0; i < 200; ++i) {
            all.push_back(ecs.add_entity());
            ecs.add<Position>(all.back(), {random.between(-900, 900), random.between(-900, 900)});
        }
        for (int i = 0; i < 100; ++i) {
            const auto e = all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
            ecs.modify<Position>(e, [&](Position& p) { p = {random.between(-900, 900), random.between(-900, 900)}; });
        }
        for (int i = 0; i < 20; ++i) {
            const auto at = static_cast<std::size_t>(random.below(static_cast<int>(all.size())));
            ecs.remove_entity(all[at]);
            all[at] = all.back();
            all.pop_back();
        }
        ecs.update();
        const Position at{random.between(-900, 900), random.between(-900, 900)};
        const auto found = near(grid, at, 60);
        for (const auto e : all) {
            const Position p = ecs.get<Position>(e);
            const float away = std::max(std::abs(p.x - at.x), std::abs(p.y - at.y));
            EXPECT_TRUE(away > 60 || found.contains(e));
            EXPECT_TRUE(away <= 60 + SpatialGrid::CELL || !found.contains(e));
        }
    }
    EXPECT_EQ(near(grid, {0, 0}, 2000).size(), all.size());
}

}  // namespace
}  // namespace crate_room
