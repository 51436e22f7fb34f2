// What callbacks of `restore`, `Rewind::to` and `apply` find (rules N2, N6, N7).
#include <gtest/gtest.h>

#include <functional>
#include <optional>
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

}  // namespace
}  // namespace crateful::test_state_callbacks
