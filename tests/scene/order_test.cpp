// The order in which the systems are added makes no difference: only their priorities do.
#include <algorithm>
#include <random>

#include "play.hpp"
#include "systems/actions/blasts.hpp"

namespace crate_room {
namespace {

// The state in regular intervals, and the visible quads, of a run with fixed input through two rooms.
std::vector<std::uint64_t> run(std::span<const Room::Addition> systems) {
    Game game(900, 6, 5, systems);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 900; ++i) {
        const float angle = 0.7f * static_cast<float>(i / 40);
        game.room.input = {
            .move_x = std::cos(angle), .move_y = std::sin(angle), .strike = i % 7 < 3, .defend = i % 160 > 120};
        if (i == 500) game.ecs.events.dispatch(DoorEntered{});
        if (i % 200 == 150) game.ecs.events.dispatch(Blast{game.at(game.player()).x + 40, game.at(game.player()).y});
        game.frame(i % 3 == 0 ? Game::FRAME : Game::FRAME * 1.3);
        if (i % 10 == 0) {
            hashes.push_back(game.room.state_hash());
            hashes.push_back(game.room.sprites().visible(game.room.view).size());
        }
    }
    EXPECT_EQ(game.rooms_entered, 1);
    EXPECT_LT(game.all<Crate>().size(), 900u);
    return hashes;
}

std::vector<std::string> run_order(std::span<const Room::Addition> systems) {
    ECS ecs;
    const Room room(ecs, blank_atlas(), systems);
    std::vector<std::string> names;
    for (const SystemBase* system : ecs.systems()) names.push_back(system->name());
    return names;
}

TEST(Order, S1_the_state_does_not_depend_on_the_order_in_which_systems_are_added) {
    const auto expected = run(Room::all_systems());
    std::vector<Room::Addition> systems = Room::all_systems();
    std::reverse(systems.begin(), systems.end());
    EXPECT_NE(run_order(systems), run_order(Room::all_systems())) << "systems with equal priorities changed places";
    EXPECT_EQ(run(systems), expected);
    for (unsigned seed = 1; seed <= 3; ++seed) {
        std::shuffle(systems.begin(), systems.end(), std::mt19937(seed));
        EXPECT_EQ(run(systems), expected) << "shuffled with seed " << seed;
    }
}

TEST(Order, S1_all_systems_are_listed_in_the_order_in_which_they_run) {
    ECS ecs;
    const Room room(ecs, blank_atlas());
    const auto systems = ecs.systems();
    EXPECT_TRUE(std::is_sorted(systems.begin(), systems.end(),
                               [](const SystemBase* a, const SystemBase* b) { return a->priority() < b->priority(); }));
    EXPECT_EQ(systems.size(), Room::all_systems().size());
}

}  // namespace
}  // namespace crate_room
