// Components that loops write without a signal: builds without NDEBUG report them (rule Q9).
#ifndef NDEBUG
#include <functional>
#include <string>

#include "world.hpp"

using namespace test;

namespace {

/// Watches positions, and calls a function.
struct Drawing final : System<> {
    explicit Drawing(std::string own_name) : own(std::move(own_name)) {
        require<Position>();
        watch<Position, Health>();
    }
    [[nodiscard]] std::string name() const override { return own; }
    void update(double) override {
        if (act) act();
    }
    std::string own;
    std::function<void()> act;
};

struct WriteWatch : testing::Test {
    ECS ecs;
    Drawing& acting = ecs.add_system<Drawing>(1, "Acting");
    Drawing& drawing = ecs.add_system<Drawing>(2, "Drawing");
    Entity e = ecs.add_entity(Position{1}, Health{1}, Velocity{1});
    WriteWatch() { ecs.update(); }
    /// What is written to stderr meanwhile.
    static std::string reported(const std::function<void()>& call) {
        testing::internal::CaptureStderr();
        call();
        return testing::internal::GetCapturedStderr();
    }
    /// What is reported if a system does this in an update.
    std::string in_update(const std::function<void()>& act) {
        acting.act = act;
        return reported([&] { ecs.update(); });
    }
};

}  // namespace

TEST_F(WriteWatch, Q9_a_loop_that_writes_without_a_signal_is_reported_once_for_each_class) {
    const auto write = [&] {
        for (auto [entity, p] : ecs.query<Position>()) p.x += 1;
    };
    const std::string text = in_update(write);
    for (const char* part : {"for over a query", "Position", "Drawing", "query.change", "ecs.dirty<Position>(e)"})
        EXPECT_NE(text.find(part), std::string::npos) << part << ": " << text;
    EXPECT_EQ(text.find("Acting, which"), std::string::npos) << "it knows what it writes itself";
    EXPECT_EQ(in_update(write), "");
    EXPECT_NE(in_update([&] { ecs.query<Health>().each([](Health& health) { ++health.points; }); }).find("each"),
              std::string::npos);
}

TEST_F(WriteWatch, Q9_each_kind_of_loop_is_watched) {
    const Entity child = ecs.add_entity(Velocity{});
    ecs.set_parent(child, e);
    const std::vector<std::function<void(ECS&)>> loops{
        [](ECS& of) { of.query<Position>().each([](Position& p) { ++p.x; }); },
        [&](ECS& of) {
            for (auto [entity, p] : of.query<Position>().of(std::vector{e})) ++p.x;
        },
        [](ECS& of) {
            for (auto [entity, p] : of.query<Position>(order_by(&Position::x))) ++p.x;
        },
        [](ECS& of) { of.query<Position>(order_by(&Position::x)).each([](Position& p) { ++p.x; }); },
        [](ECS& of) {
            for (auto [entity, v, p] : of.query<const Velocity>(optional<Position>)) {
                if (p != nullptr) ++p->x;
            }
        },
        [](ECS& of) {
            for (auto [entity, v, p] : of.query<const Velocity>(parent<Position>)) {
                if (p != nullptr) ++p->x;
            }
        },
        [](ECS& of) {
            for (auto [entity, p] : of.query<Position>()) {
                ++p.x;
                break;
            }
        },
    };
    for (std::size_t k = 0; k < loops.size(); ++k) {
        ECS other;
        auto& system = other.add_system<Drawing>(2, "Drawing");
        const Entity above = other.add_entity(Position{1}, Velocity{});
        const Entity below = other.add_entity(Velocity{});
        other.set_parent(below, above);
        other.update();
        static_cast<void>(system);
        EXPECT_NE(reported([&] {
                      loops[k](other);
                      other.update();
                  }).find("Position"),
                  std::string::npos)
            << k;
    }
}

TEST_F(WriteWatch, Q9_what_signals_or_concerns_no_system_is_not_reported) {
    EXPECT_EQ(in_update([&] {
                  for (auto [entity, p] : ecs.query<Position>()) {
                      p.x += 1;
                      ecs.dirty<Position>(entity);
                  }
              }),
              "");
    EXPECT_EQ(in_update([&] {
                  for (auto [entity, p] : ecs.query<Position>()) p.x += 1;
                  ecs.dirty<Position>(e);
              }),
              "")
        << "behind the loop";
    EXPECT_EQ(in_update([&] { ecs.query<Position>().change([](Position& p) { p.x += 1; }); }), "");
    EXPECT_EQ(in_update([&] {
                  for (auto [entity, p] : ecs.query<Position>()) p.x = p.x + 0;
              }),
              "")
        << "the value is the same";
    EXPECT_EQ(in_update([&] {
                  for (auto [entity, v] : ecs.query<Velocity>()) v.x += 1;
              }),
              "")
        << "nothing watches it";
    EXPECT_EQ(in_update([&] {
                  for (auto [entity, p] : ecs.query<Position>()) {
                      p.x += 1;
                      ecs.remove<Position>(entity);
                  }
              }),
              "")
        << "it is removed";
    ecs.add(e, Position{});
    ecs.update();
    ecs.remove_system(drawing);
    EXPECT_EQ(in_update([&] {
                  for (auto [entity, p] : ecs.query<Position>()) p.x += 1;
              }),
              "")
        << "only the system itself watches it";
}

TEST_F(WriteWatch, Q9_writes_between_updates_are_reported_at_the_next_one) {
    EXPECT_NE(reported([&] {
                  for (auto [entity, p] : ecs.query<Position>()) p.x += 1;
                  ecs.update();
              }).find("Acting"),
              std::string::npos);
}

#endif
