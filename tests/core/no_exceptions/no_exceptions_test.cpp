// The core without exceptions and run-time type information: CMake compiles this file and the core with -fno-exceptions and
// -fno-rtti.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "crateful/ecs.hpp"
#include "crateful/prefab.hpp"
#include "crateful/query.hpp"

#if CRATEFUL_EXCEPTIONS
#error "compile this test with -fno-exceptions"
#endif

using namespace crateful;

namespace {

struct Position {
    double x = 0;
};
struct Label {
    std::unique_ptr<std::string> text;
};
struct Hit {
    Entity entity;
};
struct Trail final : Aspect {
    int steps = 0;
};
struct Mover final : System<Trail> {
    Mover() {
        require<Position>();
        watch<Position>();
        watch_ancestors<Position>();
    }
    void init() override { ecs().events.collect<Hit>(); }
    void update(double delta, Entities& entities, Dirty& dirty) override {
        for (const Entity e : dirty.top_down()) {
            ecs().modify<Position>(e, [&](Position& p) { p.x += delta; });
            ++entities.get(e).steps;
        }
    }
    void on_remove(Trail& trail) override { last_removed = trail.get<Position>().x; }
    using System::entities;
    double last_removed = 0;
};

using NoExceptionsDeathTest = testing::Test;

}  // namespace

TEST(NoExceptions, D5_systems_components_aspects_and_events_work) {
    ECS ecs;
    auto& mover = ecs.add_system<Mover>(0);
    const Entity e = ecs.add_entity(Position{1});
    ecs.update(0.5);
    EXPECT_EQ(ecs.get<Position>(e).x, 1.5);
    EXPECT_EQ(mover.entities().get(e).steps, 1);
    ecs.events.dispatch(Hit{e});
    EXPECT_EQ(ecs.events.inbox<Hit>().size(), 1u);
    ecs.remove_entity(e);
    ecs.update(0.5);
    EXPECT_FALSE(ecs.alive(e));
    EXPECT_EQ(mover.last_removed, 1.5);
}

TEST(NoExceptions, E9_prefabs_queries_and_hierarchies_work) {
    ECS ecs;
    ecs.add_system<Mover>(0);
    auto prefab = ecs.prefab(Position{3});
    const auto all = prefab.spawn(100);
    for (std::size_t i = 1; i < all.size(); ++i) ecs.set_parent(all[i], all[i - 1]);
    ecs.add<Label>(all[7], {std::make_unique<std::string>("seven")});
    ecs.update(1);
    double sum = 0;
    for (auto [entity, position] : ecs.query<const Position>(exclude<Label>)) sum += position.x;
    EXPECT_EQ(sum, 99 * 4);
    ecs.remove_entity(all[50]);
    ecs.update(1);
    EXPECT_EQ(ecs.count(), 50u);
    ecs.clear();
    EXPECT_EQ(ecs.count(), 0u);
}

TEST(NoExceptionsDeathTest, X1_the_message_of_an_error_is_printed_and_the_program_is_aborted) {
    ECS ecs;
    EXPECT_EXIT(ecs.remove_entity(NONE), testing::KilledBySignal(SIGABRT), "crateful: remove_entity: .* is not alive");
}

TEST(NoExceptionsDeathTest, X1_an_error_handler_gets_the_error) {
    set_error_handler([](const Error& error) {
        std::fprintf(stderr, "handler: %s\n", error.what());
        std::exit(error.code() == ErrorCode::missing_component ? 7 : 8);
    });
    ECS ecs;
    EXPECT_EXIT(static_cast<void>(ecs.get<Position>(ecs.world())), testing::ExitedWithCode(7),
                "handler: get: .* has no ");
    set_error_handler(nullptr);
}

TEST(NoExceptionsDeathTest, X1_the_program_is_aborted_if_the_error_handler_returns) {
    set_error_handler([](const Error&) { std::fputs("returned\n", stderr); });
    ECS ecs;
    EXPECT_EXIT(ecs.update(-1), testing::KilledBySignal(SIGABRT), "returned");
    set_error_handler(nullptr);
}
