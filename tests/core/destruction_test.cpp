// Destructors of components and systems that call the ECS (rule T5).
#include <functional>
#include <utility>

#include "world.hpp"

using namespace test;

namespace {

/// Calls a function when it is destroyed, unless it was moved from.
class AtEnd {
public:
    AtEnd() = default;
    explicit AtEnd(std::function<void()> call) : call_(std::move(call)) {}
    AtEnd(AtEnd&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
    AtEnd& operator=(AtEnd&& other) noexcept {
        std::swap(call_, other.call_);
        return *this;
    }
    ~AtEnd() {
        if (call_) std::exchange(call_, nullptr)();
    }

private:
    std::function<void()> call_;
};

struct Linked {  // the policy is linear
    AtEnd at_end;
};
const auto linked = describe_component<Linked>("Linked").policy(Policy::linear);

/// Both policies.
template <class T>
class Destruction : public testing::Test {
public:
    static T make(std::function<void()> call) { return T{AtEnd(std::move(call))}; }
    ECS world;
};
using Both = testing::Types<AtEnd, Linked>;
TYPED_TEST_SUITE(Destruction, Both);

struct Silent final : System<> {
    Silent() { require<Position>(); }
    void update(double) override {}
};

}  // namespace

TYPED_TEST(Destruction, T5_of_a_removed_component_may_remove_and_add_components_of_the_class) {
    ECS& ecs = this->world;
    const Ids all = ecs.add_entities(4);
    for (const Entity e : all) ecs.add(e, TypeParam{});
    Ids seen;
    ecs.add(all[0], this->make([&] {
        seen = copy(ecs.storage<TypeParam>().entities());
        EXPECT_FALSE(ecs.has<TypeParam>(all[0]));
        ecs.remove<TypeParam>(all[1]);
        for (int n = 0; n < 100; ++n) ecs.add_entity(TypeParam{});
        ecs.add(all[0], TypeParam{});
    }));
    EXPECT_TRUE(ecs.remove<TypeParam>(all[0]));
    EXPECT_FALSE(seen.empty());
    EXPECT_TRUE(ecs.has<TypeParam>(all[0]));
    EXPECT_FALSE(ecs.has<TypeParam>(all[1]));
    EXPECT_EQ(ecs.storage<TypeParam>().count(), 103u);
}

TYPED_TEST(Destruction, T5_of_a_replaced_component_follows_the_signal) {
    ECS& ecs = this->world;
    auto& spy = ecs.add_system<Spy<Requires<TypeParam>, Watches<TypeParam>>>(0);
    const Entity e = ecs.add_entity(TypeParam{});
    int calls = 0;
    const auto call = [&] {
        ++calls;
        EXPECT_TRUE(spy.dirty_set().contains(e));
        for (int n = 0; n < 100; ++n) ecs.add_entity(TypeParam{});
        ecs.remove<TypeParam>(e);
    };
    ecs.add(e, this->make(call));
    ecs.update();
    ecs.add(e, TypeParam{});
    EXPECT_EQ(calls, 1);
    EXPECT_FALSE(ecs.has<TypeParam>(e));
}

TYPED_TEST(Destruction, T5_follows_the_removal_of_the_entity) {
    ECS& ecs = this->world;
    ecs.template add_system<Silent>(0);
    const Ids all = ecs.add_entities(6);
    int calls = 0;
    for (const Entity e : all) {
        ecs.add<Position>(e);
        ecs.add(e, this->make([&, e] {
            ++calls;
            EXPECT_FALSE(ecs.alive(e));
            for (int n = 0; n < 20; ++n) ecs.add_entity(TypeParam{}, Position{});
            if (e == all[1]) ecs.remove_entity(all[4]);
            EXPECT_ERROR(ecs.update(), ErrorCode::reentrant_update);
        }));
    }
    for (const std::size_t i : {0u, 1u, 2u}) ecs.remove_entity(all[i]);
    ecs.update();
    EXPECT_EQ(calls, 4);
    EXPECT_EQ(ecs.count(), 2u + 80u);
    ecs.clear();
}

TYPED_TEST(Destruction, T5_may_clear_the_ecs) {
    ECS& ecs = this->world;
    for (const bool whole_entity : {false, true}) {
        const Ids all = ecs.add_entities(5);
        for (const Entity e : all) ecs.add(e, TypeParam{});
        int calls = 0;
        ecs.add(all[2], this->make([&] {
            ++calls;
            ecs.clear();
            ecs.add_entity(TypeParam{});
        }));
        if (whole_entity) ecs.remove_entities(all);
        else ecs.remove<TypeParam>(all);
        ecs.update();
        EXPECT_EQ(calls, 1);
        EXPECT_EQ(ecs.count(), 1u);
        EXPECT_EQ(ecs.storage<TypeParam>().count(), 1u);
        ecs.clear();
    }
}

TYPED_TEST(Destruction, T5_in_a_clear_follows_the_removal_of_all_entities) {
    ECS& ecs = this->world;
    auto& spy = ecs.add_system<Spy<Requires<TypeParam>>>(0);
    int calls = 0;
    spy.at_clear = [&] { EXPECT_EQ(calls, 20); };
    ecs.add(ECS::world(), TypeParam{});
    for (int n = 0; n < 20; ++n) {
        ecs.add_entity(this->make([&] {
            if (calls++ == 0) {
                EXPECT_EQ(ecs.count(), 0u);
            }
            ecs.add_entity(TypeParam{}, Position{});
            EXPECT_ERROR(ecs.remove_marked(), ErrorCode::reentrant_update);
        }));
    }
    for (Entity e : copy(ecs.storage<TypeParam>().entities()))
        if (e != ECS::world()) ecs.modify<TypeParam>(e, [](auto&) {});
    EXPECT_NO_THROW(ecs.clear());
    EXPECT_EQ(calls, 20);
}

TYPED_TEST(Destruction, T5_of_many_components_removed_at_once) {
    ECS& ecs = this->world;
    const Ids all = ecs.add_entities(10);
    int calls = 0;
    for (const Entity e : all) {
        ecs.add(e, this->make([&, e] {
            ++calls;
            EXPECT_FALSE(ecs.has<TypeParam>(e));
            ecs.add_entity(TypeParam{});
        }));
    }
    EXPECT_EQ(ecs.remove<TypeParam>(all), 10u);
    EXPECT_EQ(calls, 10);
    EXPECT_EQ(ecs.storage<TypeParam>().count(), 10u);
}

TYPED_TEST(Destruction, T5_of_components_replaced_at_once_and_of_a_prefab) {
    ECS& ecs = this->world;
    const Ids all = ecs.add_entities(3);
    int calls = 0;
    for (const Entity e : all) ecs.add(e, this->make([&] { ++calls, ecs.add_entity(TypeParam{}); }));
    for (const Entity e : all) ecs.add_entity(TypeParam{}), ecs.add(e, TypeParam{});
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(ecs.storage<TypeParam>().count(), 9u);
}

TEST(DestructionOfEcs, T5_systems_are_destroyed_before_components_and_both_may_call_the_ecs) {
    struct Calling final : System<> {
        explicit Calling(std::vector<std::string>& to) : log(to) { require<AtEnd>(); }
        ~Calling() override {
            log.push_back("system");
            ecs().add_entity(AtEnd{}, Position{});
            EXPECT_EQ(ecs().count(), 3u);
        }
        void update(double) override {}
        std::vector<std::string>& log;
    };
    std::vector<std::string> log;
    {
        Entity e = NONE;  // until the ECS is destroyed
        ECS ecs;
        ecs.add_system<Calling>(0, log);
        e = ecs.add_entity(Position{});
        ecs.add_entity(AtEnd([&] {
            log.push_back("component");
            EXPECT_FALSE(ecs.alive(e));
            ecs.add_entity(AtEnd([&] { log.push_back("component of a destructor"); }), Name{"x"});
        }));
    }
    EXPECT_EQ(log, (std::vector<std::string>{"system", "component", "component of a destructor"}));
}

TEST(DestructionOfEcs, T5_a_destructor_may_add_a_system) {
    int destroyed = 0;
    {
        ECS ecs;
        struct Counting final : System<> {
            explicit Counting(int& to) : n(to) { require<Position>(); }
            ~Counting() override { ++n; }
            void update(double) override {}
            int& n;
        };
        ecs.add_system<Counting>(0, destroyed);
        ecs.add_entity(AtEnd([&] {
            ecs.add_system<Counting>(0, destroyed);
            ecs.add_entity(Position{});
        }));
    }
    EXPECT_EQ(destroyed, 2);
}

TEST(DestructionOfEcs, V2_the_destructor_of_an_event_or_a_handler_may_use_the_ecs) {
    struct Event {
        std::shared_ptr<AtEnd> at_end;
    };
    for (const bool clears : {true, false}) {
        int calls = 0;
        {
            ECS ecs;
            ecs.events.collect<Event>();
            const auto event = [&] {
                return Event{std::make_shared<AtEnd>([&] {
                    ++calls;
                    ecs.events.dispatch(Ping{}, 0.5);
                    ecs.events.collect<Ping>();
                    ecs.add_entity(Position{});
                })};
            };
            for (int n = 0; n < 3; ++n) ecs.events.dispatch(event(), 0.1);
            ecs.events.dispatch(event());
            ecs.events.subscribe<Ping>([kept = event()](const Ping&) {}, Subscription::transient);
            if (clears) {
                ecs.clear();
                EXPECT_EQ(calls, 5);
                EXPECT_EQ(ecs.count(), 5u);
            }
        }
        EXPECT_EQ(calls, 5);
    }
}
