// The core without run-time type information: CMake compiles this file and the core with -fno-rtti.
#include <gtest/gtest.h>

#include "crateful/ecs.hpp"

#ifdef __GXX_RTTI
#error "compile this test with -fno-rtti"
#endif

using namespace crateful;

namespace {

struct Position {
    double x = 0;
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
    }
    void init() override { ecs().events.collect<Hit>(); }
    void update(double delta, Entities& entities, Dirty& dirty) override {
        for (const Entity e : dirty) {
            ecs().modify<Position>(e, [&](Position& p) { p.x += delta; });
            ++entities.get(e).steps;
        }
    }
    using System::entities;
};
struct Thrower final : System<> {
    Thrower() { require<Position>(); }
    void update(double) override { throw std::runtime_error("thrown by update"); }
};

}  // namespace

TEST(NoRtti, S2_systems_are_found_by_their_class) {
    ECS ecs;
    auto& mover = ecs.add_system<Mover>(0);
    EXPECT_EQ(&ecs.get_system<Mover>(), &mover);
    EXPECT_THROW(static_cast<void>(ecs.get_system<Thrower>()), Error);
}

TEST(NoRtti, P1_the_name_of_a_system_is_its_class) {
    ECS ecs;
    EXPECT_EQ(ecs.add_system<Mover>(0).name(), "Mover");
}

TEST(NoRtti, D5_systems_components_aspects_and_events_work) {
    ECS ecs;
    auto& mover = ecs.add_system<Mover>(0);
    const Entity e = ecs.add_entity();
    ecs.add<Position>(e, {1});
    ecs.update(0.5);
    EXPECT_EQ(ecs.get<Position>(e).x, 1.5);
    EXPECT_EQ(mover.entities().get(e).steps, 1);
    ecs.events.dispatch(Hit{e});
    EXPECT_EQ(ecs.events.inbox<Hit>().size(), 1u);
    ecs.remove_entity(e);
    ecs.update(0.5);
    EXPECT_FALSE(ecs.alive(e));
}

TEST(NoRtti, S7_exceptions_of_systems_are_rethrown) {
    ECS ecs;
    ecs.add_system<Thrower>(0);
    EXPECT_THROW(ecs.update(), std::runtime_error);
    EXPECT_THROW(ecs.remove_entity(NONE), Error);
}
