// Rule S17: callbacks that cause their own calls without end.
#include <string>

#include "world.hpp"

using namespace test;

namespace {

using Positions = Spy<Requires<Position>>;

/// The message of the error `too_deep` that the call throws.
template <class Call>
std::string refused(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::too_deep) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

const std::vector<Position> one_position(1);

void expect_usable(ECS& ecs) {
    ecs.update();
    ecs.remove_marked();
    ecs.clear();
    auto& probe = ecs.add_system<Spy<Requires<Velocity>, Watches<Velocity>>>(0);
    const Entity e = ecs.add_entity(Velocity{7});
    ecs.update();
    EXPECT_EQ(probe.dirty_at_update, Ids{e});
}

/// Adds an entity when it is destroyed.
struct Heir {
    ECS* ecs = nullptr;
    Heir() = default;
    explicit Heir(ECS& world) : ecs(&world) {}
    Heir(Heir&& other) noexcept : ecs(std::exchange(other.ecs, nullptr)) {}
    Heir& operator=(Heir&& other) noexcept {
        std::swap(ecs, other.ecs);
        return *this;
    }
    ~Heir() {
        if (ecs == nullptr) return;
        try {
            const Entity e = ecs->add_entity(Heir(*ecs));
            ecs->remove<Heir>(e);
        } catch (const Error& error) {
            message = error.what();
        }
    }
    static inline std::string message;
};

}  // namespace

TEST(NestedCallbacks, S17_callbacks_that_cause_each_other_without_end_are_an_error_that_names_one) {
    ECS ecs;
    auto& system = ecs.add_system<Positions>(0);
    const Entity e = ecs.add_entity();
    const auto expect_refused = [&](const char* callback, auto&& call) {
        for (int i = 0; i < 2; ++i) EXPECT_EQ(refused(call).rfind(callback, 0), 0u) << callback;
    };
    system.at_add = [&](Aspect&) { ecs.add_entity(Position{}); };
    expect_refused("on_add: this callback of Spy runs inside 100 others", [&] { ecs.add_entity(Position{}); });
    auto prefab = ecs.prefab(Position{});
    system.at_add = [&](Aspect&) { prefab.spawn(3); };
    expect_refused("on_add", [&] { prefab.spawn(3); });
    system.at_add = [&](Aspect&) { ecs.remove<Position>(e); };
    system.at_remove = [&](Aspect&) { ecs.add(e, Position{}); };
    expect_refused("on_", [&] {
        if (!ecs.remove<Position>(e)) ecs.add(e, Position{});
    });
    system.at_add = [&](Aspect&) { ecs.remove<Position>(std::span(&e, 1)); };
    system.at_remove = [&](Aspect&) { ecs.add<Position>(std::span(&e, 1), one_position); };
    expect_refused("on_", [&] {
        if (!ecs.remove<Position>(e)) ecs.add(e, Position{});
    });
    system.at_add = system.at_remove = nullptr;
    system.at_enabled = [&](auto&) { ecs.disable_system(system); };
    system.at_disabled = [&](auto&) { ecs.enable_system(system); };
    expect_refused("on_", [&] { ecs.toggle_system(system); });
    system.at_enabled = system.at_disabled = nullptr;
    std::function<void(Recorder&)> setup = [&](Recorder& added) {
        added.at_init = [&] { ecs.add_system<Positions>(0, setup); };
    };
    expect_refused("init", [&] { ecs.add_system<Positions>(0, setup); });
    expect_usable(ecs);
}

TEST(NestedCallbacks, S17_handlers_of_events_that_dispatch_without_end_are_an_error) {
    ECS ecs;
    for (int i = 0; i < 3; ++i) ecs.events.subscribe<Ping>([&](const Ping&) { ecs.events.dispatch(Ping{}); });
    EXPECT_EQ(refused([&] { ecs.events.dispatch(Ping{}); }).rfind("dispatch", 0), 0u);
    expect_usable(ecs);

    EventsManager events;  // without an ECS
    events.subscribe<Ping>([&](const Ping&) { events.dispatch(Ping{}); });
    EXPECT_EQ(refused([&] { events.dispatch(Ping{}); }).rfind("dispatch", 0), 0u);
}

TEST(NestedCallbacks, S17_make_aspect_that_asks_for_its_aspect_is_an_error) {
    struct Asks : System<> {
        Asks() { require<Position>(); }
        void update(double) override {}
        std::unique_ptr<Aspect> make_aspect() override {
            static_cast<void>(entities().get(entity));
            return std::make_unique<Aspect>();
        }
        void on_add(Aspect&) override {}
        Entity entity = NONE;
    };
    ECS ecs;
    auto& system = ecs.add_system<Asks>(0);
    const Entity e = system.entity = ecs.add_entity();
    EXPECT_EQ(refused([&] { ecs.add(e, Position{}); }).rfind("make_aspect", 0), 0u);
}

TEST(NestedCallbacks, S17_destructors_of_components_that_cause_each_other_without_end_are_an_error) {
    ECS ecs;
    Heir::message.clear();
    const Entity e = ecs.add_entity(Heir(ecs));
    ecs.remove<Heir>(e);
    EXPECT_EQ(Heir::message.rfind("destructor", 0), 0u) << Heir::message;
    for (auto [entity, heir] : ecs.query<Heir>()) heir.ecs = nullptr;
    expect_usable(ecs);
}

TEST(NestedCallbacks, S17_the_call_that_is_refused_changes_nothing) {
    ECS ecs;
    const Entity e = ecs.add_entity();
    auto& system = ecs.add_system<Positions>(0);
    bool failed = false;
    system.at_add = [&](Aspect& aspect) {
        try {
            ecs.add_entity(Position{});
        } catch (const Error&) {
            failed = true;
            const Ids one{e};
            EXPECT_ERROR(ecs.add(e, Position{}), ErrorCode::too_deep);
            EXPECT_ERROR(ecs.add<Position>(one, one_position), ErrorCode::too_deep);
            EXPECT_ERROR(ecs.set_parent(e, aspect.entity()), ErrorCode::too_deep);
            EXPECT_ERROR(ecs.disable_system(system), ErrorCode::too_deep);
            EXPECT_ERROR(ecs.remove<Position>(aspect.entity()), ErrorCode::too_deep);
            EXPECT_ERROR(ecs.remove_system(system), ErrorCode::too_deep);
        }
    };
    ecs.add_entity(Position{});
    EXPECT_TRUE(failed);
    EXPECT_EQ(ecs.count(), 101u);
    EXPECT_EQ(ecs.storage<Position>().count(), 100u);
    EXPECT_FALSE(ecs.has<Position>(e));
    EXPECT_EQ(ecs.parent(e), NONE);
    EXPECT_TRUE(system.enabled());
}
