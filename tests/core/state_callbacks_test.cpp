// What callbacks of `restore`, `Rewind::to` and `apply` find (rules N2, N6, N7).
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "crateful/changes.hpp"
#include "crateful/ecs.hpp"
#include "crateful/rewind.hpp"
#include "crateful/state.hpp"

namespace crateful::test_state_callbacks {
namespace {

struct Tag {};
struct Kept {};
struct Cable {
    Link to;
    std::int32_t length = 0;
};
struct Sees : System<> {
    Sees() { require<Tag>(); }
    void on_add(Aspect&) override { log.push_back(look()); }
    std::function<std::string()> look = [] { return std::string(); };
    std::vector<std::string> log{};
};

/// How many cables an index, the reverse of a link and a sorted query find in `on_add` of an entity in front of them.
std::string found(ECS& ecs, Entity tag, std::int32_t length) {
    const auto count = [](const auto& range) {
        int n = 0;
        for ([[maybe_unused]] const Entity e : range) ++n;
        return std::to_string(n);
    };
    std::string order;
    for (auto [e, cable] : ecs.query<const Cable>(order_by(&Cable::length)))
        order += std::to_string(cable.length) + " ";
    return "length " + count(ecs.index(&Cable::length).get(length)) + ", linked " + count(ecs.linked<Cable>(tag)) +
           ", sorted " + order;
}

TEST(StateCallbacks, N2_N6_N7_C15_Q10_Q11_on_add_finds_all_entities_by_their_present_values) {
    describe_component<Tag>("state_callbacks.Tag");
    describe_component<Kept>("state_callbacks.Kept");
    describe_component<Cable>("state_callbacks.Cable").field("to", &Cable::to).field("length", &Cable::length);
    for (const char* const how : {"restore", "to", "apply"}) {
        ECS ecs;
        ECS other;
        const bool applies = how == std::string("apply");
        ECS& from = applies ? other : ecs;
        const Entity tag = from.add_entity(Tag{}, Kept{});
        const Entity a = from.add_entity(Cable{Link(tag), 1});
        const Entity b = from.add_entity(Cable{Link(tag), 2});
        Changes changes(from, {{"state_callbacks.Tag", "state_callbacks.Kept", "state_callbacks.Cable"}, {}});
        Receiver receiver = changes.receiver();
        Replica replica(ecs);
        if (applies) replica.apply(receiver.take());
        auto& sees = ecs.add_system<Sees>(0);
        const auto here = [&](Entity e) { return applies ? replica.entity(e) : e; };
        std::optional<Rewind> rewind;
        if (!applies) rewind.emplace(ecs);
        ecs.update();
        const auto saved = snapshot(ecs);
        from.remove<Tag>(tag);
        from.modify<Cable>(a, [](Cable& cable) { cable = {Link(), 5}; });
        from.modify<Cable>(b, [](Cable& cable) { cable.length = 0; });
        ecs.update();
        if (applies) replica.apply(receiver.take());
        EXPECT_EQ(found(ecs, here(tag), 1), "length 0, linked 1, sorted 0 5 ");
        sees.log.clear();
        sees.look = [&] { return found(ecs, here(tag), 1); };
        if (applies) {
            from.add(tag, Tag{});
            from.modify<Cable>(a, [&](Cable& cable) { cable = {Link(tag), 1}; });
            from.modify<Cable>(b, [](Cable& cable) { cable.length = 2; });
            replica.apply(receiver.take());
        } else if (rewind && how == std::string("to")) {
            rewind->to(1);
        } else {
            restore(ecs, saved);
        }
        EXPECT_EQ(sees.log, std::vector<std::string>{"length 1, linked 2, sorted 1 2 "}) << how;
    }
}

TEST(StateCallbacks, N7_N9_E13_frames_stay_recorded_if_on_add_throws) {
    describe_component<Tag>("state_callbacks.Tag");
    const std::vector<std::function<void(ECS&, Entity, std::span<const std::byte>)>> calls{
        [](ECS& ecs, Entity, std::span<const std::byte>) { ecs.add_entity(Tag{}); },
        [](ECS& ecs, Entity e, std::span<const std::byte>) { ecs.clone(e); },
        [](ECS& ecs, Entity e, std::span<const std::byte>) { ecs.clone(e, {.children = true}); },
        [](ECS& ecs, Entity, std::span<const std::byte> bytes) { merge(ecs, bytes); },
    };
    for (const auto& call : calls) {
        ECS ecs;
        auto& sees = ecs.add_system<Sees>(0);
        const Entity e = ecs.add_entity(Tag{});
        ecs.set_parent(ecs.add_entity(Tag{}), e);
        const auto saved = snapshot(ecs);
        Rewind rewind(ecs);
        ecs.update();
        ecs.update();
        sees.look = []() -> std::string { throw std::runtime_error("from on_add"); };
        EXPECT_THROW(call(ecs, e, saved), std::runtime_error);
        sees.look = [] { return std::string(); };
        EXPECT_GT(ecs.count(), 2u);
        EXPECT_EQ(rewind.oldest(), 0);
        EXPECT_EQ(rewind.newest(), 2);
        rewind.to(2);
        EXPECT_EQ(ecs.count(), 2u);
    }
}

TEST(StateCallbacks, N2_N7_C15_links_of_a_class_that_is_left_out_end_with_their_targets) {
    describe_component<Tag>("state_callbacks.Tag");
    describe_component<Cable>("state_callbacks.Cable").field("to", &Cable::to).field("length", &Cable::length);
    const std::vector<std::string> without{"state_callbacks.Cable"};
    for (const bool rewinds : {false, true}) {
        ECS ecs;
        const Entity target = ecs.add_entity(Tag{});
        const Entity a = ecs.add_entity(Cable{});
        const Entity b = ecs.add_entity(Cable{});
        Rewind rewind(ecs, {.without = without});
        ecs.update();
        const auto saved = snapshot(ecs, {.without = without});
        const Entity later = ecs.add_entity(Tag{}, Cable{});
        for (const Entity from : {a, later}) ecs.modify<Cable>(from, [&](Cable& cable) { cable.to = Link(later); });
        ecs.modify<Cable>(b, [&](Cable& cable) { cable.to = Link(target); });
        ecs.update();
        if (rewinds) rewind.to(1);
        else restore(ecs, saved);
        EXPECT_FALSE(ecs.alive(later));
        EXPECT_EQ(ecs.get<Cable>(a).to, NONE);
        EXPECT_EQ(ecs.get<Cable>(b).to, target);
        EXPECT_EQ(ecs.add_entity(Tag{}), later);
        for ([[maybe_unused]] const Entity e : ecs.linked<Cable>(later)) ADD_FAILURE();
    }
}

TEST(StateCallbacks, N7_what_was_restored_is_the_first_frame) {
    for (const bool asks : {false, true}) {
        ECS ecs;
        Rewind rewind(ecs);
        ecs.update();
        restore(ecs, snapshot(ecs));
        if (asks) {
            EXPECT_EQ(rewind.oldest(), 1);
        }
        ecs.update();
        EXPECT_EQ(rewind.oldest(), 1);
        EXPECT_EQ(rewind.newest(), 2);
    }
}

}  // namespace
}  // namespace crateful::test_state_callbacks
